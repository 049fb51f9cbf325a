"""Walks through the pieces of words about times, and sorts them by what they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from intent.times.parts.assembly import Assembly
from intent.times.parts.bounds import take_duration, take_end, take_last_time, take_start
from intent.times.parts.doubts import is_before_when, is_crossed, is_half_understood, zone_of_only_place
from intent.times.parts.exceptions import forbid, leave_out, leave_out_denied
from intent.times.parts.leftovers import has_leftovers
from intent.times.parts.references import take_before, take_day_before, take_length
from intent.times.parts.repairs import repaired
from intent.times.parts.schedule_parts import DayItem, Group
from intent.times.parts.walk import Walk
from intent.times.words.dates import Present
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
from intent.times.words.lexicon import MINUTES_IN, WEEKDAYS
from intent.times.words.tokens import Tokens

_DAY_ITEMS = (Days, PlacedDays, MonthDays, YearDay, Holiday)
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
    _finish(walk)
    return walk.found


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
            if item.is_condition and not _follows_time(walk, item):
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


def _follows_time(walk: Walk, item: Item) -> bool:
    """Whether a condition stands right after a time; ``tell me if it changes`` doesn't."""
    return any(0 <= item.first - used.end <= 1 for used in walk.found.used) or not walk.found.used


def _main(walk: Walk, item: Item) -> None:
    parts = walk.found.parts
    match item:
        case Rate():
            if any(_contradict(item, rate) for rate in parts.rates):
                walk.found.unclear.append("rest")
            parts.rates.append(item)
        case Clock():
            _clock(walk, item)
        case Window() | MinuteOfHour():
            _hours(walk, item)
        case Part():
            _part(walk, item)
        case Months():
            _month(walk, item)
        case ZoneName():
            _zone(walk.found, item)
        case OneDay():
            walk.found.days.append(item)
        case Days() | PlacedDays() | MonthDays() | YearDay() | Holiday():
            _day(walk, item)
        case _:
            pass


def _hours(walk: Walk, item: Window | MinuteOfHour) -> None:
    parts = walk.found.parts
    if isinstance(item, Window):
        if parts.window is not None:
            walk.found.unclear.append("rest")
        parts.window = item
        return
    if parts.minute is not None and parts.minute.minute != item.minute:
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
    if parts.part is not None and parts.part.name != item.name:
        walk.found.unclear.append("rest")
    group.part = group.part or item
    if item.name == "tonight":
        walk.found.days.append(OneDay(item.first, item.end, walk.now.today))


def _clock(walk: Walk, item: Clock) -> None:
    groups = walk.found.parts.groups
    if _is_repeated(walk, item):
        return
    if _follows_exception(walk, item) and walk.found.parts.clocks:
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
    return bool(same) and not between & {"and", "&", "n", "+"} and same[-1].has_half == item.has_half


def _follows_exception(walk: Walk, item: Clock) -> bool:
    before = walk.items[walk.place - 2] if walk.place > 1 else None
    return (
        isinstance(before, Days | Months)
        and before in walk.found.removed_days
        and item.first - before.end <= 2
    )


def _day(walk: Walk, item: DayItem) -> None:
    found = walk.found
    if isinstance(item, Days) and walk.word(item.end) in ("off", "out"):
        found.parts.without_days |= item.days
        found.removed_days.append(item)
        return
    if walk.word(item.first - 1) == "no":
        found.unclear.append("rest")
    found.days.append(item)
    groups = found.parts.groups
    last = groups[-1]
    is_new = last.is_complete and _first([day for day, _ in last.days]) < _first(last.clocks)
    if is_new or (last.is_complete and len(groups) > 1):
        groups.append(Group())
    groups[-1].days.append((item, frozenset()))


def _month(walk: Walk, item: Months) -> None:
    group = walk.found.parts.groups[-1]
    if group.days and not group.clocks:
        day, months = group.days[-1]
        if not isinstance(day, Days):
            group.days[-1] = (day, months | item.months)
            return
    walk.found.parts.months |= item.months


def _zone(found: Assembly, item: ZoneName) -> None:
    if item.zone == "?":
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


def _finish(walk: Walk) -> None:
    found, parts = walk.found, walk.found.parts
    if parts.zone == "?":
        parts.zone, found.zone_asked = "", True
    if not parts.clocks and found.signs & {Sign.BEFORE, Sign.AFTER} and not found.lengths:
        parts.needs_time = True
    if is_before_when(found.used, walk.tokens):
        parts.needs_time = True
        if Sign.EXCEPT in found.signs:
            found.unclear.append("rest")
    if is_crossed(parts.groups) or len({day.every for day in parts.days if isinstance(day, Days)}) > 1:
        found.unclear.append("rest")
    if found.is_before_clock and not parts.shift_minutes and parts.clocks:
        parts.shift_minutes = -30
        parts.assumed.append("half an hour before")
    if found.zone_asked and not parts.zone:
        parts.zone = zone_of_only_place(walk.tokens)
    if found.zone_asked and not parts.zone:
        found.unclear.append("zone")


def _first(items: Sequence[Item]) -> int:
    return items[0].first if items else 10**6
