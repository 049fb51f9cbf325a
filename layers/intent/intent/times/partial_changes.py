"""Changes of a part of a schedule: one of its days for another, the other half of the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from conversation.timing import Unit
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Parts, Unclear
from intent.times.plan import Plan, Rule, merged, weekly
from intent.times.words.dates import Present
from intent.times.words.items import Days, MonthDays, Sign
from intent.times.words.lexicon import WEEKDAYS
from intent.times.words.parts_of_day import hour_in_part

_HALF_DAY = 12 * 60
_EXCHANGES = frozenset(
    {"swap", "swapped", "replace", "change", "exchange", "trade", "switch", "move", "shift", "instead"}
)
_INTO = frozenset({"for", "to", "with", "into", "by", ">"})


def exchange_days(plan: Plan, found: Assembly, words: Sequence[str]) -> Plan | None:
    """Returns the plan with ``swap the Thursday for a Friday``; None where the words say no such thing.

    Raises:
        Unclear: the day that is to go is none of the schedule's, or a time was named, too.
    """
    days = [item for item in found.parts.days if isinstance(item, Days)]
    if len(days) == 1 and (moved := _moved_day(plan, days[0], words)) is not None and not found.parts.clocks:
        return _with_days_for(plan, *moved)
    if len(days) != 2 or len(found.parts.days) != 2 or not _EXCHANGES & set(words):
        return None
    old, new = days
    if not _INTO & set(words[old.end : new.first]):
        return None
    if found.parts.clocks:
        raise Unclear("rest")
    return _with_days_for(plan, old, new)


def _moved_day(plan: Plan, item: Days, words: Sequence[str]) -> tuple[Days, Days] | None:
    """Returns the two days of ``move Monday to Tuesday``, which looks like a range; None without."""
    said = words[item.first : item.end]
    before = [word for word in words[max(0, item.first - 3) : item.first] if word not in _AROUND_DAY]
    ends = [WEEKDAYS[word] for word in said if word in WEEKDAYS]
    if len(ends) != 2 or "to" not in said or not before or before[-1] not in _EXCHANGES:
        return None
    old, new = (replace(item, days=frozenset({day})) for day in ends)
    return (old, new) if any(_has_days(rule, old) for rule in plan.rules) else None


_AROUND_DAY = frozenset({"the", "it", "from", "my", "that", "on"})


def _with_days_for(plan: Plan, old: Days, new: Days) -> Plan:
    """Returns the plan with other weekdays in place of some that it has.

    Raises:
        Unclear: they are none of the schedule's.
    """
    rules = [
        replace(rule, days=weekly((rule.days.plain_weekdays - old.days) | new.days, rule.days.months))
        if _has_days(rule, old)
        else rule
        for rule in plan.rules
    ]
    if rules == list(plan.rules):
        raise Unclear("day")
    return replace(plan, rules=merged(rules))


def _has_days(rule: Rule, days: Days) -> bool:
    return rule.days.is_weekly and days.days <= rule.days.plain_weekdays


def swap_half(plan: Plan, words: Sequence[str]) -> Plan | None:
    """Returns the plan in the other half of the day: ``make it pm not am``; None where nothing says so."""
    wanted = next(
        (
            word
            for place, word in enumerate(words)
            if word in ("am", "pm") and (not place or words[place - 1] not in ("not", "of", "than"))
        ),
        None,
    )
    times = [each for rule in plan.rules for each in rule.times]
    if wanted is None or any(word.isdigit() for word in words):
        return None
    if any((each >= _HALF_DAY) == (wanted == "pm") for each in times) or any(
        rule.step for rule in plan.rules
    ):
        raise Unclear("time")
    by = _HALF_DAY if wanted == "pm" else -_HALF_DAY
    return replace(
        plan, rules=tuple(replace(rule, times=tuple(each + by for each in rule.times)) for rule in plan.rules)
    )


_PARTS_OF_DAY = {"m": (0, 12), "a": (12, 18), "e": (17, 24), "n": (18, 24), "t": (17, 24)}


def times_in_part(plan: Plan, part: str) -> frozenset[int]:
    """Returns the times of a schedule that are in the morning, afternoon, evening or night."""
    first, last = _PARTS_OF_DAY[part[0]]
    return frozenset(each for rule in plan.rules for each in rule.times if first * 60 <= each < last * 60)


_SAME_NUMBERS = ("number", "hour", "time", "digits", "figure", "oclock", "clock")


def same_number(plan: Plan, part: str, words: Sequence[str]) -> int | None:
    """Returns 9 PM for ``at night, same hour`` where it was 9 AM; None where no such thing is said."""
    times = {each for rule in plan.rules for each in rule.times}
    keeps = any(one == "same" and two in _SAME_NUMBERS for one, two in pairwise(words))
    if not part or not keeps or len(times) != 1:
        return None
    hour, minute = divmod(times.pop(), 60)
    return hour_in_part(hour % 12 or 12, part) * 60 + minute


def check_whole(plan: Plan, found: Assembly) -> None:
    """Sees to it that no part of what was said is lost.

    Raises:
        Unclear: the words change a part of the schedule in a way that may mean the whole.
    """
    parts = found.parts
    uses = {length.use for length in found.lengths}
    if uses & {"earlier", "later", "ahead"} and (parts.clocks or parts.days):
        raise Unclear("rest")
    if "by" in uses and parts.days and not parts.clocks:
        raise Unclear("rest")
    old = {name for rule in plan.rules for name in rule.days.month_days}
    named = [set(day.names) for day in parts.days if isinstance(day, MonthDays)]
    if len(named) > 1 and any(names <= old for names in named):
        raise Unclear("rest")


_COPULAS = frozenset(
    {"is", "are", "was", "were", "gets", "looks", "seems", "clashes", "clash", "has", "have"}
)
_PRAISING = frozenset(
    {"fine", "ok", "okay", "good", "better", "best", "great", "perfect", "free", "possible", "right",
     "enough", "same"}
)  # fmt: skip


def without_told_days(plan: Plan, found: Assembly, words: Sequence[str]) -> Parts:
    """Returns the parts without an old day that is complained of: ``to Thursday, Monday is full``.

    Raises:
        Unclear: what is told is none of the schedule's days, or one of several.
    """
    parts = found.parts
    items = [item for item in parts.days if isinstance(item, Days | MonthDays)]
    told = [item for item in items if _is_told(item, words)]
    if not told or len(items) < 2 or len(told) == len(items) or Sign.ALSO in found.signs:
        return parts
    had = {name for rule in plan.rules for name in (*rule.days.month_days, *rule.days.weekdays)}
    names = {name for item in told for name in _names(item)}
    if names != had or any(set(_names(item)) & had for item in items if item not in told):
        raise Unclear("rest")
    groups = [
        replace(group, days=[(day, months) for day, months in group.days if day not in told])
        for group in parts.groups
    ]
    return replace(parts, groups=groups)


def _is_told(item: Days | MonthDays, words: Sequence[str]) -> bool:
    """Whether something is said of days: ``Monday is full``; praise and ``is the new day`` don't count."""
    after = words[item.end : item.end + 4]
    is_telling = bool(after) and after[0] in _COPULAS and not _PRAISING & set(after[1:3])
    return is_telling and not (
        after[0] in ("is", "are") and after[1:2] and after[1] in ("the", "what", "when")
    )


def _names(item: Days | MonthDays) -> tuple[str, ...]:
    return item.names if isinstance(item, MonthDays) else tuple(map(str, sorted(item.days)))


def check_until_start(plan: Plan, changed: Plan, found: Assembly, now: Present) -> None:
    """Sees to it that ``at 10 from May`` does not take away the times until then.

    Raises:
        Unclear: the old schedule would come once more before the new one begins.
    """
    start = found.parts.start_day
    if start is None or start <= now.today or changed.rules == plan.rules:
        return
    first = plan.first_day(now.local)
    if first is not None and first < start and changed.start is not None:
        raise Unclear("rest")


def replace_days(plan: Plan, found: Assembly, words: Sequence[str]) -> Plan | None:
    """Returns the plan with ``Tuesday instead of Monday``, its other days kept; None for anything else.

    Raises:
        Unclear: the day that is to go is none of the schedule's.
    """
    old = [item for item in found.replaced_days if isinstance(item, Days)]
    new = [item for item in found.parts.days if isinstance(item, Days)]
    is_named = "instead" in words or "rather" in words
    if len(old) != 1 or len(new) != 1 or len(found.parts.days) != 1 or not is_named or found.parts.clocks:
        return None
    return _with_days_for(plan, old[0], new[0])


def with_added_days(plan: Plan, parts: Parts) -> Plan:
    """``and the 15th`` for a schedule of days of the month, at the same times."""
    names = tuple(name for day in parts.days if isinstance(day, MonthDays) for name in day.names)
    is_plain = len(plan.rules) == 1 and plan.rules[0].days.month_days and not plan.rules[0].days.weekdays
    if not names or len(parts.days) > 1 or not is_plain or parts.clocks or parts.part or parts.months:
        raise Unclear("day")
    days = plan.rules[0].days
    added = replace(days, month_days=tuple(dict.fromkeys((*days.month_days, *names))))
    return replace(plan, rules=(replace(plan.rules[0], days=added),))


def with_denied_days(plan: Plan, found: Assembly) -> Parts:
    """Returns the parts; ``not Mondays``, alone or beside an interval, leaves out days that it has."""
    parts = found.parts
    denied = [item for item in found.replaced_days if isinstance(item, Days)]
    is_interval = all(rate.unit in ("minute", "hour") for rate in parts.rates)
    if parts.days or parts.clocks or not is_interval or not denied or len(denied) < len(found.replaced_days):
        return parts
    if any(day.which for day in denied):
        raise Unclear("rest")
    days = frozenset(day for item in denied for day in item.days)
    had = frozenset(day for rule in plan.rules for day in rule.days.plain_weekdays)
    return replace(parts, without_days=parts.without_days | days) if days < had else parts


def refuse_half(plan: Plan, found: Assembly, days: frozenset[int], words: Sequence[str]) -> None:
    """Sees to it that ``at 10 on Fridays`` does not change a schedule of weekdays.

    Raises:
        Unclear: the words may mean these days only.
    """
    is_part = any(days < rule.days.plain_weekdays for rule in plan.rules) and bool(days)
    named = next((item for item in found.parts.days if isinstance(item, Days)), None)
    is_whole = named is not None and words[named.first - 1 : named.first] in (["to"], ["it"], ["for"])
    if is_part and found.parts.clocks and Sign.ONLY not in found.signs and not is_whole:
        raise Unclear("rest")


def each_week(plan: Plan, found: Assembly, words: Sequence[str]) -> Plan:
    """Returns the plan for each week: ``every Friday`` ends every other one, ``on Fridays`` keeps it."""
    says_every = bool(found.parts.days) and bool({"every", "each"} & set(words))
    is_seldom = plan.every > 1 and plan.unit is Unit.WEEKS
    return replace(plan, every=1, start=None) if says_every and is_seldom else plan
