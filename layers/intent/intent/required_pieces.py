"""Tells without an expression that a text can't match it: what any match holds, the text does not hold.

Most expressions match few messages, and compiling one takes a hundred times as long as looking for some
pieces of words. `training.required_pieces` reads the pieces out of the expressions and writes them to a file;
an expression that is not in it is always tried.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files

FILE = "required_pieces.json"


def pieces_of(expression: str) -> Sequence[str]:
    """Return pieces in lower case, of which each match of the expression holds one; none if unknown."""
    return _known().get(digest_of(expression), ())


def holds_any(text: str, pieces: Sequence[str]) -> bool:
    """Return whether a text in lower case holds one of the pieces, or there are none."""
    for piece in pieces:  # a generator for `any` takes longer than what it looks for
        if piece in text:
            return True
    return not pieces


def digest_of(expression: str) -> str:
    """Return the name of an expression in the file."""
    return blake2b(expression.encode(), digest_size=9).hexdigest()


@cache
def _known() -> Mapping[str, Sequence[str]]:
    known: Mapping[str, Sequence[str]] = json.loads(files(__package__).joinpath(FILE).read_bytes())
    return known
