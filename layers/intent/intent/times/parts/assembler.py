"""Walks through the pieces of words about times, and sorts them by what they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from intent.times.parts.assembly import HALF_AN_HOUR_BEFORE, Assembly
from intent.times.parts.blockers import is_harmless
from intent.times.parts.bounds import take_duration, take_end, take_last_time, take_start
from intent.times.parts.doubts import is_before_when, is_crossed, is_half_understood, zone_of_only_place
from intent.times.parts.exceptions import forbid, leave_out, leave_out_denied
from intent.times.parts.leftovers import has_leftovers, names_unread_time
from intent.times.parts.other_days import end_daily_group, has_own_time, is_of_other_days, is_set_off
from intent.times.parts.references import take_before, take_day_before, take_length
from intent.times.parts.repairs import repaired
from intent.times.parts.schedule_parts import DayItem, Group
from intent.times.parts.walk import Walk
from intent.times.words.dates import Present
from intent.times.words.denied_days import is_passed_over
from intent.times.words.items import (
    Blocker,
    Clock,
    Days,
    Holiday,
    Item,
    Length,
    Mark,
    MinuteOfHour,
    MonthDays,
    Months,
    Noun,
    OneDay,
    Part,
    Past,
    PlacedDays,
    Rate,
    Sign,
    Window,
    YearDay,
    ZoneName,
)
from intent.times.words.lexicon import MINUTES_IN, PARTS, WEEKDAYS
from intent.times.words.parts_of_day import hour_in_part
from intent.times.words.tokens import Tokens

_NEAR = 4
"""How many tokens may stand between a stretch of the day and the time in it."""
_EFFECTS: Mapping[Sign, Callable[[Walk, Mark], None]] = {
    Sign.EXCEPT: leave_out,
    Sign.INSTEAD: leave_out_denied,
    Sign.NEVER: forbid,
    Sign.START: take_start,
    Sign.UNTIL: take_end,
    Sign.LAST_ONE: take_last_time,
    Sign.BEFORE: take_before,
    Sign.AFTER: take_before,
    Sign.DAY_BEFORE: take_day_before,
}


def assemble(items: Sequence[Item], tokens: Tokens, now: Present, *, is_change: bool = False) -> Assembly:
    """Returns the pieces sorted by what they mean; a sign decides how those after it are meant."""
    walk = Walk(repaired(items), tokens, now, items, is_change)
    while walk.place < len(walk.items):
        item = walk.items[walk.place]
        walk.place += 1
        _take(walk, item)
    if is_half_understood(walk.items, tokens) or has_leftovers(walk):
        walk.found.unclear.append("rest")
    if _is_repair_unread(walk):
        walk.found.unclear.append("rest")
    if not is_change and names_unread_time(walk):
        walk.found.unclear.append("time")
    _finish(walk)
    return walk.found


def _is_repair_unread(walk: Walk) -> bool:
    """Whether a number after ``no, make that`` was not read: what it takes back isn't known."""
    repairs = [item for item in walk.scanned if isinstance(item, Mark) and item.sign is Sign.REPAIR]
    taken = {place for item in walk.scanned for place in range(item.first, item.end)}
    return any(
        token.is_number and place not in taken
        for item in repairs
        for place, token in enumerate(walk.tokens[item.end : item.end + 3], item.end)
    )


def _take(walk: Walk, item: Item) -> None:
    match item:
        case Mark():
            _sign(walk, item)
            return
        case Past() | Noun():
            if walk.is_change and isinstance(item, Past) and walk.word(item.first).rstrip("s") in WEEKDAYS:
                walk.found.unclear.append("rest")
            return
        case Blocker():
            if is_harmless(walk, item):
                return
            walk.found.blockers.append(item)
        case Length():
            if not (take_duration(walk, item) if item.use == "for" else take_length(walk, item)):
                return
        case Clock() if item.is_noun:
            return
        case _:
            _main(walk, item)
    walk.take(item)


def _main(walk: Walk, item: Item) -> None:
    match item:
        case Rate():
            _rate(walk, item)
        case Clock():
            _clock(walk, item)
        case Window() | MinuteOfHour():
            _hours(walk, item)
        case Part():
            _part(walk, item)
        case Months():
            _month(walk, item)
        case ZoneName():
            _zone(walk, item)
        case OneDay():
            _one_day(walk, item)
        case Days() | PlacedDays() | MonthDays() | YearDay() | Holiday():
            _day(walk, item)
        case _:
            pass


def _rate(walk: Walk, item: Rate) -> None:
    parts = walk.found.parts
    if any(_contradict(item, rate) for rate in parts.rates):
        walk.found.unclear.append("rest")
    parts.rates.append(item)
    if item.part:
        _part(walk, Part(item.first, item.end, item.part, PARTS[item.part][0]))


def _one_day(walk: Walk, item: OneDay) -> None:
    walk.found.days.append(item)
    if item.at is not None and not walk.is_change:  # "same time" as what is changed
        _clock(walk, Clock(item.first, item.end, *divmod(item.at, 60), is_named=True))


def _hours(walk: Walk, item: Window | MinuteOfHour) -> None:
    parts = walk.found.parts
    if isinstance(item, Window):
        if parts.window is not None:
            walk.found.unclear.append("rest")
        parts.window = item
        return
    if parts.minute is not None and parts.minute.minutes != item.minutes:
        walk.found.unclear.append("rest")
    parts.minute = item


def _contradict(one: Rate, two: Rate) -> bool:
    """Whether two rates can't both be meant: ``hourly, every 3 hours``."""
    if (
        one.is_adjective
        or two.is_adjective
        or (one.unit, one.count, one.times) == (two.unit, two.count, two.times)
    ):
        return False
    if one.unit in MINUTES_IN and two.unit in MINUTES_IN:
        return True
    return one.unit == two.unit and not (one.times or two.times)


def _part(walk: Walk, item: Part) -> None:
    parts = walk.found.parts
    group = parts.groups[-1]
    if walk.found.next_part is not None or (parts.part is not None and parts.part.name != item.name):
        _next_part(walk, group, item)
        return
    group.part = group.part or item
    if item.name == "tonight":
        walk.found.days.append(OneDay(item.first, item.end, walk.now.today))


def _next_part(walk: Walk, group: Group, item: Part) -> None:
    """Takes ``evening`` in ``every morning at 7 and every evening at 6``; asks where one has no time."""
    following = walk.next(3)
    if _ends_list_of_parts(group, item, following):
        first = group.part
        group.clocks = [
            *(_in_part(clock, first) if first else clock for clock in group.clocks[:-1]),
            _in_part(group.clocks[-1], item),
        ]
        group.part = None
        return
    if not group.clocks or not isinstance(following, Clock) or len(walk.found.parts.groups) > 1:
        walk.found.unclear.append("rest")
        return
    if item.is_plural and not walk.found.parts.rates:
        walk.found.parts.rates.append(Rate(item.first, item.end, "day"))
    if group.part is not None:
        group.clocks = [_in_part(clock, group.part) for clock in group.clocks]
        group.part = None
    walk.found.next_part = item


def _ends_list_of_parts(group: Group, item: Part, following: Item | None) -> bool:
    """Whether a part of the day stands behind its time: ``7 each morning and 9 each evening``."""
    if len(group.clocks) != 2 or group.part is None or isinstance(following, Clock):
        return False
    one, two = group.clocks
    return one.end <= group.part.first <= two.first and two.end <= item.first <= two.end + 2


def _in_part(clock: Clock, part: Part) -> Clock:
    """Returns an open time in the half of the day that a part of it says."""
    return replace(clock, hour=hour_in_part(clock.hour, part.name), is_open=False) if clock.is_open else clock


def _clock(walk: Walk, item: Clock) -> None:
    if walk.found.next_part is not None:
        item = _in_part(item, walk.found.next_part)
    groups = walk.found.parts.groups
    if _is_repeated(walk, item) or _is_told_exactly(walk, item):
        return
    if is_of_other_days(walk, item):
        rate = walk.found.parts.rates[0]
        end_daily_group(walk, is_overridden=is_set_off(walk, rate, item))
    if _follows_exception(walk, item) and (walk.found.parts.clocks or walk.is_change):
        walk.found.unclear.append("rest")
    began_with_clock = (
        len(groups[0].clocks) > 0
        and groups[0].days
        and _first(groups[0].clocks) < _first([day for day, _ in groups[0].days])
    )
    if groups[-1].is_complete and began_with_clock:
        groups.append(Group())
    groups[-1].clocks.append(item)


def _is_repeated(walk: Walk, item: Clock) -> bool:
    """Whether the same time is said again without ``and``: ``at 9, but 9 in Berlin``."""
    same = [
        clock for clock in walk.found.parts.clocks if (clock.hour, clock.minute) == (item.hour, item.minute)
    ]
    between = set(walk.words(same[-1].end, item.first)) if same else set()
    group = walk.found.parts.groups[-1]
    if group.days and not group.clocks:  # the time of other days
        return False
    return bool(same) and not between & {"and", "&", "n", "+"} and same[-1].has_half == item.has_half


def _is_told_exactly(walk: Walk, item: Clock) -> bool:
    """Takes ``lunchtime, 12:30`` and ``17:30, end of day`` as the exact time; returns whether it is so."""
    group = walk.found.parts.groups[-1]
    last = group.clocks[-1] if group.clocks else None
    if last is None or last.is_stretch == item.is_stretch or not 0 <= item.first - last.end <= _NEAR:
        return False
    if {"and", "&", "+", "n", "plus", "then", "again", "also", "or", "to"} & set(
        walk.words(last.end, item.first)
    ):
        return False
    exact, stretch = (item, last) if last.is_stretch else (last, item)
    if exact.is_open:
        hours = (exact.hour % 12, exact.hour % 12 + 12)
        hour = min(hours, key=lambda each: abs(each * 60 + exact.minute - stretch.minutes))
        exact = replace(exact, hour=hour, is_open=False)
    group.clocks[-1] = exact
    return True


def _follows_exception(walk: Walk, item: Clock) -> bool:
    before = walk.items[walk.place - 2] if walk.place > 1 else None
    return (
        isinstance(before, Days | Months)
        and before in walk.found.removed_days
        and item.first - before.end <= 2
    )


def _day(walk: Walk, item: DayItem) -> None:
    found = walk.found
    if isinstance(item, Days) and is_passed_over(walk.tokens, item.end):
        found.parts.without_days |= item.days
        found.removed_days.append(item)
        return
    if isinstance(item, Days) and _is_denied(walk, item):
        found.replaced_days.append(item)
        return
    if walk.word(item.first - 1) == "no":
        found.unclear.append("rest")
    found.days.append(item)
    groups = found.parts.groups
    last = groups[-1]
    if has_own_time(walk, item):
        end_daily_group(walk, is_overridden=True)
        last = groups[-1]
    elif last.is_complete and isinstance(item, Days) and is_set_off(walk, last.clocks[-1], item):
        found.parts.overrides = True
    is_new = last.is_complete and _first([day for day, _ in last.days]) < _first(last.clocks)
    if is_new or (last.is_complete and len(groups) > 1):
        groups.append(Group())
    groups[-1].days.append((item, frozenset()))


_DENIALS = frozenset({"doesnt", "dont", "isnt", "arent", "wont", "cant", "cannot"})
_DENIED_VERBS = frozenset({"suit", "work", "fit", "do", "good", "possible", "ok", "okay"})
_DENIALS_IN_TWO = (["is", "not"], ["does", "not"], ["do", "not"], ["no", "longer"])


def _is_denied(walk: Walk, item: Days) -> bool:
    """Whether days are said to be no good: ``Thursday doesn't suit us any more, Friday does``."""
    after = walk.words(item.end, item.end + 4)
    is_denial = bool(_DENIALS & set(after[:1])) or after[:2] in _DENIALS_IN_TWO
    return is_denial and any(word.rstrip("s") in _DENIED_VERBS for word in after[1:])


def _month(walk: Walk, item: Months) -> None:
    if is_passed_over(walk.tokens, item.end):
        walk.found.parts.without_months |= item.months
        walk.found.removed_days.append(item)
        return
    group = walk.found.parts.groups[-1]
    if group.days and not group.clocks:
        day, months = group.days[-1]
        if isinstance(day, YearDay) and _goes_on(walk, day, item):
            same = MonthDays(day.first, item.end, (str(day.day),), is_each=True)
            walk.found.days[-1], group.days[-1] = same, (same, item.months | {day.month})
            return
        if not isinstance(day, Days):
            group.days[-1] = (day, months | item.months)
            return
    walk.found.parts.months |= item.months


def _goes_on(walk: Walk, day: YearDay, months: Months) -> bool:
    """Whether months go on after a day: ``the 10th of January, April and July``."""
    between = set(walk.words(day.end, months.first))
    return day.year is None and between <= {",", "and", "&", "n", "of"} and months.first - day.end <= 2


def _zone(walk: Walk, item: ZoneName) -> None:
    found = walk.found
    if walk.now.zone in item.meanings:
        return
    named = zone_of_only_place(walk.tokens, item.meanings) if item.meanings else ""
    if named:
        found.parts.zone = named
    elif item.zone == "?":
        found.zone_asked = True
    elif not found.parts.zone:
        found.parts.zone = item.zone
    elif item.zone and item.zone != found.parts.zone:
        found.unclear.append("zone")


def _sign(walk: Walk, mark: Mark) -> None:
    parts = walk.found.parts
    if effect := _EFFECTS.get(mark.sign):
        effect(walk, mark)
        return
    if mark.sign is Sign.ALSO and parts.rates and any(isinstance(day, Days) for day in parts.days):
        parts.adds_days = True
    walk.found.signs.add(mark.sign)


def _settle_skipping(walk: Walk) -> None:
    """``biweekly on Tuesday`` is every two weeks, as twice a week would take two days."""
    found, days = walk.found, walk.found.parts.days
    day = days[0] if len(days) == 1 else None
    is_weekday = isinstance(day, Days) and len(day.days) == 1
    is_date = isinstance(day, MonthDays) and len(day.names) == 1
    for blocker in [item for item in found.blockers if item.skips]:
        if is_weekday if blocker.skips == "week" else is_date:
            found.blockers.remove(blocker)
            found.parts.rates.append(Rate(blocker.first, blocker.end, blocker.skips, 2))


def _finish(walk: Walk) -> None:
    found, parts = walk.found, walk.found.parts
    _settle_skipping(walk)
    if parts.zone == "?":
        parts.zone, found.zone_asked = "", True
    if not parts.clocks and found.signs & {Sign.BEFORE, Sign.AFTER} and not found.lengths:
        parts.needs_time = True
    if is_before_when(found.used, walk.tokens) or walk.word(0) == "when":
        parts.needs_time = True
        if Sign.EXCEPT in found.signs:
            found.unclear.append("rest")
    if is_crossed(parts.groups) or len({day.every for day in parts.days if isinstance(day, Days)}) > 1:
        found.unclear.append("rest")
    if found.is_before_clock and not parts.shift_minutes and parts.clocks:
        parts.shift_minutes = -30
        parts.assumed.append(HALF_AN_HOUR_BEFORE)
    if found.zone_asked and not parts.zone:
        parts.zone = zone_of_only_place(walk.tokens)
    if found.zone_asked and not parts.zone:
        found.unclear.append("zone")


def _first(items: Sequence[Item]) -> int:
    return items[0].first if items else 10**6
