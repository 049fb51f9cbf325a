"""A turn service with a scripted analyzer and master agent on a real table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from agent.handler_interface import TurnRequest
from agent.inference.turn_budget import TurnBudgets
from agent.turn_events import Answer, Chunk, Done, Outcome, ReplyEvent, TurnEvent
from agent.turns.service import TurnService
from agent.workspace.roster import RosterCache
from conversation.clock import Clock, Deadline
from conversation.identity import Caller
from conversation.messages.models import Note
from conversation.token_counts import TokenCounter
from conversation.turns.admission import IncomingMessage
from conversation.turns.deferred_turn import DeferredTurnQueue
from conversation.turns.turn_protocol import TurnProtocol
from conversation.usage.budgets import Budgets
from intent.decision import ActionType, Decision, DecisionSource
from intent.situation import Situation
from llm.spend_guard import SpendGuard
from storage.keys import TenantId
from storage.table import Action, Table
from storage.tenant_table import Tables

MAYA = Caller(TenantId("acme"), "maya")


class FixedAnalyzer:
    """An analyzer that returns the same decision for every message."""

    def analyze(self, situation: Situation, purse: SpendGuard | None = None) -> Decision:
        return Decision(action_type=ActionType.QUERY_INFO, confidence=0.9, source=DecisionSource.OFFLINE)


@dataclass
class EchoMaster:
    """Answers ``re: <message>`` with the given effects, and records the messages it received."""

    effects: Callable[[TurnRequest], tuple[Action, ...]] = lambda turn: ()
    before: Callable[[TurnRequest], None] = lambda turn: None
    received: list[str] = field(default_factory=list)
    histories: list[list[str]] = field(default_factory=list)
    note: Note = field(default_factory=Note)

    def reply(self, turn: TurnRequest, decision: Decision) -> Iterator[ReplyEvent]:
        self.received.append(turn.situation.message)
        self.histories.append([message.content for message in turn.situation.history])
        self.before(turn)
        yield Chunk(f"re: {turn.situation.message}")
        yield Outcome(self.note, self.effects(turn))


@dataclass
class StreamingMaster(EchoMaster):
    """Streams its pieces in order. When stopped, it ends between two pieces, as a model does."""

    pieces: Sequence[str] = ()
    at: Callable[[int], None] = lambda place: None
    """Called before each piece with its index, from 0."""

    def reply(self, turn: TurnRequest, decision: Decision) -> Iterator[ReplyEvent]:
        self.received.append(turn.situation.message)
        for place, piece in enumerate(self.pieces):
            self.at(place)
            if turn.is_stopped():
                return
            yield Chunk(piece)
        yield Outcome(self.note, self.effects(turn))


@dataclass
class Fixture:
    """A composed service and the parts that tests inspect."""

    service: TurnService
    master: EchoMaster
    clock: Clock
    rosters: RosterCache

    def run(self, incoming: IncomingMessage, *, seconds: float = 25.0) -> list[TurnEvent]:
        """Run a turn and return all its events."""
        return list(self.service.run(incoming, Deadline.after(self.clock, seconds)))

    def say(self, content: str, conversation_id: str | None = None, key: str | None = None) -> Answer:
        """Send a message as Maya and return the answer."""
        done = self.run(IncomingMessage(MAYA, content, conversation_id, key))[-1]
        assert isinstance(done, Done)
        return done.answer


def scripted_service(
    table: Table,
    clock: Clock,
    master: EchoMaster | None = None,
    *,
    queue: DeferredTurnQueue | None = None,
    hands_over: bool = False,
) -> Fixture:
    """Compose a separate service on the table, as another process would."""
    tables, master = Tables(table), master or EchoMaster()
    rosters = RosterCache(tables=tables, clock=clock)
    protocol = TurnProtocol(tables=tables, clock=clock, tokens=TokenCounter(None))
    service = TurnService(
        protocol=protocol,
        rosters=rosters,
        analyzer=FixedAnalyzer(),
        master=master,
        clock=clock,
        turn_budgets=TurnBudgets(Budgets(tables=tables, clock=clock)),
        queue=queue,
        hands_over=hands_over,
    )
    return Fixture(service, master, clock, rosters)
