"""The clauses of a message: where one request or statement ends and the next one begins."""

from __future__ import annotations

from dataclasses import dataclass

from intent.acts.act import Span
from intent.acts.tokens import Token


@dataclass(frozen=True, slots=True)
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

    @property
    def text(self) -> str:
        """Return its words, verbatim."""
        return self.message[self.start : self.end]

    @property
    def words(self) -> tuple[str, ...]:
        """Return its words in lower case, spelled as they were probably meant."""
        return tuple(token.word for token in self.tokens)

    @property
    def span(self) -> Span:
        """Return its text with its place."""
        return Span(self.text, self.start, self.end)
