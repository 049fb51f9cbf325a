"""Times that are counted from others: ``an hour before the call at 3``, ``the day before``."""

from __future__ import annotations

from dataclasses import replace

from intent.times.parts.schedule_parts import Parts, minutes_of
from intent.times.parts.walk import Walk
from intent.times.words.items import (
    Blocker,
    Clock,
    Days,
    Holiday,
    Item,
    Length,
    Mark,
    MonthDays,
    OneDay,
    Part,
    PlacedDays,
    Rate,
    Sign,
    YearDay,
)
from intent.times.words.lexicon import PARTS
from intent.times.words.neighbouring_days import tells_past

_MOVING_WORDS = frozenset(
    {"forward", "back", "push", "move", "bump", "shift", "bring", "make", "up", "down", "delay", "postpone"}
)
_DAYS = (Days, PlacedDays, MonthDays, YearDay, Holiday, OneDay)
_EVENT = "that is an event, not a time"
DAYS_IN = {"day": 1, "week": 7, "fortnight": 14}


def take_length(walk: Walk, item: Length) -> bool:
    """Takes a length; returns whether it says anything about when."""
    parts = walk.found.parts
    following = _reference(walk, item) if item.use in ("before", "after") else None
    if item.use in ("before", "after") and following is None and _explains_clock(walk, item):
        return True
    sign = -1 if item.use in ("before", "ahead", "earlier") else 1
    walk.found.lengths.append(item)
    if item.use == "by" and Sign.REPAIR not in walk.found.signs and not speaks_of_moving(walk):
        return False
    if item.use in ("in", "by"):
        return True
    if item.use in ("earlier", "later") and not walk.is_change:
        if _shift_last_group(walk, item, sign):
            return True
        is_joined = walk.word(item.first - 1) in ("and", "&", "plus") or len(parts.groups) > 1
        if is_joined or (parts.clocks and (parts.days or parts.rates) and isinstance(walk.next(3), Days)):
            walk.found.unclear.append("rest")  # "daily at 9, an hour later on Sundays"
    if item.use == "before" and following is None and _is_reminder(walk, item):
        _shift(parts, item, sign)
        return True
    if item.use in ("before", "after") and following is None:
        is_weak = not any(isinstance(other, _DAYS) for other in walk.items)
        walk.found.blockers.append(Blocker(item.first, item.end, why=_EVENT, is_weak=is_weak))
        return True
    _shift(parts, item, sign)
    if isinstance(following, Clock) and following.is_noun:
        walk.place += 1
        walk.found.parts.groups[-1].clocks.append(_plain(following))
        walk.take(following)
    return True


def _shift(parts: Parts, item: Length, sign: int) -> None:
    if item.unit == "working day":
        parts.shift_working_days += sign * round(item.count)
    elif item.unit in ("minute", "hour"):
        parts.shift_minutes += sign * minutes_of(item)
    else:
        parts.shift_days += sign * round(item.count) * DAYS_IN.get(item.unit, 0)


def _explains_clock(walk: Walk, item: Length) -> bool:
    """Whether a length only says what the time before it is for: ``at 9:55, five minutes before we open``."""
    clocks = walk.found.parts.clocks
    return bool(clocks) and walk.words(clocks[-1].end, item.first) in (
        [","],
        ["("],
        ["-"],
        [",", "so"],
        [",", "ie"],
    )


def _is_reminder(walk: Walk, item: Length) -> bool:
    """Whether a length counts back from the time before it: ``call at 3, remind me half an hour before``."""
    clocks = walk.found.parts.clocks
    between = walk.words(clocks[-1].end, item.first) if clocks else []
    return bool(_REMINDING & set(between)) and len(between) <= _MOST_BETWEEN


_REMINDING = frozenset(
    "remind reminder ping nudge warn alert notify buzz tell poke prompt heads know".split()
)
_MOST_BETWEEN = 10


def _shift_last_group(walk: Walk, item: Length, sign: int) -> bool:
    """``weekdays 8:00, Saturdays an hour later``: the last days have the time of those before, shifted."""
    groups = walk.found.parts.groups
    if len(groups) < 2 or not groups[-1].days or groups[-1].clocks or len(groups[-2].clocks) != 1:
        return False
    before = groups[-2].clocks[0]
    minutes = before.minutes + sign * minutes_of(item)
    is_near_end = minutes // 60 > 12 and before.is_open
    if not minutes_of(item) or is_near_end or not 60 <= minutes < 24 * 60:
        return False
    clock = replace(before, first=item.first, end=item.end, hour=minutes // 60, minute=minutes % 60)
    groups[-1].clocks.append(clock)
    return True


def _reference(walk: Walk, item: Length) -> Item | None:
    """The time or day from which a length is counted."""
    following = walk.next(12)
    if isinstance(following, Mark) and following.sign is Sign.BY:
        following = None
    if isinstance(following, Clock):
        return following
    if item.unit in ("minute", "hour") or not isinstance(following, _DAYS):
        return None
    stops = {",", ";", ".", "!", "?", "(", "-"}
    is_close = walk.next(3) is not None or not stops & set(walk.words(item.end, following.first))
    return following if is_close else None


def speaks_of_moving(walk: Walk) -> bool:
    """Whether a word such as ``push`` says that something known is moved."""
    return any(token.text in _MOVING_WORDS for token in walk.tokens)


def take_before(walk: Walk, mark: Mark) -> None:
    """Takes ``before the 8:30 standup`` as half an hour earlier, unless another time of day is named."""
    item, found = walk.next(8), walk.found
    if not isinstance(item, Clock):
        found.signs.add(mark.sign)
        if mark.sign is Sign.AFTER and not found.lengths and isinstance(walk.next(1), _DAYS):
            found.unclear.append("day")
        return
    if not item.is_noun and _SETTING_OFF & set(walk.words(mark.end, item.first)):
        return  # "before work, at 7": the time itself
    walk.place += 1
    others = any(isinstance(other, Clock) and not other.is_noun and other is not item for other in walk.items)
    lengths = [length for length in found.lengths if length.use in ("before", "after")]
    if others or (lengths and not found.parts.shift_minutes):
        return
    if mark.sign is Sign.AFTER:
        found.unclear.append("time")
        return
    found.parts.groups[-1].clocks.append(_plain(item))
    walk.take(mark, item)
    found.signs.add(Sign.BEFORE)
    found.is_before_clock = item.is_noun or any(
        isinstance(each, Rate) or _comes_again(each) for each in walk.items
    )


_SETTING_OFF = frozenset(
    {",", ";", ":", "(", "-", "\u2013", "so", "say", "ie", "meaning", "probably", "maybe"}
)


def _comes_again(item: Item) -> bool:
    return isinstance(item, Days | MonthDays | PlacedDays) and item.is_each


def take_day_before(walk: Walk, mark: Mark) -> None:
    """Takes ``the day before at 16:00``: the times named before belong to what is being prepared."""
    found = walk.found
    later_items = walk.items[walk.place :]
    if _is_of_data(walk, mark):
        walk.take(mark)
        return
    _take_part_before(walk, mark)
    if not (found.parts.days or found.days):
        if not any(isinstance(item, _DAYS) for item in later_items):
            found.signs.add(Sign.DAY_BEFORE)
            walk.take(mark)
            return
        found.parts.shift_days -= 1
        walk.take(mark)
        return
    found.parts.shift_days -= 1
    walk.take(mark)
    if walk.word(mark.first - 1) in ("and", "&", "plus"):
        found.unclear.append("rest")
    if any(isinstance(item, Clock) and not item.is_noun for item in later_items):
        for group in found.parts.groups:
            group.clocks.clear()


def _is_of_data(walk: Walk, mark: Mark) -> bool:
    """Whether the day before is that of what is reported, beside a time of its own: ``every Tuesday at 9 the
    tickets closed the day before``, ``weekdays at 8 the orders of the day before``.
    """
    if walk.word(mark.first - 1) in _OF_PERIOD:
        return True
    groups = walk.found.parts.groups
    clocks = [clock for group in groups for clock in group.clocks if not clock.is_noun]
    parts = [group.part for group in groups if group.part is not None]
    is_timed_later = any(isinstance(item, Clock) for item in walk.items[walk.place :])
    if not (clocks or parts) or is_timed_later:
        return False
    since = max(one.end for one in (*clocks, *parts))
    return tells_past(walk.words(max(since, mark.first - _MOST_BETWEEN), mark.first))


_OF_PERIOD = frozenset({"of", "from", "since", "for"})


def _take_part_before(walk: Walk, mark: Mark) -> None:
    """Takes ``the evening before`` as the part of the day, which needs a time."""
    name = walk.word(mark.first + 1)
    if name not in PARTS:
        return
    walk.found.parts.groups[-1].part = Part(mark.first, mark.end, name, -1)
    if not any(isinstance(item, Clock) and not item.is_noun for item in walk.items):
        walk.found.unclear.append("time")


def _plain(clock: Clock) -> Clock:
    return replace(clock, is_noun=False)
