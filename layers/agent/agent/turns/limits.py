"""Turns under a deadline and under rate limits. After the deadline, stored messages are answered later."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agent.events import Accepted, Done, Restarted, TurnEvent, TurnStarted
from conversation.deadlines import OutOfTime, told_in_time
from conversation.limits.limiter import Turnstile
from conversation.turns.admission import Incoming

HANDING_OVER_S = 0.5
"""Reserved for asking another process to finish the turn."""


def hurried(
    events: Iterator[TurnEvent], seconds: float, *, ask_to_finish: Callable[[str], None]
) -> Iterator[TurnEvent]:
    """Yield the events of a turn; the last one is `Accepted` when the turn is stored but not finished within
    ``seconds``.

    ``ask_to_finish`` then gets the conversation's id. The abandoned work may end later; its result is stored
    under the lease or not at all.

    Raises:
        OutOfTime: the time is up and the message is not stored.
    """
    started: TurnStarted | None = None
    try:
        for event in told_in_time(events, seconds - HANDING_OVER_S):
            if isinstance(event, TurnStarted) and event.stored:
                started = event
            yield event
    except OutOfTime:
        if started is None:
            raise
        yield Restarted()
        ask_to_finish(started.conversation_id)
        yield Accepted(started.turn_id, started.conversation_id)


def paced(
    turnstile: Turnstile, incoming: Incoming, events: Iterator[TurnEvent], *, is_stored: bool = True
) -> Iterator[TurnEvent]:
    """Yield the events of a turn if the limits of its tenant and user admit it now; otherwise nothing of it
    happens.

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
                passage.stored()  # another process makes the answer and does not count it
            yield event
    finally:
        passage.leave()
