"""Requests to run an agent that a colleague shares: what is asked before the run, and what the answer allows.

Without an answer nothing leaves and none of the user's data is read, so such a run begins at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from agent.handler_interface import HandlerReply, TurnRequest, agent_reference
from agent.plain_replies import parse_yes_no
from agent.templates import agent_texts, shared_agent_texts
from agent.templates.shared_agent_texts import Permissions
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentCard
from agent.workspace.consents import (
    Consent,
    compare,
    digest_of,
    named_addresses,
    reached_skills,
    terms_of,
)
from agent.workspace.errors import AgentNotFound
from agent.workspace.runs import Run, run_id_of_turn
from conversation.errors import QuotaExceeded
from conversation.limits.quotas import QuotaKind
from conversation.messages.models import Note, Pending, Reference
from intent.decision import ActionType
from intent.regular_expressions import LazyPattern

SHARED_RUN = "shared_run"
"""The entity of a question about a run of a colleague's agent; only our notes may set it."""

_ALONE = LazyPattern(r"\b(?:only|just) (?:for|to) (?:me|myself)\b|\bprivately\b")
_SENDS = LazyPattern(r"\band (?:also )?(?:send|deliver|mail|post|forward) (?:it|them|the results?)\b")
_PERSONAL = LazyPattern(
    r"\b(?:with|using|and (?:use|read|see|search)) (?:all )?my (?:own )?"
    r"(?:data|tasks|conversations|messages|chats|agents)\b"
)


class RunWishes(BaseModel):
    """What a request for a run says about the agent's addresses and the user's data."""

    model_config = ConfigDict(frozen=True)

    alone: bool = False
    sends: bool = False
    personal: bool = False

    @classmethod
    def of(cls, message: str) -> RunWishes:
        """The wishes in a message."""
        found = (pattern.search(message) is not None for pattern in (_ALONE, _SENDS, _PERSONAL))
        alone, sends, personal = found
        return cls(alone=alone, sends=sends and not alone, personal=personal and not alone)


class _Question(BaseModel):
    """What a yes answers, as the note keeps it. ``terms`` is a digest of the agent as it was shown."""

    model_config = ConfigDict(frozen=True)

    terms: str
    parameters: dict[str, str] = {}
    wishes: RunWishes = RunWishes()
    is_about_change: bool = False
    addresses: bool = False
    skills: tuple[str, ...] = ()
    personal: bool = False


class _Request(NamedTuple):
    """One request: the agent in full, the user's stored consent, and what holds for this run."""

    turn: TurnRequest
    store: AgentStore
    agent: Agent
    stored: Consent | None
    parameters: Mapping[str, str]

    def consent(self) -> Consent:
        """What is allowed so far; nothing, where the agent has changed."""
        if self.stored is not None and self.stored.covers(self.agent):
            return self.stored
        return Consent.to_use(self.agent, self.turn.situation.now)


def start(
    turn: TurnRequest,
    card: AgentCard,
    parameters: Mapping[str, str],
    store: AgentStore,
) -> HandlerReply:
    """The run, or the question that comes before it: what changed, or what may leave and be read."""
    request = _read(turn, card.id, parameters, store)
    if request is None:
        return HandlerReply(agent_texts.gone(card.name))
    wishes = RunWishes.of(turn.message)
    if request.stored is not None and not request.stored.covers(request.agent):
        return _ask_about_change(request, wishes)
    return _ask_or_run(request, request.consent(), wishes)


def reply_to_question(turn: TurnRequest, store: AgentStore) -> HandlerReply | None:
    """The answer to a yes or no, read by the rules, to the last reply's question; None when it was neither,
    or no such question was asked.
    """
    pending = turn.note.pending
    if pending is None or SHARED_RUN not in pending.entities:
        return None
    match parse_yes_no(turn.message):
        case "yes":
            return reply_to_answer(turn, pending.entities, store, is_yes=True)
        case "cancel":
            return HandlerReply(shared_agent_texts.not_run(str(pending.entities.get("agent_name"))))
        case "no":
            return reply_to_answer(turn, pending.entities, store, is_yes=False)
        case None:
            return None


def reply_to_answer(
    turn: TurnRequest, entities: Mapping[str, JsonValue], store: AgentStore, *, is_yes: bool
) -> HandlerReply | None:
    """The answer to a yes or no to one of our questions; None when it was none of ours."""
    try:
        question = _Question.model_validate(entities.get(SHARED_RUN))
    except ValidationError:
        return None
    name = str(entities.get("agent_name"))
    if question.is_about_change and not is_yes:
        return HandlerReply(shared_agent_texts.not_run(name))
    request = _read(turn, str(entities.get("agent_id")), question.parameters, store)
    if request is None:
        return HandlerReply(agent_texts.gone(name))
    if question.terms != digest_of(request.agent):
        return _ask_about_change(request, question.wishes)
    if question.is_about_change:
        return _ask_or_run(request, request.consent(), question.wishes)
    answered = request.consent().with_answer(
        allows=is_yes, addresses=question.addresses, skills=question.skills, personal=question.personal
    )
    return _run(request, answered)


def _read(
    turn: TurnRequest,
    agent_id: str,
    parameters: Mapping[str, str],
    store: AgentStore,
) -> _Request | None:
    try:
        agent = store.get(turn.caller, agent_id)
    except AgentNotFound:
        return None
    return _Request(turn, store, agent, store.consents.get(turn.caller, agent.id), parameters)


def _ask_about_change(request: _Request, wishes: RunWishes) -> HandlerReply:
    before = request.stored.terms if request.stored is not None else {}
    changes = compare(before, terms_of(request.agent))
    question = _Question(
        terms=digest_of(request.agent),
        parameters=dict(request.parameters),
        wishes=wishes,
        is_about_change=True,
    )
    text = shared_agent_texts.ask_about_change(request.agent, changes)
    return _asking(request.agent, text, shared_agent_texts.change_summary(request.agent), question)


def _ask_or_run(request: _Request, consent: Consent, wishes: RunWishes) -> HandlerReply:
    skills = _touched_skills(request, personal=wishes.personal or consent.personal_data)
    if wishes.alone:
        return _run(request, consent.with_answer(allows=False, addresses=True, skills=skills, personal=True))
    named = named_addresses(request.agent, request.turn.caller.user)
    asked = Permissions(
        named if _is_to_ask(consent.addresses, wishes) else (),
        tuple(name for name in skills if _is_to_ask(consent.skills.get(name), wishes)),
        wishes.personal and not consent.personal_data,
    )
    if not any(asked):
        return _run(request, consent)
    allowed = Permissions(
        named if consent.addresses else (),
        tuple(name for name in skills if consent.skills.get(name)),
        consent.personal_data,
    )
    question = _Question(
        terms=digest_of(request.agent),
        parameters=dict(request.parameters),
        wishes=wishes,
        addresses=bool(asked.addresses),
        skills=asked.skills,
        personal=asked.personal,
    )
    text = shared_agent_texts.ask_to_allow(request.agent, asked, allowed)
    return _asking(request.agent, text, shared_agent_texts.allow_summary(request.agent, asked), question)


def _is_to_ask(answer: bool | None, wishes: RunWishes) -> bool:
    """Whether to ask: once, and again when the user wants what they had declined."""
    return answer is None or (wishes.sends and not answer)


def _touched_skills(request: _Request, *, personal: bool) -> tuple[str, ...]:
    """The skills that something of the user could reach in this run."""
    roster, has_parameters = request.turn.roster, bool(request.parameters)
    reached = reached_skills(request.agent, roster, has_parameters=has_parameters, personal_data=personal)
    return tuple(card.name for card in reached)


def _asking(agent: Agent, text: str, summary: str, question: _Question) -> HandlerReply:
    entities = {
        "agent_id": agent.id,
        "agent_name": agent.name,
        SHARED_RUN: question.model_dump(mode="json"),
    }
    pending = Pending(action=ActionType.EXECUTE_TASK, entities=entities, summary=summary)
    return HandlerReply(text, Note(pending=pending, about=agent_reference(agent)))


def _run(request: _Request, consent: Consent) -> HandlerReply:
    turn, agent, store = request.turn, request.agent, request.store
    try:
        store.runs.quotas.take(turn.caller, QuotaKind.RUNS, record=turn.roster.record)
    except QuotaExceeded as exceeded:
        return HandlerReply(str(exceeded), Note(about=agent_reference(agent)))
    now, agreed = turn.situation.now, consent.for_run(agent)
    run = Run.create(
        agent,
        run_id=run_id_of_turn(turn.turn_id, now),
        user=turn.caller.user,
        now=now,
        conversation_id=turn.conversation_id,
        parameters=request.parameters,
        consent=agreed,
    )
    touched = _touched_skills(request, personal=consent.personal_data)
    text = shared_agent_texts.started(
        agent,
        run,
        agreed,
        left_out=[name for name in touched if name not in agreed.skills],
    )
    effects = store.runs.queue_actions(turn.caller.tenant, run)
    if consent != request.stored:
        effects += store.consents.save_actions(turn.caller, consent)
    about = Reference(kind="run", id=run.id, name=run.agent_name)
    note = Note(did=f"started a run of {agent.name}", about=about)
    return HandlerReply(text, note, effects, ("run_agent",))
