"""Turns that pass a turnstile before they begin."""

from __future__ import annotations

from collections.abc import Iterator

from agent.events import Accepted, Done, TurnEvent
from conversation.admission import Incoming
from conversation.turnstile import Turnstile


def paced(
    turnstile: Turnstile, incoming: Incoming, events: Iterator[TurnEvent], *, is_stored: bool = True
) -> Iterator[TurnEvent]:
    """The events of a turn, if its tenant and user may have one now; else nothing of it happens.

    Raises:
        RateLimited, DailyBytesReached, TooManyTurns: with the first event.
    """
    content_bytes = len(incoming.content.encode()) if is_stored else 0
    passage = turnstile.enter(incoming.caller, content_bytes=content_bytes)
    try:
        for event in events:
            passage.lasts()
            if isinstance(event, Done) and not event.answer.replayed:
                passage.stored(event.answer.content)
            elif isinstance(event, Accepted):
                passage.stored()  # the answer is made by somebody who does not count it
            yield event
    finally:
        passage.leave()
