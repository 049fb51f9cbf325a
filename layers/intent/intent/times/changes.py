"""Changes a known schedule or moment by what words say; what they leave open stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from conversation.timing import Timing, Unit
from intent.times.assembly import Assembly
from intent.times.clock_choice import Choice, choose_times, choose_window
from intent.times.moments import Moment, make_moment
from intent.times.plan import Plan, Rule, merged, plan_of, weekly
from intent.times.schedules import Impossible, Made, Parts, Unclear, make_schedule, minutes_of, shift_days
from intent.times.wording import clock_words
from intent.times.words.dates import Present
from intent.times.words.items import Days, Length, Sign
from intent.times.words.lexicon import ALL_DAYS, MINUTES_IN

_FULL_DAY = 24 * 60
_ADDING = ("add", "also", "additionally", "another")
_LATER = frozenset({"later", "delay", "postpone", "delayed", "postponed"})
_EARLIER = frozenset({"earlier", "forward", "sooner", "forwards"})
_WHOLE = frozenset({"move", "change", "switch", "make", "instead", "now", "moved", "set"})
_MOVES = frozenset({"move", "change", "switch", "shift", "moved", "switched", "changed"})


def change_schedule(found: Assembly, was: Timing, now: Present, words: Sequence[str]) -> Made | None:
    """Returns the changed schedule; None when the words say nothing about it.

    Raises:
        Unclear: something has to be asked.
        Impossible: no schedule can say it.
    """
    if found.unclear:
        raise Unclear(*found.unclear)
    plan = plan_of(was)
    if plan is None:
        return _anew(found.parts, now) if found.used else None
    assumed = list(found.parts.assumed)
    changed = (
        _lone_interval(plan, found, words)
        or _moved(plan, found, words)
        or _changed(plan, found, now, words, assumed)
    )
    if changed is None:
        if {"earlier", "later"} & set(words):
            raise Unclear("time")
        return None
    timing = changed.timing()
    if timing is None:
        raise Impossible("that takes more times of day than one schedule has")
    return Made(timing, changed, tuple(dict.fromkeys(assumed)))


def _anew(parts: Parts, now: Present) -> Made:
    return make_schedule(parts, zone=now.zone, now=now.local)


def _lone_interval(plan: Plan, found: Assembly, words: Sequence[str]) -> Plan | None:
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
    rules = [
        replace(rule, step=minutes, times=tuple(range(rule.times[0], rule.times[-1] + rule.step, minutes)))
        for rule in plan.rules
    ]
    return replace(plan, rules=tuple(rules))


def _moved(plan: Plan, found: Assembly, words: Sequence[str]) -> Plan | None:
    """Returns the plan by a length of time earlier or later: ``an hour earlier``, ``push it back 15 minutes``."""
    length = next((each for each in found.lengths if each.use in ("earlier", "later", "by", "ahead")), None)
    if length is None or found.parts.clocks or found.parts.days:
        return None
    minutes = direction(length, words) * (minutes_of(length) or round(length.count) * _FULL_DAY)
    if length.unit not in MINUTES_IN and length.unit != "day":
        raise Unclear("day")
    if plan.unit is Unit.MINUTES or any(rule.step for rule in plan.rules):
        raise Unclear("time")
    rules = []
    for rule in plan.rules:
        times = [each + minutes for each in rule.times]
        days = {each // _FULL_DAY for each in times}
        if len(days) > 1:
            raise Impossible("the times would fall on two days")
        moved = tuple(sorted(each % _FULL_DAY for each in times))
        rules.append(Rule(shift_days(rule.days, days.pop()), moved))
    return replace(plan, rules=tuple(rules))


def direction(length: Length, words: Sequence[str]) -> int:
    """Returns 1 for later and -1 for earlier.

    Raises:
        Unclear: ``bump it up`` may be either.
    """
    said = set(words)
    if length.use in ("earlier", "ahead") or said & _EARLIER:
        return -1
    if length.use == "later" or said & _LATER or ({"push", "pushed"} & said and "back" in said):
        return 1
    raise Unclear("direction")


def _changed(
    plan: Plan, found: Assembly, now: Present, words: Sequence[str], assumed: list[str]
) -> Plan | None:
    parts = found.parts
    rate = parts.rate
    is_interval = parts.window is not None and not parts.clocks
    if any(each.unit in ("minute", "hour", "second") for each in parts.rates) or (
        parts.minute and not parts.clocks
    ):
        return _interval(plan, parts, now, assumed)
    if is_interval and all(rule.step for rule in plan.rules):
        return _within(plan, parts)
    if is_interval:
        plan, parts = _from_one_time(plan, parts)
    if (
        parts.start_day is not None
        and parts.days
        and parts.start_clock is None
        and not found.signs & {Sign.UNTIL}
    ):
        parts = parts if not _is_old_day(plan, parts) else replace(parts, start_day=None)
    if _is_placed_anew(parts):
        return _with_new_days(plan, found, parts, now, assumed)
    changed = plan
    if parts.clocks or found.dropped_clocks or parts.part:
        changed = _retimed(changed, found, parts, words, assumed)
    weekdays = _target_days(plan, found, words)
    if weekdays or parts.without_days or parts.without_months or parts.months or _is_daily(parts):
        changed = _on_other_days(changed, found, parts, weekdays, words)
    if (rate is not None and changed == plan) or (rate is not None and rate.count > 1):
        changed = _at_other_rate(changed, parts, now)
    if (parts.zone and not parts.clocks) or parts.zone:
        changed = replace(changed, zone=parts.zone)
    if parts.end is not None:
        changed = replace(changed, end=parts.end)
    if parts.start_day is not None:
        changed = replace(changed, start=datetime.combine(parts.start_day, time()))
    return changed if changed != plan or _says_the_same(found) else None


def _within(plan: Plan, parts: Parts) -> Plan:
    """``only between 9 and 5`` keeps the interval."""
    assert parts.window is not None
    bounds = choose_window(parts.window, parts.part.name if parts.part else "")
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


def _says_the_same(found: Assembly) -> bool:
    return bool(found.parts.clocks or found.parts.days or found.parts.rates)


def _is_old_day(plan: Plan, parts: Parts) -> bool:
    """Whether ``from Monday`` names the day that is left, not a start."""
    assert parts.start_day is not None
    weekday = (parts.start_day.weekday() + 1) % 7
    return any(weekday in rule.days.plain_weekdays for rule in plan.rules)


def _is_daily(parts: Parts) -> bool:
    rate = parts.rate
    return rate is not None and rate.unit == "day" and rate.count == 1 and rate.times <= 1


def _is_placed_anew(parts: Parts) -> bool:
    return any(not isinstance(day, Days) for day in parts.days)


def _from_one_time(plan: Plan, parts: Parts) -> tuple[Plan, Parts]:
    """``from 9 to 10`` names the old time and the new one."""
    assert parts.window is not None
    opens, closes = parts.window.opens, parts.window.closes
    old = {each for rule in plan.rules for each in rule.times}
    candidates = (
        {opens.minutes, (opens.minutes + _FULL_DAY // 2) % _FULL_DAY} if opens.is_open else {opens.minutes}
    )
    if len(old) != 1 or not candidates & old:
        raise Unclear("rate")
    groups = [replace(parts.groups[0], clocks=[closes]), *parts.groups[1:]]
    return plan, replace(parts, groups=groups, window=None)


def _target_days(plan: Plan, found: Assembly, words: Sequence[str]) -> frozenset[int]:
    """The weekdays that the words name as new; of ``from Monday to Thursday`` only the second."""
    days = frozenset(day for item in found.parts.days if isinstance(item, Days) for day in item.days)
    for item in found.parts.days:
        if not isinstance(item, Days) or "to" not in words[item.first : item.end]:
            continue
        if item.first and words[item.first - 1] == "from" and _MOVES & set(words):
            from intent.times.words.lexicon import WEEKDAYS

            return frozenset({WEEKDAYS[words[item.end - 1]]})
    return days


def _interval(plan: Plan, parts: Parts, now: Present, assumed: list[str]) -> Plan:
    """Returns a new interval on the old days, unless the words name days."""
    made = make_schedule(parts, zone=parts.zone or plan.zone, now=now.local)
    assumed.extend(made.assumed)
    days = {rule.days for rule in plan.rules}
    if parts.days or len(days) > 1 or made.plan.unit is Unit.MINUTES:
        return made.plan
    kept = days.pop()
    return replace(
        made.plan,
        rules=tuple(replace(rule, days=kept) for rule in made.plan.rules),
        end=parts.end or plan.end,
    )


def _with_new_days(plan: Plan, found: Assembly, parts: Parts, now: Present, assumed: list[str]) -> Plan:
    """Returns days of the month, or weekdays with a place in it, at the old times unless new ones are named."""
    if Sign.ALSO in found.signs:
        raise Unclear("day")
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
    if not parts.clocks and found.dropped_clocks:
        return _without_times(plan, found)
    if not parts.clocks:
        assert parts.part is not None
        if parts.part.hour < 0:
            raise Unclear("time")
        choice = Choice((parts.part.hour * 60,), (f"{part} is taken as {clock_words(parts.part.hour * 60)}",))
    else:
        near = old[0] if len(old) == 1 and not _adds(found, words) and not parts.zone else None
        choice = choose_times(parts.clocks, part, near)
    if choice.is_open:
        raise Unclear("am_pm")
    assumed.extend(choice.assumed)
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


def _without_times(plan: Plan, found: Assembly) -> Plan:
    gone = {
        minutes
        for clock in found.dropped_clocks
        for minutes in (
            {clock.minutes, (clock.minutes + 720) % _FULL_DAY} if clock.is_open else {clock.minutes}
        )
    }
    rules = [
        replace(rule, times=tuple(each for each in rule.times if each not in gone)) for rule in plan.rules
    ]
    if not all(rule.times for rule in rules) or rules == list(plan.rules):
        raise Unclear("time")
    return replace(plan, rules=tuple(rules))


def _is_another_rule(parts: Parts, words: Sequence[str]) -> bool:
    """``add Saturday at 10`` is one more rule; ``make it 7:45 and Saturdays too`` changes the only one."""
    return words[0] in _ADDING or (bool(parts.days) and parts.days[0].first < parts.clocks[0].first)


def _refuse_half(plan: Plan, found: Assembly, days: frozenset[int], words: Sequence[str]) -> None:
    """``at 10 on Fridays`` for a schedule of weekdays may change the Fridays only: asked."""
    is_part = any(days < rule.days.plain_weekdays for rule in plan.rules) and bool(days)
    if is_part and found.parts.clocks and Sign.ONLY not in found.signs and not _WHOLE & set(words):
        raise Unclear("rest")


def _adds(found: Assembly, words: Sequence[str]) -> bool:
    return Sign.ALSO in found.signs or bool(words and words[0] in _ADDING)


def _on_other_days(
    plan: Plan, found: Assembly, parts: Parts, days: frozenset[int], words: Sequence[str]
) -> Plan:
    """Returns the plan with days added, taken out or replaced."""
    if _adds(found, words) and parts.clocks and _is_another_rule(parts, words):
        return plan
    _refuse_half(plan, found, days, words)
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


def _at_other_rate(plan: Plan, parts: Parts, now: Present) -> Plan:
    rate = parts.rate
    assert rate is not None
    if rate.unit in ("week", "even week", "odd week"):
        if any(not rule.days.is_weekly for rule in plan.rules):
            raise Unclear("day")
        if rate.count == 1:
            if any(len(rule.days.plain_weekdays) != 1 for rule in plan.rules):
                raise Unclear("day")
            return replace(plan, every=1, start=None)
        return _every(plan, rate.count, Unit.WEEKS, parts, now)
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


def _every(plan: Plan, count: int, unit: Unit, parts: Parts, now: Present) -> Plan:
    begin = datetime.combine(parts.start_day, time()) if parts.start_day else now.local
    timing = replace(plan, every=1, start=begin).timing()
    zone = ZoneInfo(plan.zone)
    first = next(timing.moments(begin.replace(tzinfo=zone) - timedelta(minutes=1)), None) if timing else None
    if first is None:
        raise Unclear("day")
    start = datetime.combine(first.astimezone(zone).date(), time())
    return replace(plan, every=count, unit=unit, start=start)


def change_moment(found: Assembly, was: datetime | date, now: Present, words: Sequence[str]) -> Moment | None:
    """Returns a due day or moment as the words change it; None when they say nothing about it.

    Raises:
        Unclear: something has to be asked.
    """
    zone = ZoneInfo(now.zone)
    old = was.astimezone(zone).replace(tzinfo=None) if isinstance(was, datetime) else None
    day = old.date() if old else was
    at = old.time() if old else None
    length = next((each for each in found.lengths if each.use in ("earlier", "later", "by", "ahead")), None)
    if length is not None and not found.parts.clocks and not found.days:
        return _moment_moved(length, day, at, words)
    if found.parts.clocks and not found.days and found.parts.end is None and not found.lengths:
        near = at.hour * 60 + at.minute if at else None
        choice = choose_times(found.parts.clocks, found.parts.part.name if found.parts.part else "", near)
        if choice.is_open or len(set(choice.times)) != 1:
            raise Unclear("am_pm" if choice.is_open else "time")
        hour, minute = divmod(choice.times[0], 60)
        return Moment(day, time(hour, minute), choice.assumed)
    moment = make_moment(found, now)
    if moment is not None and moment.at is None and at is not None:
        return replace(moment, at=at)
    return moment


def _moment_moved(length: Length, day: date, at: time | None, words: Sequence[str]) -> Moment:
    sign = direction(length, words)
    if minutes := minutes_of(length):
        if at is None:
            raise Unclear("time")
        moved = datetime.combine(day, at) + timedelta(minutes=sign * minutes)
        return Moment(moved.date(), moved.time())
    days = {"day": 1, "week": 7, "fortnight": 14}.get(length.unit)
    if days is None:
        raise Unclear("day")
    return Moment(day + timedelta(days=sign * round(length.count) * days), at)
