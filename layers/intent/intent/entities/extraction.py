"""Extraction of the entities a text mentions: services, schedules, deliveries, scopes, conditions and more.

Pure; doesn't decide the action. The keys below are those of `Decision.entities` for every tier; all are
optional. Names of agents, ordinals and answers to questions depend on the conversation: see
`intent.rules.agent_references` and `intent.offline.follow_ups`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from pydantic import JsonValue

from intent.dates.schedules import Schedule, find_schedule, parse_schedule
from intent.dates.times import EVERY, LONG_DAY, TextSpan, find_times
from intent.entities import scope_and_period, subject
from intent.entities.answers import parse_reply
from intent.entities.services import NamedSpan, find_channel, find_delivery, find_recipients, find_services
from intent.regular_expressions import QUOTED, LazyPattern, either, lower_pattern, normalise, pattern

_SMALL = r"(?:(?:by|via|on|to|in|at|from|over|just|only|the|our|my|an?|as) )*"
_CHANNEL = either("slack|(?:ms |microsoft )?teams|e-?mails?|mails?|sms|texts?|web ?hooks?|whatsapp")
_WHEN = (
    rf"(?:{EVERY} (?:[\w-]+ )?\w+|{LONG_DAY}|\d{{1,2}}(?:[:.]\d\d)?(?: ?[ap]m)?|hourly|daily|weekly|monthly"
    r"|weekends?|weekdays?)"
)
_THING = rf"(?:{_CHANNEL}|{_WHEN}|[#@]\w[\w-]*)(?! (?:days?|hours?|weeks?|%))"
_REFUSED = lower_pattern(
    rf"\b(?:not|no|no longer|without|neither|nor) {_SMALL}{_THING}",
    rf"\b(?:rather than|instead of|in place of) {_SMALL}(?:{_THING}|[#@]?[\w.-]+)",
    rf"\bfrom {_SMALL}{_CHANNEL}(?= (?:in)?to {_SMALL}{_CHANNEL})",
)
_COMPLAINING = lower_pattern(
    r"\btoo (?:often|much|many|early|late|soon|rare|seldom)\b|\boverkill\b|\ba lot\b",
    r"\b(?:should|do|does|need)(?:n't| not)\b|\bno longer\b|\bany ?more\b|\bstop\b",
)
_CLAUSE = lower_pattern(r"[^,;.!?\n]+(?:[.:]\d[^,;.!?\n]*)*")


def _drop_negated(text: str) -> str:
    """Return the text with each negated thing replaced by blanks, its length unchanged."""
    return _blank_out(text, (TextSpan(*match.span()) for match in _REFUSED.finditer(text)))


def _find_complaints(text: str) -> list[TextSpan]:
    """Return the clauses that say how something should not be."""
    if _COMPLAINING.search(text) is None:
        return []
    clauses = (TextSpan(*match.span()) for match in _CLAUSE.finditer(text))
    return [clause for clause in clauses if _COMPLAINING.search(text[clause.start : clause.end])]


def _blank_out(text: str, spans: Iterable[TextSpan]) -> str:
    """Return the text with the spans replaced by blanks, its length unchanged."""
    kept = list(text)
    for span in spans:
        kept[span.start : span.end] = " " * (span.end - span.start)
    return "".join(kept)


_NAMED_THING = either("agents?|bot|robot|automation|assistant|workflow|watcher|monitor|helper|skill")
_END = (
    r"(?=\s*(?:[,.;:!?()]|$|\n|\b(?:please|pls|plz|instead|from now|and|so|because|then|now|thanks|thank"
    r" you|for|that|which|who|to|with|in|on|at|every|each|reading|checking|reads|checks|if|when)\b))"
)
_NO_NAME = r"(?!(?:after|by|like|the same|an?|off|out|it|quits)\b)"
_WORDS = rf"{_NO_NAME}(?:([\w&'-]+(?: [\w&'-]+){{0,3}}?){_END}|([\w-]+))"
_NAME = rf"(?:{QUOTED}|{_WORDS})"
_WISHED = pattern(
    rf"\b{_NAMED_THING}(?: \w+){{0,2}} (?:called|named) {_NAME}",
    rf"\b{_NAMED_THING} {QUOTED}",
    rf"\b(?:name|call) it {_NAME}",
    rf"\bwith the name {_NAME}",
)
_RENAMED = pattern(
    rf"\brename\b[^.!?\n:]{{0,120}}? (?:to|as|into) {_NAME}",
    rf"\brename\b[^.!?\n:]{{0,60}}?: {_NAME}",
    rf"\brename (?:it|him|her|that one|this one|this|that|the agent) (?!to\b|as\b|into\b){_NAME}",
    rf"\bname\b[^.!?\n]{{0,120}}? to {_NAME}",
    rf"\b(?:new|another|different|better) name\b(?:[,:]| is| would be| should be)? {_NAME}",
    rf"\b(?:name|call) (?:it|him|her|that one|this one|this|that) {_NAME}",
    rf"\b(?:want|like|prefer) (?:it|that one|this|that)(?: to be)? (?:called|named) {_NAME}",
)


def _find_requested_name(text: str) -> str | None:
    """Return the name requested for a new thing."""
    return _name_in(_WISHED, text)


def find_new_name(text: str) -> str | None:
    """Return the new name requested for an existing thing."""
    return _name_in(_RENAMED, text)


def _name_in(form: LazyPattern, text: str) -> str | None:
    match = form.search(text)
    return next((group for group in match.groups() if group), None) if match else None


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
"""The entities of an agent that a message can change."""


_CORRECTING = lower_pattern(
    r"\W*(?:(?:oh|ok|okay|hm+|um|and|but|sorry) )*(?:actually|no|wait|make (?:it|that)|change (?:it"
    r"|that)|rather|better)\b"
)

_NO_WORD = lower_pattern(r"(?:\W|\b(?:at|around|about|please|pls|then|say|ok|okay)\b)*")
_SAME = lower_pattern(r"(?:the )?same\b")
"""Refers to something said before, not to a source: ``same for blocked ones``."""
_PROJECT = re.compile(r"\s*[A-Z][A-Z0-9_-]+\s*[.,!]?\s*")


def extract_entities(text: str, *, now: datetime, time_zone: str) -> dict[str, JsonValue]:
    """Return everything the text mentions, by the keys above; empty when it mentions nothing.

    ``now`` and ``time_zone`` are the user's. A schedule is in that zone unless the text names another.
    """
    text = normalise(text)
    wanted = _drop_negated(text)
    without_complaints = _blank_out(wanted, _find_complaints(wanted))
    delivery = find_delivery(without_complaints) or find_delivery(wanted)
    made = scope_and_period.find_format_spans(wanted)
    source_text = without_complaints if delivery and find_channel(without_complaints) else wanted
    services = [named for named in find_services(source_text) if not _inside(named, [_span(delivery), *made])]
    schedule = _schedule_in(wanted)
    zone = scope_and_period.find_time_zone_span(wanted) if schedule else None
    cut = _blank_out(wanted, [*(schedule.spans if schedule else ()), _span(delivery), _span(zone), *made])
    schedule_entities = _when(schedule, text, time_zone)
    texts = _texts(wanted, cut, services)
    found: dict[str, JsonValue | None] = schedule_entities | texts
    found |= {
        DELIVERY: delivery.name if delivery else None,
        RECIPIENTS: list(find_recipients(without_complaints) or find_recipients(wanted)) or None,
        FORMAT: scope_and_period.find_result_format(text),
        PERIOD: scope_and_period.find_period(text, now),
        DEADLINE: None if schedule else scope_and_period.find_deadline(text),
        DAYS: scope_and_period.duration_days(text),
        AGENT_NAME: _find_requested_name(text),
        NEW_NAME: find_new_name(text),
    }
    return {key: value for key, value in found.items() if value is not None}


def _texts(text: str, cut: str, services: Sequence[NamedSpan]) -> dict[str, JsonValue | None]:
    """The subject entities and their source and scope; ``cut`` is the text without schedule and delivery."""
    names = {named.name for named in services}
    source = services[0].name if services else scope_and_period.find_unknown_source(cut)
    places = _words(text, services) | ({source} if source else set())
    condition = scope_and_period.find_condition(cut)
    return {
        SOURCE: source,
        SCOPE: scope_and_period.find_scope(text, names),
        CONDITION: condition,
        WHAT: subject.find_subject(_without(cut, condition), places) or subject.find_subject(cut, places),
        TOPIC: subject.find_topic(text),
        OUTPUT: subject.find_output(text),
    }


def _schedule_in(text: str) -> Schedule | None:
    """The requested schedule. Complaining clauses count only when no other clause names a schedule."""
    return find_schedule(_blank_out(text, _find_complaints(text))) or find_schedule(text)


def _when(schedule: Schedule | None, text: str, time_zone: str) -> dict[str, JsonValue | None]:
    if schedule is None:
        return {}
    schedule_entities: dict[str, JsonValue | None] = {SCHEDULE_TEXT: schedule.phrase}
    if schedule.cron is None:
        return schedule_entities
    return {
        **schedule_entities,
        CRON: schedule.cron,
        TIME_ZONE: scope_and_period.find_time_zone(text) or time_zone,
    }


def extract_answer(text: str, asked: Iterable[str], *, now: datetime, time_zone: str) -> dict[str, JsonValue]:
    """Return what `extract_entities` finds in a reply to questions about ``asked``, and what bare words
    answer.

    Examples of bare words: ``Slack``, ``at nine``, ``the intranet``.
    """
    fields = frozenset(asked)
    found = extract_entities(text, now=now, time_zone=time_zone)
    found.pop(DAYS, None)
    may_set_a_time = "schedule" in fields or _CORRECTING.match(text) is not None or _is_only_a_time(text)
    if may_set_a_time and SCHEDULE_TEXT not in found:
        found |= extract_schedule(text, time_zone=time_zone)
    if DELIVERY in fields and DELIVERY not in found and (channel := find_channel(text)):
        found[DELIVERY] = channel
        if SOURCE not in fields and found.get(SOURCE) == channel:
            del found[SOURCE]
    if not fields & {WHAT, "details", SOURCE} and fields & {*found, *(["schedule"] if CRON in found else [])}:
        found.pop(WHAT, None)
    if SCOPE in fields and SCOPE not in found and _PROJECT.fullmatch(text):
        found[SCOPE] = text.strip(" .,!\n")
    if len(fields) == 1 and not (SCOPE in fields and CONDITION in found):
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


def extract_schedule(text: str, *, time_zone: str) -> dict[str, JsonValue]:
    """Return the schedule in an answer to "when?" or a change of it. Bare times count too (``9am``)."""
    wanted = _drop_negated(text)
    schedule = parse_schedule(_blank_out(wanted, _find_complaints(wanted))) or parse_schedule(wanted)
    return {key: value for key, value in _when(schedule, text, time_zone).items() if value is not None}


def changeable_entities(found: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return those of the found entities that a change of an agent may set."""
    return {key: found[key] for key in CHANGEABLE if key in found}


def _whole(key: str, text: str) -> dict[str, JsonValue]:
    plain = scope_and_period.strip_introduction(text)
    if not plain or parse_reply(text) or _is_only_a_time(text) or (key == SOURCE and _SAME.match(plain)):
        return {}
    return {key: plain.lower() if key == SOURCE else plain}


def _is_only_a_time(text: str) -> bool:
    times = find_times(text)
    return bool(times) and _NO_WORD.fullmatch(_blank_out(text, times)) is not None


def _inside(named: NamedSpan, spans: Iterable[TextSpan]) -> bool:
    return any(span.start <= named.start < span.end for span in spans)


def _span(named: NamedSpan | None) -> TextSpan:
    return TextSpan(named.start, named.end) if named else TextSpan(0, 0)


def _without(text: str, phrase: str | None) -> str:
    start = text.find(phrase) if phrase else -1
    return _blank_out(text, [TextSpan(start, start + len(phrase))]) if phrase and start >= 0 else text


def _words(text: str, services: Iterable[NamedSpan]) -> frozenset[str]:
    return frozenset(text[named.start : named.end].lower() for named in services)
