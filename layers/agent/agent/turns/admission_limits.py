"""Turns under a deadline and under rate limits. After the deadline, stored messages are answered later."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agent.turn_events import Accepted, Done, Restarted, TurnEvent, TurnStarted
from conversation.limits.limiter import TurnLimiter
from conversation.turns.admission import IncomingMessage
from resilience.deadlines import DeadlineExceeded, iterate_with_deadline

HANDOVER_MARGIN_S = 0.5
"""Reserved for asking another process to finish the turn."""


def with_deadline(
    events: Iterator[TurnEvent], seconds: float, *, ask_to_finish: Callable[[str], object]
) -> Iterator[TurnEvent]:
    """Yield the events of a turn; the last one is `Accepted` when the turn is stored but not finished within
    ``seconds``.

    ``ask_to_finish`` then gets the conversation's id. The abandoned work may end later; its result is stored
    under the lease or not at all.

    Raises:
        DeadlineExceeded: the time is up and the message is not stored.
    """
    started: TurnStarted | None = None
    try:
        for event in iterate_with_deadline(events, seconds - HANDOVER_MARGIN_S):
            if isinstance(event, TurnStarted) and event.stored:
                started = event
            yield event
    except DeadlineExceeded:
        if started is None:
            raise
        yield Restarted()
        ask_to_finish(started.conversation_id)
        yield Accepted(started.turn_id, started.conversation_id)


def with_rate_limit(
    limiter: TurnLimiter, incoming: IncomingMessage, events: Iterator[TurnEvent], *, is_stored: bool = True
) -> Iterator[TurnEvent]:
    """Yield the events of a turn if the limits of its tenant and user admit it now; otherwise nothing of it
    happens.

    Raises:
        RateLimited, DailyQuotaExceeded, TooManyTurns: with the first event.
    """
    content_bytes = len(incoming.content.encode()) if is_stored else 0
    permit = limiter.acquire(incoming.caller, content_bytes=content_bytes)
    try:
        for event in events:
            permit.keep_alive()
            if isinstance(event, Done) and not event.answer.replayed:
                permit.record_stored(event.answer.content)
            elif isinstance(event, Accepted):
                permit.record_stored()  # another process makes the answer and does not count it
            yield event
    finally:
        permit.release()
