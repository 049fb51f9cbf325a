"""Walks through the pieces of words about times, and sorts them by what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from intent.times.parts.assembly import Assembly
from intent.times.parts.doubts import is_before_when, is_crossed, is_half_understood, zone_of_only_place
from intent.times.parts.schedule_parts import DayItem, Group, minutes_of
from intent.times.parts.single_days import month_end, next_month_day, single_weekday
from intent.times.words.dates import Present, next_year_day
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
from intent.times.words.lexicon import ALL_DAYS
from intent.times.words.tokens import Tokens, at

_STRICT_EXCEPTS = (
    "except",
    "apart",
    "excluding",
    "aside",
    "besides",
    "other",
    "minus",
    "omitting",
    "skipping",
    "skip",
)


_STRICT_STARTS = ("starting", "beginning", "commencing", "effective", "kicking")


_MOVING_WORDS = frozenset(
    {"forward", "back", "push", "move", "bump", "shift", "bring", "make", "up", "down", "delay", "postpone"}
)
_DAY_ITEMS = (Days, PlacedDays, MonthDays, YearDay, Holiday)
_NEAR = 3


_LIST_WORDS = frozenset(
    {"and", "&", ",", "or", "on", "the", "n", "in", "for", "nor", "any", "every", "all", "not", "it", "at"}
)


class Assembler:
    """Walks through the pieces in order; a sign decides how those after it are meant."""

    def __init__(self, items: Sequence[Item], tokens: Tokens, now: Present) -> None:
        self._items = _repaired(items)
        self._tokens = tokens
        self._now = now
        self._place = 0
        self._found = Assembly()

    def assemble(self) -> Assembly:
        """Returns the sorted pieces."""
        while self._place < len(self._items):
            item = self._items[self._place]
            self._place += 1
            self._take(item)
        if is_half_understood(self._items, self._tokens):
            self._found.unclear.append("rest")
        self._finish()
        return self._found

    def _take(self, item: Item) -> None:
        match item:
            case Mark():
                self._sign(item)
                return
            case Past():
                self._found.pasts += 1
                return
            case Blocker():
                self._found.blockers.append(item)
            case Length():
                if not self._length(item):
                    return
            case Clock() if item.is_noun:
                return
            case _:
                self._main(item)
        self._found.used.append(item)

    def _main(self, item: Item) -> None:
        parts = self._found.parts
        match item:
            case Rate():
                parts.rates.append(item)
            case Clock():
                self._clock(item)
            case Window():
                parts.window = item
            case MinuteOfHour():
                parts.minute = item
            case Part():
                group = parts.groups[-1]
                if parts.part is not None and parts.part.name != item.name:
                    self._found.unclear.append("rest")
                group.part = group.part or item
                if item.name == "tonight":
                    self._found.days.append(OneDay(item.first, item.end, self._now.today))
            case Months():
                self._month(item)
            case ZoneName():
                self._zone(item)
            case _:
                self._any_day(item)

    def _any_day(self, item: Item) -> None:
        if isinstance(item, OneDay):
            self._found.days.append(item)
        elif isinstance(item, _DAY_ITEMS):
            self._day(item)

    def _clock(self, item: Clock) -> None:
        groups = self._found.parts.groups
        if self._is_repeated(item):
            return
        if self._follows_exception(item) and self._found.parts.clocks:
            self._found.unclear.append("rest")
        began_with_clock = (
            len(groups[0].clocks) > 0
            and groups[0].days
            and _first(groups[0].clocks) < _first([day for day, _ in groups[0].days])
        )
        if groups[-1].is_complete and began_with_clock:
            groups.append(Group())
        groups[-1].clocks.append(item)

    def _is_repeated(self, item: Clock) -> bool:
        """Whether the same time is said again without ``and``: ``at 9, but 9 in Berlin``."""
        same = [
            clock
            for clock in self._found.parts.clocks
            if (clock.hour, clock.minute) == (item.hour, item.minute)
        ]
        between = {token.text for token in self._tokens[same[-1].end : item.first]} if same else set()
        return bool(same) and not between & {"and", "&", "n", "+"} and same[-1].has_half == item.has_half

    def _follows_exception(self, item: Clock) -> bool:
        before = self._items[self._place - 2] if self._place > 1 else None
        return (
            isinstance(before, Days | Months)
            and before in self._found.removed_days
            and item.first - before.end <= 2
        )

    def _day(self, item: DayItem) -> None:
        if isinstance(item, Days) and at(self._tokens, item.end).text in ("off", "out"):
            self._found.parts.without_days |= item.days
            self._found.removed_days.append(item)
            return
        if at(self._tokens, item.first - 1).text == "no":
            self._found.unclear.append("rest")
        self._found.days.append(item)
        groups = self._found.parts.groups
        last = groups[-1]
        is_new = last.is_complete and _first([day for day, _ in last.days]) < _first(last.clocks)
        if is_new or (last.is_complete and len(groups) > 1):
            groups.append(Group())
        groups[-1].days.append((item, frozenset()))

    def _month(self, item: Months) -> None:
        group = self._found.parts.groups[-1]
        if group.days and not group.clocks:
            day, months = group.days[-1]
            if not isinstance(day, Days):
                group.days[-1] = (day, months | item.months)
                return
        self._found.parts.months |= item.months

    def _zone(self, item: ZoneName) -> None:
        if item.zone == "?":
            self._found.zone_asked = True
        elif not self._found.parts.zone:
            self._found.parts.zone = item.zone
        elif item.zone and item.zone != self._found.parts.zone:
            self._found.unclear.append("zone")

    def _length(self, item: Length) -> bool:
        """Sorts a length; returns whether it says anything about when."""
        parts = self._found.parts
        following = self._reference(item) if item.use in ("before", "after") else None
        sign = -1 if item.use in ("before", "ahead", "earlier") else 1
        if item.use == "for":
            return self._lasts(item)
        if item.use == "by" and Sign.REPAIR not in self._found.signs and not self._speaks_of_moving():
            self._found.lengths.append(item)
            return False
        self._found.lengths.append(item)
        if item.use in ("in", "by"):
            return True
        if item.use in ("before", "after") and following is None:
            why = "that is an event, not a time"
            self._found.blockers.append(Blocker(item.first, item.end, why=why, is_weak=True))
            return True
        if item.unit in ("minute", "hour"):
            parts.shift_minutes += sign * minutes_of(item)
        else:
            days = {"day": 1, "week": 7, "fortnight": 14}.get(item.unit, 0)
            parts.shift_days += sign * round(item.count) * days
        if isinstance(following, Clock) and following.is_noun:
            self._place += 1
            self._main(replace(following, is_noun=False))
            self._found.used.append(following)
        return True

    def _lasts(self, item: Length) -> bool:
        """``for two weeks`` beside a schedule is its end."""
        before = self._items[self._place - 2] if self._place > 1 else None
        if before is None or item.first - before.end > 1 or isinstance(before, Mark | Past):
            return False
        days = {"day": 1, "week": 7, "fortnight": 14}.get(item.unit)
        if days is None or item.count != int(item.count):
            self._found.unclear.append("rest")
            return True
        begin = self._found.parts.start_day or self._now.today
        self._found.parts.end = begin + timedelta(days=days * int(item.count) - 1)
        return True

    def _reference(self, item: Length) -> Item | None:
        """The time or day from which a length is counted."""
        following = self._next(12)
        if isinstance(following, Mark) and following.sign is Sign.BY:
            following = None
        if isinstance(following, Clock):
            return following
        is_long = item.unit not in ("minute", "hour")
        return (
            following if is_long and isinstance(following, (*_DAY_ITEMS, OneDay)) and self._next(3) else None
        )

    def _speaks_of_moving(self) -> bool:
        return any(token.text in _MOVING_WORDS for token in self._tokens)

    def _sign(self, mark: Mark) -> None:
        match mark.sign:
            case Sign.EXCEPT:
                self._except(mark)
            case Sign.START:
                self._start(mark)
            case Sign.UNTIL:
                self._until(mark)
            case Sign.LAST_ONE:
                self._closes(mark)
            case Sign.BEFORE | Sign.AFTER:
                self._before(mark)
            case Sign.INSTEAD:
                self._instead_of()
            case Sign.DAY_BEFORE:
                self._day_before(mark)
            case Sign.ALSO if self._found.parts.rates and any(
                isinstance(day, Days) for day in self._found.parts.days
            ):
                self._found.parts.adds_days = True
                self._found.signs.add(mark.sign)
            case _:
                self._found.signs.add(mark.sign)

    def _next(self, distance: int) -> Item | None:
        """The piece that comes next, if at most so many tokens stand before it."""
        if self._place >= len(self._items):
            return None
        previous_end = self._items[self._place - 1].end if self._place else 0
        item = self._items[self._place]
        return item if item.first - previous_end <= distance else None

    def _except(self, mark: Mark) -> None:
        parts, taken = self._found.parts, 0
        while (item := self._next(_NEAR)) is not None and (not taken or self._is_listed(item)):
            if isinstance(item, Mark) and item.sign in (Sign.ONLY, Sign.EXCEPT):
                self._place += 1
                continue
            if isinstance(item, Days):
                parts.without_days |= item.days
                self._found.removed_days.append(item)
            elif isinstance(item, Months):
                parts.without_months |= item.months
            elif isinstance(item, Part) and taken:
                pass
            elif isinstance(item, Clock) and not taken:
                self._found.dropped_clocks.append(item)
            elif isinstance(item, MonthDays | YearDay | PlacedDays | Holiday | OneDay):
                self._found.blockers.append(
                    Blocker(
                        item.first,
                        item.end,
                        why="a schedule leaves out weekdays and months, but no single days",
                    )
                )
            else:
                break
            self._found.used.append(item)
            self._place += 1
            taken += 1
        if taken:
            self._found.used.append(mark)
            self._found.signs.add(Sign.EXCEPT)
        elif at(self._tokens, mark.first).text in _STRICT_EXCEPTS and not isinstance(
            self._next(_NEAR), Blocker
        ):
            self._found.unclear.append("rest")

    def _is_listed(self, item: Item) -> bool:
        before = self._items[self._place - 1]
        return all(
            token.text in _LIST_WORDS for token in self._tokens[before.end : item.first]
        ) and "at" not in {token.text for token in self._tokens[before.end : item.first]}

    def _start(self, mark: Mark) -> None:
        parts, taken = self._found.parts, False
        while (item := self._next(2 if taken else 1)) is not None:
            day = self._single_day(item)
            if (isinstance(item, Clock) and not taken and self._is_sub_daily()) or (
                isinstance(item, Clock) and parts.start_day is not None and self._is_sub_daily()
            ):
                parts.start_clock = item
            elif isinstance(item, Months) and not taken:
                parts.start_day = self._month_begin(min(item.months))
            elif day is not None and parts.start_day is None:
                parts.start_day = day
            elif isinstance(item, Mark) and item.sign in (Sign.START, Sign.ONLY):
                pass
            else:
                break
            self._found.used.append(item)
            self._place += 1
            taken = True
        if taken:
            self._found.used.append(mark)
            self._found.signs.add(Sign.START)
        elif at(self._tokens, mark.first).text in _STRICT_STARTS and isinstance(self._next(1), Item):
            self._found.unclear.append("rest")

    def _month_begin(self, month: int) -> date:
        today = self._now.today
        return today if month == today.month else date(today.year + (month < today.month), month, 1)

    def _is_sub_daily(self) -> bool:
        return any(rate.unit in ("minute", "hour") for rate in self._found.parts.rates) or any(
            isinstance(item, Rate) and item.unit in ("minute", "hour") for item in self._items
        )

    def _single_day(self, item: Item) -> date | None:
        """The day that a piece names as a start or an end."""
        today = self._now.today
        match item:
            case OneDay():
                return item.day
            case YearDay():
                return next_year_day(item, today)
            case Days() if len(item.days) == 1 and not item.is_each:
                return single_weekday(item, today)
            case MonthDays() if len(item.names) == 1:
                return next_month_day(item.names[0], today)
            case _:
                return None

    def _until(self, mark: Mark) -> None:
        item = self._next(2)
        parts = self._found.parts
        if isinstance(item, Clock):
            parts.closes = item
        elif isinstance(item, Months):
            month = min(item.months)
            year = self._now.today.year + (month < self._now.today.month)
            parts.end = month_end(year, month)
        elif item is not None and (day := self._single_day(item)) is not None:
            parts.end = day
            if isinstance(item, OneDay | YearDay | Days | MonthDays):
                self._found.until = item
        if item is None or (not isinstance(item, Clock | Months) and self._single_day(item) is None):
            return
        self._found.used.extend((mark, item))
        self._found.signs.add(Sign.UNTIL)
        self._place += 1

    def _closes(self, mark: Mark) -> None:
        if isinstance(item := self._next(1), Clock):
            self._found.parts.closes = item
            self._found.used.extend((mark, item))
            self._place += 1

    def _before(self, mark: Mark) -> None:
        """``before the 8:30 standup`` is half an hour earlier, unless another time of day is named."""
        item = self._next(8)
        if not isinstance(item, Clock):
            self._found.signs.add(mark.sign)
            return
        self._place += 1
        others = [
            other
            for other in self._items
            if isinstance(other, Clock) and not other.is_noun and other is not item
        ]
        lengths = [length for length in self._found.lengths if length.use in ("before", "after")]
        if others or (lengths and not self._found.parts.shift_minutes):
            return
        if mark.sign is Sign.AFTER:
            self._found.unclear.append("time")
            return
        self._main(replace(item, is_noun=False))
        self._found.used.extend((mark, item))
        self._found.signs.add(Sign.BEFORE)
        self._found.is_before_clock = True

    def _instead_of(self) -> None:
        """Leaves out what is denied: ``not 9 eastern``; days that are part of the others are an exception."""
        main = frozenset(
            day for item in self._found.parts.days if isinstance(item, Days) for day in item.days
        )
        is_daily = any(rate.unit == "day" for rate in self._found.parts.rates)
        while (item := self._next(2)) is not None and not isinstance(item, Mark | Blocker):
            if isinstance(item, Days) and (
                item.days < main or (is_daily and item.days < ALL_DAYS and not main)
            ):
                self._found.parts.without_days |= item.days
                self._found.used.append(item)
            elif isinstance(item, Days | PlacedDays | MonthDays):
                self._found.replaced_days.append(item)
            elif isinstance(item, Clock):
                self._found.dropped_clocks.append(item)
            self._place += 1

    def _day_before(self, mark: Mark) -> None:
        """``the day before at 16:00``: the times named before belong to what is being prepared."""
        if self._found.parts.days or self._found.days:
            self._found.parts.shift_days -= 1
            self._found.used.append(mark)
            later = [
                item for item in self._items[self._place :] if isinstance(item, Clock) and not item.is_noun
            ]
            if later:
                for group in self._found.parts.groups:
                    group.clocks.clear()

    def _finish(self) -> None:
        parts = self._found.parts
        if parts.zone == "?":
            parts.zone, self._found.zone_asked = "", True
        if not parts.clocks and self._found.signs & {Sign.BEFORE, Sign.AFTER} and not self._found.lengths:
            parts.needs_time = True
        if is_before_when(self._found.used, self._tokens):
            parts.needs_time = True
            if Sign.EXCEPT in self._found.signs:
                self._found.unclear.append("rest")
        if is_crossed(parts.groups) or len({day.every for day in parts.days if isinstance(day, Days)}) > 1:
            self._found.unclear.append("rest")
        if self._found.is_before_clock and not parts.shift_minutes and parts.clocks:
            parts.shift_minutes = -30
            parts.assumed.append("half an hour before")
        if self._found.zone_asked and not parts.zone:
            parts.zone = zone_of_only_place(self._tokens)
        if self._found.zone_asked and not parts.zone:
            self._found.unclear.append("zone")


def _first(items: Sequence[Item]) -> int:
    return items[0].first if items else 10**6


def _repaired(items: Sequence[Item]) -> list[Item]:
    """Returns the pieces without those that are taken back: ``Monday, no wait, Tuesday``."""
    last = max((place for place, item in enumerate(items) if _is_repair(item)), default=-1)
    if last < 0:
        return list(items)
    later = {_sort(item) for item in items[last + 1 :]}
    kept = [item for item in items[:last] if _sort(item) not in later]
    parts = [
        Part(item.first, item.end, "morning", 9) for item in items[:last] if _is_first_thing(item, later)
    ]
    return [*parts, *kept, *items[last + 1 :]]


def _is_first_thing(item: Item, later: set[str]) -> bool:
    return isinstance(item, Clock) and item.is_named and item.hour == 9 and "clock" in later


def _is_repair(item: Item) -> bool:
    return isinstance(item, Mark) and item.sign is Sign.REPAIR


def _sort(item: Item) -> str:
    if isinstance(item, Clock | Window | MinuteOfHour):
        return "clock"
    return "day" if isinstance(item, (*_DAY_ITEMS, OneDay)) else type(item).__name__
