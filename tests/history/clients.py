"""A client as ours are told to be: it repeats what was not answered, under the same Idempotency-Key, and
looks after what was promised. How a request travels is the sender's matter.
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
"""Refusals after which even a message without a key may be sent again."""
HOPELESS = frozenset({"conversation_not_found", "idempotency_key_reused"})
"""Refusals that none of these clients gives a reason for."""


class Reply(NamedTuple):
    """The answer to a message."""

    conversation_id: str
    turn_id: str
    reply_id: str
    content: str
    persisted: bool


class Promise(NamedTuple):
    """The message is durable; its turn can be looked at."""

    conversation_id: str
    turn_id: str


class Refusal(NamedTuple):
    """A reply was refused, or none came (``no_answer``)."""

    code: str


Outcome: TypeAlias = Reply | Promise | Refusal


class Sender(Protocol):
    """How requests travel."""

    def send(self, operation: Operation) -> Outcome:
        """Send the message once."""

    def look(self, turn_id: str) -> Reply | Refusal | None:
        """The reply to a turn, or that there is no such turn; None while there is no saying."""


class Client:
    """Sends operations one after the other. It tells ``note`` what it is told."""

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

    def see_through(self, operation: Operation) -> None:
        """Have it answered, or give up."""
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
            seen = self._sender.look(promise.turn_id)
            if seen is not None:
                return seen
        return Refusal("promise_not_kept")

    def _rest(self, seconds: float) -> None:
        self._pause(self._draw.uniform(0.5, 1) * min(self._longest_pause_s, seconds))

    def _may_repeat(self, operation: Operation, refusal: Refusal) -> bool:
        if refusal.code in HOPELESS:
            return False
        return operation.key is not None or refusal.code in NOT_STORED
