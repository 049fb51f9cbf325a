"""Puts the pieces of words about times together to one day or moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from intent.times.clock_choice import choose_times
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Parts, Unclear, minutes_of
from intent.times.parts.single_days import month_end, next_month_day, single_weekday
from intent.times.words.dates import Present, next_year_day
from intent.times.words.items import (
    Clock,
    Days,
    Holiday,
    MinuteOfHour,
    MonthDays,
    OneDay,
    PlacedDays,
    Sign,
    YearDay,
)
from intent.times.words.reckoned_days import working_days_after

_DAY = timedelta(days=1)
_FULL_DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Moment:
    """A local day, and a time of day unless the whole day is meant."""

    day: date
    at: time | None = None
    assumed: tuple[str, ...] = ()


def make_moment(found: Assembly, now: Present) -> Moment | None:
    """Returns the day or moment; None when the pieces name none.

    Raises:
        Unclear: something has to be asked.
    """
    if moment := _from_now(found, now):
        return moment
    days = [day for day in found.days if not _is_past(day, found)]
    if len(days) > 1 and len({_day_of(day, now, found) for day in days}) > 1:
        days = _later_ones(days, found, now)
    day = _day_of(days[0], now, found) if days else None
    if day is None and found.parts.end is not None:
        if Sign.UNTIL not in found.signs:  # "for the next 3 days"
            raise Unclear("rate")
        day = found.parts.end
    at = _time_of(found, now, day)
    if day is None and at is None:
        return None
    assumed = [
        *found.parts.assumed,
        *([days[0].assumed] if days and isinstance(days[0], OneDay) and days[0].assumed else []),
    ]
    if at is None:
        return None if day is None else Moment(_shifted(day, found), None, tuple(assumed))
    return _placed(found, now, day, at, assumed)


def existing(moment: Moment, zone: str) -> Moment:
    """Returns the moment; one that the clocks skip that day is as much later as they are put forward."""
    if moment.at is None:
        return moment
    there = ZoneInfo(zone)
    local = datetime.combine(moment.day, moment.at, there).astimezone(UTC).astimezone(there)
    if local.time() == moment.at:
        return moment
    return Moment(local.date(), local.time(), (*moment.assumed, "the clocks are put forward at that time"))


def _placed(found: Assembly, now: Present, day: date | None, at: int, assumed: list[str]) -> Moment:
    """Returns the moment in the person's zone; without a day the next such time."""
    zone = ZoneInfo(found.parts.zone or now.zone)
    here = now.local.replace(tzinfo=ZoneInfo(now.zone)).astimezone(zone).replace(tzinfo=None)
    begin = here.date() if day is None else day
    moment = datetime.combine(_shifted(begin, found), time())
    moment += timedelta(minutes=at + found.parts.shift_minutes)
    if (day is None and moment <= here) or (
        found.parts.part and found.parts.part.name == "tonight" and moment <= here and at < 5 * 60
    ):
        moment += _DAY
    local = moment.replace(tzinfo=zone).astimezone(ZoneInfo(now.zone))
    return Moment(local.date(), local.time().replace(second=0, microsecond=0), tuple(assumed))


def _shifted(day: date, found: Assembly) -> date:
    """Returns the day as many days before or after as was said."""
    moved = day + timedelta(days=found.parts.shift_days)
    count = found.parts.shift_working_days
    return working_days_after(count, moved) if count else moved


def _from_now(found: Assembly, now: Present) -> Moment | None:
    """Returns ``in 20 minutes``: elapsed time, whatever the clocks do."""
    length = next((each for each in found.lengths if each.use == "in"), None)
    if length is None or not minutes_of(length):
        return None
    if found.parts.clocks or any(0 <= other.first - length.end <= 3 for other in found.lengths):
        raise Unclear("time")
    start = now.local.replace(tzinfo=ZoneInfo(now.zone)).astimezone(UTC)
    moment = (start + timedelta(minutes=minutes_of(length))).astimezone(ZoneInfo(now.zone))
    return Moment(moment.date(), moment.time().replace(second=0, microsecond=0))


def _is_past(day: object, found: Assembly) -> bool:
    """Whether ``last Friday`` is meant, and no last one of a month."""
    has_month = bool(found.parts.months) or any(
        months for group in found.parts.groups for _, months in group.days
    )
    return isinstance(day, PlacedDays) and day.places == (-1,) and not day.is_each and not has_month


def _later_ones(days: list[Day], found: Assembly, now: Present) -> list[Day]:
    """Two different days: a weekday and its date or week are one; anything else is asked."""
    if len(days) == 2 and (day := _in_next_week(days)):
        return [day]
    if len(days) == 2:
        for plain, other in (days, days[::-1]):
            if isinstance(plain, Days) and not plain.which and _is_its_weekday(plain, other, now, found):
                return [other]
    raise Unclear("day")


def _is_its_weekday(plain: Days, other: Day, now: Present, found: Assembly) -> bool:
    """Whether a weekday only says again which day the other is: ``Friday 3 April``, ``Friday, today``."""
    if isinstance(other, Days):
        return bool(other.which) and other.days == plain.days
    day = _day_of(other, now, found) if isinstance(other, YearDay | MonthDays | OneDay) else None
    return day is not None and len(plain.days) == 1 and (day.weekday() + 1) % 7 in plain.days


def _in_next_week(days: Sequence[Day]) -> OneDay | None:
    """Returns the day of ``Wednesday next week``; None for anything else."""
    week = next((day for day in days if isinstance(day, OneDay) and day.is_week), None)
    weekday = next((day for day in days if isinstance(day, Days) and len(day.days) == 1), None)
    if week is None or weekday is None or weekday.which or weekday.is_each:
        return None
    return replace(week, day=week.day + (min(weekday.days) - 1) % 7 * _DAY, assumed="", is_week=False)


Day = OneDay | YearDay | Days | MonthDays | PlacedDays | Holiday


def _day_of(item: Day, now: Present, found: Assembly) -> date | None:
    match item:
        case OneDay():
            if item.is_vague:
                raise Unclear("day")
            return item.day
        case YearDay():
            day = next_year_day(item, now.today)
            if day is None:
                raise Unclear("day")
            return day
        case Days():
            return _weekday(item, now, found)
        case MonthDays():
            return _month_day(item, now.today)
        case PlacedDays():
            return _placed_day(item, now.today, found)
        case Holiday():
            return holiday(item, now.today)


def _weekday(item: Days, now: Present, found: Assembly) -> date:
    if len(item.days) > 1 and item.days != frozenset({0, 6}):
        raise Unclear("day")
    if item.days == frozenset({0, 6}) and found.signs & {Sign.BY, Sign.BEFORE}:
        return single_weekday(Days(0, 0, frozenset({5}), which=item.which), now.today) or now.today
    day = single_weekday(item, now.today)
    if day is None:
        raise Unclear("day")
    return day


def _month_day(item: MonthDays, today: date) -> date | None:
    if len(item.names) > 1 or item.is_of_quarter or item.is_of_year:
        raise Unclear("day")
    day = next_month_day(item.names[0], today)
    if day is not None and day.month != today.month and day.day > month_end(today.year, today.month).day:
        raise Unclear("day")
    return day


def _placed_day(item: PlacedDays, today: date, found: Assembly) -> date | None:
    if len(item.places) > 1 or len(item.days) > 1 or item.is_of_quarter or item.is_of_year:
        raise Unclear("day")
    months = sorted(
        month
        for day, months in (pair for group in found.parts.groups for pair in group.days)
        for month in months
    )
    months = months or sorted(found.parts.months)
    first = today.replace(day=1)
    for _ in range(24):
        if not months or first.month in months:
            day = nth_weekday(first.year, first.month, min(item.days), item.places[0])
            if day is not None and day >= today:
                return day
        first = (first + 32 * _DAY).replace(day=1)
    return None


def nth_weekday(year: int, month: int, weekday: int, place: int) -> date | None:
    """Returns the n-th such weekday of a month, Sunday is 0; -1 is the last."""
    days = [date(year, month, 1) + number * _DAY for number in range(31)]
    matching = [day for day in days if day.month == month and (day.weekday() + 1) % 7 == weekday]
    return matching[-1] if place < 0 else matching[place - 1] if place <= len(matching) else None


def holiday(item: Holiday, today: date) -> date | None:
    """Returns the next such holiday from today on."""
    for year in (today.year, today.year + 1):
        day = nth_weekday(year, item.month, item.weekday, item.place)
        if day is not None and day + item.plus_days * _DAY >= today:
            return day + item.plus_days * _DAY
    return None


def _time_of(found: Assembly, now: Present, day: date | None) -> int | None:
    parts = found.parts
    clocks = parts.clocks
    if not clocks and parts.closes is not None:
        clocks = [parts.closes]
    if parts.window is not None:
        raise Unclear("time")
    if not clocks:
        if parts.part and parts.part.hour < 0:
            raise Unclear("time")
        if parts.minute is not None:
            return _coming_quarter(parts.minute, now, day)
        return parts.part.hour * 60 if parts.part else None
    if len(clocks) > 1 and len({clock.minutes for clock in clocks}) > 1:
        raise Unclear("time")
    return _minutes_of_clock(clocks[0], parts, now, day)


def _minutes_of_clock(clock: Clock, parts: Parts, now: Present, day: date | None) -> int:
    """Returns the minutes since the midnight before the day, or before today."""
    part = parts.part.name if parts.part else ""
    is_night = part.startswith(_NIGHTS)
    if clock.is_midnight and day is not None and not is_night:
        raise Unclear("day")
    if day in (None, now.today) and clock.is_open and not part and not parts.zone:
        return _today(clock, now, parts.assumed, is_said=day is not None)
    choice = choose_times([clock], part)
    if choice.is_open:
        raise Unclear("am_pm")
    parts.assumed.extend(choice.assumed)
    if is_night and day is not None and choice.times[0] < _END_OF_NIGHT:
        return _after_midnight(choice.times[0], part)
    return choice.times[0]


_NIGHTS = ("night", "tonight")
_END_OF_NIGHT = 5 * 60


def _after_midnight(time_: int, part: str) -> int:
    """Returns a small hour of a night, counted from the midnight before: it is on the day after.

    Raises:
        Unclear: ``Friday night at 1`` may be early that day or the day after.
    """
    if time_ and part != "tonight":
        raise Unclear("day")
    return time_ + (0 if part == "tonight" else _FULL_DAY)


def _coming_quarter(minute: MinuteOfHour, now: Present, day: date | None) -> int:
    """The coming ``half past``; of other minutes, or on a named day, the hour is for the person to say."""
    if day is not None or minute.minute % 15 or minute.others:
        raise Unclear("time")
    later = now.local.hour * 60 + minute.minute
    return later + 60 if later <= now.local.hour * 60 + now.local.minute else later


def _today(clock: Clock, now: Present, assumed: list[str], *, is_said: bool) -> int:
    """The half of the day that is still ahead; the usual one where both are, or none."""
    choice = choose_times([clock], "")
    present = now.local.hour * 60 + now.local.minute
    early = clock.hour % 12 * 60 + clock.minute
    ahead = [time_ for time_ in (early, early + _FULL_DAY // 2) if time_ > present]
    if not choice.is_open and (choice.times[0] in ahead or not ahead):
        if not ahead and is_said:
            raise Unclear("day")
        assumed.extend(choice.assumed)
        return choice.times[0]
    if len(ahead) == 1 and (is_said or present >= 17 * 60 or choice.is_open):
        return ahead[0]
    raise Unclear("am_pm")
