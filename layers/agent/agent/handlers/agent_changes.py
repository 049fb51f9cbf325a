"""Answers to requests to change an agent: its fields and its name; pausing, resuming and deleting it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent.handler_interface import Reply, Turn, reference
from agent.handlers import agent_targets as targets
from agent.requested_entities import Entities, Wish, text
from agent.templates import agents as change_texts
from agent.templates import agents as templates
from agent.wizard.edits import edits_of, removes_a_place, schedule_choices
from agent.wizard.interpretation import Heard
from agent.workspace import agents as names
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import (
    MAX_FIELD_CHARACTERS,
    MAX_INSTRUCTIONS_CHARACTERS,
    Agent,
    AgentCard,
    AgentChange,
    AgentStatus,
    Delivery,
)
from agent.workspace.errors import AddressBlocked, AgentNotFound
from conversation.messages.models import Choice, Note, Pending
from intent.decision import ActionType
from intent.patterns import Form

_LEAD = (
    r"^\W*((please|ok|okay|now|and|also|actually|can you|could you|let's|i('d| would) like to|i want to)\W+)*"
)
_SHARED = Form(
    rf"{_LEAD}(share\b|(make|set) [^.!?]{{1,60}} (public|shared|visible|available)\b"
    r"|let (everyone|everybody|my (team|colleagues)|the (team|others)) (see|use)\b)"
)
_UNSHARED = Form(
    rf"{_LEAD}(un-?share\b|(stop|quit) sharing\b|(don'?t|do not|no longer) share\b"
    r"|(make|set|keep) [^.!?]{1,60} private\b|hide [^.!?]{1,60} from\b)"
)
_WITH = Form(r"\bwith ([^.!?]+)")
_ALL = Form(
    r"\b(team|teams|everyone|everybody|all|workspace|company|colleagues|coworkers|others|us|group|department"
    r"|office)\b"
)


def sharing_in(message: str) -> bool | None:
    """Whether the agent is to be shared; None when the message does not mention sharing."""
    if _UNSHARED.search(message):
        return False
    return True if _SHARED.search(message) else None


def names_one_person(message: str) -> bool:
    """Whether the agent is to be shared with someone in particular, and not with everyone."""
    found = _WITH.search(message)
    return found is not None and _ALL.search(found[1]) is None


_SYNONYMS: Mapping[str, str] = {
    "schedule": "schedule_text", "frequency": "schedule_text", "when": "schedule_text",
    "channel": "delivery", "name": "new_name", "recipient": "recipients", "instruction": "instructions",
    "data_source": "source",
}  # fmt: skip
"""Other names that models use for the fields of a change."""

_FOR_A_WHILE = Form(r"\b(until|till|for (an?|the|\w+) (hour|day|week|month|year|while|weekend|holiday)s?)\b")
_INSTRUCTION = re.compile(
    r"\W*(?:(?:please|ok|okay|now|and|also)\s+)*add (?:an?|the|this|another) instruction"
    r"(?: to it)?(?:\s*[:,-]\s*|\s+(?:that|to|saying)\s+)(.+)",
    re.IGNORECASE | re.DOTALL,
)
_OFTEN = Form(r"^\W*(\w+ ){0,6}(less|more|too) (often|frequent(ly)?|rarely|seldom)\b[^.!?]{0,30}$")
CONFIRMED = "confirmed"
MIN_INSTRUCTION_WORDS = 4
MAX_CHOICES = 9


def reply(turn: Turn, entities: Entities, store: AgentStore) -> Reply:
    """The answer to a request to change, pause, resume, rename or delete an agent."""
    wish = Wish.of(entities)
    card = targets.find(turn, wish, store) or _only_one(turn, wish)
    if card is None:
        return _ask_which(turn, wish, entities)
    if card.owner != turn.caller.user:
        return Reply(templates.not_owned(card.name), Note(about=reference(card)))
    try:
        agent = store.get(turn.caller, card.id)
    except AgentNotFound:
        return Reply(templates.gone(card.name))
    return _do(turn, agent, wish, entities, store)


def _do(turn: Turn, agent: Agent, wish: Wish, entities: Entities, store: AgentStore) -> Reply:
    is_shared = sharing_in(turn.message) is not None and wish.operation != "delete"
    if is_shared or removes_a_place(turn.message):
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
        case _:
            return _change(turn, agent, entities, store)


def _delete(turn: Turn, agent: Agent, store: AgentStore) -> Reply:
    note = Note(did=f"deleted the agent {agent.name}")
    return Reply(
        templates.deleted(agent.name), note, store.deleting(turn.caller.tenant, agent), ("delete_agent",)
    )


def _confirm_delete(agent: Agent) -> Reply:
    entities: Entities = {
        "operation": "delete",
        "agent_id": agent.id,
        "agent_name": agent.name,
        CONFIRMED: True,
    }
    pending = Pending(
        action=ActionType.UPDATE_AGENT, entities=entities, summary=f"delete the agent {agent.name}"
    )
    return Reply(templates.confirm_delete(agent.name), Note(pending=pending, about=reference(agent)))


def _set_status(turn: Turn, agent: Agent, status: AgentStatus, store: AgentStore) -> Reply:
    if agent.status is status:
        return Reply(templates.already(agent.name, status), Note(about=reference(agent)))
    new = AgentChange(status=status).applied_to(agent, turn.situation.now)
    is_pause = status is AgentStatus.PAUSED
    note = Note(did=f"{'paused' if is_pause else 'resumed'} the agent {agent.name}", about=reference(agent))
    is_for_a_while = is_pause and _FOR_A_WHILE.search(turn.message) is not None
    paused = change_texts.paused(agent.name, is_for_a_while=is_for_a_while)
    words = paused if is_pause else change_texts.resumed(new, turn.served)
    return Reply(words, note, store.changing(turn.caller.tenant, agent, new), ("update_agent",))


def _change(turn: Turn, agent: Agent, entities: Entities, store: AgentStore) -> Reply:
    given = _without_own_zone(turn, flattened(entities))
    heard = Heard.told(turn.message, given, time_zone=_zone(turn, agent))
    refusal = _refused_name(turn, agent, heard.wish.new_name)
    if refusal is not None:
        return Reply(refusal, Note(about=reference(agent)))
    instruction = text(given.get("instructions")) or _instruction_in(turn.message)
    if len(agent.instructions) + len(instruction or "") >= MAX_INSTRUCTIONS_CHARACTERS:
        return Reply(templates.instructions_full(agent.name), Note(about=reference(agent)))
    shared = given.get("shared", sharing_in(turn.message))
    if shared is True and names_one_person(turn.message) and entities.get(CONFIRMED) is not True:
        return _confirm(agent, {"shared": True}, change_texts.SHARED_WITH_ALL, f"share {agent.name}")
    edits = edits_of(agent, heard, instructions=instruction, shared=shared)
    if edits.unfit is not None:
        choices = schedule_choices(agent, edits.unfit)
        return Reply(
            templates.options(change_texts.schedule_unfit(edits.unfit), choices),
            Note(about=reference(agent), choices=choices),
        )
    if not edits.values and edits.same:
        return Reply(change_texts.same_already(agent.name, edits.same), Note(about=reference(agent)))
    if not edits.values:
        return _ask_what(turn, agent)
    if not _may_deliver(edits.values.get("delivery"), store):
        return Reply(templates.ADDRESS_BLOCKED, Note(about=reference(agent)))
    if edits.is_only_what() and entities.get(CONFIRMED) is not True:
        return _confirm(
            agent,
            given,
            templates.confirm_what(agent.card(), edits.words[0]),
            f"change {agent.name}: {edits.words[0]}",
        )
    new = AgentChange.model_validate(edits.values).applied_to(agent, turn.situation.now)
    note = Note(did=f"changed the agent {agent.name}: {'; '.join(edits.words)}", about=reference(new))
    is_connected_anew = bool(edits.values.keys() & {"sources", "delivery"})
    words = change_texts.changed(
        agent.name, new, edits.words, turn.served, is_connected_anew=is_connected_anew
    )
    return Reply(words, note, store.changing(turn.caller.tenant, agent, new), ("update_agent",))


def _instruction_in(message: str) -> str | None:
    """The text behind ``add an instruction:``; None when there is none."""
    found = _INSTRUCTION.match(message)
    return text(found[1]) if found else None


def _may_deliver(delivery: object, store: AgentStore) -> bool:
    try:
        store.check_addresses(delivery if isinstance(delivery, Delivery) else Delivery())
    except AddressBlocked:
        return False
    return True


def flattened(entities: Entities) -> Entities:
    """The fields of the change object and those beside it, under the entities' names; the change object's
    take precedence.
    """
    change = Wish.of(entities).change
    return {**entities, **{_SYNONYMS.get(field, field): value for field, value in change.items()}}


def _without_own_zone(turn: Turn, given: Entities) -> Entities:
    """The fields without the user's own time zone, which comes with every schedule that names no other; kept
    when the message names it.
    """
    zone = turn.situation.time_zone
    is_named = zone.casefold() in turn.message.casefold()
    return {key: value for key, value in given.items() if key != "time_zone" or value != zone or is_named}


def _zone(turn: Turn, agent: Agent) -> str:
    return agent.schedule.time_zone if agent.schedule else turn.situation.time_zone


def _refused_name(turn: Turn, agent: Agent, wished: str | None) -> str | None:
    if wished is None:
        return None
    name = names.slug(wished)
    if not name:
        return templates.name_unusable()
    is_taken = any(card.name == name and card.id != agent.id for card in turn.own())
    return templates.name_taken(name) if is_taken else None


def _ask_what(turn: Turn, agent: Agent) -> Reply:
    """Nothing to change was understood: offer the words as an instruction, or ask when they are too few or
    too many.

    For "more often" and the like, offer schedules.
    """
    message = " ".join(turn.message.split())
    if _OFTEN.search(message):
        choices = schedule_choices(agent)
        opening = change_texts.how_often(agent)
        return Reply(templates.options(opening, choices), Note(about=reference(agent), choices=choices))
    is_unfit = len(message.split()) < MIN_INSTRUCTION_WORDS or len(message) > MAX_FIELD_CHARACTERS
    if is_unfit or turn.note.choices:
        return Reply(templates.what_to_change(agent.card()), Note(about=reference(agent)))
    question = templates.add_instruction(agent.card(), message)
    return _confirm(agent, {"instructions": message}, question, f"add an instruction to {agent.name}")


def _confirm(agent: Agent, change: Entities, question: str, summary: str) -> Reply:
    kept = {field: change[field] for field in ("what", "instructions", "shared") if field in change}
    entities: Entities = {"agent_id": agent.id, "agent_name": agent.name, "change": kept, CONFIRMED: True}
    pending = Pending(action=ActionType.UPDATE_AGENT, entities=entities, summary=summary)
    return Reply(question, Note(pending=pending, about=reference(agent)))


def _only_one(turn: Turn, wish: Wish) -> AgentCard | None:
    """The user's only agent, unless another one was named; it counts as the first and as the last."""
    own = turn.own()
    is_other = wish.agent_id or wish.agent_name or wish.ordinal not in (None, 1, -1)
    return own[0] if len(own) == 1 and not is_other else None


def _ask_which(turn: Turn, wish: Wish, entities: Entities) -> Reply:
    cards = turn.own()[:MAX_CHOICES]
    if not cards:
        return Reply(templates.no_agents())
    kept = {key: value for key, value in entities.items() if key not in ("ordinal", "choice", "reply")}
    choices = tuple(
        Choice(
            label=f"{card.name} ({card.summary})",
            action=ActionType.UPDATE_AGENT,
            entities={**kept, "agent_id": card.id, "agent_name": card.name},
        )
        for card in cards
    )
    opening = templates.WHICH_AGENT if wish.agent_name is None else templates.NO_SUCH_AGENT
    return Reply(templates.options(opening, choices), Note(choices=choices))
