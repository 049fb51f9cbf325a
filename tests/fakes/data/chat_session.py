"""A conversation with the master agent on a real table. Tests supply the decisions instead of an analyzer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import count

from pydantic import JsonValue

from agent.chat.master_agent import MasterAgent
from agent.dialogue.administration.administration import Administration
from agent.handler_interface import TurnRequest, known_agents, lessons_for
from agent.inference.factory import compose_search
from agent.inference.question_answering import AnsweringModels, QuestionAnswerer
from agent.inference.toolbox import Toolboxes
from agent.mail_recipients import MailRecipients
from agent.product_answers import ProductAnswers
from agent.turn_events import Outcome, ReplyEvent, ToolUsed
from agent.turns.reply_accumulator import ReplyAccumulator
from agent.undo import ChangeStore
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentSpec
from agent.workspace.roster import read_roster
from agent.workspace.skill_store import SkillStore
from conversation.identity import Caller, TurnId
from conversation.limits.quotas import Quotas
from conversation.messages.models import Message, Note, Role
from conversation.tenants.store import TenantStore
from intent.acts.act import Act
from intent.analysis.act_analysis import shared_analysis
from intent.decision import ActionType, Decision, DecisionSource, PassedOverModel
from intent.entities.extraction import extract_entities
from intent.offline.offline_classifier import OfflineClassifier
from intent.situation import Situation
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Action
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tests.fakes.run.clocks import ManualClock
from tools.builtin.calculator import calculator
from tools.builtin.tasks import TaskTools
from tools.outbound.client import OutboundClient

CONVERSATION = "c" * 32


@dataclass
class TalkReply:
    """One answered message."""

    text: str
    note: Note
    effects: tuple[Action, ...]
    tools: tuple[str, ...]
    meant: tuple[Act, ...] | None = None
    """The acts as the message means them, where its words alone say others."""


@dataclass
class Talk:
    """A conversation of Maya's: the master agent's effects are written, and its notes become history."""

    caller: Caller = field(default_factory=lambda: Caller(TenantId("acme"), "maya"))
    time_zone: str = "UTC"
    tables: Tables = field(default_factory=lambda: Tables(SqliteTable(":memory:")))
    clock: ManualClock = field(default_factory=ManualClock)
    history: list[Message] = field(default_factory=list)
    models: AnsweringModels | None = None
    outbound: OutboundClient = field(
        default_factory=lambda: OutboundClient(
            allow_loopback=True, resolve=lambda _host, _port: ["93.184.216.34"]
        )
    )

    delivery_hosts: tuple[str, ...] = ("*",)
    """Where the deployment lets every tenant send results."""

    def __post_init__(self) -> None:
        self.store = AgentStore(
            tables=self.tables,
            clock=self.clock,
            outbound=self.outbound,
            delivery_hosts=self.delivery_hosts,
        )
        self.tasks = TaskStore(tables=self.tables, clock=self.clock)
        self.tenants = TenantStore(tables=self.tables, clock=self.clock)
        self.skills = SkillStore(tables=self.tables, clock=self.clock, outbound=self.outbound)
        toolboxes = Toolboxes([calculator()], TaskTools(self.tasks).tools())
        answering = QuestionAnswerer(toolboxes=toolboxes, clock=self.clock, models=self.models)
        self.master = MasterAgent(
            store=self.store,
            recipients=MailRecipients(tables=self.tables, clock=self.clock),
            tasks=self.tasks,
            changes=ChangeStore(tables=self.tables, clock=self.clock),
            question_answerer=lambda: answering,
            search=lambda: compose_search(tables=self.tables, clock=self.clock),
            product_answers=ProductAnswers(has_models=lambda: self.models is not None),
            administration=Administration(
                tables=self.tables,
                clock=self.clock,
                skills=self.skills,
                quotas=Quotas(tables=self.tables, clock=self.clock),
                has_models=lambda: self.models is not None,
            ),
            clarify_below=0.7,
        )
        self._places = count(len(self.history) + 1)

    def say(
        self,
        message: str,
        action: ActionType | str = ActionType.UNKNOWN,
        *,
        confidence: float = 0.9,
        alternative: ActionType | None = None,
        source: DecisionSource = DecisionSource.OFFLINE,
        passed_over: tuple[PassedOverModel, ...] = (),
        extra: Mapping[str, JsonValue] | None = None,
        **entities: JsonValue,
    ) -> TalkReply:
        """Answer a message decided as the action, with the rules' entities and the given ones."""
        found = extract_entities(message, now=self.clock.now(), time_zone=self.time_zone)
        decision = Decision(
            action_type=ActionType(action),
            confidence=confidence,
            entities={**found, **(extra or {}), **entities},
            is_ambiguous=alternative is not None,
            alternative_action=alternative,
            source=source,
            passed_over=passed_over,
        )
        return self._answered(str(TurnId.make(CONVERSATION, self.clock.now())), message, decision)

    def classify_and_answer(self, message: str) -> TalkReply:
        """Answer a message that the offline tier classifies, with its acts, as a deployment reads it."""
        turn_id = str(TurnId.make(CONVERSATION, self.clock.now()))
        situation = self.turn(turn_id, message).situation
        decision = shared_analysis().with_acts(self.classify(message), situation)
        return self._answered(turn_id, message, decision)

    def classify(self, message: str) -> Decision:
        """Return the offline tier's decision for a message."""
        turn_id = str(TurnId.make(CONVERSATION, self.clock.now()))
        return OfflineClassifier().classify(self.turn(turn_id, message).situation)

    def _answered(self, turn_id: str, message: str, decision: Decision) -> TalkReply:
        said = self.answer(turn_id, message, decision)
        if said.effects:
            self.tables.for_tenant(self.caller.tenant).transact(said.effects)
        self._remember(turn_id, Role.USER, message, Note())
        metadata: dict[str, JsonValue] = {"decision": decision.model_dump(mode="json")}
        self._remember(turn_id, Role.ASSISTANT, said.text, said.note, metadata)
        return said

    def answer(self, turn_id: str, message: str, decision: Decision) -> TalkReply:
        """Return the master agent's answer without writing its effects or remembering it."""
        return combine_events(list(self.master.reply(self.turn(turn_id, message), decision)))

    def turn(self, turn_id: str, message: str) -> TurnRequest:
        """Return the turn as the turn service would pass it to the master agent."""
        now = self.clock.now()
        roster = read_roster(self.tables, self.caller.tenant, now)
        cards = roster.visible_to(self.caller.user)
        situation = Situation(
            message=message,
            now=now,
            history=tuple(self.history[-20:]),
            agents=known_agents(cards, self.caller.user),
            tenant_name="Acme",
            time_zone=self.time_zone,
            read_tasks=cache(lambda: self.tasks.list(self.caller, completed=None, limit=100)[0]),
            lessons=lessons_for(self.caller.user, roster.lessons),
        )
        return TurnRequest(turn_id, self.caller, situation, roster)

    def create(self, name: str, what: str = "something", **fields: object) -> Agent:
        """Create an agent of Maya's directly in the store."""
        return self.store.create(
            self.caller, AgentSpec.model_validate({"name": name, "what": what, **fields})
        )

    def agents(self) -> list[Agent]:
        """Return Maya's complete agents, ordered by name."""
        cards, _ = self.store.list(self.caller, limit=100)
        return [self.store.get(self.caller, card.id) for card in cards]

    def as_other_user(self, user: str) -> Talk:
        """Return a talk of another user of the same tenant, with their own conversation."""
        return Talk(Caller(self.caller.tenant, user), self.time_zone, self.tables, self.clock)

    def _remember(
        self,
        turn_id: str,
        role: Role,
        content: str,
        note: Note,
        metadata: Mapping[str, JsonValue] | None = None,
    ) -> None:
        sequence = next(self._places)
        self.history.append(
            Message(
                id=f"{sequence}-{turn_id}",
                conversation_id=CONVERSATION,
                sequence=sequence,
                role=role,
                content=content,
                created_at=self.clock.now(),
                turn_id=turn_id,
                tokens=1,
                metadata=metadata or {},
                note=Note.model_validate_json(note.model_dump_json(exclude_defaults=True)),
            )
        )


def combine_events(events: list[ReplyEvent]) -> TalkReply:
    """Combine the events of one reply; asserts that the last one is the only outcome."""
    *before, outcome = events
    assert isinstance(outcome, Outcome)
    assert not any(isinstance(event, Outcome) for event in before)
    gathered = ReplyAccumulator()
    for event in before:
        gathered.add(event)
    text = gathered.text
    assert text.strip()
    tools = tuple(event.name for event in before if isinstance(event, ToolUsed))
    return TalkReply(text, outcome.note, outcome.effects, tools, outcome.meant)
