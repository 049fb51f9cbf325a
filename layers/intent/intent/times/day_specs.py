"""The days of a schedule as cron has them, from the days that were said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from intent.times.dates_left_out import without_dates
from intent.times.parts.schedule_parts import SINGLE_DAYS, DayItem, Group, Impossible, Parts, Unclear
from intent.times.plan import ALL_MONTHS, DaySpec, weekly
from intent.times.words.items import (
    Days,
    Holiday,
    MonthDays,
    PlacedDays,
    Rate,
    YearDay,
)
from intent.times.words.lexicon import ALL_DAYS

_FULL_DAY = 24 * 60
QUARTERS = frozenset({1, 4, 7, 10})


QUARTER_ENDS = frozenset({3, 6, 9, 12})


def weekdays_left(days: frozenset[int], parts: Parts) -> frozenset[int]:
    left = days - parts.without_days
    if not left:
        raise Unclear("day")
    return left


def months_kept(parts: Parts, own: frozenset[int] = frozenset()) -> frozenset[int]:
    months = (own or parts.months or ALL_MONTHS) - parts.without_months
    if not months:
        raise Unclear("day")
    return months


def shifted(days: DaySpec, times: tuple[int, ...], parts: Parts) -> tuple[DaySpec, tuple[int, ...]]:
    """Returns days and times moved by what was said: ``an hour before``, ``the day before``."""
    moved = [time_ + parts.shift_minutes for time_ in times]
    if _ends_the_night(parts, times):
        moved = [time_ + _FULL_DAY if time_ < 5 * 60 else time_ for time_ in moved]
    carried = {time_ // _FULL_DAY for time_ in moved}
    if len(carried) > 1:
        raise Impossible("the times would fall on two days")
    return shift_days(days, carried.pop() + parts.shift_days), tuple(
        sorted({time_ % _FULL_DAY for time_ in moved})
    )


def _ends_the_night(parts: Parts, times: tuple[int, ...]) -> bool:
    """``Friday night at midnight`` is the end of Friday."""
    is_night = parts.part is not None and parts.part.name.startswith("night")
    named = [day for day in parts.days if isinstance(day, Days) and day.days != ALL_DAYS]
    if is_night and named and any(time_ < 5 * 60 for time_ in times):
        if times != (0,):
            raise Unclear("day")
        return True
    return False


def shift_days(days: DaySpec, by: int) -> DaySpec:
    """Returns the days so many days later.

    Raises:
        Impossible: days of the month that would leave it.
    """
    if by == 0 or days == DaySpec():
        return days
    if days.is_weekly:
        return (
            weekly((day + by) % 7 for day in days.plain_weekdays) if days.months == ALL_MONTHS else _refuse()
        )
    if not days.weekdays and days.months == ALL_MONTHS and (days.month_days, by) in _MONTH_ENDS:
        return replace(days, month_days=_MONTH_ENDS[days.month_days, by])
    if days.weekdays or not all(name.isdigit() for name in days.month_days):
        return _refuse()
    if len(days.months) == 1 and len(days.month_days) == 1:
        moved = date(2027, next(iter(days.months)), int(days.month_days[0])) + timedelta(days=by)
        return DaySpec((str(moved.day),), frozenset({moved.month}))
    numbers = [int(name) + by for name in days.month_days]
    return (
        replace(days, month_days=tuple(map(str, numbers)))
        if all(1 <= n <= 28 for n in numbers)
        else _refuse()
    )


_MONTH_ENDS: dict[tuple[tuple[str, ...], int], tuple[str, ...]] = {(("L",), 1): ("1",), (("1",), -1): ("L",)}


def _refuse() -> DaySpec:
    raise Impossible("days of the month can't be moved into another month")


def day_specs(parts: Parts, group: Group) -> list[DaySpec]:
    """Returns the days of a group; several where they are not all of one kind.

    Raises:
        Unclear: no days were said, or too few.
        Impossible: days of the month together with days of the week.
    """
    weekdays = frozenset(day for item, _ in group.days if isinstance(item, Days) for day in item.days)
    placed = [(item, months) for item, months in group.days if not isinstance(item, Days)]
    if placed and weekdays:
        raise Impossible(_MIXED)
    if placed:
        _check_placed(placed, parts)
        return [_placed(item, _months_of(parts, item, months)) for item, months in placed]
    if not weekdays and (begun := _of_start(parts)) is not None:
        return [begun]
    own = frozenset().union(*(months for _, months in group.days)) if group.days else frozenset()
    weekdays = _weekdays_at_rate(weekdays, parts)
    return without_dates(weekly(weekdays_left(weekdays, parts), months_kept(parts, own)), parts)


def _weekdays_at_rate(weekdays: frozenset[int], parts: Parts) -> frozenset[int]:
    """Returns the weekdays that were said, or those that a rate means.

    Raises:
        Unclear: weekdays of a month or year, or another number of them than the rate names.
    """
    rate = parts.rate
    if weekdays and rate is not None and rate.unit in ("month", "quarter", "year") and not rate.is_adjective:
        raise Unclear("day")
    if parts.adds_days and rate is not None and rate.unit == "day":
        weekdays = ALL_DAYS
    if not weekdays:
        weekdays = _default_days(parts)
    if rate is not None and rate.unit == "week" and rate.times > 1 and len(weekdays) != rate.times:
        raise Unclear("day")
    return weekdays


_MIXED = "a schedule has days of the month or days of the week, not both"


def _check_placed(placed: Sequence[tuple[DayItem, frozenset[int]]], parts: Parts) -> None:
    """Sees to it that days of the month or year can be had as they were said.

    Raises:
        Unclear: they come every year or once, or some months have none.
        Impossible: other days are left out of them.
    """
    rate = parts.rate
    if any(isinstance(item, YearDay) and not _is_yearly(parts) for item, _ in placed):
        raise Unclear("rate", guess=_yearly(parts))
    if rate is not None and rate.unit == "day":
        raise Unclear("rest")
    if any(_meets(item, parts.without_days) for item, _ in placed):
        raise Impossible(_MIXED)
    if parts.without_dates:
        raise Impossible(SINGLE_DAYS, near=replace(parts, without_dates=()))
    _check_count(placed, parts)
    for item, months in placed:
        _check_short_months(item, _months_of(parts, item, months), parts)


def _meets(item: DayItem, left_out: frozenset[int]) -> bool:
    """Whether days of the month may be one of the weekdays that are left out: ``the 1st except weekends``."""
    return bool(item.days & left_out) if isinstance(item, PlacedDays) else bool(left_out)


def _check_count(placed: Sequence[tuple[DayItem, frozenset[int]]], parts: Parts) -> None:
    """Asks where ``4 times a year`` names fewer days, or more."""
    rate = parts.rate
    if placed and rate is not None and rate.unit in ("month", "year") and 1 < rate.times != _named(placed):
        raise Unclear("day")


def _named(placed: Sequence[tuple[DayItem, frozenset[int]]]) -> int:
    """How many days were named: ``4 times a year, on 1 January`` names too few."""
    counts = (
        (len(item.names) if isinstance(item, MonthDays) else 1) * max(1, len(months))
        for item, months in placed
    )
    places = (len(item.places) - 1 for item, _ in placed if isinstance(item, PlacedDays))
    return sum(counts) + sum(places)


_DAYS_IN = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}


def _check_short_months(item: DayItem, months: frozenset[int], parts: Parts) -> None:
    """Asks about ``the 31st of every month``: some months have none, and are not to be left out silently."""
    if not isinstance(item, MonthDays) or len(item.names) > 1 or not item.names[0].isdigit():
        return
    says_month = item.is_of_month or any(rate.unit == "month" and rate.count == 1 for rate in parts.rates)
    if says_month and any(int(item.names[0]) > _DAYS_IN.get(month, 31) for month in months):
        raise Unclear("day", guess=(_on_day(parts, item, "L"), _on_day(parts, item, item.names[0])))


def _on_day(parts: Parts, item: MonthDays, name: str) -> Parts:
    chosen = MonthDays(item.first, item.end, (name,), is_each=True)
    groups = [
        replace(group, days=[(chosen if day is item else day, months) for day, months in group.days])
        for group in parts.groups
    ]
    rates = [rate for rate in parts.rates if rate.unit != "month"]
    return replace(parts, groups=groups, rates=rates)


def _is_yearly(parts: Parts) -> bool:
    """Whether a day of the year was said to come again: ``14 May`` alone may be meant once."""
    dates = [day for day in parts.days if isinstance(day, YearDay)]
    is_each = any(day.is_each for day in dates)  # "each 1 May and 1 June"
    return is_each or _is_one_day_of_months(dates) or any(r.unit in ("year", "quarter") for r in parts.rates)


def _is_one_day_of_months(dates: Sequence[YearDay]) -> bool:
    """Whether several dates are the same day of their months: ``1 January, 1 April and 1 July``."""
    months = {each.month for each in dates}
    is_plain = len(months) == len(dates) > 1 and all(each.year is None for each in dates)
    return is_plain and len({each.day for each in dates}) == 1


def _yearly(parts: Parts) -> Parts:
    return replace(parts, rates=[*parts.rates, Rate(0, 0, "year")])


def _default_days(parts: Parts) -> frozenset[int]:
    """The days where none were named: all of them, if that was said."""
    rate = parts.rate
    is_plural_part = parts.part is not None and parts.part.is_plural
    if parts.without_days or is_plural_part or (rate is not None and rate.unit == "day"):
        return ALL_DAYS
    if rate is None:
        raise Unclear("day")
    raise Unclear("day", guess=_with_first_day(parts, rate))


def _with_first_day(parts: Parts, rate: Rate) -> Parts:
    """Returns what ``weekly`` and ``monthly`` most likely mean: the first day of the period."""
    day: DayItem
    if rate.unit in ("week", "even week", "odd week"):
        day = Days(0, 0, frozenset({1}), is_each=True)
    elif rate.unit == "year":
        day = YearDay(0, 0, 1, 1)
    else:
        day = MonthDays(0, 0, ("1",), is_each=True)
    groups = [replace(group) for group in parts.groups]
    groups[0] = replace(groups[0], days=[(day, frozenset())])
    return replace(parts, groups=groups)


def _months_of(parts: Parts, item: DayItem, own: frozenset[int]) -> frozenset[int]:
    rate = parts.rate
    is_quarterly = rate is not None and rate.unit == "quarter"
    if isinstance(item, MonthDays | PlacedDays):
        is_quarterly = is_quarterly or item.is_of_quarter
        if item.is_of_year:
            return _month_of_year(item, own or parts.months)
    if is_quarterly and not own and not parts.months:
        ends = isinstance(item, MonthDays) and any(name.startswith("L") for name in item.names)
        ends = ends or (isinstance(item, PlacedDays) and -1 in item.places)
        return (QUARTER_ENDS if ends else QUARTERS) - parts.without_months
    if rate is not None and rate.unit == "month" and rate.count > 1:
        return ALL_MONTHS
    return months_kept(parts, own)


def _of_start(parts: Parts) -> DaySpec | None:
    """Returns the day on which it begins where no other is named: ``every two weeks from 14 April``.

    Raises:
        Unclear: some months have no such day.
    """
    rate, start = parts.rate, parts.start_day
    if rate is None or start is None or not parts.starts_on_day or rate.times > 1:
        return None
    if parts.without_days or parts.without_dates or parts.months or parts.without_months:
        return None
    if rate.unit == "week":
        return weekly({(start.weekday() + 1) % 7})
    if rate.unit not in ("month", "quarter", "year") or (rate.count > 1 and rate.unit != "month"):
        return None
    if start.day > 28 and (rate.unit != "year" or start.month == 2):
        raise Unclear("day")
    step = {"month": 1, "quarter": 3, "year": 12}[rate.unit]
    return DaySpec(
        (str(start.day),), frozenset((start.month - 1 + each) % 12 + 1 for each in range(0, 12, step))
    )


def _month_of_year(item: MonthDays | PlacedDays, own: frozenset[int]) -> frozenset[int]:
    """``the first Monday of the year`` is in January, the last one in December.

    Raises:
        Unclear: a month was named, too, or it is neither among the first four nor the last.
    """
    places = (
        item.places if isinstance(item, PlacedDays) else tuple(_PLACE_OF_DAY.get(n, 0) for n in item.names)
    )
    if own or len(places) > 1 or places[0] not in (-1, 1, 2, 3, 4):
        raise Unclear("day")
    return frozenset({12 if places[0] < 0 else 1})


_PLACE_OF_DAY = {"1W": 1, "LW": -1, "L": -1, "1": 1}


def _placed(item: DayItem, months: frozenset[int]) -> DaySpec:
    match item:
        case PlacedDays():
            names = tuple(
                f"{day}L" if place < 0 else f"{day}#{place}"
                for place in item.places
                for day in sorted(item.days)
            )
            return DaySpec(months=months, weekdays=names)
        case MonthDays():
            return DaySpec(item.names, months)
        case YearDay():
            if (item.day, item.month) == (29, 2):
                raise Unclear("day")
            return DaySpec((str(item.day),), frozenset({item.month}))
        case Holiday():
            return _holiday(item)
        case Days():
            return weekly(item.days, months)


def _holiday(item: Holiday) -> DaySpec:
    if item.plus_days:
        raise Impossible("that day depends on another day")
    name = f"{item.weekday}L" if item.place < 0 else f"{item.weekday}#{item.place}"
    return DaySpec(months=frozenset({item.month}), weekdays=(name,))
