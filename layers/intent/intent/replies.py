"""What the words of a reply put before the user: an offer, numbered options, a question at the end. Pure."""

from __future__ import annotations

import re

from intent.answers import pick_in
from intent.patterns import gist, notice

_OFFER = notice(
    r"\b(?:i (?:can|could|would|will)|i'll|shall i|should i|may i|want me to|(?:would|do) you "
    r"(?:like|want) me to"
    r"|let me|have me) ([^?!\n]+)"
)
_OPTION = re.compile(r"(?:^|[\s(])\(?([1-9])[.)]\s+(.*?)(?=[\s(]\(?[1-9][.)]\s|\n|$)", re.DOTALL)
_WHO = re.compile(r"^\W*(?:I|me|we|you)\b\s*", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<=[.!?])\s+")


def offer_in(reply: str) -> str:
    """What the reply offers to do, as a command: ``set that up for you``; empty if nothing."""
    offer = _OFFER.search(gist(reply))
    return _as_command(offer[1]) if offer else ""


def picked_from(reply: str, message: str) -> str:
    """The option that the message picks by its number and nothing else, as a command; empty if none."""
    options: dict[str, str] = dict(_OPTION.findall(gist(reply)))
    return _as_command(options.get(str(pick_in(message)), ""))


def last_sentence(reply: str) -> str:
    """What the reply ends with: often what it asks."""
    return _SENTENCES.split(reply.strip())[-1]


def _as_command(words: str) -> str:
    return _WHO.sub("", words)
