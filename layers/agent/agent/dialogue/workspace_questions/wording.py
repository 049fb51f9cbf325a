"""The words of a clause in the form in which its subject is looked up."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from intent.acts.act import Act
from intent.acts.tokens import tokenise


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text with spaces between them."""
    return frozenset(words.split())


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a clause, in lower case, in order."""

    words: tuple[str, ...]
    text: str
    """The clause itself."""

    @classmethod
    def of(cls, act: Act) -> Wording:
        """Return the wording of an act's clause."""
        return cls.of_text(act.clause.text)

    @classmethod
    def of_text(cls, text: str) -> Wording:
        """Return the wording of a text."""
        return cls(tuple(token.word for token in tokenise(text)), text)

    def has(self, words: Collection[str]) -> bool:
        """Return whether it has one of the words."""
        return not frozenset(words).isdisjoint(self.words)

    def says(self, *phrases: str) -> bool:
        """Return whether it has one of the phrases, as whole words."""
        line = f" {' '.join(self.words)} "
        return any(f" {phrase} " in line for phrase in phrases)

    def after(self, *words: str) -> tuple[str, ...]:
        """Return the words behind the first of these; empty when it has none of them."""
        place = next((at for at, word in enumerate(self.words) if word in words), len(self.words))
        return self.words[place + 1 :]
