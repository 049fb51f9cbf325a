"""From when and until when a schedule runs."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from intent.times.parts.single_days import month_end
from intent.times.parts.walk import Walk
from intent.times.words.items import (
    Clock,
    Days,
    Item,
    Length,
    Mark,
    MonthDays,
    Months,
    OneDay,
    Part,
    Past,
    Sign,
    YearDay,
)
from intent.times.words.tokens import at

_DENIALS = frozenset({"not", "no", "nothing", "never"})
_STRICT_STARTS = ("starting", "beginning", "commencing", "effective", "kicking")


def take_start(walk: Walk, mark: Mark) -> None:
    """Takes the day, month or time from which it runs."""
    taken = False
    _skip_weekday_of_date(walk)
    while (item := walk.next(2 if taken else 1)) is not None:
        if not taken and _is_of_source(walk, mark, item):
            break
        if not _take_begin(walk, mark, item, is_first=not taken):
            break
        walk.take(item)
        walk.place += 1
        taken = True
    if taken:
        walk.take(mark)
        walk.found.signs.add(Sign.START)
        _carry_over_midnight(walk)
    elif walk.word(mark.first) in _STRICT_STARTS and isinstance(walk.next(1), Item):
        walk.found.unclear.append("rest")
    elif walk.word(mark.first) in _DENIALS and at(walk.tokens, mark.end).is_number:
        walk.found.unclear.append("time")


def _take_begin(walk: Walk, mark: Mark, item: Item, *, is_first: bool) -> bool:
    """Takes a piece of what says from when; returns whether it is one."""
    parts, day = walk.found.parts, walk.single_day(item)
    if isinstance(item, Clock) and walk.is_sub_daily() and (is_first or parts.start_day is not None):
        parts.start_clock = item
        if walk.word(mark.first) in _DENIALS:  # "not before 9": until when it runs isn't said
            walk.found.unclear.append("time")
    elif isinstance(item, Part) and item.name == "tonight" and parts.start_day is None:
        parts.start_day = walk.now.today
    elif isinstance(item, Months) and is_first:
        parts.start_day = _month_begin(min(item.months), walk.now.today)
    elif day is not None and parts.start_day is None:
        parts.start_day, walk.found.start = day, item
        parts.starts_on_day = not (isinstance(item, OneDay) and (item.is_vague or item.is_week))
    elif day is not None and _ends_range(walk, item):
        parts.end = day if day >= (parts.start_day or day) else day.replace(year=day.year + 1)
    else:
        return isinstance(item, Mark) and item.sign in (Sign.START, Sign.ONLY)
    return True


def _carry_over_midnight(walk: Walk) -> None:
    """``starting at midnight tonight`` begins tomorrow."""
    parts = walk.found.parts
    says_tonight = any(isinstance(item, Part) and item.name == "tonight" for item in walk.found.used)
    if says_tonight and parts.start_day == walk.now.today and parts.start_clock is not None:
        hour = parts.start_clock.hour % (12 if parts.start_clock.is_open else 24)
        if hour < 5:
            parts.start_day += timedelta(days=1)
            parts.start_clock = replace(parts.start_clock, hour=hour, is_open=False)
        elif parts.start_clock.is_open:
            parts.start_clock = replace(parts.start_clock, hour=hour + 12, is_open=False)


def _is_of_source(walk: Walk, mark: Mark, item: Item) -> bool:
    """Return whether ``from`` says where data come from, and the time is apart: ``from Xero on the 1st``."""
    return walk.word(mark.first) == "from" and bool(set(walk.words(mark.end, item.first)) - _SMALL_WORDS)


_SMALL_WORDS = frozenset("the on about around of this next at in early mid late , - a".split())


def _skip_weekday_of_date(walk: Walk) -> None:
    """Takes the weekday in ``beginning on Friday 13 March``, which only says again which day that is."""
    following = walk.items[walk.place + 1 : walk.place + 2]
    weekday, date_of_it = walk.next(1), following[0] if following else None
    is_weekday = isinstance(weekday, Days) and len(weekday.days) == 1 and not weekday.is_each
    if weekday is None or not is_weekday or not isinstance(date_of_it, YearDay | MonthDays):
        return
    if date_of_it.first - weekday.end <= 1 + (walk.word(weekday.end) == ","):
        walk.take(weekday)
        walk.place += 1


def _ends_range(walk: Walk, item: Item) -> bool:
    """``from 1 September to 13 October``."""
    is_day = isinstance(item, YearDay | OneDay) and isinstance(walk.found.start, YearDay | OneDay)
    return is_day and walk.word(item.first - 1) in ("to", "-", "\u2013") and walk.found.parts.end is None


def _month_begin(month: int, today: date) -> date:
    return today if month == today.month else date(today.year + (month < today.month), month, 1)


def take_end(walk: Walk, mark: Mark) -> None:
    """Takes the day, month or time until which it runs."""
    item, parts = walk.next(2), walk.found.parts
    if isinstance(item, Clock):
        parts.closes = item
    elif isinstance(item, Months):
        month, today = min(item.months), walk.now.today
        parts.end = month_end(today.year + (month < today.month), month)
    elif item is not None and (day := walk.single_day(item)) is not None:
        parts.end = day
        if isinstance(item, OneDay | YearDay | Days | MonthDays):
            walk.found.until = item
    else:
        return
    walk.take(mark, item)
    walk.found.signs.add(Sign.UNTIL)
    walk.place += 1


def take_last_time(walk: Walk, mark: Mark) -> None:
    """Takes ``the last at 16:00``."""
    if isinstance(item := walk.next(1), Clock):
        walk.found.parts.closes = item
        walk.take(mark, item)
        walk.place += 1


_RESTS = frozenset({"snooze", "delay", "postpone", "defer", "hold", "pause", "sleep", "rest"})


def speaks_of_rest(walk: Walk) -> bool:
    """Whether a word such as ``snooze`` says that something known comes later."""
    return any(token.text in _RESTS for token in walk.tokens[:6])


def take_duration(walk: Walk, item: Length) -> bool:
    """Takes ``for two weeks`` beside a schedule as its end; returns whether it says anything about when."""
    before = walk.items[walk.place - 2] if walk.place > 1 else None
    follows = before is not None and item.first - before.end <= 1 and not isinstance(before, Mark | Past)
    leads = item.first == 0 and (following := walk.next(2)) is not None and not isinstance(following, Past)
    if walk.is_change and speaks_of_rest(walk):
        walk.found.lengths.append(replace(item, use="later"))
        return True
    if not follows and not leads:
        return False
    days = {"day": 1, "week": 7, "fortnight": 14}.get(item.unit)
    if days is None or item.count != int(item.count):
        walk.found.unclear.append("rest")
        return True
    begin = walk.found.parts.start_day or walk.now.today
    walk.found.parts.end = begin + timedelta(days=days * int(item.count) - 1)
    return True
