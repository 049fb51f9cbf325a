"""Whether a message's own words bear out what a model decided or calls. Pure.

Text of others may talk a model into anything, so its verdicts and calls have no effect by themselves: the
user's words must name the act and the thing. What they do not name is asked first
(`agent.chat.verdict_check`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from agent.handler_interface import Effect
from agent.requested_entities import OURS
from conversation.messages.models import Reference
from intent.dates.schedules import parse_schedule
from intent.dates.times import LONG_DAY, LONG_MONTH
from intent.decision import ActionType, Decision
from intent.entities import extraction
from intent.entities.answers import parse_reply
from intent.entities.own_words import own_words
from intent.entities.services import find_services, names_channel
from intent.offline.tasks import OPERATIONS as TASK_OPERATIONS
from intent.regular_expressions import lower_pattern, normalise
from intent.rules import agent_references
from intent.rules.named_acts import TOOL_ACTS, Act, act_of, names_act, refuses_act
from intent.rules.named_things import addresses_in, covers, distinctive_words, names_addresses
from intent.situation import Situation

_DATE = lower_pattern(
    rf"\d|\b(?:{LONG_DAY}|{LONG_MONTH}|today|tonight|tomorrow|weekend|week|month|year|day|noon|eod)s?\b"
)
_REPEATS = lower_pattern(rf"\b(?:every|each|(?:dai|week|month|year)ly|{LONG_DAY}s)\b")
_DUE = frozenset({"due_date", "due_at", "repeat"})
_IDS = frozenset({"task_id", "id"})
_TITLE_SHARE = 0.5
"""The share of a title's distinctive words that must be among the user's: models add verbs to titles."""


def supports_call(
    own_words: str, tool_name: str, arguments: Mapping[str, JsonValue], *, thing: str | None = None
) -> bool:
    """Whether the words name the act and the thing of a tool call in a chat.

    ``own_words`` are the message's own words (`intent.entities.own_words`). ``thing`` is the title or name of
    what the call's id refers to; without it, a call that names its thing by an id is not borne out. Every
    text among the arguments must be borne out too. False for tools that are not known here.
    """
    act = _act_of_call(tool_name, arguments)
    if act is None or not names_act(own_words, act):
        return False
    if not _bears_out_due(normalise(own_words), arguments):
        return False
    named = thing if thing is not None else arguments.get("name", arguments.get("title"))
    if not isinstance(named, str) or (thing is None and _IDS & arguments.keys()):
        return False
    if not covers(own_words, named, share=_TITLE_SHARE):
        return False
    given = {name: value for name, value in arguments.items() if name not in _IDS | _DUE}
    if any(arguments.get(name) for name in _DUE):
        given.pop("time_zone", None)  # a time is said in the user's own zone, without its name
    return all(covers(own_words, text, share=_TITLE_SHARE) for text in _texts(given))


def _bears_out_due(words: str, arguments: Mapping[str, JsonValue]) -> bool:
    """Whether the words say something of a time, a repetition, or of no reminder, where the call does."""
    if any(arguments.get(name) for name in _DUE) and not _DATE.search(words) and not _REPEATS.search(words):
        return False
    if arguments.get("repeat") and not _REPEATS.search(words):
        return False
    return arguments.get("remind") is not False or "remind" in words


def _act_of_call(tool_name: str, arguments: Mapping[str, JsonValue]) -> Act | None:
    is_completed = arguments.get("completed")
    if tool_name == "update_task" and isinstance(is_completed, bool):
        return Act.COMPLETE_TASK if is_completed else Act.REOPEN_TASK
    return TOOL_ACTS.get(tool_name)


def _texts(value: JsonValue | Mapping[str, JsonValue]) -> Iterator[str]:
    """Yields every text in a value."""
    if isinstance(value, str):
        if value.strip():
            yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


@dataclass(frozen=True, slots=True)
class HeardVerdict:
    """A model's decision without its answers to our questions, and what of it the user's words say."""

    decision: Decision
    said: Decision
    """The same decision with only the entities that the words bear out."""

    @property
    def is_said(self) -> bool:
        """Whether the words bear all of its entities out; not whether they name its act and its thing."""
        return self.decision.entities == self.said.entities


_KEPT = frozenset({extraction.OPERATION, extraction.AGENT_ID, extraction.AGENT_NAME, extraction.ORDINAL})
"""Entities that name the act and the thing. They are checked against what would happen (`bears_out`)."""
_ANSWERS = frozenset({extraction.REPLY, extraction.CHOICE})
_MARKUP = ("![", "](", "<img", "<a ", "://")


def hear_verdict(decision: Decision, situation: Situation, user: str) -> HeardVerdict:
    """What may be done about a model's decision, and the part of it that the words bear out.

    The model's answers to our questions are replaced by our own reading. ``user`` is the caller's user name,
    which is an address they have if it is a mail address.
    """
    own = own_words(situation.message)
    reply = parse_reply(normalise(own)) if own and not own.endswith("?") else None
    entities = {
        key: value
        for key, value in decision.entities.items()
        if key in extraction.KEYS and key not in OURS | _ANSWERS and not _is_task_operation(key, value)
    } | ({extraction.REPLY: reply} if reply else {})
    words = _Words(own, situation, user)
    if decision.action_type is ActionType.CREATE_AGENT:
        # A new agent is named after its job unless the user names it.
        entities = {
            key: value for key, value in entities.items() if key not in _NAMES or words.say(key, value)
        }
    question = decision.clarifying_question
    heard = decision.model_copy(
        update={
            "entities": entities,
            "clarifying_question": question if _is_plain(question or "", own) else None,
        }
    )
    said = {key: kept for key, value in entities.items() if (kept := words.part_said(key, value)) is not None}
    if not _names_agent(own, entities, situation, decision.offline):
        said = {key: value for key, value in said.items() if key not in _AGENT}
    return HeardVerdict(heard, heard.model_copy(update={"entities": said}))


def _names_agent(
    own: str, entities: Mapping[str, JsonValue], situation: Situation, offline: Decision | None
) -> bool:
    """Whether the words name the agent that the entities mean, by our own reading."""
    agent_id, name = entities.get(extraction.AGENT_ID), entities.get(extraction.AGENT_NAME)
    if agent_id is not None and offline and offline.entities.get(extraction.AGENT_ID) == agent_id:
        return True
    if isinstance(agent_id, str) and isinstance(name, str):
        return names_thing(own, Reference(kind="agent", id=agent_id, name=name), situation)
    if isinstance(name, str):
        return covers(own, name)
    return entities.get(extraction.ORDINAL) == agent_references.parse_position(normalise(own))


_AGENT = frozenset({extraction.AGENT_ID, extraction.AGENT_NAME, extraction.ORDINAL})
_NAMES = frozenset({extraction.AGENT_NAME, extraction.NEW_NAME})


def _is_task_operation(key: str, value: JsonValue) -> bool:
    """Whether a model wants something done to tasks: only our own reading of the words may say so."""
    return key == extraction.OPERATION and isinstance(value, str) and value in TASK_OPERATIONS


def _is_plain(question: str, own: str) -> bool:
    """Whether a model's question holds no address or link that the user did not write."""
    return names_addresses(own, question) and not any(mark in question for mark in _MARKUP)


class _Words:
    """A message's own words, and which values of entities they say."""

    def __init__(self, own: str, situation: Situation, user: str) -> None:
        self._own = own
        self._user = user.casefold()
        self._zone = situation.time_zone
        found = (
            extraction.extract_entities(own, now=situation.now, time_zone=situation.time_zone) if own else {}
        )
        when = extraction.extract_schedule(normalise(own), time_zone=situation.time_zone) if own else {}
        self._found: Mapping[str, JsonValue] = {**when, **found}

    def part_said(self, key: str, value: JsonValue) -> JsonValue | None:
        """The value, or the part of it that the words say; None when they say nothing of it."""
        if key in _KEPT or key == extraction.REPLY:
            return value
        if key == extraction.CHANGE and isinstance(value, Mapping):
            fields = ((name, self.part_said(name, each)) for name, each in value.items())
            return {name: part for name, part in fields if part is not None} or None
        if isinstance(value, list):
            return [item for item in value if self.say(key, item)] or None
        return value if self.say(key, value) else None

    def say(self, key: str, value: JsonValue) -> bool:
        """Whether the words say a single value of the entity."""
        if self._found.get(key) == value:
            return True
        if isinstance(value, int):
            return str(value) in distinctive_words(self._own)
        if not isinstance(value, str):
            return False
        match key:
            case extraction.SOURCE:
                named = {service.name for service in find_services(normalise(self._own))}
                return value.casefold() in named or self._cover(value)
            case extraction.DELIVERY:
                is_addressed = value == "email" and "@" in self._own
                return names_channel(normalise(self._own), value.casefold()) or is_addressed
            case extraction.RECIPIENTS:
                return value.casefold() == self._user or self._cover(value)
            case extraction.SCHEDULE_TEXT | extraction.CRON:
                return self._schedules(value) or (key == extraction.SCHEDULE_TEXT and self._cover(value))
            case extraction.TIME_ZONE:
                return value == self._zone or self._cover(value)
            case _:
                return self._cover(value)

    def _cover(self, value: str) -> bool:
        return bool(addresses_in(value) or distinctive_words(value)) and covers(self._own, value)

    def _schedules(self, value: str) -> bool:
        """Whether a schedule, in words or as cron, is the one that the words name."""
        wanted = self._found.get(extraction.CRON)
        parsed = parse_schedule(value)
        return wanted is not None and wanted in (value, parsed.cron if parsed else None)


def bears_out(effect: Effect, decision: Decision, situation: Situation) -> bool:
    """Whether the own words name the act and the thing of an effect, or the offline tier reads the same."""
    offline = decision.offline
    agrees = offline is not None and act_of(offline.action_type, offline.entities) is effect.act
    own = own_words(situation.message)
    if refuses_act(own, effect.act):
        return False
    if not (agrees or names_act(own, effect.act) or _is_set_up(effect, situation)):
        return False
    if effect.thing is None:
        return True
    is_same = agrees and offline is not None and offline.entities.get(extraction.AGENT_ID) == effect.thing.id
    return is_same or names_thing(own, effect.thing, situation)


def _is_set_up(effect: Effect, situation: Situation) -> bool:
    """Whether the effect ends a setup that is under way, whose questions the words answer."""
    note = situation.last_note()
    return effect.act is Act.CREATE and note.draft is not None


def names_thing(own: str, thing: Reference, situation: Situation) -> bool:
    """Whether the words name an agent, describe it, or point at it."""
    text = normalise(own)
    meant = agent_references.find_meant_agent(text, situation)
    if meant is not None:
        return meant.id == thing.id
    said = distinctive_words(text)
    named = [agent for agent in situation.agents if distinctive_words(agent.name.replace("_", "-")) & said]
    if named:
        return [agent.id for agent in named] == [thing.id]
    return len(situation.agents) == 1 and situation.agents[0].id == thing.id
