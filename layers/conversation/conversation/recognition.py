"""What a text holds that is worth stealing: keys, passwords, private keys, numbers of cards and accounts, and
where. What to do about it is for others to say (`conversation.redaction`).

Only what has the form of such a thing, or stands where somebody says that it is one, is told: a hash, an
order number or talk about passwords is not. Pure; every look at a place is bounded, so that the work grows
with the text, whatever is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple


class SecretKind(StrEnum):
    """What was found, as messages are marked with it."""

    API_KEY = "api_key"
    """A key, a token or a secret that a machine signs in with."""
    PASSWORD = "password"  # noqa: S105 - a kind, not a password
    """What a person signs in with: a password, a PIN, a code."""
    PRIVATE_KEY = "private_key"
    CARD = "card"
    IBAN = "iban"
    WEBHOOK = "webhook"
    """The part of a web address by which anybody may post there."""


class Span(NamedTuple):
    """A part of a text, and what it is."""

    start: int
    end: int
    kind: SecretKind


class Text(NamedTuple):
    """A text, and the same in lower case with every character in its place."""

    given: str
    lower: str


def spans(text: str) -> tuple[Span, ...]:
    """What was found, in the order of the text; no two overlap."""
    both = Text(text, lowered(text))
    found = [span for finder in _finders() for span in finder(both)]
    return _merged(found) if found else ()


def lowered(text: str) -> str:
    """The text in lower case, exactly as long."""
    # The one letter whose lower case is longer.
    return text.replace("\u0130", "I").lower()


def _finders() -> Sequence[Callable[[Text], Iterator[Span]]]:
    from conversation import (
        account_numbers,
        key_forms,
        said_secrets,
    )

    return key_forms.found, said_secrets.found, account_numbers.found


def _merged(found: list[Span]) -> tuple[Span, ...]:
    """Of those that overlap one that covers them, of the kind that was found first."""
    rank = {id(span): place for place, span in enumerate(found)}
    merged: list[tuple[int, Span]] = []
    for span in sorted(found):
        place = rank[id(span)]
        if merged and span.start < merged[-1][1].end:
            other, last = merged[-1]
            kind = last.kind if other < place else span.kind
            merged[-1] = (min(place, other), Span(last.start, max(last.end, span.end), kind))
        else:
            merged.append((place, span))
    return tuple(span for _, span in merged)
