"""Parses the text of a search box into a search query. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from conversation.errors import Invalid
from conversation.search.words import COMMON, fold_word, stem, words

MAX_CHARACTERS = 500
_MOST_CLAUSES = 16
_SHORTEST_PREFIX = 2

_PARTS = re.compile(r'"([^"]*)"|“([^”]*)”|(\S+)')


class SearchInvalid(Invalid):
    """The text is not a valid search query."""

    code = "query_invalid"


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition on a message: a word in any form, exactly this word, or any word with this prefix."""

    kind: Literal["word", "exact", "prefix"]
    term: str

    @property
    def root(self) -> str:
        """The prefix that every matching term has."""
        return stem(self.term) if self.kind == "word" else self.term

    def matches(self, term: str) -> bool:
        """Whether a term that begins with the root matches."""
        match self.kind:
            case "prefix":
                return term.startswith(self.term)
            case "exact":
                return term == self.term
            case "word":
                return term == self.term or stem(term) == stem(self.term)


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A search query: a message has to match each clause and contain each phrase word by word."""

    clauses: tuple[Clause, ...]
    phrases: tuple[tuple[str, ...], ...] = ()


def parse_query(text: str) -> SearchQuery:
    """Parse words, ``"phrases"`` and ``begin*``. Frequent words don't count outside phrases.

    Raises:
        SearchInvalid: nothing is left to search for, the text is too long, has too many words, or has a
            prefix that is too short.
    """
    if len(text) > MAX_CHARACTERS:
        raise SearchInvalid(f"A search may have {MAX_CHARACTERS} characters.")
    clauses: dict[Clause, None] = {}
    phrases = []
    for quoted, curled, plain in _PARTS.findall(text):
        if phrase := tuple(word.term for word in words(quoted or curled)):
            phrases.append(phrase)
            clauses |= dict.fromkeys(Clause("exact", term) for term in phrase if term not in COMMON)
        elif plain:
            clauses |= dict.fromkeys(_plain(plain))
    if not clauses:
        raise SearchInvalid("There is no word in this to search for.")
    if len(clauses) > _MOST_CLAUSES:
        raise SearchInvalid(f"A search may have {_MOST_CLAUSES} words.")
    return SearchQuery(tuple(clauses), tuple(phrases))


def _plain(text: str) -> list[Clause]:
    found = [word.term for word in words(text)]
    begins = fold_word(found.pop()) if found and text.endswith("*") else ""
    if begins and len(begins) < _SHORTEST_PREFIX and begins.isascii():
        raise SearchInvalid(f"The beginning of a word needs {_SHORTEST_PREFIX} characters in front of the *.")
    clauses = [_word(term) for term in found if term not in COMMON]
    return [*clauses, Clause("prefix", begins)] if begins else clauses


def _word(term: str) -> Clause:
    # A single character of a script without spaces is indexed in pairs only.
    return Clause("prefix" if len(term) == 1 and not term.isascii() else "word", term)
