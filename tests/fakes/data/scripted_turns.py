"""A turn service whose understanding and acting are scripted, over a real table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from agent.chat.master import Turn
from agent.events import Answer, Chunk, Done, Outcome, ReplyEvent, TurnEvent
from agent.inference.budget import Purses
from agent.turns.service import TurnService
from agent.workspace.roster import Rosters
from conversation.clock import Clock, Deadline
from conversation.identity import Caller
from conversation.messages.models import Note
from conversation.tokens import TokenCounter
from conversation.turns.admission import Incoming
from conversation.turns.protocol import TurnProtocol
from conversation.usage.budgets import Budgets
from intent.decision import ActionType, Decision, Source
from intent.situation import Situation
from llm.budget import Purse
from storage.keys import TenantId
from storage.table import Action, Table
from storage.tenant import Tables

MAYA = Caller(TenantId("acme"), "maya")


class FixedAnalyzer:
    """Understands every message the same way."""

    def analyze(self, situation: Situation, purse: Purse | None = None) -> Decision:
        return Decision(action_type=ActionType.QUERY_INFO, confidence=0.9, source=Source.OFFLINE)


@dataclass
class EchoMaster:
    """Answers ``re: <message>``, remembers what it was asked, and has the effects it is given."""

    effects: Callable[[Turn], tuple[Action, ...]] = lambda turn: ()
    before: Callable[[Turn], None] = lambda turn: None
    heard: list[str] = field(default_factory=list)
    histories: list[list[str]] = field(default_factory=list)
    note: Note = field(default_factory=Note)

    def reply(self, turn: Turn, decision: Decision) -> Iterator[ReplyEvent]:
        self.heard.append(turn.situation.message)
        self.histories.append([message.content for message in turn.situation.history])
        self.before(turn)
        yield Chunk(f"re: {turn.situation.message}")
        yield Outcome(self.note, self.effects(turn))


@dataclass
class Speaker(EchoMaster):
    """Says its pieces one after the other; stopped, it ends between two of them, as a model does."""

    pieces: Sequence[str] = ()
    at: Callable[[int], None] = lambda place: None
    """Called before each piece with its place, from 0."""

    def reply(self, turn: Turn, decision: Decision) -> Iterator[ReplyEvent]:
        self.heard.append(turn.situation.message)
        for place, piece in enumerate(self.pieces):
            self.at(place)
            if turn.is_stopped():
                return
            yield Chunk(piece)
        yield Outcome(self.note, self.effects(turn))


@dataclass
class Fixture:
    """A composed service with what a test needs to look at."""

    service: TurnService
    master: EchoMaster
    clock: Clock
    rosters: Rosters

    def run(self, incoming: Incoming, *, seconds: float = 25.0) -> list[TurnEvent]:
        """All events of a turn."""
        return list(self.service.run(incoming, Deadline.after(self.clock, seconds)))

    def say(self, content: str, conversation_id: str | None = None, key: str | None = None) -> Answer:
        """The answer to Maya's message."""
        done = self.run(Incoming(MAYA, content, conversation_id, key))[-1]
        assert isinstance(done, Done)
        return done.answer


def scripted(table: Table, clock: Clock, master: EchoMaster | None = None) -> Fixture:
    """A service of its own over the table, as another process would compose it."""
    tables, master = Tables(table), master or EchoMaster()
    rosters = Rosters(tables=tables, clock=clock)
    protocol = TurnProtocol(tables=tables, clock=clock, tokens=TokenCounter(None))
    service = TurnService(
        protocol=protocol,
        rosters=rosters,
        analyzer=FixedAnalyzer(),
        master=master,
        clock=clock,
        purses=Purses(Budgets(tables=tables, clock=clock)),
    )
    return Fixture(service, master, clock, rosters)
