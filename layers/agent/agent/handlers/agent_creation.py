"""Conversations that create an agent: from a proposal or the wizard's first question to the stored agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from agent.checks.check import Check
from agent.handler_interface import Effect, HandlerReply, TurnRequest, agent_reference
from agent.handlers import clarification, questions
from agent.readiness import missing_keys, readiness
from agent.requested_entities import UNSAID, Entities, RequestedEntities
from agent.templates import agent_texts, check_texts, small_talk_texts, wizard_texts
from agent.wizard.drafts import Draft, Part, render_draft
from agent.wizard.flow import WizardStep, answers_directly, asked_parts, check_step, first_step, next_step
from agent.wizard.interpretation import TEXT_PARTS, InterpretedMessage, explicit_parts
from agent.workspace import agents
from agent.workspace.agent_store import AgentStore, require_agent_quota
from agent.workspace.agents import Agent
from agent.workspace.delivery_targets import Delivery
from agent.workspace.errors import AddressBlocked, AgentLimitReached, CheckBlocked, TargetNotAllowed
from conversation.errors import QuotaExceeded
from conversation.limits.quotas import QuotaKind
from conversation.messages.models import Choice, Note, Pending
from intent.decision import ActionType
from intent.regular_expressions import LazyPattern
from intent.rules.named_acts import Act

START_OVER = "start_over"
MAX_BARE_WORDS = 2
MAX_DETAIL_WORDS = 6

_DIRECT = LazyPattern(
    r"\b(creat(e|ing)|build|make|mak(e|ing) me|set(ting)? ?(it |one |this )?up|automate|clone|spin up"
    r"|agents?|bots?|robots?|watchers?|automations?|assistant"
    r"|(i|we)('d| would|'m| am|'re| are)? ?(also |just |really )*(want|need|like|looking|after)\b"
    r"|(can|could|would|will) (you|we|i)( please)? (have|get|watch|monitor|keep|check|alert|notify"
    r"|remind|send|tell|let|do)"
    r"|let'?s|get me|give (me|us)|something (that|which|to)|from now on|get (a|that|it)|have (something"
    r"|it))\b"
    r"|(^|[.!?,] )(please |pls |hey |hi |ok |so )*(watch|monitor|keep|check|alert|notify|remind|track"
    r"|tell|let|send|e-?mail|collect|summari[sz]e"
    r"|compile|report|flag|ping|warn|post|pull|file|scan|look|whenever|when|wire|sort out)\b",
)
_NEW_WISH = LazyPattern(
    r"\b(create|build|make(?! (it|that))|set ?up|need|want|add|start|another|new)\b[\s\S]{0,200}\b(agent|bot"
    r"|automation|assistant|monitor|workflow|reporter)\b",
)


def _is_direct(message: str) -> bool:
    """Whether the words ask for an agent, and do not only describe a problem that one would solve."""
    return _DIRECT.search(message) is not None


def begin_agent(turn: TurnRequest, entities: Entities, store: AgentStore) -> HandlerReply:
    """The answer to a request for an agent while none is being made."""
    step = first_step(_interpret(turn, entities))
    return _advance(turn, step, store, is_first=True) if _is_direct(turn.message) else propose(step)


def begin_check(turn: TurnRequest, check: Check, store: AgentStore) -> HandlerReply:
    """The answer to a wish to have a web address checked, which one sentence sets up."""
    try:
        store.require_checkable(check)
    except CheckBlocked:
        return HandlerReply(check_texts.ADDRESS_NOT_ALLOWED)
    # The rules for schedules and channels would misread the address, and take it for one of results.
    words = turn.message.replace(check.url, "it").replace(check.url.removeprefix("https://"), "it")
    interpreted = InterpretedMessage.of(words, {}, now=turn.situation.now, time_zone=turn.situation.time_zone)
    return _advance(turn, check_step(check, interpreted), store, is_first=True)


def take_option(turn: TurnRequest, entities: Entities, store: AgentStore) -> HandlerReply:
    """The answer to a picked option, whose entities describe the agent better than the message does."""
    if turn.note.draft is not None and entities.get("operation") != START_OVER:
        return _which_first(turn, _current_draft(turn)[0], _begun_by(turn, entities).draft)
    stored = entities.get("draft")
    draft = Draft.of(stored) if isinstance(stored, dict) else _begun_by(turn, entities).draft
    if entities.get(UNSAID) is True:
        draft = draft.model_copy(update={"unsaid": True})
    return _advance(turn, WizardStep(draft, draft.next_parts()), store, is_first=True)


def accept_proposal(
    turn: TurnRequest, pending: Pending, entities: Entities, store: AgentStore
) -> HandlerReply:
    """The answer to a yes to a proposal; the message may say more than yes."""
    draft, interpreted = _offered(turn, pending, entities)
    asked = draft.next_parts() if is_draft_detail(turn, pending, entities) else ()
    step = next_step(draft, asked, interpreted)
    return _advance(turn, step, store, is_first=not step.learned)


def is_draft_detail(turn: TurnRequest, pending: Pending, entities: Entities) -> bool:
    """Whether a short message answers what would be asked next about the offered agent."""
    draft, interpreted = _offered(turn, pending, entities)
    is_short = len(turn.message.split()) <= MAX_DETAIL_WORDS and not turn.message.rstrip().endswith("?")
    return is_short and answers_directly(draft, draft.next_parts(), interpreted)


def _offered(turn: TurnRequest, pending: Pending, entities: Entities) -> tuple[Draft, InterpretedMessage]:
    own = {key: value for key, value in entities.items() if key not in pending.entities}
    return Draft.of(cast("Entities", pending.entities["draft"])), _interpret(turn, own)


def propose(step: WizardStep) -> HandlerReply:
    """A proposal of an agent for a problem that the user described."""
    entities: Entities = {"draft": step.draft.to_note()}
    summary = f"create {wizard_texts.with_article(step.draft.label())}"
    pending = Pending(action=ActionType.CREATE_AGENT, entities=entities, summary=summary)
    return HandlerReply(agent_texts.proposal(step.draft), Note(pending=pending))


def continue_draft(turn: TurnRequest, entities: Entities, store: AgentStore) -> HandlerReply:
    """The answer to a message that continues the unfinished agent."""
    draft, asked = _current_draft(turn)
    if _is_another_wish(turn, draft):
        return _which_first(turn, draft, first_step(_interpret(turn, entities)).draft)
    return _advance(turn, next_step(draft, asked, _interpret(turn, entities)), store, is_first=False)


def drop_draft(turn: TurnRequest) -> HandlerReply:
    """Drop the unfinished agent."""
    draft, _ = _current_draft(turn)
    return HandlerReply(
        agent_texts.draft_dropped(draft), Note(did=f"dropped the unfinished {draft.label()}"), ends_draft=True
    )


def may_answer_wizard(turn: TurnRequest) -> bool:
    """Whether the message is only a word or two, which could answer the wizard's question."""
    _, asked = _current_draft(turn)
    is_short = len(turn.message.split()) <= MAX_BARE_WORDS and not turn.message.rstrip().endswith("?")
    return is_short and bool(set(asked) & set(TEXT_PARTS)) and questions.operation_of(turn.message) is None


def rethink_offer(turn: TurnRequest, entities: Entities) -> HandlerReply:
    """The answer to "another way" than the options offered: keeps what is known and asks for more."""
    if turn.note.draft is not None:
        return questions.describe_open_work(turn)
    step = _begun_by(turn, entities)
    text = small_talk_texts.ask_for_details(wizard_texts.questions_text(step.draft, step.asking))
    return HandlerReply(text, Note(draft=step.draft.to_note(), asking=", ".join(step.asking)))


def postpone_draft(turn: TurnRequest) -> HandlerReply:
    """Keep the unfinished agent as it is, for later."""
    draft, _ = _current_draft(turn)
    return HandlerReply(agent_texts.draft_kept(draft), Note(draft=turn.note.draft, asking=turn.note.asking))


def asks_for_new_agent(message: str) -> bool:
    """Whether the message asks for another agent."""
    return _NEW_WISH.search(message) is not None


def adds_details(turn: TurnRequest, entities: Entities) -> bool:
    """Whether the message says more about the offered agent than yes or no."""
    return bool(explicit_parts(_interpret(turn, entities)))


def answers_wizard(turn: TurnRequest, entities: Entities) -> bool:
    """Whether the message plainly answers what the wizard asked, whatever else it looks like."""
    draft, asked = _current_draft(turn)
    return answers_directly(draft, asked, _interpret(turn, entities)) and not turn.message.rstrip().endswith(
        "?"
    )


def is_wizard_input(turn: TurnRequest, entities: Entities) -> bool:
    """Whether the wizard can use anything in the message."""
    draft, asked = _current_draft(turn)
    step = next_step(draft, asked, _interpret(turn, entities))
    return bool(step.learned or step.assumed) or step.draft.unfit is not None


def _current_draft(turn: TurnRequest) -> tuple[Draft, tuple[Part, ...]]:
    """The conversation's draft, and the parts that were asked about."""
    return Draft.of(turn.note.draft or {}), asked_parts(turn.note.asking)


def carry_draft(turn: TurnRequest, reply: HandlerReply) -> HandlerReply:
    """The reply to something else, with the unfinished agent kept in its note. Unless the reply asks
    something itself, a one-line reminder is added.
    """
    if turn.note.draft is None or reply.ends_draft or reply.note.draft is not None:
        return reply
    note = reply.note.model_copy(update={"draft": turn.note.draft, "asking": turn.note.asking})
    waits = reply.note.pending or reply.note.choices
    text = reply.text if waits else f"{reply.text}\n\n{wizard_texts.reminder(*_current_draft(turn))}"
    return replace(reply, text=text, note=note)


def _advance(turn: TurnRequest, step: WizardStep, store: AgentStore, *, is_first: bool) -> HandlerReply:
    try:
        if step.draft.recipients != Draft.of(turn.note.draft or {}).recipients:
            delivery = Delivery(recipients=step.draft.recipients)
            store.check_addresses(turn.caller, delivery, turn.roster.record)
    except AddressBlocked as blocked:
        return _ask_for_other_address(step, blocked.urls, agent_texts.ADDRESS_BLOCKED)
    except TargetNotAllowed as refused:
        return _ask_for_other_address(step, refused.addresses, agent_texts.TARGET_NOT_ALLOWED)
    if step.is_complete:
        return _finish(turn, step, store)
    text = wizard_texts.first_reply(step) if is_first else wizard_texts.next_reply(step)
    return HandlerReply(text, Note(draft=step.draft.to_note(), asking=", ".join(step.asking)))


def _ask_for_other_address(step: WizardStep, unusable: Sequence[str], why: str) -> HandlerReply:
    draft = step.draft.without_recipients(unusable)
    again = WizardStep(draft, draft.next_parts() or ("delivery",))
    text = f"{why}\n\n{wizard_texts.next_reply(again)}"
    return HandlerReply(text, Note(draft=draft.to_note(), asking=", ".join(again.asking)))


def _finish(turn: TurnRequest, step: WizardStep, store: AgentStore) -> HandlerReply:
    try:
        require_agent_quota(turn.roster, turn.caller)
    except AgentLimitReached as reached:
        text = agent_texts.limit_reached(reached.limit, of_user=reached.of_user)
        return HandlerReply(text, Note(draft=step.draft.to_note(), asking=""))
    effect = _effect(step.draft)
    if step.draft.unsaid:
        return clarification.ask_first(effect)
    try:
        store.quotas.take(turn.caller, QuotaKind.AGENTS, record=turn.roster.record)
    except QuotaExceeded as exceeded:
        return HandlerReply(str(exceeded), Note(draft=step.draft.to_note(), asking=""))
    spec = step.draft.to_spec()
    name = agents.free_name(spec.name or "agent", frozenset(card.name for card in turn.own_agents()))
    agent_id, now = turn.derive_id("agent"), turn.situation.now
    agent = Agent.create(
        spec,
        agent_id=agent_id,
        name=name,
        owner=turn.caller.user,
        now=now,
        conversation_id=turn.conversation_id,
    )
    missing = readiness(agent, turn.provision)
    agent = agent.model_copy(update={"told_missing": missing_keys(missing)})
    note = Note(did=f"created the agent {name}", about=agent_reference(agent))
    text = agent_texts.created(
        agent, missing, renamed=name != spec.name, assumed=wizard_texts.assumptions(step)
    )
    effects = store.create_actions(turn.caller.tenant, agent)
    return HandlerReply(text, note, effects, ("create_agent",), ends_draft=True, effect=effect)


def _effect(draft: Draft) -> Effect:
    """What saving the draft does; the draft that a yes saves counts as said."""
    shown = draft.model_copy(update={"unsaid": False})
    words = f"create {wizard_texts.with_article(draft.label())}"
    entities: Entities = {"draft": shown.to_note()}
    return Effect(Act.CREATE, None, words, ActionType.CREATE_AGENT, entities, details=render_draft(shown))


def _is_another_wish(turn: TurnRequest, draft: Draft) -> bool:
    is_begun = draft.source is not None or draft.what is not None
    return is_begun and asks_for_new_agent(turn.message)


def _which_first(turn: TurnRequest, draft: Draft, new: Draft) -> HandlerReply:
    keep = Choice(
        label=f"Finish your {draft.label()} first: I'd ask again what is missing",
        action=ActionType.QUERY_INFO,
        entities={"operation": questions.RESUME},
    )
    start = Choice(
        label=f"Drop it and start your {new.label()}: what we have so far would be lost",
        action=ActionType.CREATE_AGENT,
        entities={"operation": START_OVER, "draft": new.to_note()},
    )
    note = Note(choices=(keep, start), draft=turn.note.draft, asking=turn.note.asking)
    return HandlerReply(agent_texts.one_at_a_time(draft, note.choices), note)


def _begun_by(turn: TurnRequest, entities: Entities) -> WizardStep:
    """The first step of a request that the entities describe, and not the message."""
    wish = RequestedEntities.of(entities)
    description = " ".join(filter(None, (wish.output, wish.subject())))
    return first_step(replace(_interpret(turn, entities), message=description))


def _interpret(turn: TurnRequest, entities: Entities) -> InterpretedMessage:
    return InterpretedMessage.of(
        turn.message, entities, now=turn.situation.now, time_zone=turn.situation.time_zone
    )
