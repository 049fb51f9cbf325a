"""The package of this name that Lambda's runtimes bring, as far as a runtime and a function know it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Hook = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
_before: list[Hook] = []
_after: list[Hook] = []


def register_before_snapshot(hook: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Have the hook called before the snapshot is taken."""
    _before.append((hook, args, kwargs))


def register_after_restore(hook: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Have the hook called in each environment that is restored from it."""
    _after.append((hook, args, kwargs))


def get_before_snapshot() -> list[Hook]:
    """The hooks, in the order of their registration; they are called in reverse."""
    return _before


def get_after_restore() -> list[Hook]:
    """The hooks, in the order in which they are called."""
    return _after
