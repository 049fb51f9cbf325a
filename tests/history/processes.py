"""A process of the simulation: its own clock, its own way to the table, its own turn service. It can be
killed or stand still at any of its storage requests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random

from agent.chat.master import Turn
from agent.events import Chunk, Outcome, ReplyEvent
from agent.inference.budget import Purses
from agent.turns.service import TurnService
from agent.workspace.roster import Rosters
from conversation.context.window import ContextLimits
from conversation.threads.repository import ConversationRepository
from conversation.tokens import TokenCounter
from conversation.turns.deferred_storage import LateTurns
from conversation.turns.deferred_turn import TurnQueue
from conversation.turns.protocol import TurnProtocol
from conversation.usage.budgets import Budgets
from intent.decision import Decision
from storage.errors import StorageError
from storage.table import Table
from storage.tenant import Tables
from tests.fakes.aws.tables import Crash
from tests.fakes.data.scripted_turns import FixedAnalyzer
from tests.history.effects import effect_of
from tests.history.faults import BUG, KILLS, Fault, Faults
from tests.history.faulty_table import FaultyTable
from tests.history.records import Asked, Event, Struck
from tests.history.scenario import Circumstances
from tests.history.scheduler import Scheduler
from tests.history.transports import ModelBroke

BEGINNING = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
FREEZE_S = (31.0, 60.0)
SHORT_S, LONG_S = (0.05, 2.0), (31.0, 70.0)
CONTENDED = 0.2
"""The share of answers that change what all others change as well."""

Plant = Callable[[Table, "Process"], Table]
"""Puts a mistake between a process and its table."""


class Process:
    """One execution environment, with nothing in its memory. What runs in it are tasks of the scheduler."""

    def __init__(
        self,
        scheduler: Scheduler,
        table: Table,
        *,
        like: Circumstances,
        draw: Random,
        faults: Faults,
        note: Callable[[Event], None],
        queue: TurnQueue,
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
            rosters=Rosters(tables=tables, clock=self.clock),
            analyzer=FixedAnalyzer(),
            master=ThinkingMaster(self),
            clock=self.clock,
            purses=Purses(Budgets(tables=tables, clock=self.clock)),
            queue=queue,
            limits=ContextLimits(max_messages=like.max_messages),
        )
        self.late = LateTurns(tables=tables, clock=self.clock, tokens=TokenCounter(None))
        self.conversations = ConversationRepository(tables=tables, clock=self.clock, queue=queue)

    def rest(self, seconds: float) -> None:
        """Wait, and longer while the process stands still.

        Raises:
            Crash: it was killed meanwhile.
        """
        self.scheduler.sleep(seconds)
        while not self.is_dead and self._frozen_until > self.scheduler.now:
            self.scheduler.sleep(self._frozen_until - self.scheduler.now)
        if self.is_dead:
            raise Crash

    def travel(self) -> None:
        """One way to the table or back."""
        self.rest(self.draw.uniform(*self.like.latency_s))

    def struck(self, fault: Fault) -> None:
        """Take note of the fault, and suffer it where it is not the request's alone.

        Raises:
            Crash: the process is dead; what runs here ends without tidying up.
        """
        self.note(Struck(fault, self.scheduler.now))
        if fault in KILLS:
            self.is_dead = True
        elif fault is Fault.FROZEN:
            self._frozen_until = self.scheduler.now + self.draw.uniform(*FREEZE_S)
        else:
            return
        # Nobody listens to the models any more: whoever takes over is the only one that is being answered.
        for call in list(self._calls):
            self.end_call(call)
        if self.is_dead:
            raise Crash

    def guard(self, work: Callable[[], None]) -> None:
        """Work beside a turn: it dies with the process, and what else goes wrong ends it alone."""
        with suppress(Crash, StorageError):
            self.rest(0)
            work()

    def begin_call(self, turn_id: str) -> Call:
        """A model is being asked."""
        call = Call(turn_id, self.scheduler.now)
        self._calls.append(call)
        return call

    def end_call(self, call: Call) -> None:
        """It answered, or is not listened to any more."""
        if call in self._calls:
            self._calls.remove(call)
            conversation_id = call.turn_id.partition(".")[0]
            self.note(Asked(conversation_id, call.turn_id, call.began, self.scheduler.now))


class Call:
    """A model that is being asked."""

    def __init__(self, turn_id: str, began: float) -> None:
        self.turn_id = turn_id
        self.began = began


class ProcessClock:
    """Virtual time as the process sees it, off by a constant."""

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
    """Asks a model for a while, and says something it never said before."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def reply(self, turn: Turn, decision: Decision) -> Iterator[ReplyEvent]:
        process = self._process
        call = process.begin_call(turn.turn_id)
        try:
            process.rest(self._thinking_s())
        finally:
            process.end_call(call)
        if process.faults.is_bug():
            process.note(Struck(BUG, process.scheduler.now))
            raise ModelBroke
        effects = effect_of(turn, process.table, contended=process.draw.random() < CONTENDED)
        # An answer that is thought anew differs: only one of them may be told and stored.
        yield Chunk(f"re: {turn.situation.message} ({process.draw.getrandbits(40):x})")
        yield Outcome(effects=effects)

    def _thinking_s(self) -> float:
        is_long = self._process.draw.random() < self._process.like.long_thoughts
        return self._process.draw.uniform(*(LONG_S if is_long else SHORT_S))
