"""Changes of single days of a schedule: ``Fridays at 3, the other days stay``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from conversation.timing import Unit
from intent.times.clock_choice import choose_times
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Group, Parts, Unclear
from intent.times.plan import Plan, Rule, merged, weekly
from intent.times.schedules import make_schedule
from intent.times.words.dates import Present
from intent.times.words.items import Days, Sign

_STAYING = frozenset({"stays", "stay", "remains", "remain", "unchanged", "same"})
_AS_BEFORE = (["as", "before"], ["as", "is"], ["as", "usual"], ["as", "now"], ["the", "same"], ["is", "fine"])
_KEEPING = frozenset({"keep", "leave", "keeping", "leaving"})


def change_groups(
    plan: Plan, found: Assembly, now: Present, words: Sequence[str], assumed: list[str]
) -> Plan | None:
    """Returns the plan with other times on the days that were named with a time of their own.

    None where no days were, or only one group of days and nothing said of the others.

    Raises:
        Unclear: some of the days are none of the schedule's, or it can't be told what the others become.
    """
    kept = frozenset(day for item in _days(found) if _stays(item, words) for day in item.days)
    groups = [group for group in found.parts.groups if not _is_kept(group, words)]
    stays = Sign.REST_STAYS in found.signs or bool(kept)
    if not _are_days_with_times(groups) or not (stays or len(groups) > 1):
        return None
    if Sign.ALSO in found.signs or found.parts.rates or plan.unit is not Unit.WEEKS:
        raise Unclear("rest")
    groups = [_near_old_time(group, plan) for group in groups]
    made = make_schedule(_only(found.parts, groups), zone=plan.zone, now=now.local)
    assumed.extend(made.assumed)
    had = frozenset(day for rule in plan.rules for day in rule.days.plain_weekdays)
    named = frozenset(day for rule in made.plan.rules for day in rule.days.plain_weekdays)
    if not all(rule.days.is_weekly for rule in plan.rules) or kept & named or not kept <= had:
        raise Unclear("rest")
    if not stays and had <= named:
        return replace(plan, rules=made.plan.rules)
    if not stays or not named < had or any(rule.step for rule in plan.rules):
        raise Unclear("rest")
    return replace(plan, rules=merged([*_without(plan.rules, named), *made.plan.rules]))


def _days(found: Assembly) -> list[Days]:
    return [item for item in found.parts.days if isinstance(item, Days)]


def _stays(item: Days, words: Sequence[str]) -> bool:
    """Whether days are said to stay as they are: ``Monday stays``, ``keep Monday``."""
    before, after = words[max(item.first - 2, 0) : item.first], words[item.end : item.end + 1]
    is_as_before = list(words[item.end : item.end + 2]) in _AS_BEFORE
    return is_as_before or bool(_STAYING & set(after)) or bool(_KEEPING & set(before))


def _is_kept(group: Group, words: Sequence[str]) -> bool:
    days = [item for item, _ in group.days]
    return (
        bool(days) and not group.clocks and all(isinstance(day, Days) and _stays(day, words) for day in days)
    )


def _are_days_with_times(groups: Sequence[Group]) -> bool:
    """Whether every group is weekdays with times of day."""
    return bool(groups) and all(
        group.clocks and group.days and all(isinstance(day, Days) and day.every == 1 for day, _ in group.days)
        for group in groups
    )


def _near_old_time(group: Group, plan: Plan) -> Group:
    """Returns the group with its bare hour in the half of the day of the schedule's only time."""
    old = {each for rule in plan.rules for each in rule.times}
    if len(old) != 1 or len(group.clocks) != 1 or not group.clocks[0].is_open:
        return group
    [clock] = group.clocks
    choice = choose_times([clock], "", min(old))
    if choice.is_open:
        return group
    hour, minute = divmod(choice.times[0], 60)
    return replace(group, clocks=[replace(clock, hour=hour, minute=minute, is_open=False)])


def _only(parts: Parts, groups: list[Group]) -> Parts:
    return replace(parts, groups=groups)


def _without(rules: Sequence[Rule], days: frozenset[int]) -> list[Rule]:
    """Returns the rules without some days; those that have no others are left out."""
    return [
        replace(rule, days=weekly(left, rule.days.months))
        for rule in rules
        if (left := rule.days.plain_weekdays - days)
    ]
