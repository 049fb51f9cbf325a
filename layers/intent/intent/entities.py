"""What an utterance mentions:

services, schedules, deliveries, scopes, conditions and the like. Pure, and of no opinion on what to do.

The keys below are the ones of `Decision.entities`, whichever tier decided; all are optional. Names of
agents, ordinals and answers to questions depend on the conversation: see `intent.references` and
`intent.follow_ups`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from pydantic import JsonValue

from intent import measures, objects
from intent.patterns import gist
from intent.schedules import find_schedule, parse_schedule
from intent.services import Named, channel_in, delivery_in, recipients_in, services_in
from intent.times import Found

AGENT_NAME: Final = "agent_name"
AGENT_ID: Final = "agent_id"
SOURCE: Final = "source"
WHAT: Final = "what"
SCOPE: Final = "scope"
CONDITION: Final = "condition"
SCHEDULE_TEXT: Final = "schedule_text"
CRON: Final = "cron"
TIME_ZONE: Final = "time_zone"
DELIVERY: Final = "delivery"
RECIPIENTS: Final = "recipients"
FORMAT: Final = "format"
PERIOD: Final = "period"
DEADLINE: Final = "deadline"
OUTPUT: Final = "output"
TOPIC: Final = "topic"
ORDINAL: Final = "ordinal"
CHOICE: Final = "choice"
CHANGE: Final = "change"
OPERATION: Final = "operation"
DAYS: Final = "days"
REPLY: Final = "reply"
NEW_NAME: Final = "new_name"

KEYS: Final = frozenset(
    {
        AGENT_NAME, AGENT_ID, SOURCE, WHAT, SCOPE, CONDITION, SCHEDULE_TEXT, CRON, TIME_ZONE, DELIVERY,
        RECIPIENTS, FORMAT, PERIOD, DEADLINE, OUTPUT, TOPIC, ORDINAL, CHOICE, CHANGE, OPERATION, DAYS,
        REPLY, NEW_NAME,
    }
)  # fmt: skip
CHANGEABLE: Final = (
    SOURCE,
    WHAT,
    SCOPE,
    CONDITION,
    SCHEDULE_TEXT,
    CRON,
    TIME_ZONE,
    DELIVERY,
    RECIPIENTS,
    FORMAT,
)
"""What of an agent a message can change."""


def extract(text: str, *, now: datetime, time_zone: str) -> dict[str, JsonValue]:
    """Everything the text mentions, by the keys above; empty when it mentions nothing.

    ``now`` and ``time_zone`` are the speaker's: a schedule is read in that zone unless the text names
    another.
    """
    text = gist(text)
    found: dict[str, JsonValue | None] = {}
    schedule = find_schedule(text)
    delivery = delivery_in(text)
    services = [named for named in services_in(text) if not _inside(named, delivery)]
    if schedule:
        zone = measures.time_zone(text) or time_zone
        found |= {
            SCHEDULE_TEXT: schedule.phrase,
            CRON: schedule.cron,
            TIME_ZONE: zone if schedule.cron else None,
        }
    source = services[0].name if services else measures.unknown_source(text)
    cut = _cut_out(text, [*(schedule.spans if schedule else ()), *([_span(delivery)] if delivery else [])])
    found |= {
        SOURCE: source,
        DELIVERY: delivery.name if delivery else None,
        RECIPIENTS: list(recipients_in(text)) or None,
        SCOPE: measures.scope(text, {named.name for named in services}),
        CONDITION: measures.condition(cut),
        WHAT: objects.what(cut, _words(text, services)),
        TOPIC: objects.topic(text),
        OUTPUT: objects.output(text),
        FORMAT: measures.result_format(text),
        PERIOD: measures.period(text, now),
        DEADLINE: None if schedule else measures.deadline(text),
        DAYS: measures.days(text),
        AGENT_NAME: measures.wished_name(text),
        NEW_NAME: measures.new_name(text),
    }
    return {key: value for key, value in found.items() if value is not None}


def answer(text: str, asked: Iterable[str], *, now: datetime, time_zone: str) -> dict[str, JsonValue]:
    """`extract` for a reply to questions after ``asked``:

    bare words count too (``Slack``, ``at nine``, ``the intranet``).
    """
    fields = frozenset(asked)
    found = extract(text, now=now, time_zone=time_zone)
    found.pop(DAYS, None)
    if "schedule" in fields and SCHEDULE_TEXT not in found and (schedule := parse_schedule(text)):
        found |= {SCHEDULE_TEXT: schedule.phrase}
        found |= (
            {CRON: schedule.cron, TIME_ZONE: measures.time_zone(text) or time_zone} if schedule.cron else {}
        )
    if DELIVERY in fields and DELIVERY not in found and (channel := channel_in(text)):
        found[DELIVERY] = channel
        if SOURCE not in fields and found.get(SOURCE) == channel:
            del found[SOURCE]
    if len(fields) == 1:
        (field,) = fields
        key = WHAT if field == "details" else field
        is_about_this = field != "details" or not {SCHEDULE_TEXT, DELIVERY} & set(found)
        if (
            key in (SOURCE, WHAT, SCOPE, CONDITION)
            and is_about_this
            and (key not in found or field == "details")
        ):
            found |= _whole(key, text)
    return found


def changes(found: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Of what a text mentions, the part that a change of an agent may set."""
    return {key: found[key] for key in CHANGEABLE if key in found}


def _whole(key: str, text: str) -> dict[str, JsonValue]:
    plain = measures.bare_answer(text)
    if not plain:
        return {}
    return {key: plain.lower() if key == SOURCE else plain}


def _inside(named: Named, other: Named | None) -> bool:
    return other is not None and other.start <= named.start < other.end


def _span(named: Named) -> Found:
    return Found(named.start, named.end)


def _words(text: str, services: Iterable[Named]) -> frozenset[str]:
    return frozenset(text[named.start : named.end].lower() for named in services)


def _cut_out(text: str, spans: Iterable[Found]) -> str:
    """The text with the spans blanked, so that "every Monday" is not taken for what is compiled."""
    kept = list(text)
    for span in spans:
        kept[span.start : span.end] = " " * (span.end - span.start)
    return "".join(kept)
