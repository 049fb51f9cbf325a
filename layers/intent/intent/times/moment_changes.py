"""Changes a known day or moment by what words say; what they leave open stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from intent.times.clock_choice import choose_times
from intent.times.moments import Moment, make_moment
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Unclear, minutes_of
from intent.times.shifts import direction
from intent.times.wording import clock_words
from intent.times.words.dates import Present
from intent.times.words.items import Days, Length, OneDay, Sign
from intent.times.words.reckoned_days import working_days_after


def change_moment(found: Assembly, was: datetime | date, now: Present, words: Sequence[str]) -> Moment | None:
    """Returns a due day or moment as the words change it; None when they say nothing about it.

    Raises:
        Unclear: something has to be asked.
    """
    if found.unclear:
        raise Unclear(*found.unclear)
    zone = ZoneInfo(now.zone)
    old = was.astimezone(zone).replace(tzinfo=None) if isinstance(was, datetime) else None
    day = old.date() if old else was
    at = old.time() if old else None
    length = next((each for each in found.lengths if each.use in ("earlier", "later", "by", "ahead")), None)
    if length is not None and length.use != "by" and found.parts.clocks:
        raise Unclear("rest")
    if length is not None and not found.parts.clocks and not found.days:
        return _moment_moved(length, day, at, words)
    if not found.days and not found.lengths and (kept := _on_its_day(found, day, at, words)):
        return kept
    if (same_week := _in_its_week(found, day, words)) is not None:
        found = replace(found, days=[same_week])
    if Sign.DAY_BEFORE in found.signs and not found.days:
        return Moment(day - timedelta(days=1), at)
    moment = make_moment(found, now)
    if moment is not None and moment.at is None and at is not None:
        return replace(moment, at=at)
    return moment


def _on_its_day(found: Assembly, day: date, at: time | None, words: Sequence[str]) -> Moment | None:
    """Returns the moment on the day that it has, at another time; None where none was named.

    Raises:
        Unclear: the time may be another one, or on another day.
    """
    parts = found.parts
    part = parts.part
    if not parts.clocks and part is not None and part.hour >= 0 and not found.signs:
        return Moment(day, time(part.hour), (f"{part.name} is taken as {clock_words(part.hour * 60)}",))
    if not parts.clocks or parts.end is not None:
        return None
    if any(clock.is_midnight for clock in parts.clocks) and not part:
        raise Unclear("day")
    if Sign.BY in found.signs and _MOVING & set(words):
        raise Unclear("time")  # "push it by two"
    near = at.hour * 60 + at.minute if at else None
    choice = choose_times(parts.clocks, part.name if part else "", near)
    if choice.is_open or len(set(choice.times)) != 1:
        raise Unclear("am_pm" if choice.is_open else "time")
    hour, minute = divmod(choice.times[0], 60)
    if part is not None and part.name.startswith("night") and hour < _END_OF_NIGHT:
        if hour or minute:
            raise Unclear("day")
        day += timedelta(days=1)
    return Moment(day, time(hour, minute), choice.assumed)


_END_OF_NIGHT = 5
_MOVING = frozenset({"push", "move", "shift", "bump", "delay", "postpone", "put", "bring", "extend"})


def _in_its_week(found: Assembly, was: date, words: Sequence[str]) -> OneDay | None:
    """Returns the day of ``Friday that week``, in the week of the old day; None for other words.

    Raises:
        Unclear: ``that week`` or ``that month`` with anything but one weekday.
    """
    pairs = set(pairwise(words))
    if (behind := _weekday_after(found, was, words)) is not None:
        return behind
    if not pairs & {("that", "week"), ("same", "week"), ("that", "month"), ("same", "month")}:
        return None
    [*days] = found.days
    is_weekday = len(days) == 1 and isinstance(days[0], Days) and len(days[0].days) == 1
    if not is_weekday or not pairs & {("that", "week"), ("same", "week")}:
        raise Unclear("day")
    [weekday] = next(day.days for day in days if isinstance(day, Days))
    monday = was - timedelta(days=was.weekday())
    return OneDay(days[0].first, days[0].end, monday + timedelta(days=(weekday - 1) % 7))


def _weekday_after(found: Assembly, was: date, words: Sequence[str]) -> OneDay | None:
    """Returns the day of ``the Monday after``, behind the old day; None for other words."""
    one = found.days[0] if len(found.days) == 1 else None
    if (
        not isinstance(one, Days)
        or len(one.days) != 1
        or one.which
        or words[one.end : one.end + 1] != ["after"]
    ):
        return None
    if words[one.end + 1 : one.end + 2] not in ([], ["that"], ["it"], [","], ["."], ["please"], ["instead"]):
        return None
    [weekday] = one.days
    later = (weekday - 1 - was.weekday() - 1) % 7 + 1
    return OneDay(one.first, one.end, was + timedelta(days=later))


def _moment_moved(length: Length, day: date, at: time | None, words: Sequence[str]) -> Moment:
    sign = direction(length, words)
    if minutes := minutes_of(length):
        if at is None:
            raise Unclear("time")
        moved = datetime.combine(day, at) + timedelta(minutes=sign * minutes)
        return Moment(moved.date(), moved.time())
    if length.unit == "working day":
        return Moment(working_days_after(sign * round(length.count), day), at)
    days = {"day": 1, "week": 7, "fortnight": 14}.get(length.unit)
    if days is None:
        raise Unclear("day")
    return Moment(day + timedelta(days=sign * round(length.count) * days), at)
