"""Schedules and moments in words for people: ``Fridays at 4:00 PM``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time

from conversation.timing import Timing, Unit
from intent.times.plan import ALL_MONTHS, MOST_DAYS_LISTED, DaySpec, Plan, Rule, plan_of
from intent.times.words.lexicon import ALL_DAYS, MONTH_NAMES, SUNDAY_FIRST, WEEKEND, WORKING_DAYS

_PLACES = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}
_QUARTERS = frozenset({1, 4, 7, 10})
_QUARTER_ENDS = frozenset({3, 6, 9, 12})


def describe(timing: Timing) -> str:
    """Returns a schedule in words, without its zone; the expressions themselves where there are no words."""
    plan = plan_of(timing)
    return describe_plan(plan) if plan else ", ".join(timing.crons)


def describe_plan(plan: Plan) -> str:
    """Returns the rules in words, then from when and until when."""
    said = " and ".join(_rule(rule, plan) for rule in plan.rules)
    if plan.start is not None and (plan.every > 1 or plan.unit is not Unit.WEEKS or plan.end is None):
        said += f", starting {day_words(plan.start.date())}"
    if plan.end is not None:
        said += f", until {day_words(plan.end)}"
    return said[:1].upper() + said[1:]


def day_words(day: date) -> str:
    """Returns a day with its year: ``April 6, 2026``."""
    return f"{MONTH_NAMES[day.month - 1].title()} {day.day}, {day.year}"


def clock_words(minutes: int) -> str:
    """Returns a time of day from the minutes since midnight: ``4:00 PM``."""
    hour, minute = divmod(minutes, 60)
    return f"{hour % 12 or 12}:{minute:02d} {'AM' if hour < 12 else 'PM'}"


def moment_words(day: date, at: time | None, today: date) -> str:
    """Returns a moment: ``tomorrow at 3:00 PM``, ``Thursday, April 9``."""
    distance = (day - today).days
    near = {0: "today", 1: "tomorrow"}.get(distance)
    year = f", {day.year}" if day.year != today.year else ""
    weekday = SUNDAY_FIRST[(day.weekday() + 1) % 7]
    words = near or f"{weekday}, {MONTH_NAMES[day.month - 1].title()} {day.day}{year}"
    return f"{words} at {clock_words(at.hour * 60 + at.minute)}" if at else words


def _rule(rule: Rule, plan: Plan) -> str:
    if plan.unit is Unit.MINUTES:
        return f"every {_interval(plan.every)}" + _suffix(rule.days)
    if rule.step:
        return _stepped(rule)
    if len(rule.times) > MOST_TIMES_LISTED and (said := _hourly(rule)):
        return said
    return f"{_days(rule.days, plan)} at {_listed([clock_words(time) for time in rule.times])}"


def _hourly(rule: Rule) -> str:
    """``at 5, 20 and 45 minutes past every hour``; empty where the hours differ."""
    hours = sorted({time // 60 for time in rule.times})
    minutes = sorted({time % 60 for time in rule.times})
    is_range = hours == list(range(hours[0], hours[-1] + 1))
    if not is_range or len(rule.times) != len(hours) * len(minutes):
        return ""
    said = f"at {_listed([str(minute) for minute in minutes])} minutes past every hour"
    if len(hours) < 24:
        said += f" from {clock_words(rule.times[0])} to {clock_words(rule.times[-1])}"
    return said + _suffix(rule.days)


MOST_TIMES_LISTED = 8
"""From how many times of day on those of an hour are told once."""


def _stepped(rule: Rule) -> str:
    said = f"every {_interval(rule.step)}"
    if len(rule.times) * rule.step < 24 * 60:
        said += f" from {clock_words(rule.times[0])} to {clock_words(rule.times[-1])}"
    elif rule.times[0]:
        said += (
            f" at {rule.times[0]} minutes past" if rule.step == 60 else f" from {clock_words(rule.times[0])}"
        )
    return said + _suffix(rule.days)


def _interval(minutes: int) -> str:
    count, unit = (minutes // 60, "hour") if minutes % 60 == 0 else (minutes, "minute")
    return unit if count == 1 else f"{count} {unit}s"


def _suffix(days: DaySpec) -> str:
    if days == DaySpec():
        return ""
    if days == DaySpec(months=days.months):
        return f" in {_months(days.months)}"
    said = _days(days, None)
    return (
        f" {said}"
        if said.startswith("on ")
        else f", {said}"
        if said.startswith(("every", "month"))
        else f" on {said}"
    )


def _days(days: DaySpec, plan: Plan | None) -> str:
    every, unit = (plan.every, plan.unit) if plan else (1, Unit.WEEKS)
    in_months = "" if days.months == ALL_MONTHS else f" in {_months(days.months)}"
    if days.month_days or not days.is_weekly:
        return _monthly(days, every if unit is Unit.MONTHS else 1)
    if every > 1 and unit is Unit.DAYS:
        return f"every {every} days{in_months}"
    if every > 1:
        count = "other week" if every == 2 else f"{every} weeks"
        on = "" if days.plain_weekdays == ALL_DAYS else f" on {_weekdays(days.plain_weekdays)}"
        return f"every {count}{on}{in_months}"
    return f"{_weekdays(days.plain_weekdays, is_plural=True)}{in_months}"


def _monthly(days: DaySpec, every: int) -> str:
    if len(days.month_days) >= MOST_DAYS_LISTED:
        missing = [ordinal(day) for day in range(1, 32) if str(day) not in days.month_days]
        within = "" if days.months == ALL_MONTHS else f" in {_months(days.months)}"
        return f"every day except the {_listed(missing)}{within}"
    if days.month_days:
        named = f"the {_listed([_month_day(name) for name in days.month_days])}"
    else:
        named = f"the {_placed(days.weekdays)}"
    if len(days.months) == 1 and all(name.isdigit() for name in days.month_days) and days.month_days:
        return f"every year on {_months(days.months)} {_listed(list(days.month_days))}"
    match days.months:
        case _ if every > 1:
            return f"every {every} months on {named}"
        case months if months == ALL_MONTHS:
            return f"{named} of every month"
        case months if months in (_QUARTERS, _QUARTER_ENDS):
            return f"{named} of every quarter" if months == _QUARTERS else f"{named} of {_months(months)}"
        case months:
            return f"{named} of {_months(months)}"


def _month_day(name: str) -> str:
    if name == "L":
        return "last day"
    if name == "LW":
        return "last working day"
    if name == "1W":
        return "first working day"
    return f"weekday nearest the {ordinal(int(name[:-1]))}" if name.endswith("W") else ordinal(int(name))


def _placed(weekdays: Sequence[str]) -> str:
    names = []
    for name in weekdays:
        day = SUNDAY_FIRST[int(name[0])]
        names.append(
            f"last {day}" if name.endswith("L") else f"{_PLACES[int(name[2:])]} {day}" if "#" in name else day
        )
    shared = {name.split()[-1] for name in names}
    if len(shared) == 1 and len(names) > 1:
        return f"{_listed([name.rpartition(' ')[0] for name in names])} {shared.pop()}"
    return _listed(names)


def ordinal(day: int) -> str:
    """Returns ``21st`` for 21."""
    ending = "th" if 11 <= day % 100 <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def _months(months: frozenset[int]) -> str:
    if len(months) > 6:
        return f"every month except {_months(ALL_MONTHS - months)}"
    return _listed([MONTH_NAMES[month - 1].title() for month in sorted(months)])


def _weekdays(days: frozenset[int], *, is_plural: bool = False) -> str:
    if days == ALL_DAYS:
        return "daily"
    if days == WORKING_DAYS:
        return "weekdays"
    if days == WEEKEND:
        return "weekends"
    if days == ALL_DAYS - {0}:
        return "Mondays to Saturdays" if is_plural else "Monday to Saturday"
    if len(days) == 6:
        missing = SUNDAY_FIRST[next(iter(ALL_DAYS - days))]
        return f"every day except {missing}"
    ending = "s" if is_plural else ""
    return _listed([SUNDAY_FIRST[day] + ending for day in sorted(days, key=lambda day: day or 7)])


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
