"""Changes of one among several times of day that name no new one: ``drop the afternoon run``, ``half an hour
later for the second one``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from intent.times.partial_changes import times_in_part
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Unclear, minutes_of
from intent.times.plan import Plan, merged
from intent.times.several_times import named_times, with_times_for
from intent.times.shifts import direction
from intent.times.words.lexicon import PARTS

_FULL_DAY = 24 * 60
_SHIFTING = ("earlier", "later", "by", "ahead")
_DROPPING = frozenset("drop skip remove cancel without no scrap lose stop delete not neednt omit cut".split())
_KEEPING = frozenset("only just enough plenty sufficient suffices".split())
_NEEDLESS = frozenset({("dont", "need"), ("doesnt", "need"), ("dont", "want"), ("not", "needed")})


def change_named_run(plan: Plan, found: Assembly, words: Sequence[str]) -> Plan | None:
    """Returns the plan with the run that words name dropped, kept alone or moved; None where they name none.

    Raises:
        Unclear: the run would be on another day.
    """
    times = frozenset(each for rule in plan.rules for each in rule.times)
    is_plain = len(times) > 1 and not any(rule.step for rule in plan.rules)
    if not is_plain or found.parts.clocks or found.parts.days or found.parts.rates:
        return None
    named = named_times(times, plan, words) or _in_parts(plan, words)
    if not named or named == times:
        return None
    length = next((each for each in found.lengths if each.use in _SHIFTING), None)
    if length is not None:
        minutes = direction(length, words) * minutes_of(length)
        moved = [each + minutes for each in named]
        if not minutes or not all(0 <= each < _FULL_DAY for each in moved):
            raise Unclear("day")
        return with_times_for(plan, named, moved)
    said = set(words)
    if said & _DROPPING or _NEEDLESS & set(pairwise(words)):
        return _at(plan, times - named)
    return _at(plan, named) if said & _KEEPING or ("will", "do") in pairwise(words) else None


def _in_parts(plan: Plan, words: Sequence[str]) -> frozenset[int]:
    """Returns the times in the only part of the day that words name: ``in the morning``."""
    parts = {word.removesuffix("s") for word in words if word.removesuffix("s") in PARTS}
    return times_in_part(plan, parts.pop()) if len(parts) == 1 else frozenset()


def _at(plan: Plan, times: frozenset[int]) -> Plan:
    rules = [replace(rule, times=tuple(sorted(times & frozenset(rule.times)))) for rule in plan.rules]
    return replace(plan, rules=merged([rule for rule in rules if rule.times]))
