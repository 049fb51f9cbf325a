"""A simulated run of real turn services on one table, in virtual time, with faults drawn from a seed.

A run depends on its seed only, not on the machine, its load or its clock. A process may be killed or frozen
at any storage request. A freeze between its last check of the lease and its model call is left out, because
no lease prevents two concurrent model calls then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from random import Random

from conversation.clock import Deadline
from conversation.messages.items import entry_from_value
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import IncomingMessage
from conversation.turns.deferred_turn import DeferredTurn, QueueUnavailable
from conversation.turns.proactive_messages import LeaseWaitTimeout
from storage import keys
from storage.errors import StorageError
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Append, Item, Table, Update
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash, ObservedTable
from tests.fakes.data.scripted_turns import MAYA
from tests.fakes.run.clocks import ManualClock
from tests.history.clients import Client, Outcome, Refusal, Reply
from tests.history.effects import effects_done
from tests.history.faults import Faults
from tests.history.processes import Plant, Process
from tests.history.records import Admitted, Event, History, Operation
from tests.history.scenario import Circumstances
from tests.history.scheduler import Scheduler
from tests.history.table_state import conversations_of, final_state
from tests.history.transports import NO_ANSWER, outcome_of, poll_outcome, record_unadmitted
from tests.history.virtual_machine import deterministic
from tests.history.workload import Plan, conversation_names, plans

SLOWEST_DELIVERY_S = 5.0
"""A queue delivers at once, mostly; a busy one later."""
RETRY_AFTER_S = 5.0
FINISH_TIMEOUT_S = 55.0
RECEIVES = 5
CALM_AFTER_S = 120.0


def unchanged_table(table: Table, process: Process) -> Table:
    """Return the table without a planted mistake."""
    return table


def simulate(seed: int, *, plant: Plant = unchanged_table, like: Circumstances | None = None) -> History:
    """Return the history of the seed. Without ``like``, the circumstances are drawn from the seed as well."""
    draw, scheduler = Random(seed), Scheduler()
    circumstances = like or Circumstances.from_random(draw)
    with closing(SqliteTable(":memory:")) as table, deterministic(scheduler, draw):
        return World(scheduler, table, draw=draw, like=circumstances, plant=plant).run()


class World:
    """The complete state of one run."""

    def __init__(
        self, scheduler: Scheduler, table: SqliteTable, *, draw: Random, like: Circumstances, plant: Plant
    ) -> None:
        self.scheduler = scheduler
        self.draw = draw
        self.like = like
        self.events: list[Event] = []
        self.conversations: dict[str, str] = {}
        self._plant = plant
        self._table = table
        self._faults = Faults(draw, like.rates, bugs=like.bugs)
        self._queue = Queue(self)
        self._processes = [self._new_process() for _ in range(like.processes)]

    @property
    def is_spoilt(self) -> bool:
        """Whether a mistake is planted, so that clients may see unexpected errors."""
        return self._plant is not unchanged_table

    def run(self) -> History:
        """Run to the end and return the history."""
        like = self.like
        said = plans(
            self.draw,
            writers=like.writers,
            messages=like.messages,
            conversations=like.conversations,
            message="please do {name}",
            keyed=like.keyed_share,
        )
        repository = ConversationRepository(tables=Tables(self._table), clock=ManualClock())
        for name in conversation_names(like.conversations):
            self.conversations[name] = repository.create(MAYA).id
        for plan in said:
            self.scheduler.spawn(partial(self._write, plan), after=self.draw.uniform(0, 2))
        self.scheduler.run()
        self._faults.stop()
        self.scheduler.spawn(self._settle, after=CALM_AFTER_S)
        self.scheduler.run()
        operations = tuple(operation for plan in said for operation in plan)
        effects = effects_done(self._table, MAYA.tenant, [operation.name for operation in operations])
        return History(operations, tuple(self.events), final_state(self._table, MAYA, effects))

    @contextmanager
    def in_process(self) -> Iterator[Process]:
        """Run the current task in a living process inside the ``with`` block."""
        place = self.draw.randrange(len(self._processes))
        if self._processes[place].is_dead:
            self._processes[place] = self._new_process()
        task, process = self.scheduler.current, self._processes[place]
        task.context = process
        try:
            yield process
        finally:
            task.context = None

    def drain(self, tenant: TenantId, conversation_id: str) -> bool | None:
        """Do the work of `finish` for a conversation.

        Returns whether nothing is left waiting, or None when it failed.
        """
        try:
            with self.in_process() as process:
                deadline = Deadline.after(process.clock, FINISH_TIMEOUT_S)
                return process.service.drain(tenant, conversation_id, deadline)
        except (Crash, StorageError):
            return None
        except Exception:
            if self.is_spoilt:
                return None
            raise

    def store(self, tenant: TenantId, turn: DeferredTurn) -> bool | None:
        """Do the work of `finish` for a deferred turn. Returns whether it is done, or None when it failed."""
        try:
            with self.in_process() as process:
                process.late.store(tenant, turn, Deadline.after(process.clock, FINISH_TIMEOUT_S))
        except (Crash, StorageError, LeaseWaitTimeout):
            return None
        return True

    def _new_process(self) -> Process:
        return Process(
            self.scheduler,
            AdmissionsNoted(self._table, self),
            like=self.like,
            draw=self.draw,
            faults=self._faults,
            note=self.events.append,
            queue=self._queue,
            plant=self._plant,
        )

    def _write(self, plan: Plan) -> None:
        client = Client(
            SimulatedSender(self),
            note=self.events.append,
            now=lambda: self.scheduler.now,
            pause=self.scheduler.sleep,
            draw=self.draw,
        )
        for operation in plan:
            client.complete(operation)

    def _settle(self) -> None:
        """Drain every conversation until nothing is waiting."""
        for conversation_id in conversations_of(self._table, MAYA):
            while self.drain(MAYA.tenant, conversation_id) is False:
                continue


class SimulatedSender:
    """Sends each request to an arbitrary process."""

    def __init__(self, world: World) -> None:
        self._world = world

    def send(self, operation: Operation) -> Outcome:
        world, named = self._world, operation.conversation
        conversation_id = world.conversations[named] if named else None
        incoming = IncomingMessage(MAYA, operation.message, conversation_id, operation.key)
        patience_s = world.draw.uniform(*world.like.patience_s)
        try:
            with world.in_process() as process:
                events = process.service.run(incoming, Deadline.after(process.clock, patience_s))
                outcome = outcome_of(
                    record_unadmitted(events, world.events.append, lambda: world.scheduler.now)
                )
        except Exception:
            if not world.is_spoilt:
                raise
            return Refusal("internal")
        return NO_ANSWER if world.draw.random() < world.like.lost_replies else outcome

    def poll(self, turn_id: str) -> Reply | Refusal | None:
        with self._world.in_process() as process:
            return poll_outcome(process.conversations, MAYA, turn_id)


class Queue:
    """The queue to `finish`, with at-least-once delivery, at once or later, one at a time per conversation.

    A conversation's entries stay in order. A turn that can't be stored is retried for as long as it takes.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._lines: dict[str, list[Callable[[], bool | None]]] = {}

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        self._line_up(conversation_id, lambda: self._world.drain(tenant, conversation_id))

    def send_turn(self, tenant: TenantId, turn: DeferredTurn) -> None:
        self._line_up(turn.parsed_turn_id.conversation_id, lambda: self._world.store(tenant, turn) or False)

    def _line_up(self, conversation_id: str, work: Callable[[], bool | None]) -> None:
        if self._world.draw.random() < self._world.like.lost_replies:
            raise QueueUnavailable
        line = self._lines.setdefault(conversation_id, [])
        line.append(work)
        if len(line) == 1:
            slow_s = self._world.draw.uniform(0.0, SLOWEST_DELIVERY_S)
            after = self._world.draw.choice((0.0, slow_s))
            self._world.scheduler.spawn(partial(self._deliver, line), after=after)

    def _deliver(self, line: list[Callable[[], bool | None]]) -> None:
        receives = 0
        while line:
            is_done = line[0]()
            # Unfinished work is not a failure: it is queued again and its receive count restarts.
            receives = receives + 1 if is_done is None else 0
            if is_done or receives == RECEIVES:
                line.pop(0)
                receives = 0
            if line:
                self._world.scheduler.sleep(RETRY_AFTER_S)


class AdmissionsNoted(ObservedTable):
    """Records the messages that the table admits to an inbox, in the order of admission."""

    def __init__(self, table: Table, world: World) -> None:
        super().__init__(table, lambda name, when: None)
        self._world = world

    def update(self, update: Update) -> Item:
        result = super().update(update)
        for change in update.changes:
            if isinstance(change, Append) and change.path == "inbox":
                entry = entry_from_value(change.values[0])  # type: ignore[arg-type]
                conversation_id = keys.conversation_id_of(update.key.partition)
                self._world.events.append(Admitted(conversation_id, entry.ulid, self._world.scheduler.now))
        return result
