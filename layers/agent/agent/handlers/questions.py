"""Answers to questions: lists, one agent, runs, settings, help, the time, open work. Changes nothing."""

from __future__ import annotations

import re
from enum import StrEnum

from agent import agent_targets
from agent.handler_interface import HandlerReply, TurnRequest, agent_reference, agent_references
from agent.readiness import readiness
from agent.requested_entities import Entities, RequestedEntities
from agent.templates import agent_texts, policy_texts, run_texts, skill_texts, small_talk_texts, wizard_texts
from agent.wizard.drafts import Draft
from agent.wizard.flow import asked_parts
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import AgentCard
from agent.workspace.errors import AgentNotFound
from conversation.messages.models import Note, Reference
from intent.regular_expressions import LazyPattern

RUNS_SHOWN = 10


class Operation(StrEnum):
    """What a question asks for."""

    LIST_AGENTS = "list_agents"
    LIST_RUNS = "list_runs"
    SHOW_POLICY = "show_policy"
    RESUME = "resume_conversation"
    HELP = "help"
    TIME = "time"
    WHO_AM_I = "who_am_i"
    SERVICES = "services"


RESUME, RETHINK = Operation.RESUME.value, "rethink"
"""The operations that our own options carry."""

_TOPICS = (
    (
        Operation.RESUME,
        (
            r"\bwhere (were|did) we\b|\bwhat (were|was) (we|i) (doing|saying|talking)\b|\bcontinue where\b"
            r"|\bpick up where\b"
        ),
    ),
    (
        Operation.TIME,
        (
            r"\bwhat(?:'s| is)? (the )?(current )?time( is it)?( now| right now| here)?\W*$"
            r"|\bwhat (day|date) is (it|today)\b|\btoday'?s date\b"
        ),
    ),
    (Operation.WHO_AM_I, r"\bwho am i\b|\bwhat'?s? (is )?my (user )?(name|id)\W*$"),
    (
        Operation.SERVICES,
        (
            r"\b(which|what)( other)? (apps?|services?|tools?|integrations?|sources?|systems?) "
            r"(can|could|do|does|will) (you|i|we|omniforge|(the |my |our |your )?agents) [^.?!]{0,20}"
            r"\b(connect|integrate|work|support|use|read|talk|access|available)"
            r"|^\W*(do|does|can|could|will) (you|it|this|omniforge|agents?) (also )?"
            r"(work|connect|integrate|talk|speak) (to|with)\b"
        ),
    ),
    (
        Operation.LIST_RUNS,
        (
            r"\bruns\b|\brun history\b|\b(last|latest|previous) run\b"
            r"|^\W*(show|see|list)( me)?( the| my| our)? (logs?|history|activity)\W*$"
        ),
    ),
    (
        Operation.SHOW_POLICY,
        (
            r"\b(settings|allowed models?)\b|\b(my|our|workspace|workspace's|the|current)"
            r" (tenant's |workspace's |current )?(policy|retention|time zone)\b"
        ),
    ),
    (
        Operation.HELP,
        (
            r"^\W*help\b|\bwhat (all )?can (you|i|this|it) (do|help|say|ask)\b|\bget started\b"
            r"|\b(i'?m|i am) new (here|to this)\b"
        ),
    ),
    (
        Operation.LIST_AGENTS,
        r"\b(list|show|which|what|see|all|any|many|my|our|your)\b[^.?!]{0,200}\b(agents|bots|automations|assistants)\b",
    ),
)
"""Patterns for the operation of a question, used when its decision names none; the first match counts."""
_SHOW_IT = LazyPattern(
    r"^\W*((please|ok|can you|let me)\W+)*(show|see|display|view)( me)?"
    r"( it| this| that| the (draft|agent|plan|setup))?( so far| again| please)*\W*$"
)
_WHO_SEES = LazyPattern(
    r"\bwho( else| all)? ((can|could|will|may|does)( else| all)? )?"
    r"(sees?|views?|uses?|access(es)?|runs?|changes?)\b"
    r" (it|this|that|them|[^.?!]{0,40}\b(agents?|bots?)|[\w-]+-[\w-]+)\b"
    r"|\b(can|could|will|does) (any|every|some)?(one|body|others|other people|my (team|boss|colleagues))"
    r"( else)? (see|view|use|access|run) (it|this|that|them|my (agents?|bots?))\b"
)
_HELP = LazyPattern(r"\W*(help|help me|commands)( please)?\W*")
_PATTERNS = tuple((operation, LazyPattern(pattern)) for operation, pattern in _TOPICS)


def reply(turn: TurnRequest, entities: Entities, store: AgentStore) -> HandlerReply:
    """The answer to a question."""
    wish = RequestedEntities.of(entities)
    if asks_who_sees_agents(turn.message):
        return _who_sees(turn, wish, store)
    operation = wish.operation or operation_of(turn.message)
    match operation:
        case Operation.LIST_AGENTS:
            return list_agents(turn, store)
        case Operation.LIST_RUNS:
            return list_runs(turn, store)
        case Operation.RESUME:
            return describe_open_work(turn)
        case _:
            return _general_answer(turn, operation) or _about_an_agent(turn, wish, store)


def _general_answer(turn: TurnRequest, operation: str | None) -> HandlerReply | None:
    """The answers that need neither agents nor runs; None for any other operation."""
    match operation:
        case Operation.SHOW_POLICY:
            return show_policy(turn)
        case Operation.HELP:
            return HandlerReply(small_talk_texts.help_text(turn.situation.assistant_name))
        case Operation.WHO_AM_I:
            return HandlerReply(small_talk_texts.signed_in_as(turn.caller.user, turn.situation.tenant_name))
        case Operation.SERVICES:
            return HandlerReply(skill_texts.services(sorted(turn.connected_services)))
        case Operation.TIME:
            return HandlerReply(small_talk_texts.now_text(turn.situation.now, turn.situation.time_zone))
        case _:
            return None


def operation_of(message: str) -> Operation | None:
    """The operation that a question asks for, by its words; None when no pattern matches."""
    return next((operation for operation, pattern in _PATTERNS if pattern.search(message)), None)


def asks_for_help(message: str) -> bool:
    """Whether the message says "help" and nothing else."""
    return _HELP.fullmatch(message) is not None


def is_about_own_work(message: str, operation: str | None) -> bool:
    """Whether a question is, by its words or the operation found in it, one about the user's own runs or
    settings.
    """
    return (operation or operation_of(message)) not in (None, Operation.HELP, Operation.SERVICES)


def asks_who_sees_agents(message: str) -> bool:
    """Whether the message asks who sees an agent of the user."""
    return _WHO_SEES.search(message) is not None


def asks_to_show_draft(turn: TurnRequest) -> bool:
    """Whether the message asks to show "it", and that can only be the unfinished agent."""
    return turn.note.subject is None and not turn.note.listed and _SHOW_IT.search(turn.message) is not None


def list_agents(turn: TurnRequest, store: AgentStore) -> HandlerReply:
    """The caller's agents as they stand now, since users rely on a list; the roster may be a minute old."""
    # An agent may have been created over REST since the roster was read.
    cards = turn.visible_agents() if turn.has_fresh_roster else store.visible_cards(turn.caller)
    note = Note(listed=agent_references(cards[: agent_texts.MAX_LISTED]))
    return HandlerReply(
        agent_texts.agent_list(cards, turn.caller.user, turn.connected_services),
        note,
        used_tools=("list_agents",),
    )


def show_policy(turn: TurnRequest) -> HandlerReply:
    """The tenant's policy in words."""
    return HandlerReply(policy_texts.policy_shown(turn.roster.record.policy), used_tools=("show_policy",))


def list_runs(turn: TurnRequest, store: AgentStore) -> HandlerReply:
    """The caller's newest runs."""
    runs, _ = store.runs.list(turn.caller, limit=RUNS_SHOWN)
    listed = tuple(Reference(kind="run", id=run.id, name=run.agent_name) for run in runs)
    return HandlerReply(
        run_texts.listed(runs, turn.situation.time_zone), Note(listed=listed), used_tools=("list_runs",)
    )


def describe_open_work(turn: TurnRequest) -> HandlerReply:
    """What is unfinished, or else what was done last."""
    note = turn.note
    if note.draft is not None:
        draft, asked = Draft.of(note.draft), asked_parts(note.asking)
        return HandlerReply(
            small_talk_texts.welcome_back(wizard_texts.resumed(draft, asked)),
            Note(draft=note.draft, asking=note.asking),
        )
    if note.pending is not None:
        return HandlerReply(
            small_talk_texts.still_pending(note.pending.summary), Note(pending=note.pending, about=note.about)
        )
    if note.choices:
        return HandlerReply(
            agent_texts.options_text(agent_texts.OPTIONS_AGAIN, note.choices),
            Note(choices=note.choices, about=note.about),
        )
    did = next((earlier.did for earlier in turn.earlier_notes() if earlier.did), None) or _last_decision(turn)
    return HandlerReply(small_talk_texts.last_done(did) if did else small_talk_texts.nothing_open())


def _last_decision(turn: TurnRequest) -> str | None:
    """The last decision in the summary, which covers what is older than the context; else None."""
    summary = turn.situation.summary
    return summary.decisions[-1].text.partition(": ")[2] if summary and summary.decisions else None


def _about_an_agent(turn: TurnRequest, wish: RequestedEntities, store: AgentStore) -> HandlerReply:
    card = _meant(turn, wish, store)
    if card is None:
        if wish.agent_name is not None or wish.ordinal is not None:
            return HandlerReply(agent_texts.no_such_agent(turn.visible_agents()))
        return HandlerReply(small_talk_texts.unknown_topic(wish.subject()), lacks_answer=True)
    try:
        agent = store.get(turn.caller, card.id)
    except AgentNotFound:
        return HandlerReply(agent_texts.gone(card.name))
    return HandlerReply(
        agent_texts.agent_shown(agent, turn.caller.user, readiness(agent, turn.provision)),
        Note(about=agent_reference(agent)),
        used_tools=("show_agent",),
    )


def _who_sees(turn: TurnRequest, wish: RequestedEntities, store: AgentStore) -> HandlerReply:
    card = _meant(turn, wish, store)
    if card is None:
        return HandlerReply(agent_texts.VISIBILITY_HELP)
    return HandlerReply(
        agent_texts.visibility(card.name, is_shared=card.shared), Note(about=agent_reference(card))
    )


def _meant(turn: TurnRequest, wish: RequestedEntities, store: AgentStore) -> AgentCard | None:
    return agent_targets.find_agent(turn, wish, store) or _mentioned(turn) or _only_one(turn, wish)


def _only_one(turn: TurnRequest, wish: RequestedEntities) -> AgentCard | None:
    """The only agent there is, when the message points at one and nothing else was talked about."""
    is_open = wish.agent_name is None and wish.agent_id is None and agent_targets.last_subject(turn) is None
    cards = turn.visible_agents()
    return cards[0] if is_open and len(cards) == 1 and agent_targets.refers_back(turn) else None


def _mentioned(turn: TurnRequest) -> AgentCard | None:
    """An agent whose name occurs in the message."""
    message = turn.message.casefold()
    return next(
        (
            card
            for card in (*turn.own_agents(), *agent_targets.colleagues_agents(turn))
            if re.search(rf"(?<![\w-]){re.escape(card.name)}(?![\w-])", message)
        ),
        None,
    )
