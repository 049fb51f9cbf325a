"""The environment, read one value at a time: a method per form a value may have.

The only module besides `local` that knows the environment; everything else gets values from here. No secret
is kept: whether a key is present is a flag, and the key itself stays with the library that uses it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import TypeVar

Word = TypeVar("Word", bound=str)

_TRUE = frozenset({"1", "true", "yes", "on", "y", "t"})


class SettingsInvalid(ValueError):
    """A setting has a value nothing can run with: one line that begins with the setting's name."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")
        self.name = name


def process_environment() -> MutableMapping[str, str]:
    """The environment itself, for a runtime: it finds there what Lambda tells it, and leaves the trace id."""
    return os.environ


def search_key(environ: Mapping[str, str] = os.environ) -> str | None:
    """The key for web search that an environment holds. Read when it is needed: no value keeps a secret."""
    return Reader(environ).text("TAVILY_API_KEY")


class Reader:
    """Values of an environment, by default this process's; `SettingsInvalid` for what has no such form.

    What is not set or blank counts as absent.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._environ = environ

    def raw(self, name: str) -> str | None:
        """The value as it stands; None where it is not set at all."""
        return self._environ.get(name)

    def text(self, name: str) -> str | None:
        """The value without the spaces around it."""
        return self._environ.get(name, "").strip() or None

    def present(self, name: str) -> bool:
        """Whether there is a value."""
        return self.text(name) is not None

    def required(self, name: str) -> str:
        """The value of a setting that has no default."""
        value = self.text(name)
        if value is None:
            raise SettingsInvalid(name, "is needed and not set")
        return value

    def truth(self, name: str) -> bool | None:
        """Whether the value says yes."""
        value = self.text(name)
        return None if value is None else value.lower() in _TRUE

    def matching(self, name: str, pattern: str, problem: str) -> str | None:
        """A value that matches the whole pattern; ``problem`` says what it must be."""
        value = self.text(name)
        if value is not None and not re.fullmatch(pattern, value):
            raise SettingsInvalid(name, problem)
        return value

    def one_of(self, name: str, default: Word, allowed: Sequence[Word]) -> Word:
        """One of a few words."""
        value = self.text(name) or default
        for each in allowed:
            if each == value:
                return each
        raise SettingsInvalid(name, f"must be one of {', '.join(allowed)}")

    def whole(self, name: str, default: int, *, low: int, high: int) -> int:
        """A whole number between two, both included."""
        text = self.text(name) or str(default)
        if not re.fullmatch(r"-?[0-9]{1,13}", text) or not low <= int(text) <= high:
            raise SettingsInvalid(name, f"must be a whole number between {low} and {high}")
        return int(text)

    def share(self, name: str, default: float) -> float:
        """A number between 0 and 1."""
        text = self.text(name) or str(default)
        if not re.fullmatch(r"[01](\.[0-9]{1,12})?", text) or float(text) > 1:
            raise SettingsInvalid(name, "must be a number between 0 and 1")
        return float(text)

    def items(self, name: str) -> tuple[str, ...]:
        """What stands between commas, blanks left out."""
        parts = (part.strip() for part in self._environ.get(name, "").split(","))
        return tuple(part for part in parts if part)

    def path(self, name: str) -> Path | None:
        """A file or folder, which need not exist."""
        text = self.text(name)
        return Path(text) if text is not None else None
