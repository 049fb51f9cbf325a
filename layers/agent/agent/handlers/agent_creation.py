"""Conversations that create an agent: from a proposal or the wizard's first question to the stored agent."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from agent.handler_interface import Reply, Turn, reference
from agent.handlers import questions as asking
from agent.requested_entities import Entities, Wish
from agent.templates import agents as templates
from agent.templates import small_talk as courtesies
from agent.templates import wizard as questions
from agent.wizard.drafts import Draft, Part
from agent.wizard.flow import Step, answers_directly, asked_parts, begin, proceed
from agent.wizard.interpretation import TEXT_PARTS, Heard, stated
from agent.workspace import agents as names
from agent.workspace.agent_store import AgentStore, require_room
from agent.workspace.agents import Agent, Delivery
from agent.workspace.errors import AddressBlocked, AgentLimitReached
from conversation.messages.models import Choice, Note, Pending
from intent.decision import ActionType
from intent.patterns import Form

START_OVER = "start_over"
MAX_BARE_WORDS = 2
MAX_DETAIL_WORDS = 6

_DIRECT = Form(
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
_NEW_WISH = Form(
    r"\b(create|build|make(?! (it|that))|set ?up|need|want|add|start|another|new)\b[\s\S]{0,200}\b(agent|bot"
    r"|automation|assistant|monitor|workflow|reporter)\b",
)


def is_direct(message: str) -> bool:
    """Whether the words ask for an agent, and do not only describe a problem that one would solve."""
    return _DIRECT.search(message) is not None


def wished(turn: Turn, entities: Entities, store: AgentStore) -> Reply:
    """The answer to a request for an agent while none is being made."""
    step = begin(_heard(turn, entities))
    return _advance(turn, step, store, is_first=True) if is_direct(turn.message) else propose(step)


def chosen(turn: Turn, entities: Entities, store: AgentStore) -> Reply:
    """The answer to a picked option, whose entities describe the agent better than the message does."""
    if turn.note.draft is not None and entities.get("operation") != START_OVER:
        return _which_first(turn, unfinished(turn)[0], _begun_by(turn, entities).draft)
    stored = entities.get("draft")
    draft = Draft.of(stored) if isinstance(stored, dict) else _begun_by(turn, entities).draft
    return _advance(turn, Step(draft, draft.next_parts()), store, is_first=True)


def accepted(turn: Turn, pending: Pending, entities: Entities, store: AgentStore) -> Reply:
    """The answer to a yes to a proposal; the message may say more than yes."""
    draft, heard = _offered(turn, pending, entities)
    asked = draft.next_parts() if is_detail(turn, pending, entities) else ()
    step = proceed(draft, asked, heard)
    return _advance(turn, step, store, is_first=not step.learned)


def is_detail(turn: Turn, pending: Pending, entities: Entities) -> bool:
    """Whether a short message answers what would be asked next about the offered agent."""
    draft, heard = _offered(turn, pending, entities)
    is_short = len(turn.message.split()) <= MAX_DETAIL_WORDS and not turn.message.rstrip().endswith("?")
    return is_short and answers_directly(draft, draft.next_parts(), heard)


def _offered(turn: Turn, pending: Pending, entities: Entities) -> tuple[Draft, Heard]:
    own = {key: value for key, value in entities.items() if key not in pending.entities}
    return Draft.of(cast("Entities", pending.entities["draft"])), _heard(turn, own)


def propose(step: Step) -> Reply:
    """A proposal of an agent for a problem that the user described."""
    entities: Entities = {"draft": step.draft.note()}
    summary = f"create {questions.with_article(step.draft.label())}"
    pending = Pending(action=ActionType.CREATE_AGENT, entities=entities, summary=summary)
    return Reply(templates.proposal(step.draft), Note(pending=pending))


def continued(turn: Turn, entities: Entities, store: AgentStore) -> Reply:
    """The answer to a message that continues the unfinished agent."""
    draft, asked = unfinished(turn)
    if _is_another_wish(turn, draft):
        return _which_first(turn, draft, begin(_heard(turn, entities)).draft)
    return _advance(turn, proceed(draft, asked, _heard(turn, entities)), store, is_first=False)


def cancelled(turn: Turn) -> Reply:
    """Drop the unfinished agent."""
    draft, _ = unfinished(turn)
    return Reply(
        templates.draft_dropped(draft), Note(did=f"dropped the unfinished {draft.label()}"), ends_draft=True
    )


def could_answer(turn: Turn) -> bool:
    """Whether the message is only a word or two, which could answer the wizard's question."""
    _, asked = unfinished(turn)
    is_short = len(turn.message.split()) <= MAX_BARE_WORDS and not turn.message.rstrip().endswith("?")
    return is_short and bool(set(asked) & set(TEXT_PARTS)) and asking.operation_of(turn.message) is None


def rethought(turn: Turn, entities: Entities) -> Reply:
    """The answer to "another way" than the options offered: keeps what is known and asks for more."""
    if turn.note.draft is not None:
        return asking.where_we_were(turn)
    step = _begun_by(turn, entities)
    text = courtesies.rethink(questions.asked(step.draft, step.asking))
    return Reply(text, Note(draft=step.draft.note(), asking=", ".join(step.asking)))


def postponed(turn: Turn) -> Reply:
    """Keep the unfinished agent as it is, for later."""
    draft, _ = unfinished(turn)
    return Reply(templates.draft_kept(draft), Note(draft=turn.note.draft, asking=turn.note.asking))


def is_new(message: str) -> bool:
    """Whether the message asks for another agent."""
    return _NEW_WISH.search(message) is not None


def says_more(turn: Turn, entities: Entities) -> bool:
    """Whether the message says more about the offered agent than yes or no."""
    return bool(stated(_heard(turn, entities)))


def is_answered(turn: Turn, entities: Entities) -> bool:
    """Whether the message plainly answers what the wizard asked, whatever else it looks like."""
    draft, asked = unfinished(turn)
    return answers_directly(draft, asked, _heard(turn, entities)) and not turn.message.rstrip().endswith("?")


def is_taken_up(turn: Turn, entities: Entities) -> bool:
    """Whether the wizard can use anything in the message."""
    draft, asked = unfinished(turn)
    step = proceed(draft, asked, _heard(turn, entities))
    return bool(step.learned or step.assumed) or step.draft.unfit is not None


def unfinished(turn: Turn) -> tuple[Draft, tuple[Part, ...]]:
    """The conversation's draft, and the parts that were asked about."""
    return Draft.of(turn.note.draft or {}), asked_parts(turn.note.asking)


def carried(turn: Turn, reply: Reply) -> Reply:
    """The reply to something else, with the unfinished agent kept in its note. Unless the reply asks
    something itself, a one-line reminder is added.
    """
    if turn.note.draft is None or reply.ends_draft or reply.note.draft is not None:
        return reply
    note = reply.note.model_copy(update={"draft": turn.note.draft, "asking": turn.note.asking})
    waits = reply.note.pending or reply.note.choices
    text = reply.text if waits else f"{reply.text}\n\n{questions.reminder(*unfinished(turn))}"
    return replace(reply, text=text, note=note)


def _advance(turn: Turn, step: Step, store: AgentStore, *, is_first: bool) -> Reply:
    try:
        if step.draft.recipients != Draft.of(turn.note.draft or {}).recipients:
            store.check_addresses(Delivery(recipients=step.draft.recipients))
    except AddressBlocked as blocked:
        draft = step.draft.without(blocked.urls)
        again = Step(draft, draft.next_parts() or ("delivery",))
        text = f"{templates.ADDRESS_BLOCKED}\n\n{questions.further(again)}"
        return Reply(text, Note(draft=draft.note(), asking=", ".join(again.asking)))
    if step.is_complete:
        return _finish(turn, step, store)
    text = questions.first(step) if is_first else questions.further(step)
    return Reply(text, Note(draft=step.draft.note(), asking=", ".join(step.asking)))


def _finish(turn: Turn, step: Step, store: AgentStore) -> Reply:
    try:
        require_room(turn.roster, turn.caller)
    except AgentLimitReached as reached:
        return Reply(templates.limit_reached(reached.limit), Note(draft=step.draft.note(), asking=""))
    spec = step.draft.spec()
    name = names.free(spec.name or "agent", frozenset(card.name for card in turn.own()))
    agent_id, now = turn.new_id("agent"), turn.situation.now
    agent = Agent.made(
        spec,
        agent_id=agent_id,
        name=name,
        owner=turn.caller.user,
        now=now,
        conversation_id=turn.conversation_id,
    )
    note = Note(did=f"created the agent {name}", about=reference(agent))
    text = templates.created(
        agent, turn.served, renamed=name != spec.name, assumed=questions.assumptions(step)
    )
    return Reply(text, note, store.creating(turn.caller.tenant, agent), ("create_agent",), ends_draft=True)


def _is_another_wish(turn: Turn, draft: Draft) -> bool:
    is_begun = draft.source is not None or draft.what is not None
    return is_begun and is_new(turn.message)


def _which_first(turn: Turn, draft: Draft, new: Draft) -> Reply:
    keep = Choice(
        label=f"Finish your {draft.label()} first: I'd ask again what is missing",
        action=ActionType.QUERY_INFO,
        entities={"operation": asking.RESUME},
    )
    start = Choice(
        label=f"Drop it and start your {new.label()}: what we have so far would be lost",
        action=ActionType.CREATE_AGENT,
        entities={"operation": START_OVER, "draft": new.note()},
    )
    note = Note(choices=(keep, start), draft=turn.note.draft, asking=turn.note.asking)
    return Reply(templates.one_at_a_time(draft, note.choices), note)


def _begun_by(turn: Turn, entities: Entities) -> Step:
    """The first step of a request that the entities describe, and not the message."""
    wish = Wish.of(entities)
    told = " ".join(filter(None, (wish.output, wish.subject())))
    return begin(replace(_heard(turn, entities), message=told))


def _heard(turn: Turn, entities: Entities) -> Heard:
    return Heard.of(turn.message, entities, now=turn.situation.now, time_zone=turn.situation.time_zone)
