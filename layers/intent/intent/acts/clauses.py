"""The clauses of a message: where one request or statement ends and the next one begins."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from intent.acts.act import Span
from intent.acts.tokens import Token


@dataclass(frozen=True)
class Clause:
    """A clause: its tokens and what joins it to the one before (empty: a new sentence)."""

    message: str
    tokens: tuple[Token, ...]
    joint: str = ""
    is_question: bool = False
    """Whether a question mark ends its sentence."""

    @property
    def start(self) -> int:
        """Return where it begins in the message."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Return where it ends in the message."""
        return self.tokens[-1].end

    @cached_property
    def text(self) -> str:
        """Return its words, verbatim."""
        return self.message[self.start : self.end]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return its words in lower case, spelled as they were probably meant."""
        return tuple(token.word for token in self.tokens)

    @property
    def span(self) -> Span:
        """Return its text with its place."""
        return Span(self.text, self.start, self.end)

    def places_within(self, start: int, end: int) -> range:
        """Return the indexes of the tokens that lie wholly between two places of the message."""
        first = bisect_left(self.tokens, start, key=lambda token: token.start)
        return range(first, bisect_right(self.tokens, end, key=lambda token: token.end))

    def tokens_within(self, start: int, end: int) -> tuple[Token, ...]:
        """Return the tokens that lie wholly between two places of the message."""
        within = self.places_within(start, end)
        return self.tokens[within.start : within.stop]

    def sentences(self) -> Iterator[Clause]:
        """Yield its sentences in order, without the marks between them."""
        begin = 0
        for place, token in enumerate(self.tokens):
            if token.text[0] in ".!?;":
                if place > begin:
                    yield replace(self, tokens=self.tokens[begin:place])
                begin = place + 1
        if begin < len(self.tokens):
            yield replace(self, tokens=self.tokens[begin:])
