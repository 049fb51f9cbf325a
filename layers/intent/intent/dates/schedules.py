"""Schedules in English text, converted to five cron fields and a readable description. Pure.

Schedules that cron can't express (every two weeks, the last day of a month, in real time) have only a
description.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from re import Match
from typing import NamedTuple

from intent.dates.recurrence import (
    MonthDay,
    Rate,
    find_month_day,
    find_rates,
    find_weekday_of_month,
    is_monthly,
    skips_weeks,
)
from intent.dates.times import (
    LONG_DAY,
    SUNDAY_FIRST,
    WEEKDAYS,
    WEEKEND,
    TextSpan,
    TimeOfDay,
    WeekdaySpan,
    find_days,
    find_times,
)
from intent.regular_expressions import LowerPattern, lower_pattern

REAL_TIME = "In real time"
"""The description of what is to happen at once."""
_MONDAY = frozenset({1})
_MORNING = TimeOfDay(0, 0, 9, 0)
_HOURS_OF_TIMES_A_DAY = {2: "9,17", 3: "9,13,17", 4: "*/6", 6: "*/4", 8: "*/3", 12: "*/2", 24: "*"}

_AT_ONCE = lower_pattern(
    r"\b(?:in )?real[- ]?time\b",
    r"\b(?:continuously|round the clock|24/7|the moment)\b",
    r"\bas (?:they|it) happens?\b",
)
_AT_ONCE_ANSWER = lower_pattern(
    r"\b(?:instant(?:ly)?|immediate(?:ly)?|(?:right|straight) away|as soon as\b.*|live)\b"
)
_ON_DEMAND = lower_pattern(r"\b(?:on (?:demand|request)|(?:only )?when (?:i|we) (?:ask|say)|manual(?:ly)?)\b")
_HABIT = lower_pattern(rf"\b(?:automat\w+ (?:the|our|my)|our|my) {LONG_DAY} (?!\d|at\b|by\b)\w")
"""A day that something belongs to is recurring: ``automate the Thursday check``, ``our Monday meeting``."""
_JOINT = lower_pattern(r"[\s,&/]*+(?:(?:and|at|on|in the|from)\s*+)?")


class Schedule(NamedTuple):
    """A schedule. ``text`` describes it; ``phrase`` is the user's wording, and ``spans`` its positions."""

    cron: str | None
    text: str
    phrase: str
    spans: tuple[TextSpan, ...] = ()


def parse_schedule(text: str) -> Schedule | None:
    """Return the schedule in an answer to "when?"; None when it names none.

    Every mention of a day or a time counts: ``Monday at 9`` is every Monday.
    """
    return _at_once(text, _AT_ONCE_ANSWER) or _composed(text, find_days(text), find_rates(text))


@lru_cache(maxsize=64)
def find_schedule(text: str) -> Schedule | None:
    """Return the schedule in a text that may be about other things; one-off days and times don't count."""
    days, rates = find_days(text), find_rates(text)
    is_named_again = any(day.recurring for day in days) or (bool(days) and _HABIT.search(text) is not None)
    recurring = bool(rates) or is_named_again or skips_weeks(text, rates) or is_monthly(text)
    return _at_once(text) or (_composed(text, days, rates) if recurring else None)


def _at_once(text: str, *more: LowerPattern) -> Schedule | None:
    for form in (_AT_ONCE, *more):
        if match := form.search(text):
            return _unclocked(REAL_TIME, text, match)
    if match := _ON_DEMAND.search(text):
        return _unclocked("Only when asked", text, match)
    return None


def _unclocked(words: str, text: str, match: Match[str]) -> Schedule:
    return Schedule(None, words, text[match.start() : match.end()], (TextSpan(*match.span()),))


def _composed(text: str, days: list[WeekdaySpan], rates: list[Rate]) -> Schedule | None:
    times = find_times(text)
    month_day, weekday = find_month_day(text), find_weekday_of_month(text)
    spans: list[TextSpan] = [*days, *rates, *times, *filter(None, (month_day, weekday))]
    if not spans:
        return None
    rate = rates[0] if rates else None
    rarely = _on_some_weeks(text, days, rates, times)
    cron, words = (None, rarely) if rarely else _meaning(rate, days, times, month_day)
    return Schedule(cron, words, _phrase(text, spans), tuple(sorted(spans, key=lambda span: span.start)))


def _on_some_weeks(
    text: str, days: list[WeekdaySpan], rates: Sequence[Rate], times: list[TimeOfDay]
) -> str | None:
    """A description of what cron can't express about weeks: every few weeks, or one weekday of a month."""
    on, clock = _all_of(days), _Clock(times).text
    if (weekday := find_weekday_of_month(text)) and on:
        return f"Monthly on the {weekday.place} {_names(on)} {clock}"
    weeks = next((rate.count for rate in rates if rate.unit == "week" and rate.count > 2), 0)
    if weeks:
        return f"Every {weeks} weeks{_on(on)} {clock}"
    is_below_a_day = rates and rates[0].unit in ("minute", "hour") and not times
    return f"Every two weeks{_on(on)} {clock}" if skips_weeks(text, rates) and not is_below_a_day else None


def _all_of(days: list[WeekdaySpan]) -> frozenset[int]:
    return frozenset().union(*(day.days for day in days)) if days else frozenset()


def _meaning(
    rate: Rate | None, days: list[WeekdaySpan], times: list[TimeOfDay], month_day: MonthDay | None
) -> tuple[str | None, str]:
    on = _all_of(days)
    if rate and rate.unit in ("minute", "hour") and not times:
        return _interval(rate, on)
    clock = _Clock(times)
    if rate and rate.unit == "day" and (rate.times > 1 or rate.count > 1):
        return (
            _times_a_day(rate, on, times)
            if rate.count == 1
            else (None, f"Every {rate.count} days {clock.text}")
        )
    if rate and rate.unit in ("month", "quarter", "year") and not on:
        return _of_month(rate, month_day.day if month_day else 1, clock)
    if month_day and not on:
        return _of_month(rate or Rate(0, 0, "month"), month_day.day, clock)
    if not on and rate and rate.unit == "week":
        on = _MONDAY
    return clock.cron(f"* * {_field(on)}"), f"{_each(on)} {clock.text}"


def _interval(rate: Rate, on: frozenset[int]) -> tuple[str | None, str]:
    size = 60 if rate.unit == "minute" else 24
    words = f"Every {rate.unit}" if rate.count == 1 else f"Every {rate.count} {rate.unit}s"
    words += f" on {_names(on)}" if on else ""
    if not 0 < rate.count <= size // 2 or size % rate.count:
        return ("0 * * * *", "Every hour") if (rate.unit, rate.count) == ("minute", 60) else (None, words)
    step = "*" if rate.count == 1 else f"*/{rate.count}"
    fields = f"{step} *" if rate.unit == "minute" else f"0 {step}"
    return f"{fields} * * {_field(on)}", words


def _times_a_day(rate: Rate, on: frozenset[int], times: list[TimeOfDay]) -> tuple[str | None, str]:
    clock = _Clock(times)
    if len(times) > 1:
        return clock.cron(f"* * {_field(on)}"), f"{_each(on)} {clock.text}"
    hours = _HOURS_OF_TIMES_A_DAY.get(rate.times)
    words = "Twice a day" if rate.times == 2 else f"{rate.times} times a day"
    return (f"0 {hours} * * {_field(on)}" if hours else None), words + (f" on {_names(on)}" if on else "")


def _of_month(rate: Rate, day: int, clock: _Clock) -> tuple[str | None, str]:
    months = {"month": "*", "quarter": "1,4,7,10", "year": "1"}.get(rate.unit, "*")
    name = {"month": "Monthly", "quarter": "Quarterly", "year": "Yearly"}.get(rate.unit, "Monthly")
    if rate.count > 1:
        return None, f"Every {rate.count} months on the {_ordinal(day)} {clock.text}"
    if day < 0:
        return None, f"{name} on the last day {clock.text}"
    return clock.cron(f"{day} {months} *"), f"{name} on the {_ordinal(day)} {clock.text}"


class _Clock:
    """The times of day of one schedule; 9 AM when the text names none."""

    def __init__(self, times: Sequence[TimeOfDay]) -> None:
        self._times = times or [_MORNING]
        texts = dict.fromkeys(_twelve(time) for time in self._times)
        self.text = f"at {' and '.join(texts)}"

    def cron(self, rest: str) -> str | None:
        """The cron fields: minute and hours before ``rest``; None when the times differ in their minutes."""
        minutes = {time.minute for time in self._times}
        hours = ",".join(str(hour) for hour in sorted({time.hour for time in self._times}))
        return f"{minutes.pop()} {hours} {rest}" if len(minutes) == 1 else None


def _phrase(text: str, spans: Sequence[TextSpan]) -> str:
    phrase, end = "", 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        gap = text[end : span.start]
        if span.end > end:
            joint = gap if phrase and _JOINT.fullmatch(gap) else " "
            phrase += (joint if phrase else "") + text[max(end, span.start) : span.end]
            end = span.end
    return " ".join(phrase.split())


def _field(days: frozenset[int]) -> str:
    if not days or len(days) == 7:
        return "*"
    return "1-5" if days == WEEKDAYS else ",".join(str(day) for day in sorted(days))


def _each(days: frozenset[int]) -> str:
    if not days or len(days) == 7:
        return "Daily"
    return "Every weekday" if days == WEEKDAYS else f"Every {_names(days)}"


def _on(days: frozenset[int]) -> str:
    return f" on {_names(days or _MONDAY)}"


def _names(days: frozenset[int]) -> str:
    if days == WEEKDAYS:
        return "weekdays"
    if days == WEEKEND:
        return "weekend day"
    *first, last = [SUNDAY_FIRST[day] for day in sorted(days, key=lambda day: day or 7)]
    return f"{', '.join(first)} and {last}" if first else last


def _ordinal(day: int) -> str:
    ending = "th" if 11 <= day % 100 <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}" if day > 0 else "last day"


def _twelve(time: TimeOfDay) -> str:
    return f"{time.hour % 12 or 12}:{time.minute:02d} {'AM' if time.hour < 12 else 'PM'}"
