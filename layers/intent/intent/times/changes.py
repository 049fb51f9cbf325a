"""Changes a known schedule or moment by what words say; what they leave open stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time
from itertools import pairwise

from conversation.timing import Timing, Unit
from intent.times.clock_choice import Choice, choose_times
from intent.times.group_changes import change_groups
from intent.times.interval_changes import (
    beside_hours,
    keeps_hours,
    lone_interval,
    multiplied,
    with_minute,
    with_other_bounds,
    with_step,
    within,
    without_hours,
)
from intent.times.named_runs import change_named_run
from intent.times.other_rates import at_other_rate, names_no_days
from intent.times.partial_changes import (
    check_until_start,
    check_whole,
    each_week,
    exchange_days,
    refuse_half,
    replace_days,
    same_number,
    swap_half,
    times_in_part,
    with_added_days,
    with_denied_days,
    without_told_days,
)
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Impossible, Parts, Unclear
from intent.times.plan import Plan, Rule, merged, plan_of, weekly
from intent.times.schedules import Made, make_schedule
from intent.times.several_times import dropped_times, meant_times, with_times_for
from intent.times.shifts import shifted
from intent.times.wording import clock_words
from intent.times.words.dates import Present
from intent.times.words.items import Days, MonthDays, OneDay, Sign, Window
from intent.times.words.lexicon import ALL_DAYS, WEEKDAYS, WORKING_DAYS

_FULL_DAY = 24 * 60
_ADDING = ("add", "also", "additionally", "another", "and", "plus")
_ADDED = frozenset({"too", "also", "well", "plus"})
_DEEDS = frozenset(
    "make change move set switch then only run put skip drop not send have let mail post get come".split()
)
_EXCHANGES = frozenset("make change move set switch".split())
"""Verbs behind which ``also`` begins one more change: ``also make it Tuesdays`` adds no day."""
_OBLIGING = frozenset("should must shall has needs goes can could would will".split())
_NEAR = 8
"""Within how many words a verb makes what begins with ``and`` a clause of its own, which adds nothing."""
_MOVES = frozenset({"move", "change", "switch", "shift", "moved", "switched", "changed"})


def change_schedule(found: Assembly, was: Timing, now: Present, words: Sequence[str]) -> Made | None:
    """Returns the changed schedule; None when the words say nothing about it.

    Raises:
        Unclear: something has to be asked.
        Impossible: no schedule can say it.
    """
    plan = plan_of(was)
    interval = None if plan is None else lone_interval(plan, found, words)
    if interval is None and found.unclear:
        raise Unclear(*found.unclear)
    if plan is None:
        return _anew(found.parts, now) if found.used else None
    assumed = list(found.parts.assumed)
    changed = (
        interval
        or with_minute(plan, found)
        or with_other_bounds(plan, found, words)
        or multiplied(plan, words)
        or change_named_run(plan, found, words)
        or shifted(plan, found, words)
        or exchange_days(plan, found, words)
        or replace_days(plan, found, words)
        or without_hours(plan, found.parts, assumed)
        or change_groups(plan, found, now, words, assumed)
        or (None if found.parts.clocks else swap_half(plan, words))
        or _changed(plan, found, now, words, assumed)
    )
    if changed is None:
        if {"earlier", "later"} & set(words):
            raise Unclear("time")
        return None
    check_until_start(plan, changed, found, now)
    timing = changed.timing()
    if timing is None:
        raise Impossible("that takes more times of day than one schedule has")
    return Made(timing, changed, tuple(dict.fromkeys(assumed)))


def _anew(parts: Parts, now: Present) -> Made:
    return make_schedule(parts, zone=now.zone, now=now.local)


def _changed(
    plan: Plan, found: Assembly, now: Present, words: Sequence[str], assumed: list[str]
) -> Plan | None:
    found.parts = without_told_days(plan, found, words)
    check_whole(plan, found)
    found.parts = with_denied_days(plan, found)
    parts = _without_old_day(plan, found)
    if _names_one_day(found) or (_adds(found, words) and parts.clocks and parts.without_days):
        raise Unclear("rest")
    if _is_interval(parts):
        return _interval(plan, found, parts, now, words, assumed)
    if parts.window is not None and not parts.clocks:
        if all(rule.step for rule in plan.rules):
            return _bounded(_narrowed(_within(plan, parts.window, found, words), found, words), parts)
        parts = _from_one_time(plan, parts.window, found, parts)
    if any(not isinstance(day, Days) or day.every > 1 for day in parts.days):
        return _with_new_days(plan, found, parts, now, words, assumed)
    if _is_once_a_day_now(plan, found, words):
        made = make_schedule(parts, zone=parts.zone or plan.zone, now=now.local)
        assumed.extend(made.assumed)
        return made.plan
    changed = plan
    if parts.clocks or found.dropped_clocks or found.dropped_parts or parts.part:
        changed = _retimed(changed, found, parts, words, assumed)
    weekdays = _target_days(found, words)
    if weekdays or parts.without_days or parts.without_months or parts.months or _is_daily(parts):
        changed = _on_other_days(changed, found, parts, weekdays, words)
    rate = parts.rate
    if rate is not None and (changed == plan or rate.count > 1 or names_no_days(rate, parts)):
        changed = at_other_rate(changed, rate, parts, now)
    changed = _bounded(each_week(changed, found, words), parts)
    return changed if changed != plan or _says_the_same(found) else None


def _names_one_day(found: Assembly) -> bool:
    """Whether words such as ``also tomorrow at 10`` are about one day, of which no schedule is made."""
    return bool(found.parts.clocks) and any(isinstance(day, OneDay) for day in found.days)


def _is_once_a_day_now(plan: Plan, found: Assembly, words: Sequence[str]) -> bool:
    """``every Monday`` in place of an interval is once on Mondays; ``only on Mondays`` keeps the interval."""
    says_every = bool(found.parts.days) and bool({"every", "each"} & set(words))
    keeps = found.signs & {Sign.ONLY, Sign.ALSO, Sign.EXCEPT}
    return says_every and not keeps and all(rule.step for rule in plan.rules)


def _is_interval(parts: Parts) -> bool:
    if any(each.unit in ("minute", "hour", "second") for each in parts.rates):
        return True
    return parts.minute is not None and not parts.clocks


def _bounded(plan: Plan, parts: Parts) -> Plan:
    """Returns the plan with the zone, the start and the end that were said."""
    start = datetime.combine(parts.start_day, time()) if parts.start_day else plan.start
    return replace(plan, zone=parts.zone or plan.zone, start=start, end=parts.end or plan.end)


def _without_old_day(plan: Plan, found: Assembly) -> Parts:
    """``from Monday`` names the day that is left, not a start, where other days are named, too."""
    parts = found.parts
    if parts.start_day is None or not parts.days or parts.start_clock or Sign.UNTIL in found.signs:
        return parts
    weekday = (parts.start_day.weekday() + 1) % 7
    is_old = any(
        (isinstance(found.start, Days) and weekday in rule.days.plain_weekdays)
        or (isinstance(found.start, MonthDays) and str(parts.start_day.day) in rule.days.month_days)
        for rule in plan.rules
    )
    return replace(parts, start_day=None) if is_old else parts


def _says_the_same(found: Assembly) -> bool:
    return bool(found.parts.clocks or found.parts.days or found.parts.rates)


def _is_daily(parts: Parts) -> bool:
    rate = parts.rate
    return rate is not None and rate.unit == "day" and rate.count == 1 and rate.times <= 1


def _from_one_time(plan: Plan, window: Window, found: Assembly, parts: Parts) -> Parts:
    """``from 9 to 10`` names the old time and the new one."""
    opens, closes = window.opens, window.closes
    old = {each for rule in plan.rules for each in rule.times}
    candidates = (
        {opens.minutes, (opens.minutes + _FULL_DAY // 2) % _FULL_DAY} if opens.is_open else {opens.minutes}
    )
    if len(old) != 1 or not candidates & old:
        raise Unclear("rate")
    found.dropped_clocks.append(opens)
    groups = [replace(parts.groups[0], clocks=[closes]), *parts.groups[1:]]
    return replace(parts, groups=groups, window=None)


def _within(plan: Plan, window: Window, found: Assembly, words: Sequence[str]) -> Plan:
    """Returns an interval in other hours: on the days that are named, which may come beside its own.

    Raises:
        Unclear: they may be the hours of these days or of all.
    """
    parts, days = found.parts, _target_days(found, words)
    had = frozenset(day for rule in plan.rules for day in rule.days.plain_weekdays)
    if not parts.days or days == had:
        return within(plan, window, parts)
    if not days or len(plan.rules) > 1 or parts.without_days:
        raise Unclear("rest")
    if _adds(found, words) and not days & had:
        return beside_hours(plan, window, parts, days)
    if days < had and (Sign.ONLY in found.signs or days == WORKING_DAYS):
        [rule] = within(plan, window, parts).rules
        return replace(plan, rules=(replace(rule, days=weekly(days, rule.days.months)),))
    raise Unclear("rest")


def _target_days(found: Assembly, words: Sequence[str]) -> frozenset[int]:
    """The weekdays that the words name as new; of ``from Monday to Thursday`` only the second."""
    days = frozenset(day for item in found.parts.days if isinstance(item, Days) for day in item.days)
    for item in found.parts.days:
        if not isinstance(item, Days) or "to" not in words[item.first : item.end]:
            continue
        if item.first and words[item.first - 1] == "from" and _MOVES & set(words):
            return frozenset({WEEKDAYS[words[item.end - 1]]})
    return days


def _interval(
    plan: Plan, found: Assembly, parts: Parts, now: Present, words: Sequence[str], assumed: list[str]
) -> Plan:
    """Returns a new interval on the old days, unless these were one a week or words name others."""
    made = make_schedule(parts, zone=parts.zone or plan.zone, now=now.local)
    assumed.extend(made.assumed)
    days = {rule.days for rule in plan.rules}
    is_one_day = any(len(each.plain_weekdays) == 1 or not each.is_weekly for each in days)
    if parts.days or len(days) > 1 or is_one_day or made.plan.unit is Unit.MINUTES:
        return made.plan
    if keeps_hours(plan, parts, words) and len({rule.step for rule in made.plan.rules}) == 1:
        return _bounded(_narrowed(with_step(plan, made.plan.rules[0].step), found, words), parts)
    kept = days.pop()
    on_old_days = replace(
        made.plan,
        rules=tuple(replace(rule, days=kept) for rule in made.plan.rules),
        end=parts.end or plan.end,
    )
    return _narrowed(on_old_days, found, words)


def _narrowed(plan: Plan, found: Assembly, words: Sequence[str]) -> Plan:
    """Returns a plan without the days and months that are left out, and in those months that are named."""
    parts = found.parts
    if not (parts.without_days or parts.without_months or parts.months):
        return plan
    return _on_other_days(plan, found, parts, frozenset(), words)


def _with_new_days(
    plan: Plan, found: Assembly, parts: Parts, now: Present, words: Sequence[str], assumed: list[str]
) -> Plan:
    """Returns days of the month, or placed weekdays, at the old times unless new ones are named."""
    if _adds(found, words):
        return with_added_days(plan, parts)
    times = {rule.times for rule in plan.rules}
    if not parts.clocks and parts.part is None and len(times) > 1:
        raise Unclear("time")
    made = make_schedule(parts, zone=parts.zone or plan.zone, now=now.local)
    if parts.clocks or parts.part:
        assumed.extend(made.assumed)
        return made.plan
    kept = times.pop()
    return replace(
        made.plan,
        rules=tuple(replace(rule, times=kept) for rule in made.plan.rules),
        end=parts.end or plan.end,
    )


def _retimed(plan: Plan, found: Assembly, parts: Parts, words: Sequence[str], assumed: list[str]) -> Plan:
    old = plan.rules[0].times
    part = parts.part.name if parts.part else ""
    is_exchange = not _adds(found, words) and not parts.rates and bool(parts.clocks)
    meant = meant_times(plan, found, words) if is_exchange else frozenset()
    if not parts.clocks and (found.dropped_clocks or found.dropped_parts):
        return _without_times(plan, found)
    same = same_number(plan, part, words) if not parts.clocks else None
    if same is not None:
        choice = Choice((same,))
    elif parts.part is not None and not parts.clocks:
        choice = _in_part(plan, parts, part)
    else:
        is_beside = bool(parts.days) or not _adds(found, words)  # ``add 7`` may be the other half of the day
        old = tuple(meant) or old
        near = old[0] if len(old) == 1 and is_beside and not parts.zone else None
        choice = choose_times(parts.clocks, part, near)
    if choice.is_open:
        raise Unclear("am_pm")
    assumed.extend(choice.assumed)
    if meant:
        return with_times_for(plan, meant, choice.times)
    if _adds(found, words) and not parts.days:
        if any(rule.step for rule in plan.rules):
            raise Unclear("time")
        return replace(
            plan,
            rules=merged(
                [replace(rule, times=tuple(sorted({*rule.times, *choice.times}))) for rule in plan.rules]
            ),
        )
    if _adds(found, words) and _is_another_rule(parts, words):
        days = frozenset(day for item in parts.days if isinstance(item, Days) for day in item.days)
        return replace(
            plan, rules=merged([*plan.rules, Rule(weekly(days), tuple(sorted(set(choice.times))))])
        )
    rules = [Rule(rule.days, tuple(sorted(set(choice.times)))) for rule in plan.rules]
    unit = Unit.WEEKS if plan.unit is Unit.MINUTES else plan.unit
    return replace(plan, rules=merged(rules), unit=unit, every=1 if plan.unit is Unit.MINUTES else plan.every)


def _in_part(plan: Plan, parts: Parts, part: str) -> Choice:
    """Returns the times in a part of the day: beside days those that the schedule has there already.

    Raises:
        Unclear: no hour stands for that part.
    """
    if parts.part is None or parts.part.hour < 0:
        raise Unclear("time")
    kept = tuple(sorted(times_in_part(plan, part)))
    if parts.days and kept and all(not rule.step and set(kept) <= set(rule.times) for rule in plan.rules):
        return Choice(kept)
    hour = parts.part.hour * 60
    return Choice((hour,), (f"{part} is taken as {clock_words(hour)}",))


def _without_times(plan: Plan, found: Assembly) -> Plan:
    gone = dropped_times(plan, found)
    rules = [
        replace(rule, times=tuple(each for each in rule.times if each not in gone)) for rule in plan.rules
    ]
    is_interval = any(rule.step for rule in plan.rules)
    if is_interval or not all(rule.times for rule in rules) or rules == list(plan.rules):
        raise Unclear("time")
    return replace(plan, rules=tuple(rules))


def _is_another_rule(parts: Parts, words: Sequence[str]) -> bool:
    """``add Saturday at 10`` is one more rule; ``make it 7:45 and Saturdays too`` changes the only one."""
    return words[0] in _ADDING or (bool(parts.days) and parts.days[0].first < parts.clocks[0].first)


def _adds(found: Assembly, words: Sequence[str]) -> bool:
    if ("instead", "of") in pairwise(words):
        return False
    begins = bool(words) and words[0] in _ADDING
    if words[:1] == ["also"] and _EXCHANGES & set(words[1:2]) and not _ADDED & set(words[1:]):
        return False  # one more change, and no day more
    if begins and Sign.ONLY in found.signs and not found.parts.clocks and not _ADDED & set(words[1:]):
        return False  # "also it should only run on Tuesdays"
    if words[:1] == ["and"] and (found.dropped_clocks or found.replaced_days):
        begins = False  # what names the old value exchanges it: "and at 6 rather than at 7"
    is_clause = bool(_DEEDS & set(words[1:2]) or _OBLIGING & set(words[1:_NEAR]) or "instead" in words)
    joins = begins and words[0] == "and" and is_clause
    return Sign.ALSO in found.signs or (begins and not joins)


def _on_other_days(
    plan: Plan, found: Assembly, parts: Parts, days: frozenset[int], words: Sequence[str]
) -> Plan:
    """Returns the plan with days added, taken out or replaced."""
    if _adds(found, words) and parts.clocks and _is_another_rule(parts, words):
        return plan
    refuse_half(plan, found, days, words)
    is_daily = _is_daily(parts) and not days
    rules: list[Rule] = []
    for rule in plan.rules:
        if not rule.days.is_weekly:
            if _adds(found, words) or (parts.without_days and not days):
                raise Unclear("day")
            if not days and not is_daily:
                rules.append(replace(rule, days=replace(rule.days, months=_new_months(rule, parts))))
                continue
        now_on = ALL_DAYS if is_daily else days
        if _adds(found, words) or (parts.adds_days and days):
            now_on = rule.days.plain_weekdays | days
        elif not now_on:
            now_on = rule.days.plain_weekdays
        left = now_on - parts.without_days
        if not left:
            raise Unclear("day")
        rules.append(replace(rule, days=weekly(left, _new_months(rule, parts))))
    if len({rule.times for rule in plan.rules}) > 1 and days and not parts.without_days:
        raise Unclear("time")
    keeps_rate = not is_daily or plan.unit is not Unit.WEEKS
    changed = replace(plan, rules=merged(rules))
    return changed if keeps_rate else replace(changed, every=1, start=None)


def _new_months(rule: Rule, parts: Parts) -> frozenset[int]:
    months = (parts.months or rule.days.months) - parts.without_months
    if not months:
        raise Unclear("day")
    return months
