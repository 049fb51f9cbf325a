"""Schedules that come every so many minutes or hours: on which days, and in which hours of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.times.clock_choice import choose_night, choose_times, choose_window
from intent.times.dates_left_out import without_dates
from intent.times.day_specs import months_kept, shift_days, weekdays_left
from intent.times.parts.schedule_parts import Impossible, Parts, Unclear
from intent.times.plan import MAX_TIMES, DaySpec, Rule, weekly
from intent.times.wording import clock_words
from intent.times.words.items import Clock, Days, Window
from intent.times.words.lexicon import ALL_DAYS, MINUTES_IN

_FULL_DAY = 24 * 60
_NOON, _EVENING = 12 * 60, 17 * 60


def interval_of(parts: Parts) -> int:
    """Returns the minutes between two times for ``every 20 minutes``, ``hourly``; 0 for anything else."""
    rate = parts.rate
    if rate is not None and rate.unit == "second":
        raise Impossible("a minute is the finest step")
    for each in parts.rates:
        if each.unit in MINUTES_IN and not each.times:
            return each.count * MINUTES_IN[each.unit]
        if each.unit == "hour" and each.times:
            return 60 // each.times if each.times in (1, 2, 3, 4, 5, 6, 10, 12) else 60
    if parts.minute is not None and (parts.minute.is_every_hour or parts.window is not None or parts.closes):
        return 60
    return 0


def interval_rules(parts: Parts, step: int, assumed: list[str]) -> list[Rule]:
    """Returns the rules of an interval of so many minutes; adds to ``assumed`` what was taken for granted.

    Raises:
        Unclear: something has to be asked.
        Impossible: it comes too often, or on days of the month.
    """
    part = parts.part.name if parts.part else ""
    offset = parts.minute.minute if parts.minute else 0
    days = _days(parts)
    bounds = _bounds(parts, part, assumed)
    if parts.minute is not None and parts.minute.others:
        return _at_minutes(parts.minute.minutes, step, days, bounds or (0, _FULL_DAY - 1))
    if bounds is not None:
        opens, closes = bounds
        first = opens + (offset - opens) % 60 if step == 60 else opens
        times = tuple(range(first, closes + (closes != _FULL_DAY), step))
        if len(times) > MAX_TIMES:
            raise Impossible("that is too often")
        return [rule for spec in days for rule in _over_midnight(Rule(spec, times, step))]
    clocks = parts.clocks
    if len(clocks) > 1 or (clocks and (parts.start_clock or step <= 60)):
        raise Unclear("time")
    if part and not clocks:
        raise Unclear("time")
    if parts.start_clock is not None and parts.start_day is None and step <= 60:
        raise Unclear("time")  # "every hour from 9": until when it runs isn't said
    if is_uneven(step):
        return [Rule(spec, _every_minutes_apart(step), step) for spec in days]
    start = start_of_interval(parts)
    first = (start if start is not None else offset) % step
    return [Rule(spec, tuple(range(first, _FULL_DAY, step)), step) for spec in days]


def _at_minutes(
    minutes: Sequence[int], step: int, days: Sequence[DaySpec], bounds: tuple[int, int]
) -> list[Rule]:
    """Returns the rules of ``at 5, 25 and 45 past every hour``.

    Raises:
        Unclear: it doesn't come every hour, or the hours go over midnight.
    """
    opens, closes = bounds
    if step != 60 or closes >= _FULL_DAY:
        raise Unclear("time")
    gaps = {later - earlier for earlier, later in pairwise((*minutes, minutes[0] + 60))}
    times = (hour * 60 + minute for hour in range(24) for minute in minutes)
    found = tuple(time_ for time_ in times if opens <= time_ <= closes)
    if len(found) > MAX_TIMES:
        raise Impossible("that is too often")
    return [Rule(spec, found, gaps.pop() if len(gaps) == 1 else 0) for spec in days]


def _over_midnight(rule: Rule) -> list[Rule]:
    """Returns a rule as two where its times go on after midnight: these belong to the day before."""
    late = tuple(each for each in rule.times if each < _FULL_DAY)
    small = tuple(each - _FULL_DAY for each in rule.times if each >= _FULL_DAY)
    if not small:
        return [rule]
    if rule.days == weekly(ALL_DAYS):
        return [Rule(rule.days, tuple(sorted({*small, *late})))]
    return [Rule(rule.days, late), Rule(shift_days(rule.days, 1), small)]


def _every_minutes_apart(step: int) -> tuple[int, ...]:
    """The times of day at which an interval that doesn't fit into a day may come."""
    common = next(size for size in (60, 30, 20, 15, 12, 10, 6, 5, 4, 3, 2, 1) if step % size == 0)
    if common < 5:
        raise Impossible("intervals are five minutes or a multiple")
    return tuple(range(0, _FULL_DAY, common))


def start_of_interval(parts: Parts) -> int | None:
    """Returns the minutes since midnight at which an interval begins; None where no time was named."""
    clocks = [parts.start_clock] if parts.start_clock else parts.clocks
    if not clocks:
        return None
    choice = choose_times(clocks, parts.part.name if parts.part else "")
    if choice.is_open:
        raise Unclear("am_pm")
    return choice.times[0]


def _bounds(parts: Parts, part: str, assumed: list[str]) -> tuple[int, int] | None:
    window = parts.window
    if parts.without_window is not None:
        return _outside(parts.without_window, parts, assumed)
    opens = parts.start_clock or (parts.clocks[0] if parts.clocks else None)
    if window is None and parts.closes is not None and opens is not None:
        window = Window(0, 0, opens, parts.closes)
    if window is None:
        if parts.closes is not None and parts.start_day is None:
            raise Unclear("time")
        return (0, _closing(parts.closes)) if parts.closes is not None else None
    bounds = choose_window(window, part) or choose_night(window, part)
    if bounds is None:
        raise Unclear("am_pm")
    if window.is_assumed:
        assumed.append(f"office hours are taken as {clock_words(bounds[0])} to {clock_words(bounds[1])}")
    elif window.opens.is_open or window.closes.is_open:
        assumed.append(
            f"the hours are taken as {clock_words(bounds[0])} to {clock_words(bounds[1] % _FULL_DAY)}"
        )
    return bounds


def _outside(night: Window, parts: Parts, assumed: list[str]) -> tuple[int, int]:
    if parts.says_hours or parts.part:
        raise Unclear("rest")
    return hours_outside(night, assumed)


def hours_outside(night: Window, assumed: list[str]) -> tuple[int, int]:
    """Returns the hours of the day that are left without those of a night: ``not between midnight and 6``.

    Raises:
        Unclear: it is no stretch of the night.
    """
    left_out = choose_window(night, "") or choose_night(night, "")
    if left_out is None:
        raise Unclear("am_pm")
    opens, closes = left_out[0] % _FULL_DAY, left_out[1] % _FULL_DAY
    if not (opens == 0 or opens >= _EVENING) or closes > _NOON:
        raise Unclear("rest")
    assumed.append(f"left out from {clock_words(opens)} to {clock_words(closes)}")
    return closes, (opens or _FULL_DAY) - 1


def _closing(closes: Clock) -> int:
    choice = choose_times([closes], "")
    if choice.is_open:
        raise Unclear("am_pm")
    return choice.times[0]


def _days(parts: Parts) -> list[DaySpec]:
    days: set[int] = set()
    for item in parts.days:
        if not isinstance(item, Days) or item.every > 1:
            raise Impossible("an interval of minutes or hours goes with days of the week only")
        days |= item.days
    chosen = frozenset(days) or ALL_DAYS
    return without_dates(weekly(weekdays_left(chosen, parts), months_kept(parts)), parts)


def is_uneven(step: int) -> bool:
    """Whether an interval does not fit into a day or an hour."""
    return bool(_FULL_DAY % step or (step < 60 and 60 % step) or (step > 60 and step % 60))
