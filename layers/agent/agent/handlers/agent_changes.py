"""Answers to requests to change an agent: its fields and its name; pausing, resuming and deleting it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from agent import agent_targets
from agent.handler_interface import Effect, HandlerReply, TurnRequest, agent_reference
from agent.readiness import Missing, missing_keys, readiness
from agent.requested_entities import CONFIRMED, EXACT, Entities, RequestedEntities, as_line, without_answers
from agent.templates import agent_texts
from agent.wizard.edits import parse_edits, removes_channel, schedule_choices
from agent.wizard.interpretation import InterpretedMessage
from agent.workspace import agents
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import (
    MAX_FIELD_CHARACTERS,
    MAX_INSTRUCTIONS_CHARACTERS,
    Agent,
    AgentCard,
    AgentChange,
    AgentStatus,
)
from agent.workspace.delivery_targets import Delivery
from agent.workspace.errors import AddressBlocked, AgentNotFound, TargetNotAllowed
from conversation.messages.models import Choice, Note, Pending
from intent.decision import ActionType
from intent.regular_expressions import LazyPattern
from intent.rules.named_acts import Act

_LEAD = (
    r"^\W*((please|ok|okay|now|and|also|actually|can you|could you|let's|i('d| would) like to|i want to)\W+)*"
)
_SHARED = LazyPattern(
    rf"{_LEAD}(share\b|(make|set) [^.!?]{{1,60}} (public|shared|visible|available)\b"
    r"|let (everyone|everybody|my (team|colleagues)|the (team|others)) (see|use)\b)"
)
_UNSHARED = LazyPattern(
    rf"{_LEAD}(un-?share\b|(stop|quit) sharing\b|(don'?t|do not|no longer) share\b"
    r"|(make|set|keep) [^.!?]{1,60} private\b|hide [^.!?]{1,60} from\b)"
)
_WITH = LazyPattern(r"\bwith ([^.!?]+)")
_ALL = LazyPattern(
    r"\b(team|teams|everyone|everybody|all|workspace|company|colleagues|coworkers|others|us|group|department"
    r"|office)\b"
)


def _sharing_in(message: str) -> bool | None:
    """Whether the agent is to be shared; None when the message does not mention sharing."""
    if _UNSHARED.search(message):
        return False
    return True if _SHARED.search(message) else None


def _names_one_person(message: str) -> bool:
    """Whether the agent is to be shared with someone in particular, and not with everyone."""
    found = _WITH.search(message)
    return found is not None and _ALL.search(found[1]) is None


_SYNONYMS: Mapping[str, str] = {
    "schedule": "schedule_text", "frequency": "schedule_text", "when": "schedule_text",
    "channel": "delivery", "name": "new_name", "recipient": "recipients", "instruction": "instructions",
    "data_source": "source",
}  # fmt: skip
"""Other names that models use for the fields of a change."""

_FOR_A_WHILE = LazyPattern(
    r"\b(until|till|for (an?|the|\w+) (hour|day|week|month|year|while|weekend|holiday)s?)\b"
)
_INSTRUCTION = re.compile(
    r"\W*(?:(?:please|ok|okay|now|and|also)\s+)*add (?:an?|the|this|another) instruction"
    r"(?: to it)?(?:\s*[:,-]\s*|\s+(?:that|to|saying)\s+)(.+)",
    re.IGNORECASE | re.DOTALL,
)
_OFTEN = LazyPattern(r"^\W*(\w+ ){0,6}(less|more|too) (often|frequent(ly)?|rarely|seldom)\b[^.!?]{0,30}$")
MIN_INSTRUCTION_WORDS = 4
_WORDS = "words"
"""The entity with an exact change in words."""


def reply(turn: TurnRequest, entities: Entities, store: AgentStore) -> HandlerReply:
    """The answer to a request to change, pause, resume, rename or delete an agent."""
    wish = RequestedEntities.of(entities)
    card = agent_targets.find_agent(turn, wish, store) or _only_one(turn, wish)
    if card is None:
        return _ask_which(turn, wish, entities)
    if card.owner != turn.caller.user:
        return HandlerReply(agent_texts.not_owned(card.name), Note(about=agent_reference(card)))
    try:
        agent = store.get(turn.caller, card.id)
    except AgentNotFound:
        return HandlerReply(agent_texts.gone(card.name))
    return _do(turn, agent, wish, entities, store)


def _do(
    turn: TurnRequest, agent: Agent, wish: RequestedEntities, entities: Entities, store: AgentStore
) -> HandlerReply:
    if entities.get(CONFIRMED) is True and isinstance(exact := entities.get(EXACT), dict):
        return _change_exactly(turn, agent, exact, str(entities.get(_WORDS, "")), store)
    is_shared = _sharing_in(turn.message) is not None and wish.operation != "delete"
    if is_shared or removes_channel(turn.message):
        return _change(turn, agent, entities, store)
    match wish.operation:
        case "delete" if entities.get(CONFIRMED) is True:
            return _delete(turn, agent, store)
        case "delete":
            return _confirm_delete(agent)
        case "pause":
            return _set_status(turn, agent, AgentStatus.PAUSED, store)
        case "resume":
            return _set_status(turn, agent, AgentStatus.ACTIVE, store)
        case "share":
            return _confirm(
                agent, {"shared": True}, agent_texts.confirm_sharing(agent.name), f"share {agent.name}"
            )
        case _:
            return _change(turn, agent, entities, store)


def _delete(turn: TurnRequest, agent: Agent, store: AgentStore) -> HandlerReply:
    note = Note(did=f"deleted the agent {agent.name}")
    return HandlerReply(
        agent_texts.deleted(agent.name),
        note,
        store.delete_actions(turn.caller.tenant, agent),
        ("delete_agent",),
    )


def _confirm_delete(agent: Agent) -> HandlerReply:
    entities: Entities = {
        "operation": "delete",
        "agent_id": agent.id,
        "agent_name": agent.name,
        CONFIRMED: True,
    }
    pending = Pending(
        action=ActionType.UPDATE_AGENT, entities=entities, summary=f"delete the agent {agent.name}"
    )
    return HandlerReply(
        agent_texts.confirm_delete(agent.name), Note(pending=pending, about=agent_reference(agent))
    )


def _set_status(turn: TurnRequest, agent: Agent, status: AgentStatus, store: AgentStore) -> HandlerReply:
    if agent.status is status:
        return HandlerReply(
            agent_texts.already_in_status(agent.name, status), Note(about=agent_reference(agent))
        )
    new, missing = _with_readiness(turn, AgentChange(status=status).applied_to(agent, turn.situation.now))
    is_pause = status is AgentStatus.PAUSED
    note = Note(
        did=f"{'paused' if is_pause else 'resumed'} the agent {agent.name}", about=agent_reference(agent)
    )
    is_for_a_while = is_pause and _FOR_A_WHILE.search(turn.message) is not None
    paused = agent_texts.paused(agent.name, is_for_a_while=is_for_a_while)
    words = paused if is_pause else agent_texts.resumed(new, missing)
    operation = "pause" if is_pause else "resume"
    entities: Entities = {"operation": operation, "agent_id": agent.id, "agent_name": agent.name}
    effect = Effect(
        Act(operation),
        agent_reference(agent),
        f"{operation} {agent.name}",
        ActionType.UPDATE_AGENT,
        entities,
    )
    effects = store.update_actions(turn.caller.tenant, agent, new)
    return HandlerReply(words, note, effects, ("update_agent",), effect=effect)


def _change(turn: TurnRequest, agent: Agent, entities: Entities, store: AgentStore) -> HandlerReply:
    given = _without_own_zone(turn, flatten_change(entities))
    interpreted = InterpretedMessage.from_decision(
        turn.message, given, now=turn.situation.now, time_zone=_zone(turn, agent)
    )
    refusal = _refused_name(turn, agent, interpreted.requested.new_name)
    if refusal is not None:
        return HandlerReply(refusal, Note(about=agent_reference(agent)))
    instruction = as_line(given.get("instructions")) or _instruction_in(turn.message)
    if len(agent.instructions) + len(instruction or "") >= MAX_INSTRUCTIONS_CHARACTERS:
        return HandlerReply(agent_texts.instructions_full(agent.name), Note(about=agent_reference(agent)))
    shared = given.get("shared", _sharing_in(turn.message))
    if shared is True and _names_one_person(turn.message) and entities.get(CONFIRMED) is not True:
        return _confirm(agent, {"shared": True}, agent_texts.SHARED_WITH_ALL, f"share {agent.name}")
    edits = parse_edits(agent, interpreted, instructions=instruction, shared=shared)
    if edits.unsupported_schedule is not None:
        choices = schedule_choices(agent, edits.unsupported_schedule)
        return HandlerReply(
            agent_texts.options_text(agent_texts.schedule_unfit(edits.unsupported_schedule), choices),
            Note(about=agent_reference(agent), choices=choices),
        )
    if not edits.values and edits.unchanged:
        return HandlerReply(
            agent_texts.already_so(agent.name, edits.unchanged), Note(about=agent_reference(agent))
        )
    if not edits.values:
        return _ask_what(turn, agent)
    if (refusal := _refused_delivery(turn, edits.values.get("delivery"), store)) is not None:
        return HandlerReply(refusal, Note(about=agent_reference(agent)))
    if edits.changes_only_job() and entities.get(CONFIRMED) is not True:
        return _confirm(
            agent,
            given,
            agent_texts.confirm_what(agent.card(), edits.descriptions[0]),
            f"change {agent.name}: {edits.descriptions[0]}",
        )
    change = AgentChange.model_validate(edits.values)
    return _changed(turn, agent, change, "; ".join(edits.descriptions), store)


def _change_exactly(
    turn: TurnRequest, agent: Agent, exact: Entities, words: str, store: AgentStore
) -> HandlerReply:
    """Make the change that was asked for word by word, and nothing that this message says."""
    change = AgentChange.model_validate_json(json.dumps(exact))
    refusal = _refused_name(turn, agent, change.name if "name" in change.model_fields_set else None)
    if refusal is not None:
        return HandlerReply(refusal, Note(about=agent_reference(agent)))
    delivery = change.delivery if "delivery" in change.model_fields_set else None
    if (refusal := _refused_delivery(turn, delivery, store)) is not None:
        return HandlerReply(refusal, Note(about=agent_reference(agent)))
    return _changed(turn, agent, change, words, store)


def _changed(
    turn: TurnRequest, agent: Agent, change: AgentChange, words: str, store: AgentStore
) -> HandlerReply:
    new, missing = _with_readiness(turn, change.applied_to(agent, turn.situation.now))
    note = Note(did=f"changed the agent {agent.name}: {words}", about=agent_reference(new))
    text = agent_texts.changed(agent.name, new, words, missing)
    effects = store.update_actions(turn.caller.tenant, agent, new)
    return HandlerReply(text, note, effects, ("update_agent",), effect=_effect(agent, change, words))


def _with_readiness(turn: TurnRequest, agent: Agent) -> tuple[Agent, tuple[Missing, ...]]:
    """The agent, and what has to be told of what it lacks: nothing where its owner was told just that."""
    if agent.status is AgentStatus.PAUSED:
        return agent, ()
    missing = readiness(agent, turn.provision)
    if missing_keys(missing) == agent.told_missing:
        return agent, ()
    return agent.model_copy(update={"told_missing": missing_keys(missing)}), missing


def _effect(agent: Agent, change: AgentChange, words: str) -> Effect:
    fields = change.model_fields_set
    act = Act.RENAME if fields == {"name"} else Act.SHARE if fields == {"shared"} else Act.CHANGE
    entities: Entities = {
        "agent_id": agent.id,
        "agent_name": agent.name,
        EXACT: change.model_dump(mode="json", exclude_unset=True),
        _WORDS: words,
        CONFIRMED: True,
    }
    asked = f"{act.value} {agent.name}: {words}"
    return Effect(act, agent_reference(agent), asked, ActionType.UPDATE_AGENT, entities)


def _instruction_in(message: str) -> str | None:
    """The text behind ``add an instruction:``; None when there is none."""
    found = _INSTRUCTION.match(message)
    return as_line(found[1]) if found else None


def _refused_delivery(turn: TurnRequest, delivery: object, store: AgentStore) -> str | None:
    """Why results can't be delivered so; None when they can."""
    if not isinstance(delivery, Delivery):
        return None
    try:
        store.check_addresses(turn.caller, delivery, turn.roster.record)
    except AddressBlocked:
        return agent_texts.ADDRESS_BLOCKED
    except TargetNotAllowed:
        return agent_texts.TARGET_NOT_ALLOWED
    return None


def flatten_change(entities: Entities) -> Entities:
    """The fields of the change object and those beside it, under the entities' names; the change object's
    take precedence.
    """
    change = RequestedEntities.of(entities).change
    return {**entities, **{_SYNONYMS.get(field, field): value for field, value in change.items()}}


def _without_own_zone(turn: TurnRequest, given: Entities) -> Entities:
    """The fields without the user's own time zone, which comes with every schedule that names no other; kept
    when the message names it.
    """
    zone = turn.situation.time_zone
    is_named = zone.casefold() in turn.message.casefold()
    return {key: value for key, value in given.items() if key != "time_zone" or value != zone or is_named}


def _zone(turn: TurnRequest, agent: Agent) -> str:
    return agent.schedule.time_zone if agent.schedule else turn.situation.time_zone


def _refused_name(turn: TurnRequest, agent: Agent, new_name: str | None) -> str | None:
    if new_name is None:
        return None
    name = agents.to_slug(new_name)
    if not name:
        return agent_texts.name_unusable()
    is_taken = any(card.name == name and card.id != agent.id for card in turn.own_agents())
    return agent_texts.name_taken(name) if is_taken else None


def _ask_what(turn: TurnRequest, agent: Agent) -> HandlerReply:
    """Nothing to change was understood: offer the words as an instruction, or ask when they are too few or
    too many.

    For "more often" and the like, offer schedules.
    """
    message = " ".join(turn.message.split())
    if _OFTEN.search(message):
        choices = schedule_choices(agent)
        opening = agent_texts.how_often(agent)
        return HandlerReply(
            agent_texts.options_text(opening, choices), Note(about=agent_reference(agent), choices=choices)
        )
    is_unfit = len(message.split()) < MIN_INSTRUCTION_WORDS or len(message) > MAX_FIELD_CHARACTERS
    if is_unfit or turn.note.choices:
        return HandlerReply(agent_texts.what_to_change(agent.card()), Note(about=agent_reference(agent)))
    question = agent_texts.add_instruction(agent.card(), message)
    return _confirm(agent, {"instructions": message}, question, f"add an instruction to {agent.name}")


def _confirm(agent: Agent, change: Entities, question: str, summary: str) -> HandlerReply:
    kept = {field: change[field] for field in ("what", "instructions", "shared") if field in change}
    entities: Entities = {"agent_id": agent.id, "agent_name": agent.name, "change": kept, CONFIRMED: True}
    pending = Pending(action=ActionType.UPDATE_AGENT, entities=entities, summary=summary)
    return HandlerReply(question, Note(pending=pending, about=agent_reference(agent)))


def _only_one(turn: TurnRequest, wish: RequestedEntities) -> AgentCard | None:
    """The user's only agent, unless another one was named; it counts as the first and as the last."""
    own = turn.own_agents()
    is_other = wish.agent_id or wish.agent_name or wish.ordinal not in (None, 1, -1)
    return own[0] if len(own) == 1 and not is_other else None


def _ask_which(turn: TurnRequest, wish: RequestedEntities, entities: Entities) -> HandlerReply:
    cards = turn.own_agents()[: agent_texts.MAX_CHOICES]
    if not cards:
        return HandlerReply(agent_texts.no_agents())
    kept = without_answers(entities)
    choices = tuple(
        Choice(
            label=f"{card.name} ({card.summary})",
            action=ActionType.UPDATE_AGENT,
            entities={**kept, "agent_id": card.id, "agent_name": card.name},
        )
        for card in cards
    )
    opening = agent_texts.WHICH_AGENT if wish.agent_name is None else agent_texts.NO_SUCH_AGENT
    return HandlerReply(agent_texts.options_text(opening, choices), Note(choices=choices))
