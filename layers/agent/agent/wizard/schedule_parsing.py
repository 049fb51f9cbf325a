"""Parses schedules from words and adjusts known ones: what the words don't mention stays.

``make it 10am`` keeps the Monday, ``weekly`` keeps the 10am, ``only on weekdays`` keeps the hours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from pydantic import ValidationError

from agent.wizard import answer_parsing
from agent.wizard.drafts import Draft
from agent.wizard.nearest_schedule import nearest_supported
from agent.workspace.agents import Schedule
from intent.dates.times import NUMBERS, parse_number
from intent.regular_expressions import LazyPattern, lower_pattern
from intent.times.reader import read_times
from intent.times.reading import Kind, Problem, TimeReading

Values: TypeAlias = Mapping[str, object]
"""Fields of a draft and their new values."""

# "every second", but neither "every second Monday" nor "every second ticket".
_EVERY_SECOND = re.compile(
    r"\b(?:every|each) (?:\d+ |single |few |couple of )?(?:seconds?|secs?)\b"
    r"(?=\s*(?:$|[.,;:!?)]|(?:and|or|to|in|for|on|if|when|with|via|by|that|please)\b))",
    re.IGNORECASE,
)
_ONLY = LazyPattern(r"\b(only|just)\b")
_LONE_NUMBER = lower_pattern(
    r"\W*(?:(?:ok|okay|oh|hm+|um|sorry|wait|no|nope|actually|and|but|rather|please|can|could|you|then|well"
    r"|let's|better|make|change|set|switch|move|push|it|that|this|the (?:time|hour)|to|at|say|have|run|start"
    r"|earlier|later|i|meant|mean|want|prefer|instead|try|do)[\s,:.-]+)*"
    rf"(\d{{1,2}}|{'|'.join(NUMBERS)})"
    r"(?:[\s,]+(?:instead|please|pls|then|rather|thanks|thank you|would be better|is better|better))*\W*"
)
_CORRECTING = LazyPattern(
    r"\b(no|nope|actually|wait|make|change|set|switch|move|push|have|run|start|earlier|later|meant|instead"
    r"|rather|better|would be|let's|say|at|to)\b"
)
"""Words of correction; without one, a lone number picks an option."""
_EVERY = LazyPattern(r"^Every (?:(\d+) )?(minute|hour)s?")


def schedule_values(words: str, time_zone: str, *, now: datetime, known: Schedule | None = None) -> Values:
    """Parses a schedule from words into draft fields; empty when the words name none.

    The fields hold a supported schedule, ``on_request``, or ``unfit``: the text of a schedule that is too
    frequent or that can't be expressed. What the words leave open is taken from the ``known`` schedule.
    """
    reading = read_schedule(words, time_zone, now=now, known=known)
    on_request: Values = {"schedule": None, "on_request": True, "unfit": None}
    if reading is None:
        return on_request if answer_parsing.says_on_request(words) else every_second_values(words)
    schedule = schedule_of(reading)
    if schedule is not None and not schedule.timing().is_too_frequent:
        is_known = known is not None and schedule.timing() == known.timing()
        return as_values(known if known and is_known else schedule)
    if answer_parsing.says_on_request(words):
        return on_request
    if reading.problem is Problem.ASK:
        return {}
    unfit = reading.said or _quoted(words, reading)
    return {"schedule": None, "on_request": False, "unfit": unfit}


def read_schedule(words: str, time_zone: str, *, now: datetime, known: Schedule | None) -> TimeReading | None:
    """Returns the schedule that words name, or what has to be asked about it; None when they name none."""
    was = replace(known.timing(), zone=time_zone) if known else None
    readings = read_times(words, now=now, zone=time_zone, was=was, wanted=Kind.SCHEDULE)
    return next((reading for reading in readings if reading.kind is Kind.SCHEDULE), None)


def schedule_of(reading: TimeReading) -> Schedule | None:
    """Returns the schedule of a reading; the likeliest one where something was left open."""
    if reading.timing is not None:
        return Schedule.of(reading.timing, reading.said)
    if reading.missing == ("day",) and reading.nearest:
        return Schedule.of(reading.nearest[0].timing, reading.nearest[0].said)
    return None


def _quoted(words: str, reading: TimeReading) -> str:
    return " ".join(words[reading.span[0] : reading.span[1]].split())


def every_second_values(words: str) -> Values:
    found = _EVERY_SECOND.search(words)
    return {"schedule": None, "on_request": False, "unfit": found[0]} if found else {}


def as_values(schedule: Schedule) -> Values:
    return {"schedule": schedule, "on_request": False, "unfit": None}


def supported_schedule(cron: str, text: str, time_zone: str) -> Schedule | None:
    """Returns the schedule; None when it is invalid or too frequent."""
    try:
        schedule = Schedule(cron=cron, time_zone=time_zone, text=text)
    except ValidationError:
        return None
    return None if schedule.timing().is_too_frequent else schedule


def known_schedule(draft: Draft, time_zone: str, now: datetime) -> Schedule | None:
    """Returns the draft's schedule, or the one that was offered in place of an unsupported one."""
    near = nearest_supported(draft.unfit) if draft.unfit and draft.schedule is None else None
    offered = schedule_values(near, time_zone, now=now).get("schedule") if near else None
    return offered if isinstance(offered, Schedule) else draft.schedule


def expand_lone_number(words: str, known: Schedule | None) -> str | None:
    """Spells out what a lone number, such as ``make it 8``, means for the known schedule.

    It is an hour in the same half of the day, or the new interval of a schedule that repeats every so many
    minutes or hours. None when the words say anything more, or less.
    """
    said = _LONE_NUMBER.fullmatch(words) if known is not None and _CORRECTING.search(words) else None
    value = parse_number(said[1]) if said else None
    if known is None or not value:
        return None
    if rhythm := _EVERY.search(known.text):
        return f"every {value} {rhythm[2]}s"
    if not _has_one_time(known) or value > 24:
        return None
    hour = value % 24
    is_late = int(known.cron.split()[1]) >= 12 and hour < 12
    return f"at {hour + 12 * is_late}:00"


def says_only(words: str) -> bool:
    """Whether the words restrict the known schedule: ``only on Mondays``."""
    return _ONLY.search(words) is not None


def _has_one_time(schedule: Schedule) -> bool:
    minute, hour, *_ = schedule.cron.split()
    return minute.isdigit() and hour.isdigit() and not schedule.more_crons
