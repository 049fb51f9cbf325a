"""Telling a text in pieces while it comes about, so that they always add up to it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.events import Chunk, Restarted

_LINES = re.compile(r"\n*[^\n]+|\n+")


class Teller:
    """What was told of one reply so far."""

    def __init__(self) -> None:
        self._told = ""

    def tell(self, text: str) -> Iterator[Chunk | Restarted]:
        """What is still to be told so that all of it is ``text``: its rest by lines, or another beginning."""
        if not text.startswith(self._told):
            self._told = ""
            yield Restarted()
        rest, self._told = text[len(self._told) :], text
        yield from map(Chunk, _LINES.findall(rest))
