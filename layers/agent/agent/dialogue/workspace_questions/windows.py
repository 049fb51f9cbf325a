"""The stretch of time that a question is about: ``tomorrow morning``, ``since Monday``."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from agent.dialogue.workspace_questions.wording import Wording, word_set
from intent.dates.past_periods import find_past_period
from intent.dates.times import MONDAY_FIRST, days_in, month_number, parse_count, parse_number
from intent.regular_expressions import normalise

_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)
_PARTS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 24)}
"""The hours of the parts of a day."""
_PAST_WEEKEND = ("last weekend", "past weekend")
_MONTHS = word_set("january february march april june july august september october november december")


class Window(NamedTuple):
    """A stretch of time; ``last`` is the first moment after it. ``said`` fits behind ``nothing runs``."""

    first: datetime
    last: datetime
    said: str

    def holds(self, moment: datetime) -> bool:
        """Return whether a moment is in it."""
        return self.first <= moment < self.last


def read_window(wording: Wording, *, now: datetime, zone: str, is_past: bool) -> Window | None:
    """Return the stretch of time that words name; None when they name none.

    ``is_past``: whether ``Monday`` and ``the weekend`` are those gone by.
    """
    here = now.astimezone(ZoneInfo(zone))
    return (
        _since(wording, here)
        or _months(wording, here)
        or _lately(wording, here)
        or _night(wording, here)
        or _week(wording, here, is_past=is_past)
        or _day(wording, here, is_past=is_past)
        or _past(wording, here)
    )


def whole_days(first: date, last: date, zone: str, said: str) -> Window:
    """Return the window from the beginning of one day to the end of another."""
    midnight = time(tzinfo=ZoneInfo(zone))
    return Window(datetime.combine(first, midnight), datetime.combine(last, midnight) + _DAY, said)


def _midnight(here: datetime) -> datetime:
    return here.replace(hour=0, minute=0, second=0, microsecond=0)


def _since(wording: Wording, here: datetime) -> Window | None:
    now = here + timedelta(seconds=1)
    words = [word for word in wording.after("since") if word not in {"the", "last", "this"}]
    if not words:
        return None
    today, word = _midnight(here), words[0]
    if word in MONDAY_FIRST:
        first = _weekday(word, today, is_past=True)
        return Window(first, now, f"since {word.capitalize()}")
    if word in {"yesterday", "today", "morning"}:
        return Window(today - _DAY * (word == "yesterday"), now, f"since {_since_word(word)}")
    if word in _MONTHS:
        month = month_number(word)
        first = today.replace(year=today.year - (month > today.month), month=month, day=1)
        return Window(first, now, f"since {word.capitalize()}")
    number = parse_number(word[:-2] if word[-2:] in {"st", "nd", "rd", "th"} else word)
    if number is None or not 1 <= number <= 31:
        return None
    begun = today.replace(day=1) if number <= today.day else (today.replace(day=1) - _DAY).replace(day=1)
    return Window(begun + _DAY * (number - 1), now, f"since the {number}{_ending(number)}")


def _ending(number: int) -> str:
    """Return what makes a number an ordinal: ``st`` for 21."""
    return "th" if 10 < number < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _months(wording: Wording, here: datetime) -> Window | None:
    """Return ``Q2`` and ``between April and June``: the latest such months that have begun."""
    quarter = next((number for number in range(1, 5) if wording.says(f"q {number}")), 0)
    named = [word for word in wording.words if word in _MONTHS]
    if quarter:
        first, last, said = quarter * 3 - 2, quarter * 3, f"in Q{quarter}"
    elif len(named) > 1 and wording.has({"between", "from"}):
        first, last = month_number(named[0]), month_number(named[1])
        said = f"from {named[0].capitalize()} to {named[1].capitalize()}"
    else:
        return None
    year = here.year - (first > here.month)
    ended = date(year + (last < first) + last // 12, last % 12 + 1, 1) - _DAY
    return whole_days(date(year, first, 1), ended, str(here.tzinfo), said)


def _lately(wording: Wording, here: datetime) -> Window | None:
    """Return ``for two weeks`` as the time until now."""
    words = wording.after("for")
    if len(words) < 2 or words[1].removesuffix("s") not in {"day", "week", "month"}:
        return None
    count = parse_count(words[0])
    if count is None:
        return None
    unit = words[1].removesuffix("s")
    said = f"in the last {count} {unit}s" if count > 1 else f"in the last {unit}"
    return Window(here - days_in(count, unit) * _DAY, here + timedelta(seconds=1), said)


def _since_word(word: str) -> str:
    return "this morning" if word == "morning" else word


def _night(wording: Wording, here: datetime) -> Window | None:
    today = _midnight(here)
    if wording.says("overnight", "last night", "during the night", "over night", "in the night"):
        return Window(today - timedelta(hours=6), min(here, today + timedelta(hours=9)), "last night")
    if wording.has({"tonight"}):
        return Window(today + timedelta(hours=17), today + timedelta(hours=30), "tonight")
    return None


def _week(wording: Wording, here: datetime, *, is_past: bool) -> Window | None:
    monday = _midnight(here) - here.weekday() * _DAY
    if wording.has({"weekend"}):
        saturday = monday + 5 * _DAY
        is_gone = (is_past and here < saturday) or wording.says(*_PAST_WEEKEND)
        first = saturday - _WEEK if is_gone else saturday
        return Window(first, first + 2 * _DAY, "over the weekend")
    if wording.says("next week"):
        return Window(monday + _WEEK, monday + 2 * _WEEK, "next week")
    if wording.says("this week", "the week", "rest of the week") and not wording.has({"last"}):
        return Window(monday, monday + _WEEK, "this week")
    return None


def _day(wording: Wording, here: datetime, *, is_past: bool) -> Window | None:
    today = _midnight(here)
    if wording.says("day after tomorrow"):
        return _part(wording, today + 2 * _DAY, "the day after tomorrow")
    if wording.has({"tomorrow"}):
        return _part(wording, today + _DAY, "tomorrow")
    if wording.has({"yesterday"}):
        return _part(wording, today - _DAY, "yesterday")
    if wording.has({"today", "today's"}) or wording.says(*(f"this {part}" for part in _PARTS)):
        return _part(wording, today, "today")
    named = next(
        (word.removesuffix("s") for word in wording.words if word.removesuffix("s") in MONDAY_FIRST), ""
    )
    if not named:
        return None
    return _part(wording, _weekday(named, today, is_past=is_past), f"on {named.capitalize()}")


def _weekday(name: str, today: datetime, *, is_past: bool) -> datetime:
    ahead = (MONDAY_FIRST.index(name) - today.weekday()) % 7
    return today + (ahead - 7) * _DAY if is_past else today + ahead * _DAY


def _part(wording: Wording, day: datetime, said: str) -> Window:
    """Return the part of a day that the words name, or the whole day."""
    part = next((part for part in _PARTS if wording.has({part})), "")
    first, last = _hours(wording, part)
    words = f"this {part}" if said == "today" and part else f"{said} {part}".strip()
    return Window(day + timedelta(hours=first), day + timedelta(hours=last), words)


def _hours(wording: Wording, part: str) -> tuple[int, int]:
    """Return the hours of ``between 5 and 7``, else of the part of the day; else the whole day."""
    if wording.says("before noon", "by noon", "before lunch"):
        return 0, 12
    numbers = [number for word in wording.after("between") if (number := parse_number(word)) is not None]
    if len(numbers) < 2 or not 0 <= numbers[0] < numbers[1] <= 24:
        return _PARTS.get(part, (0, 24))
    is_late = part in {"afternoon", "evening", "night"} and numbers[1] < 12
    return numbers[0] + 12 * is_late, numbers[1] + 12 * is_late


def _past(wording: Wording, here: datetime) -> Window | None:
    text = normalise(wording.text)
    found = find_past_period(text, here.date())
    if found is None:
        return None
    words = text[found.start : found.end].lower().split()
    said = " ".join(word.capitalize() if word in _MONTHS else word for word in words)
    return whole_days(found.first, found.last, str(here.tzinfo), said)
