"""Changes of schedules that come every so many minutes or hours: another interval, other hours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from conversation.timing import Unit
from intent.times.clock_choice import choose_window
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Parts, Unclear
from intent.times.plan import Plan
from intent.times.words.items import Clock, Window

_FULL_DAY = 24 * 60
_STARTS = frozenset({"start", "starting", "starts", "begin", "beginning", "begins", "from", "first"})
_WHOLE_DAYS = frozenset({"clock", "24", "night", "overnight", "all"})


def lone_interval(plan: Plan, found: Assembly, words: Sequence[str]) -> Plan | None:
    """``every 30`` for a schedule that comes every so many minutes or hours."""
    numbers = [int(word) for word in words if word.isdigit()]
    if (
        len(numbers) != 1
        or len(words) > 4
        or not all(rule.step for rule in plan.rules)
        or plan.unit is Unit.MINUTES
    ):
        return None
    if found.parts.days or found.parts.rates or not {"every", "make"} & set(words):
        return None
    minutes = numbers[0] * (60 if all(rule.step % 60 == 0 for rule in plan.rules) else 1)
    if not 0 < minutes < _FULL_DAY or _FULL_DAY % minutes or (minutes < 60 and 60 % minutes):
        raise Unclear("rate")
    return with_step(plan, minutes)


def with_minute(plan: Plan, found: Assembly) -> Plan | None:
    """``at quarter past`` for a schedule that comes every so many hours; None for anything else."""
    parts = found.parts
    if parts.minute is None or parts.rates or parts.clocks or parts.window or parts.days:
        return None
    if not all(rule.step and rule.step % 60 == 0 for rule in plan.rules) or plan.unit is Unit.MINUTES:
        return None
    minute = parts.minute.minute
    rules = [
        replace(rule, times=tuple(each // 60 * 60 + minute for each in rule.times)) for rule in plan.rules
    ]
    return replace(plan, rules=tuple(rules))


def with_step(plan: Plan, minutes: int) -> Plan:
    """Returns the plan with so many minutes between two times, in the hours that it has."""
    rules = []
    for rule in plan.rules:
        last = rule.times[-1]
        fills_hour = rule.step < 60 and (last + rule.step) % 60 == 0
        end = last + rule.step - 1 if fills_hour else last
        rules.append(replace(rule, step=minutes, times=tuple(range(rule.times[0], end + 1, minutes))))
    return replace(plan, rules=tuple(rules))


def keeps_hours(plan: Plan, parts: Parts, words: Sequence[str]) -> bool:
    """Whether a new interval goes on in the hours that the schedule has: ``every 10 minutes instead``."""
    says_hours = parts.says_hours or parts.part is not None
    covers = all(rule.times[0] < rule.step and rule.times[-1] + rule.step >= _FULL_DAY for rule in plan.rules)
    has_steps = all(rule.step for rule in plan.rules)
    return has_steps and not covers and not says_hours and not _WHOLE_DAYS & set(words)


def within(plan: Plan, window: Window, parts: Parts) -> Plan:
    """``only between 9 and 5`` keeps the interval."""
    bounds = choose_window(window, parts.part.name if parts.part else "")
    if bounds is None:
        raise Unclear("am_pm")
    opens, closes = bounds
    rules = [
        replace(rule, times=tuple(each for each in rule.times if opens <= each <= closes))
        for rule in plan.rules
    ]
    if not all(rule.times for rule in rules):
        raise Unclear("time")
    return replace(plan, rules=tuple(rules))


def with_other_bounds(plan: Plan, found: Assembly, words: Sequence[str]) -> Plan | None:
    """Returns an interval with ``start at 9 not 8, finishing at 5``; None where no bound was named."""
    parts = found.parts
    if not all(rule.step for rule in plan.rules) or plan.unit is Unit.MINUTES or len(plan.rules) > 1:
        return None
    if parts.rates or parts.days or parts.window or parts.start_day or len(parts.clocks) > 1:
        return None
    opens = parts.start_clock or next(iter(parts.clocks), None)
    if opens is not None and parts.closes is None and not _STARTS & set(words):
        return None
    if opens is None and parts.closes is None:
        return None
    rule = plan.rules[0]
    first, last = (Clock(0, 0, *divmod(each, 60)) for each in (rule.times[0], rule.times[-1]))
    bounds = choose_window(Window(0, 0, opens or first, parts.closes or last), "")
    if bounds is None:
        raise Unclear("am_pm")
    start, end = bounds
    times = tuple(range(start, min(end, _FULL_DAY - 1) + 1, rule.step))
    if not times:
        raise Unclear("time")
    return replace(plan, rules=(replace(rule, times=times),))
