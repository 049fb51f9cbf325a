"""The records of a run: the clients' operations and outcomes, the model calls, and the table's final state.

Times are seconds on one clock for all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias


class Operation(NamedTuple):
    """A message that a client wants to be stored and answered once.

    ``name`` occurs in its message and in the right reply, and nowhere else. Without ``key``, the message is
    sent without an Idempotency-Key and so only once. Without ``conversation``, it starts a new one.
    """

    name: str
    message: str
    conversation: str | None
    key: str | None


class Sent(NamedTuple):
    """A client sent the operation for the first time."""

    op: str
    at: float


class Answered(NamedTuple):
    """A client received the reply; ``persisted`` says whether the reply claims to be stored."""

    op: str
    at: float
    conversation_id: str
    turn_id: str
    reply_id: str
    reply: str
    persisted: bool = True


class Promised(NamedTuple):
    """A client was told that its message is durable and will be answered (202)."""

    op: str
    at: float
    conversation_id: str
    turn_id: str


class Failed(NamedTuple):
    """An attempt ended without a reply: with an error, or without any answer."""

    op: str
    at: float
    code: str


class GaveUp(NamedTuple):
    """A client stopped retrying."""

    op: str
    at: float


class Admitted(NamedTuple):
    """The table admitted the message of a turn to an inbox."""

    conversation_id: str
    ulid: str
    at: float


class NotAdmitted(NamedTuple):
    """Storage did not admit the message of a turn, as far as its caller knows; it is still answered."""

    turn_id: str
    at: float


class ModelCalled(NamedTuple):
    """A model call for a turn, with its start and end."""

    conversation_id: str
    turn_id: str
    began: float
    ended: float


class FaultOccurred(NamedTuple):
    """A fault happened."""

    fault: str
    at: float


class Stalled(NamedTuple):
    """A stall of a process or of one of its storage requests, with its start and end."""

    began: float
    ended: float


Event: TypeAlias = (
    Sent
    | Answered
    | Promised
    | Failed
    | GaveUp
    | Admitted
    | NotAdmitted
    | ModelCalled
    | FaultOccurred
    | Stalled
)
_EVENTS = {
    kind.__name__: kind
    for kind in (
        Sent,
        Answered,
        Promised,
        Failed,
        GaveUp,
        Admitted,
        NotAdmitted,
        ModelCalled,
        FaultOccurred,
        Stalled,
    )
}


class StoredMessage(NamedTuple):
    """A stored message.

    ``failed`` marks an apology for an answer that could not be produced, ``late`` a message stored after an
    outage.
    """

    id: str
    sequence: int
    role: str
    content: str
    turn_id: str
    failed: bool = False
    late: bool = False


class FinalState(NamedTuple):
    """The table's content after all clients were done and all faults had stopped.

    ``waiting`` has the messages that are still in an inbox, ``effects`` the count of each operation's effect.
    """

    conversations: Mapping[str, tuple[StoredMessage, ...]]
    waiting: Mapping[str, tuple[str, ...]]
    effects: Mapping[str, int]


class History(NamedTuple):
    """One run."""

    operations: tuple[Operation, ...]
    events: tuple[Event, ...]
    final: FinalState


def to_line(event: Event) -> str:
    """Encode the event as a line of JSON."""
    return json.dumps([type(event).__name__, *event])


def from_lines(lines: Iterable[str]) -> Iterator[Event]:
    """Decode the events that `to_line` wrote. The incomplete last line of a killed process is skipped."""
    for line in lines:
        try:
            name, *values = json.loads(line)
        except json.JSONDecodeError:
            continue
        yield _event(name, values)


def _event(name: str, values: list[Any]) -> Event:
    return _EVENTS[name](*values)
