"""Schedules that move by a length of time: ``an hour earlier``, ``push it back 15 min``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from conversation.timing import Unit
from intent.times.day_specs import shift_days
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Impossible, Unclear, minutes_of
from intent.times.plan import Plan, Rule
from intent.times.words.items import Length
from intent.times.words.lexicon import MINUTES_IN

_FULL_DAY = 24 * 60
_LATER = frozenset({"later", "snooze", "delay", "postpone", "delayed", "postponed"})
_EARLIER = frozenset({"earlier", "forward", "sooner", "forwards", "prepone", "preponed", "advance"})


def shifted(plan: Plan, found: Assembly, words: Sequence[str]) -> Plan | None:
    """Returns the plan by a length of time earlier or later: ``an hour earlier``, ``push it back 15 min``."""
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
