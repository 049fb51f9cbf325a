"""Parses schedules from words and adjusts known ones: what the words don't mention stays.

``make it 10am`` keeps the Monday, ``weekly`` keeps the 10am, ``only on weekdays`` keeps the hours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from pydantic import ValidationError

from agent.wizard import answer_parsing
from agent.wizard.drafts import Draft
from agent.wizard.nearest_schedule import nearest_supported
from agent.workspace.agents import Schedule
from intent.dates.schedules import find_schedule, parse_schedule
from intent.dates.times import NUMBERS, find_days, find_times, parse_number
from intent.regular_expressions import LazyPattern, lower_pattern

Values: TypeAlias = Mapping[str, object]
"""Fields of a draft and their new values."""

# "every second", but neither "every second Monday" nor "every second ticket".
_EVERY_SECOND = re.compile(
    r"\b(?:every|each) (?:\d+ |single |few |couple of )?(?:seconds?|secs?)\b"
    r"(?=\s*(?:$|[.,;:!?)]|(?:and|or|to|in|for|on|if|when|with|via|by|that|please)\b))",
    re.IGNORECASE,
)
_AT, _ON = " at ", ", "
"""The separators in a schedule's text: before the time of day, and before the days of a repeated schedule."""
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


def schedule_values(words: str, time_zone: str, *, known: Schedule | None = None) -> Values:
    """Parses a schedule from words into draft fields; empty when the words name none.

    The fields hold a supported schedule, ``on_request``, or ``unfit``: the text of a schedule that is too
    frequent or that cron can't express. What the words leave open is taken from the ``known`` schedule.
    """
    parsed = parse_schedule(words)
    if parsed is None:
        on_request: Values = {"schedule": None, "on_request": True, "unfit": None}
        return on_request if answer_parsing.says_on_request(words) else every_second_values(words)
    schedule = supported_schedule(parsed.cron, parsed.text, time_zone) if parsed.cron else None
    if schedule:
        return as_values(_adjust_schedule(known, schedule, words))
    if answer_parsing.says_on_request(words):
        return {"schedule": None, "on_request": True, "unfit": None}
    return {"schedule": None, "on_request": False, "unfit": parsed.text}


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


def known_schedule(draft: Draft, time_zone: str) -> Schedule | None:
    """Returns the draft's schedule, or the one that was offered in place of an unsupported one."""
    near = nearest_supported(draft.unfit) if draft.unfit and draft.schedule is None else None
    offered = schedule_values(near, time_zone).get("schedule") if near else None
    return offered if isinstance(offered, Schedule) else draft.schedule


def _adjust_schedule(old: Schedule | None, new: Schedule, words: str) -> Schedule:
    """Returns the new schedule, with the old days if the words name only a time, and vice versa.

    Where only days are named, the old time stays.
    """
    if old is None or not _has_one_time(new):
        return new
    says_time = bool(find_times(words))
    if not _has_one_time(old):
        return _on_the_days_of(new, old) if says_only(words) and find_days(words) and not says_time else new
    says_days = bool(find_days(words)) or find_schedule(words) is not None
    if says_time == says_days:
        return new
    if not says_time and not find_days(words) and new.frequency() == old.frequency():
        return old
    days, time = (old, new) if says_time else (new, old)
    cron = " ".join([*time.cron.split()[:2], *days.cron.split()[2:]])
    day_text, time_text = days.text.partition(_AT)[0], time.text.rpartition(_AT)[2]
    return new.model_copy(update={"cron": cron, "text": f"{day_text}{_AT}{time_text}"})


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


def _on_the_days_of(new: Schedule, old: Schedule) -> Schedule:
    """Returns the old schedule, which runs several times a day, limited to the days of the new one."""
    cron = " ".join([*old.cron.split()[:2], *new.cron.split()[2:]])
    rhythm, days = old.text.partition(_ON)[0], new.text.partition(_AT)[0]
    return new.model_copy(update={"cron": cron, "text": f"{rhythm}{_ON}{days[:1].lower()}{days[1:]}"})


def _has_one_time(schedule: Schedule) -> bool:
    minute, hour, *_ = schedule.cron.split()
    return minute.isdigit() and hour.isdigit() and _AT in schedule.text
