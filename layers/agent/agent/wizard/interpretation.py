"""Interprets a message against the wizard's questions: which parts of the draft it sets. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from agent.requested_entities import Entities, RequestedEntities
from agent.requested_entities import as_line as one_line
from agent.wizard import answer_parsing
from agent.wizard.drafts import NO_SOURCE, Draft, Part
from agent.wizard.schedule_parsing import (
    Values,
    as_values,
    every_second_values,
    expand_lone_number,
    known_schedule,
    says_only,
    schedule_values,
    supported_schedule,
)
from agent.wizard.urls import extract_urls
from agent.workspace.agents import MAX_FIELD_CHARACTERS, Schedule
from agent.workspace.delivery_targets import Channel
from intent.dates.times import find_times
from intent.entities.extraction import extract_entities
from intent.entities.services import find_services

MAX_DETAILS = 1_000
MAX_CHANNEL_ANSWER_WORDS = 5
ALERT_CHANNELS = (Channel.SLACK, Channel.EMAIL)
TEXT_PARTS: tuple[Part, ...] = ("source", "what", "details", "scope", "condition")


@dataclass(frozen=True, slots=True)
class InterpretedMessage:
    """One message: its text, its typed entities, and the time zone of the times it names."""

    message: str
    requested: RequestedEntities
    time_zone: str
    now: datetime
    channels: tuple[Channel, ...] = ()
    """The delivery channels of web addresses in the message; empty when it names none."""

    @classmethod
    def of(cls, message: str, entities: Entities, *, now: datetime, time_zone: str) -> InterpretedMessage:
        """Interprets a message by rules; the decision's entities take precedence."""
        found = extract_entities(extract_urls(message).message, now=now, time_zone=time_zone)
        return cls.from_decision(message, {**found, **entities}, now=now, time_zone=time_zone)

    @classmethod
    def from_decision(
        cls, message: str, entities: Entities, *, now: datetime, time_zone: str
    ) -> InterpretedMessage:
        """Interprets a message by its decision's entities only; delivery addresses become recipients."""
        found = extract_urls(message)
        if not found.urls:
            return cls(message, RequestedEntities.of(entities), time_zone, now)
        # Entities that contain an address come from misreading its pieces as a job or a scope.
        wish = RequestedEntities.of(
            {name: value for name, value in entities.items() if "http" not in str(value)}
        )
        is_channel = wish.source in list(found.channels)
        updates: dict[str, object] = {"recipients": (*wish.recipients, *found.urls)}
        updates |= {"source": None} if is_channel else {}
        return cls(found.message, wish.model_copy(update=updates), time_zone, now, found.channels)


def explicit_parts(
    interpreted: InterpretedMessage,
    *,
    known: Schedule | None = None,
    asked: Sequence[Part] = (),
    offered: Sequence[Channel] = (),
) -> dict[Part, Values]:
    """Returns the parts the message states explicitly, independent of the questions.

    The exception: "what" means the details when those were asked for. ``known`` is the schedule that the
    words may only adjust.
    """
    wish = interpreted.requested
    found = _stated_texts(interpreted, asked)
    schedule = _requested_schedule(interpreted, known) or every_second_values(interpreted.message)
    if schedule:
        found["schedule"] = schedule
    channels = _requested_channels(interpreted, offered) or _here(interpreted.message)
    if channels:
        found["delivery"] = {
            "channels": channels,
            **({"recipients": wish.recipients} if wish.recipients else {}),
        }
    return found


def _stated_texts(interpreted: InterpretedMessage, asked: Sequence[Part]) -> dict[Part, Values]:
    if _here(interpreted.message) or answer_parsing.is_only_skip(interpreted.message):
        return {}
    wish = interpreted.requested
    source = _all_sources(interpreted) if "source" in asked else (wish.source or "").lower()
    what: Part = "details" if "details" in asked else "what"
    texts: dict[Part, str | None] = {
        "source": source,
        what: wish.what,
        "scope": wish.scope,
        "condition": wish.condition,
    }
    # A schedule sets no other part: a rule that takes a whole answer as a name also takes "every Monday".
    when = (wish.schedule_text or "").casefold()
    return {part: {part: text} for part, text in texts.items() if text and text.casefold() != when}


def apply_corrections(
    draft: Draft, asked: Sequence[Part], interpreted: InterpretedMessage, stated: Mapping[Part, Values]
) -> dict[Part, Values]:
    """Returns the stated parts that may be set: known ones change only when asked for or corrected.

    A delivery channel may always change, since it is only said on purpose; so may a schedule, unless the job
    or its details were asked for. The job itself changes only when nothing else does: stray words look like
    one.
    """
    restated = ("delivery",) if {"details", "what"} & set(asked) else ("delivery", "schedule")
    may = {
        part: values
        for part, values in stated.items()
        if not draft.knows(part)
        or part in asked
        or part in restated
        or answer_parsing.is_correction(interpreted.message)
    }
    if answer_parsing.is_correction(interpreted.message):
        may = {**_plainly_corrected(draft, interpreted), **may}
    if "delivery" in may and interpreted.requested.source in list(Channel) and draft.knows("source"):
        may.pop("source", None)
    if len(may) > 1 and draft.knows("what") and "what" not in asked:
        may.pop("what", None)
    return may


def _all_sources(interpreted: InterpretedMessage) -> str:
    """Returns the source with any further ones the answer names; `NO_SOURCE` when it says there is none."""
    first = (interpreted.requested.source or "").lower()
    if answer_parsing.says_no_source(first):
        return NO_SOURCE
    named = list(dict.fromkeys(service.name for service in find_services(interpreted.message)))
    sources = [name for name in named if name != interpreted.requested.delivery]
    return " and ".join(sources) if first in sources else first


def _plainly_corrected(draft: Draft, interpreted: InterpretedMessage) -> dict[Part, Values]:
    """Returns a new channel or time in place of a known one, in words of correction: ``no, at 10am``."""
    found: dict[Part, Values] = {}
    channels = answer_parsing.channels_in(interpreted.message)
    if draft.channels and channels:
        found["delivery"] = {"channels": channels}
    stated = (
        interpreted.message
        if find_times(interpreted.message)
        else expand_lone_number(interpreted.message, draft.schedule)
    )
    if draft.schedule and stated:
        found["schedule"] = schedule_values(
            stated, interpreted.time_zone, now=interpreted.now, known=draft.schedule
        )
    return {part: values for part, values in found.items() if values}


def answers_to_questions(
    interpreted: InterpretedMessage, asked: Sequence[Part], draft: Draft, found: Mapping[Part, Values]
) -> dict[Part, Values]:
    """Returns what the message answers to the questions, in addition to what was ``found`` in it."""
    numbered = answer_parsing.numbered_answers(interpreted.message, asked)
    if numbered:
        return _read_all(interpreted, numbered, draft)
    open_parts = [part for part in asked if part not in found]
    direct = _read_all(
        interpreted,
        {part: interpreted.message for part in open_parts if part in ("schedule", "delivery")},
        draft,
    )
    if (
        answer_parsing.is_filler(interpreted.message)
        or answer_parsing.is_skip(interpreted.message)
        or interpreted.requested.new_name
    ):
        return direct
    texts = [part for part in open_parts if part in TEXT_PARTS]
    return direct | _read_all(interpreted, _shared_out(interpreted, texts, {**found, **direct}), draft)


def _requested_schedule(interpreted: InterpretedMessage, known: Schedule | None) -> Values:
    """Returns the schedule the entities name; words take precedence over a cron expression."""
    wish = interpreted.requested
    zone = wish.time_zone or interpreted.time_zone
    # The entity leaves out an "only" in front of the time, so put it back.
    only = "only " if says_only(interpreted.message) else ""
    values = schedule_values(f"{only}{wish.schedule_text or ''}", zone, now=interpreted.now, known=known)
    if values or not wish.cron:
        return values
    schedule = supported_schedule(wish.cron, wish.schedule_text or "", zone)
    return as_values(schedule) if schedule else {}


def _requested_channels(
    interpreted: InterpretedMessage, offered: Sequence[Channel] = ()
) -> tuple[Channel, ...]:
    """Returns the requested delivery channels; ``both`` means the two ``offered``.

    A second channel counts only where the message joins it to the first: other channels may be sources.
    """
    if interpreted.channels:
        return interpreted.channels
    delivery = interpreted.requested.delivery
    if delivery is None:
        return ()
    understood = (
        (Channel(delivery),)
        if delivery in list(Channel)
        else answer_parsing.channels_in(delivery, offered=offered)
    )
    joined = answer_parsing.joined_channels(interpreted.message)
    return joined if set(understood) <= set(joined) else understood


def _here(message: str) -> tuple[Channel, ...]:
    """Returns the conversation as channel when a short message names nothing else: ``here is fine``."""
    channels = answer_parsing.channels_in(message) if len(message.split()) <= MAX_CHANNEL_ANSWER_WORDS else ()
    return channels if channels == (Channel.CONVERSATION,) else ()


def _read_all(interpreted: InterpretedMessage, texts: Mapping[Part, str], draft: Draft) -> dict[Part, Values]:
    values = ((part, _read(part, text, draft, interpreted)) for part, text in texts.items())
    return {part: value for part, value in values if value}


def _read(part: Part, text: str, draft: Draft, interpreted: InterpretedMessage) -> Values:
    if answer_parsing.is_skip(text):
        return {}
    if part == "schedule":
        return _answered_schedule(text, draft, interpreted)
    if part == "delivery":
        channels = answer_parsing.channels_in(text, offered=ALERT_CHANNELS)
        return {"channels": channels} if channels else {}
    if answer_parsing.is_filler(text) or (part == "source" and answer_parsing.refers_back(text)):
        return {}
    line = one_line(text, MAX_DETAILS if part == "details" else MAX_FIELD_CHARACTERS)
    return _read_text(part, line, draft) if line else {}


def _answered_schedule(text: str, draft: Draft, interpreted: InterpretedMessage) -> Values:
    """Parses the answer to the question for the schedule; a yes accepts the offered one."""
    zone, now = interpreted.time_zone, interpreted.now
    known = known_schedule(draft, zone, now)
    stated = schedule_values(text, zone, now=now, known=known)
    is_yes = draft.unfit is not None and answer_parsing.parse_yes_no(text, with_more=True) == "yes"
    return stated or (as_values(known) if known and is_yes else {})


def _read_text(part: Part, text: str, draft: Draft) -> Values:
    match part:
        case "source":
            return {
                "source": NO_SOURCE
                if answer_parsing.says_no_source(text)
                else answer_parsing.strip_lead_in(text).lower()
            }
        case "scope":
            noun = draft.scope_noun()
            everything = f"all {noun}s" if noun else "everything"
            return {
                "scope": everything
                if answer_parsing.says_everything(text)
                else answer_parsing.scope_name(text, noun)
            }
        case "what" | "details" | "condition":
            return {part: answer_parsing.strip_lead_in(text)}
        case "schedule" | "delivery":
            return {}
        case _:
            assert_never(part)


def _shared_out(
    interpreted: InterpretedMessage, parts: Sequence[Part], found: Mapping[Part, Values]
) -> dict[Part, str]:
    """Assigns the pieces of a free answer to parts."""
    if not parts:
        return {}
    if len(parts) == 1 and not found:
        return {parts[0]: interpreted.message}
    pieces = [
        piece
        for piece in answer_parsing.split_answer(interpreted.message)
        if not _is_used(piece, found, interpreted)
    ]
    if len(parts) == 1:
        return {parts[0]: ", ".join(pieces)} if pieces else {}
    out: dict[Part, str] = {}
    for piece in pieces:
        sounds_like = answer_parsing.likely_part(piece)
        free = [part for part in parts if part not in out]
        part = sounds_like if sounds_like in free else next(iter(free), None)
        if part is not None:
            out[part] = piece
    return out


def _is_used(piece: str, found: Mapping[Part, Values], interpreted: InterpretedMessage) -> bool:
    if "delivery" in found and answer_parsing.channels_in(piece):
        return True
    if "schedule" in found and schedule_values(piece, interpreted.time_zone, now=interpreted.now):
        return True
    folded = piece.casefold()
    texts = (
        value.casefold() for values in found.values() for value in values.values() if isinstance(value, str)
    )
    return any(text in folded or folded in text for text in texts)
