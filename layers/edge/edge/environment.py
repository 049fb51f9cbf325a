"""Typed reading of environment variables: one `EnvironmentReader` method per form a value may have.

Only this module and `local` know the environment; everything else gets its values from here. No secret is
kept: settings hold a flag that says whether a key is present, and the key itself stays with the library that
uses it.
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
    """A setting has an unusable value. The message is one line that begins with the setting's name."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")
        self.name = name


def process_environment() -> MutableMapping[str, str]:
    """The live environment, for the Lambda runtime, which reads Lambda's values and sets the trace id."""
    return os.environ


def lambda_trace() -> str | None:
    """X-Ray's header of the current invocation, which Lambda sets even where nothing is traced; else None."""
    return os.environ.get("_X_AMZN_TRACE_ID")


def search_key(environ: Mapping[str, str] = os.environ) -> str | None:
    """The web search key of an environment, or None. Read on each call, so no object keeps the secret."""
    return EnvironmentReader(environ).text("TAVILY_API_KEY")


_MODEL_KEYS = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "bedrock": "AWS_BEARER_TOKEN_BEDROCK",
}


def model_key(vendor: str, environ: Mapping[str, str] = os.environ) -> str | None:
    """The key of a model vendor in an environment, or None. Read on each call, as `search_key` is."""
    name = _MODEL_KEYS.get(vendor)
    return EnvironmentReader(environ).text(name) if name is not None else None


class EnvironmentReader:
    """Reads typed values of an environment, by default this process's.

    A variable that is unset or blank counts as absent. A value that does not have the expected form raises
    `SettingsInvalid`.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._environ = environ

    def raw(self, name: str) -> str | None:
        """The unchanged value, even a blank one; None only when the variable is not set."""
        return self._environ.get(name)

    def text(self, name: str) -> str | None:
        """The value without surrounding whitespace; None when absent."""
        return self._environ.get(name, "").strip() or None

    def is_set(self, name: str) -> bool:
        """Whether the variable has a value that is not blank."""
        return self.text(name) is not None

    def required(self, name: str) -> str:
        """The value of a setting that has no default."""
        value = self.text(name)
        if value is None:
            raise SettingsInvalid(name, "is needed and not set")
        return value

    def boolean(self, name: str) -> bool | None:
        """Whether the value means yes: ``1``, ``true``, ``yes``, ``on``, ``y`` or ``t``; None when absent."""
        value = self.text(name)
        return None if value is None else value.lower() in _TRUE

    def matching(self, name: str, pattern: str, problem: str) -> str | None:
        """A value that matches the whole pattern; None when absent. ``problem`` says what it must be."""
        value = self.text(name)
        if value is not None and not re.fullmatch(pattern, value):
            raise SettingsInvalid(name, problem)
        return value

    def one_of(self, name: str, default: Word, allowed: Sequence[Word]) -> Word:
        """One of the allowed words; the default when absent."""
        value = self.text(name) or default
        for each in allowed:
            if each == value:
                return each
        raise SettingsInvalid(name, f"must be one of {', '.join(allowed)}")

    def integer(self, name: str, default: int, *, low: int, high: int) -> int:
        """A whole number between ``low`` and ``high``, both included."""
        text = self.text(name) or str(default)
        if not re.fullmatch(r"-?[0-9]{1,13}", text) or not low <= int(text) <= high:
            raise SettingsInvalid(name, f"must be a whole number between {low} and {high}")
        return int(text)

    def fraction(self, name: str, default: float) -> float:
        """A number between 0 and 1."""
        text = self.text(name) or str(default)
        if not re.fullmatch(r"[01](\.[0-9]{1,12})?", text) or float(text) > 1:
            raise SettingsInvalid(name, "must be a number between 0 and 1")
        return float(text)

    def amount(self, name: str, default: float, *, low: float, high: float) -> float:
        """A decimal number between ``low`` and ``high``, both included."""
        text = self.text(name) or str(default)
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", text) or not low <= float(text) <= high:
            raise SettingsInvalid(name, f"must be a number between {low:g} and {high:g}")
        return float(text)

    def comma_separated(self, name: str) -> tuple[str, ...]:
        """The parts between commas, without blank ones."""
        parts = (part.strip() for part in self._environ.get(name, "").split(","))
        return tuple(part for part in parts if part)

    def json_or_file(self, name: str) -> str | None:
        """A JSON list, or the content of the file that is named; None when absent."""
        text = self.text(name)
        if text is None or text.startswith("["):
            return text
        try:
            return Path(text).read_text("utf-8")
        except (OSError, ValueError):
            raise SettingsInvalid(name, "must be a JSON list, or a file that can be read") from None

    def path(self, name: str) -> Path | None:
        """A file or folder, which need not exist."""
        text = self.text(name)
        return Path(text) if text is not None else None
