"""Turns that end in time, whatever they hang on: what is durable is answered later."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agent.events import Accepted, Done, Restarted, TurnEvent, TurnStarted
from conversation.deadlines import OutOfTime, told_in_time
from conversation.limits.limiter import Turnstile
from conversation.turns.admission import Incoming

HANDING_OVER_S = 0.5
"""What it takes to have somebody else asked to finish."""


def hurried(
    events: Iterator[TurnEvent], seconds: float, *, ask_to_finish: Callable[[str], None]
) -> Iterator[TurnEvent]:
    """The events of a turn; the last one is `Accepted` where it is stored and not over after so many seconds.

    ``ask_to_finish`` is told its conversation then. What it hangs on may end later, and is stored under the
    lease or not at all.

    Raises:
        OutOfTime: the same, where it is not stored.
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
