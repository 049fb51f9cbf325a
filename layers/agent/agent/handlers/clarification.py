"""Answers to unclear requests: numbered options that fit, why they are offered, and what each would do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent import agent_targets
from agent.handler_interface import Effect, HandlerReply, TurnRequest, agent_reference
from agent.handlers import questions
from agent.handlers.small_talk import is_question
from agent.requested_entities import Entities, RequestedEntities, without_answers
from agent.templates import agent_texts, confirmation_texts, small_talk_texts
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import service_name
from agent.workspace.naming import NearestAgent, find_nearest_agent
from conversation.messages.models import Choice, Note, Pending
from intent.decision import ActionType, Decision

MAX_OPENING = 300


def reply(turn: TurnRequest, decision: Decision, store: AgentStore) -> HandlerReply:
    """The options for an ambiguous or uncertain decision, the likeliest first."""
    wish = RequestedEntities.of(decision.entities)
    actions = [decision.action_type, decision.alternative_action]
    if ActionType.EXECUTE_TASK in actions and wish.agent_name is None:
        return options_for_task(turn, decision.entities)
    choices = [
        choice
        for action in dict.fromkeys(actions)
        if (choice := _choice(turn, action, decision.entities, store))
    ]
    if not choices:
        return HandlerReply(small_talk_texts.not_understood(_names(turn)), lacks_answer=True)
    opening = f"{(decision.clarifying_question or '')[:MAX_OPENING]} {agent_texts.UNSURE}".strip()
    offer = _offer(opening, [*choices, _rethink_option(decision.entities)])
    return replace(offer, lacks_answer=ActionType.QUERY_INFO in actions and is_question(turn.message))


def ask_first(effect: Effect) -> HandlerReply:
    """A question that names everything the effect does; a yes does exactly that."""
    pending = Pending(action=effect.action, entities=effect.entities, summary=effect.words)
    text = confirmation_texts.understood(effect.words, effect.details)
    return HandlerReply(text, Note(pending=pending, about=effect.thing))


def options_for_task(turn: TurnRequest, entities: Entities) -> HandlerReply:
    """The options for a task that no known agent does: the nearest agent and why it does not fit, a new
    agent, or another way.
    """
    wish = RequestedEntities.of(entities)
    subject, others = _subject(wish), [_new_agent(wish, entities), _rethink_option(entities)]
    near = find_nearest_agent(f"{turn.message} {subject}", subject, turn.visible_agents())
    if near is None:
        offer = _offer(agent_texts.no_agent_for(subject, _names(turn)), others)
    else:
        note = Note(about=agent_reference(near.card))
        user = turn.caller.user
        opening = agent_texts.nearest_agent(near, subject, user)
        offer = _offer(opening, [_run_anyway(near, user), *others], note=note)
    return replace(offer, lacks_answer=True)


def _rethink_option(entities: Entities) -> Choice:
    """The last option of every list: to do it another way."""
    return Choice(
        label="Do it another way: tell me a bit more about what you need, and I'll suggest something",
        action=ActionType.QUERY_INFO,
        entities={**without_answers(entities), "operation": questions.RETHINK},
    )


def _offer(opening: str, choices: Sequence[Choice], *, note: Note | None = None) -> HandlerReply:
    kept = (note or Note()).model_copy(update={"choices": tuple(choices)})
    return HandlerReply(agent_texts.options_text(opening, choices), kept)


def _run_anyway(near: NearestAgent, user: str) -> Choice:
    described = agent_texts.described(near.card, user)
    return Choice(
        label=f"Run {near.card.name} anyway: it may help in part ({described})",
        action=ActionType.EXECUTE_TASK,
        entities={"agent_id": near.card.id, "agent_name": near.card.name},
    )


def _new_agent(wish: RequestedEntities, entities: Entities) -> Choice:
    subject = _subject(wish)
    about = f" for {subject}" if subject else ""
    unknown = "" if wish.source else ", such as where the data lives"
    return Choice(
        label=f"Create a new agent{about}{_source(wish)}: I'd ask you for what I don't know yet{unknown}",
        action=ActionType.CREATE_AGENT,
        entities=without_answers(entities),
    )


def _source(wish: RequestedEntities) -> str:
    name = service_name(wish.source) if wish.source else ""
    return f" from {name}" if name and name.lower() not in _subject(wish).lower() else ""


def _choice(
    turn: TurnRequest, action: ActionType | None, entities: Entities, store: AgentStore
) -> Choice | None:
    wish = RequestedEntities.of(entities)
    match action:
        case ActionType.CREATE_AGENT:
            return _new_agent(wish, entities)
        case ActionType.EXECUTE_TASK:
            return _run_named(turn, wish, store)
        case ActionType.UPDATE_AGENT:
            return _change(wish, entities)
        case ActionType.QUERY_INFO:
            label = "Tell you about it: I'd look at your agents, runs and settings, and change nothing"
            return Choice(label=label, action=action, entities=without_answers(entities))
        case ActionType.MANAGE_PLATFORM:
            label = "Change a setting of your workspace: I'd tell you which, and ask before I do"
            return Choice(label=label, action=action, entities=without_answers(entities))
        case ActionType.CREATE_SKILL:
            label = "Add a skill that your agents could use: I'd tell you what it takes"
            return Choice(label=label, action=action, entities=without_answers(entities))
        case _:
            return None


def _change(wish: RequestedEntities, entities: Entities) -> Choice:
    """The option to change the named agent. Without a name, the entities are dropped as uncertain."""
    if wish.agent_name:
        label, kept = f"Change {wish.agent_name}: I'd show you what changes", without_answers(entities)
    else:
        label, kept = "Change one of your agents: I'd ask you what should change", {"operation": "change"}
    return Choice(label=label, action=ActionType.UPDATE_AGENT, entities=kept)


def _run_named(turn: TurnRequest, wish: RequestedEntities, store: AgentStore) -> Choice | None:
    card = agent_targets.find_agent(turn, wish, store)
    if card is None:
        return None
    return Choice(
        label=f"Run {card.name} once ({agent_texts.described(card, turn.caller.user)})",
        action=ActionType.EXECUTE_TASK,
        entities={"agent_id": card.id, "agent_name": card.name},
    )


def _subject(wish: RequestedEntities) -> str:
    subject = wish.subject() or (wish.agent_name or "").replace("-", " ")
    output = wish.output or ""
    outputs = "" if output in subject else output if output.endswith("s") else f"{output}s"
    return " and ".join(part for part in (subject, outputs) if part)


def _names(turn: TurnRequest) -> tuple[str, ...]:
    return tuple(card.name for card in turn.visible_agents()[:5])
