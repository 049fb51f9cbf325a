"""Changes how often a schedule comes: ``weekly``, ``every other week``, ``three times a week``."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time

from conversation.timing import Unit
from intent.times.parts.schedule_parts import Parts, Unclear
from intent.times.plan import Plan, merged, weekly
from intent.times.words.dates import Present
from intent.times.words.items import Rate
from intent.times.words.lexicon import ALL_DAYS


def names_no_days(rate: Rate, parts: Parts) -> bool:
    """Whether fewer days are wanted than every one, and none is named: ``once a month, at 9:30``."""
    is_rare = rate.unit in ("week", "month", "quarter", "year") and not rate.is_adjective
    return is_rare and not parts.days and not parts.without_days


def at_other_rate(plan: Plan, rate: Rate, parts: Parts, now: Present) -> Plan:
    """Returns the plan as often as a rate says, which names no days.

    Raises:
        Unclear: the days have to be named.
    """
    if rate.unit in ("week", "even week", "odd week"):
        return _in_weeks(plan, rate, parts, now)
    if rate.unit == "day" and rate.count > 1:
        daily = tuple(replace(rule, days=weekly(ALL_DAYS, rule.days.months)) for rule in plan.rules)
        return _every(replace(plan, rules=daily), rate.count, Unit.DAYS, parts, now)
    if rate.unit == "day" and rate.times > 1:
        raise Unclear("time")
    if rate.unit == "day":
        return plan
    if rate.unit == "month" and all(not rule.days.is_weekly for rule in plan.rules):
        return plan if rate.count == 1 else _every(plan, rate.count, Unit.MONTHS, parts, now)
    raise Unclear("day")


def _in_weeks(plan: Plan, rate: Rate, parts: Parts, now: Present) -> Plan:
    """Returns the plan for every so many weeks; for each one, where it has as many days as are wanted.

    Raises:
        Unclear: other days have to be named.
    """
    if any(not rule.days.is_weekly for rule in plan.rules):
        raise Unclear("day")
    if rate.count > 1:
        return _every(plan, rate.count, Unit.WEEKS, parts, now)
    if any(len(rule.days.plain_weekdays) != max(1, rate.times) for rule in plan.rules):
        raise Unclear("day", guess=_on_mondays(plan) if rate.times <= 1 else None)
    return replace(plan, every=1, start=None)


def _on_mondays(plan: Plan) -> Plan:
    """Returns what ``weekly`` most likely makes of a daily schedule."""
    rules = [replace(rule, days=weekly({1}, rule.days.months)) for rule in plan.rules]
    return replace(plan, rules=merged(rules), every=1, start=None)


def _every(plan: Plan, count: int, unit: Unit, parts: Parts, now: Present) -> Plan:
    first = plan.first_day(datetime.combine(parts.start_day, time()) if parts.start_day else now.local)
    if first is None:
        raise Unclear("day")
    return replace(plan, every=count, unit=unit, start=datetime.combine(first, time()))
