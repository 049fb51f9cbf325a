"""A client that follows our instructions to clients.

It repeats unanswered requests under the same Idempotency-Key and polls promised turns. A sender transports
the requests; see `tests.history.transports`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple, Protocol, TypeAlias

from tests.history.records import Answered, Event, Failed, GaveUp, Operation, Promised, Sent

TRIES = 150
LOOKS = 200
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.2, 5.0
NOT_STORED = frozenset({"conversation_busy"})
"""Errors after which even a message without a key may be sent again."""
UNEXPECTED_ERRORS = frozenset({"conversation_not_found", "idempotency_key_reused"})
"""Errors that these clients never cause."""


class Reply(NamedTuple):
    """The reply to a message."""

    conversation_id: str
    turn_id: str
    reply_id: str
    content: str
    persisted: bool


class Promise(NamedTuple):
    """The message is durable and its turn can be polled."""

    conversation_id: str
    turn_id: str


class Refusal(NamedTuple):
    """An error instead of a reply, or no answer at all (``no_answer``)."""

    code: str


Outcome: TypeAlias = Reply | Promise | Refusal


class Sender(Protocol):
    """The transport of requests."""

    def send(self, operation: Operation) -> Outcome:
        """Send the message once."""

    def poll(self, turn_id: str) -> Reply | Refusal | None:
        """Return the reply to a turn, or the error that there is no such turn; None while it is undecided."""


class Client:
    """Sends operations one after the other and passes the outcomes to ``note``."""

    def __init__(
        self,
        sender: Sender,
        *,
        note: Callable[[Event], None],
        now: Callable[[], float],
        pause: Callable[[float], None],
        draw: Random,
        longest_pause_s: float = LONGEST_PAUSE_S,
    ) -> None:
        self._sender = sender
        self._note = note
        self._now = now
        self._pause = pause
        self._draw = draw
        self._longest_pause_s = longest_pause_s

    def complete(self, operation: Operation) -> None:
        """Send the operation until it is answered, or give up."""
        self._note(Sent(operation.name, self._now()))
        for attempt in range(TRIES):
            outcome = self._tried(operation)
            if isinstance(outcome, Reply):
                self._note(Answered(operation.name, self._now(), *outcome))
                return
            if not self._may_repeat(operation, outcome):
                break
            self._rest(FIRST_PAUSE_S * 2**attempt)
        self._note(GaveUp(operation.name, self._now()))

    def _tried(self, operation: Operation) -> Reply | Refusal:
        outcome = self._sender.send(operation)
        if isinstance(outcome, Promise):
            self._note(Promised(operation.name, self._now(), *outcome))
            outcome = self._awaited(outcome)
        if isinstance(outcome, Refusal):
            self._note(Failed(operation.name, self._now(), outcome.code))
        return outcome

    def _awaited(self, promise: Promise) -> Reply | Refusal:
        for _ in range(LOOKS):
            self._rest(self._longest_pause_s)
            seen = self._sender.poll(promise.turn_id)
            if seen is not None:
                return seen
        return Refusal("promise_not_kept")

    def _rest(self, seconds: float) -> None:
        self._pause(self._draw.uniform(0.5, 1) * min(self._longest_pause_s, seconds))

    def _may_repeat(self, operation: Operation, refusal: Refusal) -> bool:
        if refusal.code in UNEXPECTED_ERRORS:
            return False
        return operation.key is not None or refusal.code in NOT_STORED
