"""What is recorded of a run: what clients wanted and were told, what models were asked, and what stood in the
table in the end. Moments are seconds on one clock for all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias


class Operation(NamedTuple):
    """Something a client wants to have said once.

    ``name`` occurs in its message, in the right reply and in no other. ``key`` None: it is sent without an
    Idempotency-Key, and so only once. ``conversation`` None: it begins one of its own.
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
    """A client got the reply; ``persisted`` says whether it was told that it is stored."""

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
    """A try ended without a reply: a refusal, or nothing at all."""

    op: str
    at: float
    code: str


class GaveUp(NamedTuple):
    """A client does not try any more."""

    op: str
    at: float


class Admitted(NamedTuple):
    """The table took the message of a turn into an inbox."""

    conversation_id: str
    ulid: str
    at: float


class Unadmitted(NamedTuple):
    """Storage did not take the message of a turn, as far as its caller knows; it is answered all the same."""

    turn_id: str
    at: float


class Asked(NamedTuple):
    """A model was asked for a turn, from when to when."""

    conversation_id: str
    turn_id: str
    began: float
    ended: float


class Struck(NamedTuple):
    """A fault happened."""

    fault: str
    at: float


class Stalled(NamedTuple):
    """A process, or a storage request of it, stood still: from when to when."""

    began: float
    ended: float


Event: TypeAlias = (
    Sent | Answered | Promised | Failed | GaveUp | Admitted | Unadmitted | Asked | Struck | Stalled
)
_EVENTS = {
    kind.__name__: kind
    for kind in (Sent, Answered, Promised, Failed, GaveUp, Admitted, Unadmitted, Asked, Struck, Stalled)
}


class Said(NamedTuple):
    """A stored message. ``failed``: an apology for an answer that could not be made. ``late``: it was stored
    after an outage."""

    id: str
    sequence: int
    role: str
    content: str
    turn_id: str
    failed: bool = False
    late: bool = False


class FinalState(NamedTuple):
    """What stood in the table when everybody was done and nothing failed any more.

    ``waiting``: messages that are still in an inbox. ``effects``: how often what an operation does was done.
    """

    conversations: Mapping[str, tuple[Said, ...]]
    waiting: Mapping[str, tuple[str, ...]]
    effects: Mapping[str, int]


class History(NamedTuple):
    """One run."""

    operations: tuple[Operation, ...]
    events: tuple[Event, ...]
    final: FinalState


def to_line(event: Event) -> str:
    """The event as a line of JSON."""
    return json.dumps([type(event).__name__, *event])


def from_lines(lines: Iterable[str]) -> Iterator[Event]:
    """The events that `to_line` wrote. A last line that a killed process left unfinished is none."""
    for line in lines:
        try:
            name, *values = json.loads(line)
        except json.JSONDecodeError:
            continue
        yield _event(name, values)


def _event(name: str, values: list[Any]) -> Event:
    return _EVENTS[name](*values)
