"""The local twin with planted bugs: ``python -m tests.fakes.deployment.twin_with_bugs serve …``.

It takes the arguments of ``python -m local``. ``PLANTED_BUGS`` names functions, such as
``intent.prompt:messages``, separated by spaces. The function that the file ``PLANTED_NOW`` names raises
TypeError.
"""

from __future__ import annotations

import functools
import importlib
import os
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

SECRET = "a text of ours that no client may read"


def with_bug(function: Callable[..., Any], *, place: str, now: Path) -> Callable[..., Any]:
    """Wrap the function so that it raises TypeError as long as the file names its place."""

    @functools.wraps(function)
    def planted(*args: Any, **kwargs: Any) -> Any:
        if now.exists() and now.read_text() == place:
            raise TypeError(SECRET)
        return function(*args, **kwargs)

    return planted


def plant(place: str, now: Path) -> None:
    """Plant a bug in ``module:function`` or ``module:Class.method``."""
    module, _, path = place.partition(":")
    *owners, name = path.split(".")
    owner = functools.reduce(getattr, owners, importlib.import_module(module))
    setattr(owner, name, with_bug(getattr(owner, name), place=place, now=now))


def main() -> None:
    """Plant the bugs, then run the twin."""
    for place in os.environ["PLANTED_BUGS"].split():
        plant(place, Path(os.environ["PLANTED_NOW"]))
    runpy.run_module("local", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
