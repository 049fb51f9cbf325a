"""Changes of schedules that come every so many minutes or hours: another interval, other hours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from conversation.timing import Unit
from intent.times.clock_choice import choose_window
from intent.times.interval_schedules import hours_outside
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Parts, Unclear
from intent.times.plan import Plan, Rule, weekly
from intent.times.words.items import Clock, Window
from intent.times.words.lexicon import NUMBERS

_FULL_DAY = 24 * 60
_STARTS = frozenset({"start", "starting", "starts", "begin", "beginning", "begins", "from", "first"})
_WHOLE_DAYS = frozenset({"clock", "24", "night", "overnight", "all"})


def lone_interval(plan: Plan, found: Assembly, words: Sequence[str]) -> Plan | None:
    """``and make it every 5`` for a schedule that comes every so many minutes or hours: the unit stays.

    Raises:
        Unclear: so many don't fit into a day.
    """
    if not all(rule.step for rule in plan.rules) or plan.unit is Unit.MINUTES:
        return None
    count = _lone_number(words)
    if not count or found.parts.days or found.parts.rates:
        return None
    minutes = count * (60 if all(rule.step % 60 == 0 for rule in plan.rules) else 1)
    if not 0 < minutes < _FULL_DAY or _FULL_DAY % minutes or (minutes < 60 and 60 % minutes):
        raise Unclear("rate")
    return with_step(plan, minutes)


def _lone_number(words: Sequence[str]) -> int:
    """The number behind ``every`` or ``make it`` among words that say nothing else; 0 without one."""
    for place, word in enumerate(words):
        if word not in NUMBERS and not word.isdigit():
            continue
        before = list(words[max(0, place - 2) : place])
        is_led = before[-1:] in (["every"], ["each"]) or before in (["make", "it"], ["make", "that"])
        others = {*words[:place], *words[place + 1 :]}
        return (NUMBERS.get(word) or int(word)) if is_led and others <= _AROUND_NUMBER else 0
    return 0


_AROUND_NUMBER = frozenset(
    "and make it that this every each run check do have let lets can could would you we change set to please"
    " pls instead then now just only actually no better ok okay rather , . ! ? is was be"
    " enough will fine".split()
)


_MULTIPLES: Mapping[tuple[str, ...], float] = {
    **{(many, "as", how): number for how in ("often", "frequently") for many, number in
       (("twice", 2), ("half", 0.5))},
    **{(many, "times", "as", "often"): number for many, number in
       (("two", 2), ("2", 2), ("three", 3), ("3", 3), ("four", 4), ("4", 4))},
    **{(verb, the, what): number for verb, number in (("double", 2), ("halve", 0.5), ("triple", 3))
       for the in ("the", "its", "that") for what in ("frequency", "rate")},
}  # fmt: skip


def multiplied(plan: Plan, words: Sequence[str]) -> Plan | None:
    """Returns an interval with ``twice as often``; None where the words say no such thing.

    Raises:
        Unclear: it has named times, or so short an interval can't be had.
    """
    said = (tuple(words[place : place + size]) for place in range(len(words)) for size in (3, 4))
    many = next((_MULTIPLES[each] for each in said if each in _MULTIPLES), None)
    if many is None:
        return None
    steps = {rule.step for rule in plan.rules}
    if len(steps) != 1 or plan.unit is Unit.MINUTES:
        raise Unclear("rate")
    minutes = steps.pop() / many
    if (
        minutes < _SHORTEST
        or minutes != int(minutes)
        or _FULL_DAY % minutes
        or (minutes < 60 and 60 % minutes)
    ):
        raise Unclear("rate")
    return with_step(plan, int(minutes))


_SHORTEST = 5


def with_minute(plan: Plan, found: Assembly) -> Plan | None:
    """``at quarter past`` for a schedule that comes every so many hours; None for anything else."""
    parts = found.parts
    if parts.minute is None or parts.rates or parts.clocks or parts.window or parts.days:
        return None
    if not all(rule.step and rule.step % 60 == 0 for rule in plan.rules) or plan.unit is Unit.MINUTES:
        return None
    if parts.minute.others:
        raise Unclear("rate")
    minute = parts.minute.minute
    rules = [
        replace(rule, times=tuple(each // 60 * 60 + minute for each in rule.times)) for rule in plan.rules
    ]
    return replace(plan, rules=tuple(rules))


def with_step(plan: Plan, minutes: int) -> Plan:
    """Returns the plan with so many minutes between two times, in the hours that it has, or all day."""
    rules = []
    for rule in plan.rules:
        first, last = rule.times[0], rule.times[-1]
        if first < rule.step and last + rule.step >= _FULL_DAY:
            rules.append(replace(rule, step=minutes, times=tuple(range(first % minutes, _FULL_DAY, minutes))))
            continue
        fills_hour = rule.step < 60 and (last + rule.step) % 60 == 0
        end = last + rule.step - 1 if fills_hour else last
        rules.append(replace(rule, step=minutes, times=tuple(range(first, end + 1, minutes))))
    return replace(plan, rules=tuple(rules))


def keeps_hours(plan: Plan, parts: Parts, words: Sequence[str]) -> bool:
    """Whether a new interval goes on in the hours that the schedule has: ``every 10 minutes instead``."""
    says_hours = parts.says_hours or parts.part is not None
    covers = all(rule.times[0] < rule.step and rule.times[-1] + rule.step >= _FULL_DAY for rule in plan.rules)
    has_steps = all(rule.step for rule in plan.rules)
    return has_steps and not covers and not says_hours and not _WHOLE_DAYS & set(words)


def beside_hours(plan: Plan, window: Window, parts: Parts, days: frozenset[int]) -> Plan:
    """``and on Saturdays from 9 to 12 as well``: the interval of the other days, in hours of their own.

    Raises:
        Unclear: it can't be told in which half of the day the hours are.
    """
    bounds = choose_window(window, parts.part.name if parts.part else "")
    if bounds is None:
        raise Unclear("am_pm")
    step = plan.rules[0].step
    times = tuple(range(bounds[0], min(bounds[1], _FULL_DAY - 1) + 1, step))
    return replace(plan, rules=(*plan.rules, Rule(weekly(days), times, step)))


def within(plan: Plan, window: Window, parts: Parts) -> Plan:
    """``only between 9 and 5`` keeps the interval and where in the hour it falls."""
    bounds = choose_window(window, parts.part.name if parts.part else "")
    if bounds is None:
        raise Unclear("am_pm")
    opens, closes = bounds
    rules = [
        replace(rule, times=tuple(each for each in _whole_day(rule) if opens <= each <= closes))
        for rule in plan.rules
    ]
    if not all(rule.times for rule in rules):
        raise Unclear("time")
    return replace(plan, rules=tuple(rules))


def without_hours(plan: Plan, parts: Parts, assumed: list[str]) -> Plan | None:
    """Returns an interval in the other hours that it has: ``not between 11pm and 6am``; None where no hours
    are left out.

    Raises:
        Unclear: it has times of its own, or the words name other times as well.
    """
    if parts.without_window is None:
        return None
    says_more = parts.clocks or parts.rates or parts.days or parts.without_days or parts.says_hours
    if says_more or plan.unit is Unit.MINUTES or not all(rule.step for rule in plan.rules):
        raise Unclear("rest")
    opens, closes = hours_outside(parts.without_window, assumed)
    rules = [
        replace(rule, times=tuple(each for each in rule.times if opens <= each <= closes))
        for rule in plan.rules
    ]
    if not all(rule.times for rule in rules):
        raise Unclear("time")
    return replace(plan, rules=tuple(rules))


def _whole_day(rule: Rule) -> range:
    """Returns the times of an interval that goes on all day."""
    return range(rule.times[0] % rule.step, _FULL_DAY, rule.step)


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
