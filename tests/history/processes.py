"""A simulated process with its own clock, its own access to the table and its own turn service.

It can be killed or frozen at any of its storage requests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random

from agent.handler_interface import TurnRequest
from agent.inference.turn_budget import TurnBudgets
from agent.turn_events import Chunk, Outcome, ReplyEvent
from agent.turns.service import TurnService
from agent.workspace.roster import RosterCache
from conversation.context.window import ContextLimits
from conversation.threads.repository import ConversationRepository
from conversation.token_counts import TokenCounter
from conversation.turns.deferred_storage import DeferredTurnStore
from conversation.turns.deferred_turn import DeferredTurnQueue
from conversation.turns.turn_protocol import TurnProtocol
from conversation.usage.budgets import Budgets
from intent.decision import Decision
from storage.errors import StorageError
from storage.table import Table
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash
from tests.fakes.data.scripted_turns import FixedAnalyzer
from tests.history.effects import effect_of
from tests.history.faults import BUG, KILLS, Fault, Faults
from tests.history.faulty_table import FaultyTable
from tests.history.records import Event, FaultOccurred, ModelCalled
from tests.history.scenario import Circumstances
from tests.history.scheduler import Scheduler
from tests.history.transports import AnswerFailed

BEGINNING = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
FREEZE_S = (31.0, 60.0)
SHORT_S, LONG_S = (0.05, 2.0), (31.0, 70.0)
CONTENDED = 0.2
"""The share of answers that write the item which all others write as well."""

Plant = Callable[[Table, "Process"], Table]
"""Plants a mistake between a process and its table."""


class Process:
    """One execution environment that starts with empty memory. Tasks of the scheduler run in it."""

    def __init__(
        self,
        scheduler: Scheduler,
        table: Table,
        *,
        like: Circumstances,
        draw: Random,
        faults: Faults,
        note: Callable[[Event], None],
        queue: DeferredTurnQueue,
        plant: Plant,
    ) -> None:
        self.scheduler = scheduler
        self.like = like
        self.draw = draw
        self.faults = faults
        self.note = note
        self.is_dead = False
        self.clock = ProcessClock(self, draw.uniform(-like.skew_s, like.skew_s))
        self._frozen_until = 0.0
        self._calls: list[Call] = []
        self.table = plant(FaultyTable(table, self), self)
        tables = Tables(self.table)
        self.service = TurnService(
            protocol=TurnProtocol(tables=tables, clock=self.clock, tokens=TokenCounter(None)),
            rosters=RosterCache(tables=tables, clock=self.clock),
            analyzer=FixedAnalyzer(),
            master=ThinkingMaster(self),
            clock=self.clock,
            turn_budgets=TurnBudgets(Budgets(tables=tables, clock=self.clock)),
            queue=queue,
            limits=ContextLimits(max_messages=like.max_messages),
        )
        self.late = DeferredTurnStore(tables=tables, clock=self.clock, tokens=TokenCounter(None))
        self.conversations = ConversationRepository(tables=tables, clock=self.clock, queue=queue)

    def rest(self, seconds: float) -> None:
        """Wait, and longer while the process is frozen.

        Raises:
            Crash: the process was killed meanwhile.
        """
        self.scheduler.sleep(seconds)
        while not self.is_dead and self._frozen_until > self.scheduler.now:
            self.scheduler.sleep(self._frozen_until - self.scheduler.now)
        if self.is_dead:
            raise Crash

    def travel(self) -> None:
        """Wait for the latency of one way to the table or back."""
        self.rest(self.draw.uniform(*self.like.latency_s))

    def apply_fault(self, fault: Fault) -> None:
        """Record the fault, and apply it when it affects the whole process.

        Raises:
            Crash: the process is dead; the current work ends without any cleanup.
        """
        self.note(FaultOccurred(fault, self.scheduler.now))
        if fault in KILLS:
            self.is_dead = True
        elif fault is Fault.FROZEN:
            self._frozen_until = self.scheduler.now + self.draw.uniform(*FREEZE_S)
        else:
            return
        # The dead process no longer waits for its model calls; only its successor's count from now on.
        for call in list(self._calls):
            self.end_call(call)
        if self.is_dead:
            raise Crash

    def guard(self, work: Callable[[], None]) -> None:
        """Run background work. It ends with the process, and its own storage errors end only this work."""
        with suppress(Crash, StorageError):
            self.rest(0)
            work()

    def begin_call(self, turn_id: str) -> Call:
        """Record the start of a model call."""
        call = Call(turn_id, self.scheduler.now)
        self._calls.append(call)
        return call

    def end_call(self, call: Call) -> None:
        """Record the end of a model call, or that its result no longer matters."""
        if call in self._calls:
            self._calls.remove(call)
            conversation_id = call.turn_id.partition(".")[0]
            self.note(ModelCalled(conversation_id, call.turn_id, call.began, self.scheduler.now))


class Call:
    """A model call in progress."""

    def __init__(self, turn_id: str, began: float) -> None:
        self.turn_id = turn_id
        self.began = began


class ProcessClock:
    """Virtual time with the process's constant offset."""

    def __init__(self, process: Process, skew_s: float) -> None:
        self._process = process
        self._start = BEGINNING + timedelta(seconds=skew_s)

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._process.scheduler.now)

    def monotonic(self) -> float:
        return self._process.scheduler.now

    def sleep(self, seconds: float) -> None:
        self._process.rest(seconds)


class ThinkingMaster:
    """Makes a model call that takes a while, and returns a unique answer."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def reply(self, turn: TurnRequest, decision: Decision) -> Iterator[ReplyEvent]:
        process = self._process
        call = process.begin_call(turn.turn_id)
        try:
            process.rest(self._thinking_s())
        finally:
            process.end_call(call)
        if process.faults.is_bug():
            process.note(FaultOccurred(BUG, process.scheduler.now))
            raise AnswerFailed
        effects = effect_of(turn, process.table, contended=process.draw.random() < CONTENDED)
        # A repeated turn gets a different answer, and only one of the two may be sent and stored.
        yield Chunk(f"re: {turn.situation.message} ({process.draw.getrandbits(40):x})")
        yield Outcome(effects=effects)

    def _thinking_s(self) -> float:
        is_long = self._process.draw.random() < self._process.like.long_thoughts
        return self._process.draw.uniform(*(LONG_S if is_long else SHORT_S))
