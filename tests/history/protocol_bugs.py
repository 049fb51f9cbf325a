"""Mistakes of other implementations, planted between a process and its table for the checker to find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from conversation.clock import to_millis
from storage import keys
from storage.errors import StorageError
from storage.table import Action, Check, Conditions, Delete, Equals, Item, Put, Set, Table, Update
from tests.fakes.aws.tables import Crash, ObservedTable
from tests.history.checker import Kind
from tests.history.faults import Fault
from tests.history.processes import BEGINNING, Plant, Process
from tests.history.scenario import Circumstances

LEASE_OWNER = "lease.owner"
LEASE_END = "lease.until"
KEY_RECORD = "K#"


class MistakenTable(ObservedTable):
    """Passes all requests on; the base class of the mistakes."""

    def __init__(self, table: Table, process: Process) -> None:
        super().__init__(table, lambda name, when: None)
        self._process = process


class TimestampKeys(MistakenTable):
    """Messages are sorted by the writer's clock in milliseconds, as in most libraries."""

    def transact(self, actions: Sequence[Action]) -> None:
        super().transact([self._by_time(action) for action in actions])

    def _by_time(self, action: Action) -> Action:
        sort = str(action.item["sk"]) if isinstance(action, Put) else ""
        if not isinstance(action, Put) or not sort.startswith(keys.MESSAGE_PREFIX):
            return action
        elapsed = to_millis(self._process.clock.now()) - to_millis(BEGINNING) + 10_000
        # A reply is one millisecond later than its message.
        time = elapsed + 1 - keys.message_sequence(sort) % 2
        return action._replace(item=action.item | {"sk": f"{keys.MESSAGE_PREFIX}{time:012d}"})


class NoConditions(MistakenTable):
    """Writes have no conditions, so the last one wins."""

    def update(self, update: Update) -> Item:
        return super().update(update._replace(conditions=()))

    def transact(self, actions: Sequence[Action]) -> None:
        super().transact([_with_conditions(action, lambda _: ()) for action in actions])


class NoIdempotencyRecord(MistakenTable):
    """There are no idempotency records, so a used key is known only while its message is read."""

    def transact(self, actions: Sequence[Action]) -> None:
        super().transact([self._forgetful(action) for action in actions])

    def _forgetful(self, action: Action) -> Action:
        if isinstance(action, Put) and str(action.item["sk"]).startswith(KEY_RECORD):
            # Write an item under a key that is never read.
            return Put(action.item | {"sk": f"unused {action.item['sk']}"})
        return action


class NoFence(MistakenTable):
    """The lease is stored, but its holder's writes don't check it."""

    def update(self, update: Update) -> Item:
        if any(isinstance(change, Set) and change.path == "lease" for change in update.changes):
            return super().update(update)
        return super().update(update._replace(conditions=_unfenced(update.conditions)))

    def transact(self, actions: Sequence[Action]) -> None:
        super().transact([_with_conditions(action, _unfenced) for action in actions])


class AckBeforeCommit(MistakenTable):
    """The caller is answered before the answer is stored."""

    def transact(self, actions: Sequence[Action]) -> None:
        process, commit = self._process, super().transact

        def later() -> None:
            try:
                process.rest(0)
                commit(actions)
            except (Crash, StorageError):
                return

        process.scheduler.spawn(later, after=process.draw.uniform(0.01, 0.5), context=process)


class NoRenewal(MistakenTable):
    """Leases are never renewed."""

    def update(self, update: Update) -> Item:
        match update.changes:
            case (Set(path=path),) if path == LEASE_END:
                return super().get(update.key) or {}
            case _:
                return super().update(update)


class Mistake(NamedTuple):
    """A mistake, the circumstances under which it shows, and the findings that show it."""

    name: str
    plant: Plant
    like: Circumstances
    shows: frozenset[Kind]


MISTAKES = (
    Mistake("timestamps as keys", TimestampKeys, Circumstances(), frozenset({Kind.REORDERED})),
    Mistake(
        "no condition",
        NoConditions,
        Circumstances(rates={Fault.FROZEN: 0.02, Fault.RESENT: 0.05}),
        frozenset({Kind.LOST}),
    ),
    Mistake(
        "no idempotency record",
        NoIdempotencyRecord,
        Circumstances(lost_replies=0.3, max_messages=2),
        frozenset({Kind.DUPLICATED, Kind.EFFECT_DOUBLED}),
    ),
    Mistake(
        "no fence",
        NoFence,
        Circumstances(rates={Fault.FROZEN: 0.03}, bugs=0.2),
        frozenset({Kind.MODEL_CALLS_AT_ONCE}),
    ),
    Mistake(
        "acknowledged before the commit",
        AckBeforeCommit,
        Circumstances(rates={Fault.KILLED_AFTER: 0.02}),
        frozenset({Kind.MISPAIRED}),
    ),
    Mistake(
        "no renewal of the lease",
        NoRenewal,
        Circumstances(long_thoughts=0.2),
        frozenset({Kind.MODEL_CALLS_AT_ONCE}),
    ),
)


def _unfenced(conditions: Conditions) -> Conditions:
    return tuple(each for each in conditions if not (isinstance(each, Equals) and each.path == LEASE_OWNER))


def _with_conditions(action: Action, change: Callable[[Conditions], Conditions]) -> Action:
    match action:
        case Check():
            return action
        case Put() | Update() | Delete():
            return action._replace(conditions=change(action.conditions))
