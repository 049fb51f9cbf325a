"""Pieces that people take back: ``Monday, no wait, Tuesday``."""

from __future__ import annotations

from collections.abc import Sequence

from intent.times.words.items import (
    Clock,
    Days,
    Holiday,
    Item,
    Mark,
    MinuteOfHour,
    MonthDays,
    OneDay,
    Part,
    PlacedDays,
    Sign,
    Window,
    YearDay,
)

_DAYS = (Days, PlacedDays, MonthDays, YearDay, Holiday, OneDay)


def repaired(items: Sequence[Item]) -> list[Item]:
    """Returns the pieces without those that are taken back."""
    last = max((place for place, item in enumerate(items) if _is_repair(item)), default=-1)
    if last < 0:
        return list(items)
    later = {_sort(item) for item in items[last + 1 :]}
    kept = [item for item in items[:last] if _sort(item) not in later]
    parts = [
        Part(item.first, item.end, "morning", 9) for item in items[:last] if _is_first_thing(item, later)
    ]
    return [*parts, *kept, *items[last + 1 :]]


def _is_first_thing(item: Item, later: set[str]) -> bool:
    return isinstance(item, Clock) and item.is_named and item.hour == 9 and "clock" in later


def _is_repair(item: Item) -> bool:
    return isinstance(item, Mark) and item.sign is Sign.REPAIR


def _sort(item: Item) -> str:
    if isinstance(item, Clock | Window | MinuteOfHour):
        return "clock"
    return "day" if isinstance(item, _DAYS) else type(item).__name__
