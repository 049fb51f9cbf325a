"""Offers and options in a reply, and which of them a message picks by its words or number. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from intent.entities.answers import parse_pick
from intent.regular_expressions import lower_pattern, normalise

_WORD = re.compile(r"[\w'#@-]+")
_ADDED = """
    a an the this that it one please pls thanks yes yeah ok okay sure then just rather i i'd i'll let's we
    want like would mean meant to with of go for take choose pick prefer do option choice my your you me
    agent agents skill skills
"""
_TELLS_NOTHING = frozenset(_ADDED.split())
_MOST_WORDS = 8


def find_named_option(text: str, labels: Sequence[str]) -> int | None:
    """Return the position of the only label that contains every word of a short text: 1 for ``a new agent``.

    At least one of the words must name what would be done: it must occur before the label's ``for``.
    """
    words = _words(text) - _TELLS_NOTHING
    if len(text.split()) > _MOST_WORDS:
        return None
    fitting = [place for place, label in enumerate(labels, 1) if _is_named(words, label)]
    return fitting[0] if len(fitting) == 1 else None


def _is_named(words: frozenset[str], label: str) -> bool:
    head = label.partition(":")[0]
    return words <= _words(head) and bool(words & _words(head.partition(" for ")[0]))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


_OFFER = lower_pattern(
    r"\b(?:i (?:can|could|would|will)|i'll|shall i|should i|may i|want me to|(?:would|do) you "
    r"(?:like|want) me to"
    r"|let me|have me) ([^?!\n]+)"
)
_OPTION = re.compile(r"(?:^|[\s(])\(?([1-9])[.)]\s+(.*?)(?=[\s(]\(?[1-9][.)]\s|\n|$)", re.DOTALL)
_WHO = re.compile(r"^\W*(?:I|me|we|you)\b\s*", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<=[.!?])\s+")


def find_offer(reply: str) -> str:
    """Return what the reply offers to do, as a command such as ``set that up for you``; else empty."""
    offer = _OFFER.search(normalise(reply))
    return _as_command(offer[1]) if offer else ""


def find_picked_option(reply: str, message: str) -> str:
    """Return the option that the message picks by number only, as a command; else empty."""
    options: dict[str, str] = dict(_OPTION.findall(normalise(reply)))
    return _as_command(options.get(str(parse_pick(message)), ""))


def last_sentence(reply: str) -> str:
    """Return the last sentence of the reply, which is often its question."""
    return _SENTENCES.split(reply.strip())[-1]


def _as_command(words: str) -> str:
    return _WHO.sub("", words)
