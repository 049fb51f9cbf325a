"""The checker that finds the broken promises in a recorded history. Pure and independent of its origin."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import accumulate, pairwise
from math import inf
from typing import NamedTuple

from tests.history.faults import FAILURES
from tests.history.records import (
    Admitted,
    Answered,
    Event,
    FaultOccurred,
    GaveUp,
    History,
    ModelCalled,
    NotAdmitted,
    Operation,
    Promised,
    Sent,
    StoredMessage,
)


class Kind(StrEnum):
    """The kinds of broken promises."""

    LOST = "acknowledged and lost"
    DUPLICATED = "stored twice"
    REORDERED = "out of order"
    MISPAIRED = "wrong reply"
    EFFECT_DOUBLED = "effect done twice"
    EFFECT_LOST = "stored without its effect"
    MODEL_CALLS_AT_ONCE = "two model calls of a conversation at once"
    UNANSWERED = "never answered"
    PROMISE_BROKEN = "promised and not to be found"


class Finding(NamedTuple):
    """One broken promise, with the operation or conversation and what was observed."""

    kind: Kind
    where: str
    seen: str


class Place(NamedTuple):
    """The position of an operation's message in the final state."""

    conversation_id: str
    at: int
    message: StoredMessage


def find_broken_promises(history: History) -> tuple[Finding, ...]:
    """Return all broken promises of a history; empty for a good one."""
    book = _Book(history)
    return (
        *_lost(book),
        *_duplicated(book),
        *_broken_rows(book),
        *_mispaired(book),
        *_told_another(book),
        *_reordered(book),
        *_overtaken(book),
        *_effects(book),
        *_at_once(book),
        *_unanswered(book),
        *_promises_broken(book),
    )


class _Book:
    """A history indexed by operation and by conversation."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.final = history.final
        self.places: dict[str, list[Place]] = defaultdict(list)
        self.answers: dict[str, list[Answered]] = defaultdict(list)
        self.promises: dict[str, list[Promised]] = defaultdict(list)
        self.sent_at: dict[str, float] = {}
        self.admitted: dict[str, list[str]] = defaultdict(list)
        self.unadmitted: set[str] = set()
        self.is_out_of_reach = False
        self._by_message = {operation.message: operation for operation in history.operations}
        self._read(history.events)
        for conversation_id, row in history.final.conversations.items():
            for index, said in enumerate(row):
                operation = self.asked_by(said)
                if operation is not None:
                    self.places[operation.name].append(Place(conversation_id, index, said))

    def _read(self, events: Sequence[Event]) -> None:
        for event in events:
            match event:
                case Sent():
                    self.sent_at.setdefault(event.op, event.at)
                case Answered():
                    self.answers[event.op].append(event)
                case Promised():
                    self.promises[event.op].append(event)
                case Admitted():
                    self.admitted[event.conversation_id].append(event.ulid)
                case NotAdmitted():
                    self.unadmitted.add(event.turn_id)
                case FaultOccurred() if event.fault in FAILURES:
                    self.is_out_of_reach = True
                case _:
                    pass

    def asked_by(self, said: StoredMessage) -> Operation | None:
        """Return the message's operation, or None for a reply."""
        return self._by_message.get(said.content) if said.role == "user" else None

    def reply_to(self, place: Place) -> StoredMessage | None:
        """Return the message's successor, or None at the end of the conversation."""
        row = self.final.conversations[place.conversation_id]
        return row[place.at + 1] if place.at + 1 < len(row) else None

    def exchanges(self, conversation_id: str) -> list[tuple[Operation, StoredMessage]]:
        """Return the operations of a conversation with their messages, in order.

        Of a message that is stored twice, only the first one counts.
        """
        found: dict[Operation, StoredMessage] = {}
        for said in self.final.conversations[conversation_id]:
            operation = self.asked_by(said)
            if operation is not None:
                found.setdefault(operation, said)
        return list(found.items())


def _lost(book: _Book) -> Iterator[Finding]:
    for operation in book.history.operations:
        told = [each for each in book.answers[operation.name] if each.persisted]
        if (told or book.promises[operation.name]) and not book.places[operation.name]:
            yield Finding(Kind.LOST, operation.name, "its message is nowhere")


def _duplicated(book: _Book) -> Iterator[Finding]:
    for operation in book.history.operations:
        places = [(place.conversation_id, place.message.sequence) for place in book.places[operation.name]]
        if len(places) > 1:
            yield Finding(Kind.DUPLICATED, operation.name, f"its message stands at {places}")


def _broken_rows(book: _Book) -> Iterator[Finding]:
    """Find conversations that are not a sequence of exchanges without gaps."""
    for conversation_id, row in book.final.conversations.items():
        roles = ["user", "assistant"] * (len(row) // 2)
        if [said.role for said in row] != roles:
            yield Finding(Kind.MISPAIRED, conversation_id, f"roles {[said.role for said in row]}")
        if [said.sequence for said in row] != list(range(1, len(row) + 1)):
            yield Finding(Kind.LOST, conversation_id, f"numbers {[said.sequence for said in row]}")
        strangers = [said.sequence for said in row if said.role == "user" and book.asked_by(said) is None]
        if strangers:
            yield Finding(Kind.MISPAIRED, conversation_id, f"nobody sent the messages at {strangers}")


def _mispaired(book: _Book) -> Iterator[Finding]:
    """Find messages that are not followed by the reply of their own turn and to their own content."""
    for operation in book.history.operations:
        for place in book.places[operation.name]:
            reply = book.reply_to(place)
            if reply is None or reply.role != "assistant" or reply.turn_id != place.message.turn_id:
                yield Finding(Kind.MISPAIRED, operation.name, f"followed by {reply}")
            elif operation.name not in reply.content and not reply.failed:
                yield Finding(Kind.MISPAIRED, operation.name, f"answered with {reply.content!r}")


def _told_another(book: _Book) -> Iterator[Finding]:
    """Find replies that differ from what the client received."""
    for operation in book.history.operations:
        stored = [reply for place in book.places[operation.name] if (reply := book.reply_to(place))]
        known = {(reply.id, reply.content) for reply in stored}
        for told in book.answers[operation.name]:
            if known and told.persisted and (told.reply_id, told.reply) not in known:
                seen = f"told {told.reply_id} {told.reply!r}, stored {sorted(known)}"
                yield Finding(Kind.MISPAIRED, operation.name, seen)


def _reordered(book: _Book) -> Iterator[Finding]:
    """Find messages stored after one that was sent only after their acknowledgement."""
    for conversation_id in book.final.conversations:
        row = book.exchanges(conversation_id)
        known = [_known_at(book, operation, said) for operation, said in row]
        # The earliest acknowledgement among all that follow each place.
        following = list(accumulate(reversed(known), min))[::-1][1:]
        for (operation, said), earliest in zip(row, following, strict=False):
            if earliest < book.sent_at[operation.name]:
                seen = f"stands at {said.sequence}, before a message acknowledged before it was sent"
                yield Finding(Kind.REORDERED, operation.name, seen)


def _known_at(book: _Book, operation: Operation, said: StoredMessage) -> float:
    """Return when a client was first told that the message is stored or durable."""
    answered = [told.at for told in book.answers[operation.name] if told.persisted]
    # A promise counts only for the turn it named: another attempt may have been stored instead.
    promised = [told.at for told in book.promises[operation.name] if told.turn_id == said.turn_id]
    return min(answered + promised, default=inf)


def _overtaken(book: _Book) -> Iterator[Finding]:
    """Find messages that are not stored in the order of their admission, where that was recorded."""
    for conversation_id, admitted in book.admitted.items():
        last = -1
        for operation, said in book.exchanges(conversation_id):
            if said.late:
                continue
            ulid = said.turn_id.rpartition(".")[2]
            places = [place for place, each in enumerate(admitted) if each == ulid and place > last]
            if not places:
                yield Finding(
                    Kind.REORDERED, operation.name, f"stands at {said.sequence}, admitted otherwise"
                )
            else:
                last = places[0]


def _effects(book: _Book) -> Iterator[Finding]:
    for operation in book.history.operations:
        done, places = book.final.effects.get(operation.name, 0), book.places[operation.name]
        due = [place for place in places if not ((reply := book.reply_to(place)) and reply.failed)]
        if done > 1 or (done and not due):
            seen = f"done {done} times for {len(due)} stored answers"
            yield Finding(Kind.EFFECT_DOUBLED, operation.name, seen)
        elif due and not done:
            yield Finding(Kind.EFFECT_LOST, operation.name, "stored, but not done")


def _at_once(book: _Book) -> Iterator[Finding]:
    """Find concurrent model calls of one conversation.

    Turns that storage did not admit don't count, because they can't know about others.
    """
    calls: dict[str, list[ModelCalled]] = defaultdict(list)
    for event in book.history.events:
        if isinstance(event, ModelCalled) and event.turn_id not in book.unadmitted:
            calls[event.conversation_id].append(event)
    for conversation_id, made in calls.items():
        for one, other in pairwise(_by_beginning(made)):
            if other.began < one.ended:
                yield Finding(Kind.MODEL_CALLS_AT_ONCE, conversation_id, f"{one} and {other}")


def _by_beginning(calls: Sequence[ModelCalled]) -> list[ModelCalled]:
    return sorted(calls, key=lambda call: (call.began, call.ended))


def _unanswered(book: _Book) -> Iterator[Finding]:
    gave_up = Counter(event.op for event in book.history.events if isinstance(event, GaveUp))
    for operation in book.history.operations:
        if operation.key is not None and gave_up[operation.name]:
            yield Finding(Kind.UNANSWERED, operation.name, "its client gave up")
    for conversation_id, waiting in book.final.waiting.items():
        if waiting:
            yield Finding(Kind.UNANSWERED, conversation_id, f"{len(waiting)} messages still wait")


def _promises_broken(book: _Book) -> Iterator[Finding]:
    """Find promised turns whose reply is not where the promise says.

    With a key, the reply may be that of an earlier attempt, which a promise made without storage could not
    know about. The client then repeats the request and receives that reply.
    """
    turns = {said.turn_id for row in book.final.conversations.values() for said in row}
    for operation in book.history.operations:
        for promised in book.promises[operation.name]:
            is_excused = operation.key and book.places[operation.name] and book.is_out_of_reach
            if promised.turn_id not in turns and not is_excused:
                yield Finding(Kind.PROMISE_BROKEN, operation.name, f"turn {promised.turn_id}")
