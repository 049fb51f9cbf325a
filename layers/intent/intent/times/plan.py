"""Schedules as rules of days and times, and their cron expressions. Knows no words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from conversation.cron import EVERY_DAY, EVERY_WEEKDAY, Cron
from conversation.timing import MAX_CRONS, Timing, Unit

ALL_MONTHS = frozenset(range(1, 13))
_FULL_DAY = 24 * 60
MAX_TIMES = 150
"""The most times of day that one rule lists."""

MOST_DAYS_LISTED = 15
"""From how many days of the month on they are told by those that are missing."""


@dataclass(frozen=True, slots=True)
class DaySpec:
    """Days as cron has them; without days of the month and weekdays it is every day of the months."""

    month_days: tuple[str, ...] = ()
    months: frozenset[int] = ALL_MONTHS
    weekdays: tuple[str, ...] = ()

    @property
    def plain_weekdays(self) -> frozenset[int]:
        """The weekdays without a place in the month; all of them for every day."""
        if not self.weekdays and not self.month_days:
            return EVERY_WEEKDAY
        return frozenset(int(day) for day in self.weekdays if day.isdigit())

    @property
    def is_weekly(self) -> bool:
        """Whether it is weekdays, or every day, without any of the month."""
        return not self.month_days and all(day.isdigit() for day in self.weekdays)

    def cron(self) -> str:
        """The last three fields."""
        months = "*" if self.months == ALL_MONTHS else _numbers(self.months)
        if not self.weekdays or frozenset(self.weekdays) == frozenset("0123456"):
            return f"{self._month_day_field()} {months} *"
        is_plain = all(day.isdigit() for day in self.weekdays)
        weekdays = _weekday_field(self.weekdays) if is_plain else ",".join(sorted(self.weekdays))
        return f"{self._month_day_field()} {months} {weekdays}"

    def _month_day_field(self) -> str:
        if len(self.month_days) >= MOST_DAYS_LISTED and all(name.isdigit() for name in self.month_days):
            return _ranges(map(int, self.month_days))
        return ",".join(self.month_days) or "*"


def weekly(days: Iterable[int], months: frozenset[int] = ALL_MONTHS) -> DaySpec:
    """Returns the days of the week; all seven are every day."""
    found = frozenset(days)
    names = () if found == EVERY_WEEKDAY else tuple(str(day) for day in sorted(found))
    return DaySpec(months=months, weekdays=names)


@dataclass(frozen=True, slots=True)
class Rule:
    """Days, and the times of day in minutes since midnight."""

    days: DaySpec
    times: tuple[int, ...]
    step: int = 0
    """The minutes between the times where they were said as an interval; 0: they were named."""

    def crons(self) -> tuple[str, ...]:
        """The cron expressions; several where the times differ in their minutes."""
        by_minutes: dict[tuple[int, ...], list[int]] = {}
        for hour in range(24):
            minutes = tuple(sorted({time % 60 for time in self.times if time // 60 == hour}))
            if minutes:
                by_minutes.setdefault(minutes, []).append(hour)
        rest = self.days.cron()
        return tuple(f"{_minutes(minutes)} {_hours(hours)} {rest}" for minutes, hours in by_minutes.items())


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole schedule."""

    rules: tuple[Rule, ...]
    zone: str
    every: int = 1
    unit: Unit = Unit.WEEKS
    start: datetime | None = None
    end: date | None = None

    def timing(self) -> Timing | None:
        """The schedule as it is stored; None where it takes too many expressions."""
        crons = tuple(dict.fromkeys(cron for rule in self.rules for cron in rule.crons()))
        if not crons or len(crons) > MAX_CRONS:
            return None
        return Timing(crons, self.zone, self.every, self.unit, self.start, self.end)

    def first_day(self, begin: datetime) -> date | None:
        """The local day of the first moment from a local time on, were nothing skipped; None for none."""
        timing = replace(self, every=1, start=begin, end=None).timing()
        zone = ZoneInfo(self.zone)
        after = begin.replace(tzinfo=zone) - timedelta(minutes=1)
        first = next(timing.moments(after), None) if timing else None
        return first.astimezone(zone).date() if first else None


def merged(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Returns the rules; those with the same times, or on the same days, are joined."""
    found: list[Rule] = []
    for rule in rules:
        for place, other in enumerate(found):
            if joined := _joined(other, rule):
                found[place] = joined
                break
        else:
            found.append(rule)
    return tuple(found)


def _joined(one: Rule, two: Rule) -> Rule | None:
    if one.days == two.days and one.step == two.step == 0:
        return replace(one, times=tuple(sorted({*one.times, *two.times})))
    if one.times != two.times or one.step != two.step:
        return None
    if one.days.months == two.days.months and one.days.is_weekly and two.days.is_weekly:
        days = one.days.plain_weekdays | two.days.plain_weekdays
        return replace(one, days=weekly(days, one.days.months))
    if (one.days.month_days, one.days.weekdays) == (two.days.month_days, two.days.weekdays):
        return replace(one, days=replace(one.days, months=one.days.months | two.days.months))
    return None


def plan_of(timing: Timing) -> Plan | None:
    """Returns the rules of a stored schedule; None for one that words can't change piece by piece."""
    rules = []
    for text in timing.crons:
        cron = Cron.parse(text)
        has_places = bool(cron.placed_weekdays or cron.placed_days)
        if cron.matches_either_day_field and (not has_places or (cron.weekdays and cron.days)):
            return None
        times = tuple(sorted(hour * 60 + minute for hour in cron.hours for minute in cron.minutes))
        if len(times) > _FULL_DAY // 5:
            return None
        rules.append(Rule(_days_of(cron), times, _step(times)))
    joined = list(merged([replace(rule, step=0) if len(timing.crons) > 1 else rule for rule in rules]))
    rules = [replace(rule, step=_step(rule.times)) for rule in joined]
    return Plan(tuple(rules), timing.zone, timing.every, timing.unit, timing.start, timing.end)


def _days_of(cron: Cron) -> DaySpec:
    month_days = () if cron.days == EVERY_DAY else (*map(str, sorted(cron.days)), *sorted(cron.placed_days))
    weekdays: tuple[str, ...] = ()
    if cron.weekdays != EVERY_WEEKDAY:
        placed = (f"{day}L" if place < 0 else f"{day}#{place}" for day, place in sorted(cron.placed_weekdays))
        weekdays = (*map(str, sorted(cron.weekdays)), *placed)
    return DaySpec(month_days, cron.months, weekdays)


def _step(times: Sequence[int]) -> int:
    """The minutes between the times where there are five or more with equal distances."""
    steps = {later - earlier for earlier, later in pairwise(times)}
    return steps.pop() if len(times) >= 5 and len(steps) == 1 else 0


def _minutes(minutes: Sequence[int]) -> str:
    for step in (5, 6, 10, 12, 15, 20, 30):
        if tuple(minutes) == tuple(range(0, 60, step)):
            return f"*/{step}"
    return _numbers(minutes) if len(minutes) < 60 else "*"


def _hours(hours: Sequence[int]) -> str:
    if len(hours) == 24:
        return "*"
    for step in (2, 3, 4, 6, 8, 12):
        if tuple(hours) == tuple(range(0, 24, step)):
            return f"*/{step}"
    return _numbers(hours) if len(hours) < 4 else _ranges(hours)


def _numbers(values: Iterable[int]) -> str:
    return ",".join(map(str, sorted(values)))


def _ranges(values: Iterable[int]) -> str:
    found = frozenset(values)
    starts = sorted(value for value in found if value - 1 not in found)
    ends = sorted(value for value in found if value + 1 not in found)
    return ",".join(
        str(first) if first == last else f"{first}-{last}" for first, last in zip(starts, ends, strict=True)
    )


def _weekday_field(days: Sequence[str]) -> str:
    return "1-5" if frozenset(days) == frozenset("12345") else ",".join(days)
