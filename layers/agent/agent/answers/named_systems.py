"""The system that a question about the product names, and the question without its name."""

from __future__ import annotations

from typing import NamedTuple

from intent.acts.tokens import Token, tokenise
from intent.entities.services import find_services

_PLAIN = frozenset("files email website spreadsheet database calendar crm erp".split())
"""Known services whose name is a plain word: questions about them have answers of their own."""
_BEFORE_NAME = frozenset("from to with into in of on via through our support supports for use".split())
_REACHING = frozenset(
    "read reads reading connect connects connected connecting work works working pull pulls get gets post"
    " posts send sends integrate integrates integration access look looks fetch fetches write writes support"
    " supports use uses talk sync reach notify message link hook plug see query possible".split()
)
_US = frozenset("you it that this they omniforge agent agents bot bots i we there one".split())
_ASKING = frozenset("can could does do is are will would may".split())
_LONGEST = 25


class NamedSystem(NamedTuple):
    """A system by the name that was typed, and the question with "service" in the place of the name."""

    name: str
    question: str


def named_system(question: str) -> NamedSystem | None:
    """Return the system that a question whether it can be reached names; None for any other question."""
    tokens = tokenise(question)
    words = {token.word for token in tokens}
    if len(tokens) > _LONGEST or not (words & _REACHING and words & _US and words & _ASKING):
        return None
    place = _place_of_known(question) or _place_of_name(tokens)
    if place is None:
        return None
    start, end = place
    return NamedSystem(question[start:end], f"{question[:start]}service{question[end:]}")


def _place_of_known(question: str) -> tuple[int, int] | None:
    found = [one for one in find_services(question) if one.name not in _PLAIN]
    return (found[0].start, found[0].end) if found else None


def _place_of_name(tokens: tuple[Token, ...]) -> tuple[int, int] | None:
    """Return where a name stands behind a preposition: written with a capital."""
    for place, token in enumerate(tokens[1:], 1):
        is_behind = bool(_BEFORE_NAME & {before.word for before in tokens[max(0, place - 2) : place]})
        if is_behind and token.is_word and _is_name(token):
            last = place
            while last + 1 < len(tokens) and tokens[last + 1].text[:1].isupper():
                last += 1
            return token.start, tokens[last].end
    return None


def _is_name(token: Token) -> bool:
    return len(token.text) >= _SHORTEST and token.text[:1].isupper() and token.word not in _CALENDAR


_SHORTEST = 3
_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july"
    " august september october november december english german french spanish".split()
)
