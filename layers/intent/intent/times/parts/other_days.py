"""Days that have another time than those before them: ``every day at 9, Sundays at 11``."""

from __future__ import annotations

from intent.times.parts.schedule_parts import DayItem, Group
from intent.times.parts.walk import Walk
from intent.times.words.items import Clock, Days, Item, Length, Rate
from intent.times.words.lexicon import ALL_DAYS


def end_daily_group(walk: Walk, *, is_overridden: bool) -> None:
    """Begins a group for days that have another time than every day."""
    parts = walk.found.parts
    rate = parts.rates[0]
    parts.groups[-1].days.append((Days(rate.first, rate.end, ALL_DAYS, is_each=True), frozenset()))
    parts.groups.append(Group())
    parts.overrides = is_overridden


def is_of_other_days(walk: Walk, item: Clock) -> bool:
    """Whether a time after ``8am daily`` belongs to the days after it: ``8am daily, 10am on Wednesdays``."""
    parts = walk.found.parts
    last = parts.groups[-1]
    if last.days or not last.clocks or len(parts.rates) != 1 or not isinstance(walk.next(3), Days):
        return False
    return _is_daily(parts.rates[0]) and last.clocks[-1].end <= parts.rates[0].first < item.first


def has_own_time(walk: Walk, item: DayItem) -> bool:
    """Whether weekdays after ``every day at 9`` have a time of their own: ``but on Sundays at 11``."""
    parts = walk.found.parts
    last = parts.groups[-1]
    if not isinstance(item, Days) or last.days or not last.clocks or len(parts.rates) != 1:
        return False
    is_daily = _is_daily(parts.rates[0]) and parts.rates[0].end <= item.first
    following = walk.next(2)
    has_time = isinstance(following, Clock) or (
        isinstance(following, Length) and following.use in ("earlier", "later") and not walk.is_change
    )
    return is_daily and has_time and is_set_off(walk, last.clocks[-1], item)


def is_set_off(walk: Walk, before: Item, item: Item) -> bool:
    """Whether a comma or ``but`` divides a time from days, and no ``and`` or ``also`` joins them."""
    words = set(walk.words(before.end, item.first))
    return bool({",", ";", "but", "(", "-", "."} & words) and not {"and", "also", "plus", "again"} & words


def _is_daily(rate: Rate) -> bool:
    return rate.unit == "day" and rate.count == 1 and rate.times <= 1
