"""Changes of one among several times of day: ``move the 9 o'clock one to 8``, ``not at 9 but at 10``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intent.times.partial_changes import times_in_part
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Unclear
from intent.times.plan import Plan, merged
from intent.times.words.items import Sign
from intent.times.words.lexicon import NUMBERS, PARTS

_FULL_DAY = 24 * 60
_RUNS = frozenset({"one", "run", "time", "report", "mail", "message", "post"})
_WHOLE = frozenset({"everything", "all", "both", "once"})


def dropped_times(plan: Plan, found: Assembly) -> frozenset[int]:
    """Returns the times, in either half of the day where it was left open, that words take away."""
    gone = {
        minutes
        for clock in found.dropped_clocks
        for minutes in (
            {clock.minutes, (clock.minutes + 720) % _FULL_DAY} if clock.is_open else {clock.minutes}
        )
    }
    gone |= {each for part in found.dropped_parts for each in times_in_part(plan, part.name)}
    return frozenset(gone)


def meant_times(plan: Plan, found: Assembly, words: Sequence[str]) -> frozenset[int]:
    """Returns the one among several times that words exchange; empty where they are about all.

    Raises:
        Unclear: it can't be told which of them is meant.
    """
    times = frozenset(each for rule in plan.rules for each in rule.times)
    is_about_all = Sign.ONLY in found.signs or len(found.parts.clocks) > 1 or _WHOLE & set(words)
    if len(times) < 2 or any(rule.step for rule in plan.rules) or is_about_all or found.parts.days:
        return frozenset()
    meant = dropped_times(plan, found) & times or named_times(times, plan, words)
    if len(meant) != 1:
        raise Unclear("time")
    return meant


def named_times(times: frozenset[int], plan: Plan, words: Sequence[str]) -> frozenset[int]:
    """Returns the times in ``the 9 one``, ``the afternoon run``, ``the second one``."""
    found: set[int] = set()
    for place, word in enumerate(words[1:], 1):
        before = words[place - 1]
        if word not in _RUNS and before not in PARTS:
            continue
        if word in _RUNS and before in ("first", "earlier"):
            found.add(min(times))
        elif word in _RUNS and before in ("second", "later", "last"):
            found.add(max(times))
        elif word in _RUNS and before in PARTS:
            found |= times_in_part(plan, before)
        elif word in _RUNS and (before.isdigit() or before in NUMBERS or before in ("am", "pm", "oclock")):
            found |= _at_hour(times, words[max(0, place - 2) : place])
    return frozenset(found)


def _at_hour(times: frozenset[int], said: Sequence[str]) -> set[int]:
    """The times at the hour in ``9``, ``nine``, ``9 am``, ``9 o'clock``."""
    number = next((NUMBERS.get(word) or int(word) for word in said if word in NUMBERS or word.isdigit()), 0)
    halves = {"am": (0,), "pm": (12,)}.get(said[-1], (0, 12) if number <= 12 else (0,))
    hours = {number % 12 + half if number <= 12 else number for half in halves}
    return {each for each in times if each // 60 in hours}


def with_times_for(plan: Plan, old: frozenset[int], new: Sequence[int]) -> Plan:
    """Returns the plan with other times in place of some that it has."""
    rules = [
        replace(rule, times=tuple(sorted({*rule.times, *new} - (old - frozenset(new)))))
        if old & frozenset(rule.times)
        else rule
        for rule in plan.rules
    ]
    return replace(plan, rules=merged(rules))
