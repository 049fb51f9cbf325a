"""Puts the pieces of words about times together to a schedule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from conversation.timing import Timing, Unit
from intent.times.clock_choice import choose_times
from intent.times.day_specs import day_specs, shifted
from intent.times.doubtful_days import meanings, starts_otherwise
from intent.times.interval_schedules import interval_of, interval_rules, is_uneven, start_of_interval
from intent.times.parts.schedule_parts import Group, Impossible, Parts, Unclear
from intent.times.plan import Plan, Rule, merged, weekly
from intent.times.wording import clock_words
from intent.times.words.items import (
    Clock,
    Days,
    Part,
)
from intent.times.words.lexicon import ALL_DAYS

_FULL_DAY = 24 * 60
_DEFAULT_TIME = 9 * 60
_TIMES_A_DAY = {2: (9, 17), 3: (9, 13, 17), 4: (0, 6, 12, 18), 6: (0, 4, 8, 12, 16, 20)}


@dataclass(frozen=True, slots=True)
class Made:
    """A schedule and what was taken for granted in it."""

    timing: Timing
    plan: Plan
    assumed: tuple[str, ...]


def make_schedule(parts: Parts, *, zone: str, now: datetime) -> Made:
    """Returns the schedule that the parts describe.

    Args:
        parts: what was said.
        zone: the person's zone, which counts where the words name none.
        now: the local time without its zone.

    Raises:
        Unclear: something has to be asked.
        Impossible: no schedule can say it.
    """
    assumed = list(parts.assumed)
    if parts.shift_working_days:
        raise Impossible("no schedule counts working days")
    if doubtful := next((day for day in parts.days if isinstance(day, Days) and day.may_be_placed), None):
        if not starts_otherwise(parts, doubtful):
            raise Unclear("rate", guess=meanings(parts, doubtful))
        parts = meanings(parts, doubtful)[0]
    rules = _rules(parts, assumed)
    if not rules:
        raise Unclear("day")
    plan = Plan(merged(rules), parts.zone or zone, end=parts.end)
    plan = _counted(plan, parts, now)
    if plan.start is None and parts.start_day is not None:
        plan = replace(plan, start=_begin(parts.start_day))
    timing = plan.timing()
    if timing is None:
        raise Impossible("that takes more times of day than one schedule has")
    return Made(timing, plan, tuple(dict.fromkeys(assumed)))


def _rules(parts: Parts, assumed: list[str]) -> list[Rule]:
    step = interval_of(parts)
    if step:
        return interval_rules(parts, step, assumed)
    rules: list[Rule] = []
    groups = _completed(parts.groups)
    if _has_days_after_daily(parts):
        raise Unclear("rest")
    for group in groups:
        times = _times(parts, group, assumed)
        added = [Rule(*shifted(days, times, parts)) for days in day_specs(parts, group)]
        if any(_overlap(one, two) for one in rules for two in added):
            rules = _overridden(rules, added, parts)
        rules.extend(added)
    return rules


def _overridden(rules: Sequence[Rule], added: Sequence[Rule], parts: Parts) -> list[Rule]:
    """Returns the rules without the days that were given another time after ``but``."""
    gone = frozenset(day for rule in added for day in rule.days.plain_weekdays)
    kept = [rule.days.plain_weekdays - gone for rule in rules]
    if not parts.overrides or not all(kept) or not all(rule.days.is_weekly for rule in (*rules, *added)):
        raise Unclear("rest")
    return [
        replace(rule, days=weekly(left, rule.days.months)) for rule, left in zip(rules, kept, strict=True)
    ]


def _has_days_after_daily(parts: Parts) -> bool:
    """``every day at 9 and on Mondays at 17:00``: the days have a time of their own."""
    daily = next((rate for rate in parts.rates if rate.unit == "day" and not rate.is_adjective), None)
    named = [day for day in parts.days if isinstance(day, Days)]
    if daily is None or not named:
        return False
    first, last = sorted((daily.first, named[0].first))
    divided = len(parts.clocks) > 1 and any(first < clock.first < last for clock in parts.clocks)
    return divided and (not parts.adds_days or any(clock.first > last for clock in parts.clocks))


def _overlap(one: Rule, two: Rule) -> bool:
    """Whether days that were given a time of their own are among days with another time."""
    if one.times == two.times or not one.days.months & two.days.months:
        return False
    placed = {int(name[0]) for name in (*one.days.weekdays, *two.days.weekdays) if not name.isdigit()}
    plain = one.days.plain_weekdays if one.days.is_weekly else two.days.plain_weekdays
    if one.days.is_weekly and two.days.is_weekly:
        return bool(one.days.plain_weekdays & two.days.plain_weekdays)
    return (one.days.is_weekly or two.days.is_weekly) and bool(placed & plain)


def _completed(groups: Sequence[Group]) -> list[Group]:
    """Returns the groups; days without a time have the time of the group before."""
    found: list[Group] = []
    for group in groups:
        if found and group.days and not group.clocks and group.part is None:
            found[-1] = replace(found[-1], days=[*found[-1].days, *group.days])
        elif found and not group.days:
            found[-1] = replace(
                found[-1], clocks=[*found[-1].clocks, *group.clocks], part=found[-1].part or group.part
            )
        else:
            found.append(group)
    return found


def _times(parts: Parts, group: Group, assumed: list[str]) -> tuple[int, ...]:
    rate = parts.rate
    wanted = rate.times if rate and rate.unit == "day" and rate.times > 1 else 0
    if wanted and group.clocks and len(group.clocks) != wanted:
        raise Unclear("time")
    part = group.part or parts.part
    if parts.window is not None:
        raise Unclear("rate")
    if not group.clocks:
        return _default_times(parts, part, wanted, assumed)
    if {clock.minutes for clock in group.clocks if clock.is_midnight} and _is_doubtful_midnight(parts, group):
        raise Unclear("day")
    choice = choose_times(group.clocks, part.name if part else "")
    if choice.is_open:
        raise Unclear("am_pm")
    assumed.extend(choice.assumed)
    return choice.times


def _is_doubtful_midnight(parts: Parts, group: Group) -> bool:
    """``Friday at midnight`` begins or ends the Friday; ``Friday night at midnight`` ends it."""
    if parts.part and parts.part.name.startswith("night"):
        return False
    return any(not isinstance(day, Days) or day.days != ALL_DAYS for day, _ in group.days)


def _default_times(parts: Parts, part: Part | None, wanted: int, assumed: list[str]) -> tuple[int, ...]:
    if wanted:
        hours = _TIMES_A_DAY.get(wanted)
        if hours is None:
            raise Unclear("time")
        clocks = [Clock(0, 0, hour, 0) for hour in hours]
        groups = [replace(each, clocks=clocks) for each in parts.groups]
        raise Unclear("time", guess=replace(parts, groups=groups))
    minutes = part.hour * 60 if part else _DEFAULT_TIME
    if parts.minute is not None or parts.needs_time or minutes < 0:
        raise Unclear("time")
    said = f"{part.name} is taken as" if part else "no time was named:"
    assumed.append(f"{said} {clock_words(minutes)}")
    return (minutes,)


def _counted(plan: Plan, parts: Parts, now: datetime) -> Plan:
    """Returns the plan with every how many weeks, days, months or minutes it comes, and from when."""
    every, unit = _every(parts)
    step = interval_of(parts)
    if step and plan.rules and len(plan.rules[0].times) > 1 and is_uneven(step) and not _has_bounds(parts):
        every, unit = step, Unit.MINUTES
        if parts.days and any(day.days != ALL_DAYS for day in parts.days if isinstance(day, Days)):
            raise Impossible("that interval doesn't fit into a day, so it goes with every day only")
    if every == 1 and unit is Unit.WEEKS:
        return _with_start_time(plan, parts)
    start = _begin(parts.start_day) if parts.start_day else None
    clock = start_of_interval(parts) if unit is Unit.MINUTES else None
    if unit is Unit.MINUTES:
        if clock is None:
            return replace(plan, every=every, unit=unit, start=start or _next_hour(now))
        begin = start or _begin(now.date())
        return replace(plan, every=every, unit=unit, start=begin + timedelta(minutes=clock))
    if unit is Unit.MONTHS and parts.months and len(parts.months) == 1 and parts.start_day is None:
        start = _month_start(next(iter(parts.months)), now)
    first = plan.first_day(start or now)
    if first is None:
        raise Unclear("day")
    return replace(plan, every=every, unit=unit, start=_begin(_in_turn(first, parts)))


def _with_start_time(plan: Plan, parts: Parts) -> Plan:
    """Returns the interval from the time on at which it is to begin."""
    if not interval_of(parts) or parts.start_day is None:
        return plan
    return replace(plan, start=_begin(parts.start_day) + timedelta(minutes=start_of_interval(parts) or 0))


def _has_bounds(parts: Parts) -> bool:
    return any(each is not None for each in (parts.window, parts.without_window, parts.closes))


def _next_hour(now: datetime) -> datetime:
    """The next full hour, at which an interval begins where no time was named."""
    return now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)


def _in_turn(day: date, parts: Parts) -> date:
    """Returns the day, or the one a week later for ``in even weeks`` in an odd one."""
    rate = parts.rate
    if rate is None or rate.unit not in ("even week", "odd week"):
        return day
    is_even = day.isocalendar().week % 2 == 0
    return day if is_even == (rate.unit == "even week") else day + timedelta(days=7)


def _begin(day: date) -> datetime:
    return datetime.combine(day, time())


def _month_start(month: int, now: datetime) -> datetime:
    year = now.year + (month < now.month)
    return _begin(
        max(
            date(year, month, 1),
            now.date() if (year, month) == (now.year, now.month) else date(year, month, 1),
        )
    )


_WHOLE_UNITS = {
    "week": (Unit.WEEKS, 1),
    "even week": (Unit.WEEKS, 1),
    "odd week": (Unit.WEEKS, 1),
    "month": (Unit.MONTHS, 1),
    "quarter": (Unit.MONTHS, 3),
}


def _every(parts: Parts) -> tuple[int, Unit]:
    """Every how many units of which kind; one week for what comes each time."""
    skipping = max((day.every for day in parts.days if isinstance(day, Days)), default=1)
    rate = next((rate for rate in parts.rates if rate.count > 1 and not rate.times), None)
    if skipping > 1 and any(
        len(day.days) > 2 for day in parts.days if isinstance(day, Days) and day.every > 1
    ):
        raise Unclear("rate")  # "every other weekday": every second week, or every second one of them
    if skipping > 1 or rate is None:
        return skipping, Unit.WEEKS
    if rate.unit == "year":
        raise Impossible("no schedule skips years")
    if rate.unit == "day":
        return _every_so_many_days(rate.count, parts)
    unit, size = _WHOLE_UNITS.get(rate.unit, (Unit.WEEKS, 0))
    return (rate.count * size, unit) if size else (1, unit)


def _every_so_many_days(count: int, parts: Parts) -> tuple[int, Unit]:
    if parts.without_days or parts.without_dates:
        raise Unclear("day")
    if not parts.days:
        return count, Unit.DAYS
    if count % 7 or not all(isinstance(day, Days) for day in parts.days):
        raise Impossible("days of the week don't go with every so many days")
    return count // 7, Unit.WEEKS
