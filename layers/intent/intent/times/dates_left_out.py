"""Days of the month, of the year, and places in the month that are left out: ``every day but the 1st``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intent.times.parts.schedule_parts import SINGLE_DAYS, DayItem, Impossible, Parts, Unclear
from intent.times.plan import DaySpec, weekly
from intent.times.words.items import MonthDays, PlacedDays, YearDay
from intent.times.words.lexicon import ALL_DAYS


def without_dates(days: DaySpec, parts: Parts) -> list[DaySpec]:
    """Returns days of the week without the days of the month, of the year, or places that are left out.

    Raises:
        Impossible: a day of the month that is left out of some days of the week only.
    """
    left_out = parts.without_dates
    if not left_out:
        return [days]
    if all(isinstance(item, PlacedDays) or _may_be_places(item, days) for item in left_out):
        return _without_places(days, parts)
    if days.plain_weekdays != ALL_DAYS or any(isinstance(item, PlacedDays) for item in left_out):
        raise Impossible(SINGLE_DAYS, near=replace(parts, without_dates=()))
    gone = {month: _numbers_of(left_out, month) for month in days.months}
    by_days: dict[frozenset[int], set[int]] = {}
    for month, numbers in gone.items():
        by_days.setdefault(numbers, set()).add(month)
    return [
        DaySpec(
            tuple(str(day) for day in range(1, 32) if day not in numbers) if numbers else (),
            frozenset(months),
        )
        for numbers, months in sorted(by_days.items(), key=lambda pair: len(pair[0]))
    ]


def _may_be_places(item: DayItem, days: DaySpec) -> bool:
    """Whether numbers are places in the month: ``every Saturday except the second and fourth``."""
    if not isinstance(item, MonthDays) or len(item.names) < 2 or item.is_of_month:
        return False
    return len(days.plain_weekdays) == 1 and all(int(name) <= 5 for name in item.names)


def _numbers_of(left_out: Sequence[DayItem], month: int) -> frozenset[int]:
    """The numbers of the days that are left out in a month."""
    named = (int(name) for item in left_out if isinstance(item, MonthDays) for name in item.names)
    dated = (item.day for item in left_out if isinstance(item, YearDay) and item.month == month)
    return frozenset({*named, *dated})


def _places_of(item: DayItem) -> tuple[int, ...]:
    if isinstance(item, PlacedDays):
        return item.places
    return tuple(map(int, item.names)) if isinstance(item, MonthDays) else ()


def _without_places(days: DaySpec, parts: Parts) -> list[DaySpec]:
    """Returns the weekdays, some of them in the places only that are left.

    Raises:
        Unclear: the weekdays that are left out are none of them, or nothing is left.
    """
    gone: dict[int, set[int]] = {}
    for item in parts.without_dates:
        for day in item.days if isinstance(item, PlacedDays) else days.plain_weekdays:
            gone.setdefault(day, set()).update(_places_of(item))
    if not set(gone) <= days.plain_weekdays or any(len(places) >= 5 for places in gone.values()):
        raise Unclear("day")
    plain = days.plain_weekdays - set(gone)
    placed = tuple(f"{day}#{n}" for day in sorted(gone) for n in range(1, 6) if n not in gone[day])
    rest = [weekly(plain, days.months)] if plain else []
    return [*rest, DaySpec(months=days.months, weekdays=placed)]
