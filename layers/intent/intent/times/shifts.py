"""Schedules that move by a length of time: ``an hour earlier``, ``push it back 15 min``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from conversation.timing import Unit
from intent.times.day_specs import shift_days
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Impossible, Unclear, minutes_of
from intent.times.plan import Plan, Rule, merged, weekly
from intent.times.words.items import Days, Length
from intent.times.words.lexicon import MINUTES_IN

_FULL_DAY = 24 * 60
_LATER = frozenset(
    "later snooze delay delays postpone delayed postponed slip slips slipped slipping extend extends extended"
    " overruns another".split()
)
_BACK = frozenset("push pushed pushes put puts set sets knock knocked".split())
"""Verbs with which ``back`` and ``off`` mean later."""
_EARLIER = frozenset({"earlier", "forward", "sooner", "forwards", "prepone", "preponed", "advance"})


def shifted(plan: Plan, found: Assembly, words: Sequence[str]) -> Plan | None:
    """Returns the plan by a length of time earlier or later: ``an hour earlier``, ``push it back 15 min``."""
    length = next((each for each in found.lengths if each.use in ("earlier", "later", "by", "ahead")), None)
    if length is None or found.parts.clocks:
        return None
    if found.parts.days:
        return _of_some_days(plan, found, length, words)
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


def _of_some_days(plan: Plan, found: Assembly, length: Length, words: Sequence[str]) -> Plan | None:
    """Returns the plan with some of its weekdays shifted: ``an hour later on Saturdays``; None for others.

    Raises:
        Unclear: the schedule has none of the days, or the time would be on another day.
    """
    days = found.parts.days
    if len(days) != 1 or not isinstance(days[0], Days) or days[0].every > 1 or days[0].which:
        return None
    first, last = sorted((days[0], length), key=lambda item: item.first)
    if set(words[first.end : last.first]) - _BETWEEN or not minutes_of(length) or found.parts.rates:
        return None
    if plan.unit is not Unit.WEEKS or any(rule.step or not rule.days.is_weekly for rule in plan.rules):
        raise Unclear("time")
    minutes = direction(length, words) * minutes_of(length)
    rules: list[Rule] = []
    for rule in plan.rules:
        moved = rule.days.plain_weekdays & days[0].days
        times = tuple(each + minutes for each in rule.times)
        if moved and not all(0 <= each < _FULL_DAY for each in times):
            raise Unclear("day")
        if kept := rule.days.plain_weekdays - moved:
            rules.append(replace(rule, days=weekly(kept, rule.days.months)))
        if moved:
            rules.append(Rule(weekly(moved, rule.days.months), times))
    had = frozenset(day for rule in plan.rules for day in rule.days.plain_weekdays)
    if not days[0].days <= had:
        raise Unclear("day")
    return replace(plan, rules=merged(rules))


_BETWEEN = frozenset(
    {"on", "for", "the", "run", "one", "it", "by", "push", "move", "bring", "shift", "bump", "make", "put",
    "back",
     "forward", "up", "please"}
)  # fmt: skip


def direction(length: Length, words: Sequence[str]) -> int:
    """Returns 1 for later and -1 for earlier.

    Raises:
        Unclear: ``bump it up`` may be either.
    """
    said = set(words)
    if length.use in ("earlier", "ahead") or said & _EARLIER:
        return -1
    if length.use == "later" or said & _LATER or (_BACK & said and {"back", "off"} & said):
        return 1
    raise Unclear("direction")
