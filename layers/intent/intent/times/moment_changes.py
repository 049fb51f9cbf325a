"""Changes a known day or moment by what words say; what they leave open stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from intent.times.clock_choice import choose_times
from intent.times.moments import Moment, make_moment
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Unclear, minutes_of
from intent.times.shifts import direction
from intent.times.words.dates import Present
from intent.times.words.items import Length, Sign
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
    if found.parts.clocks and not found.days and found.parts.end is None and not found.lengths:
        near = at.hour * 60 + at.minute if at else None
        choice = choose_times(found.parts.clocks, found.parts.part.name if found.parts.part else "", near)
        if choice.is_open or len(set(choice.times)) != 1:
            raise Unclear("am_pm" if choice.is_open else "time")
        hour, minute = divmod(choice.times[0], 60)
        return Moment(day, time(hour, minute), choice.assumed)
    if Sign.DAY_BEFORE in found.signs and not found.days:
        return Moment(day - timedelta(days=1), at)
    moment = make_moment(found, now)
    if moment is not None and moment.at is None and at is not None:
        return replace(moment, at=at)
    return moment


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
