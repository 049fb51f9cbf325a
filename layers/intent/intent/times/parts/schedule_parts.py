"""What the words of a schedule say, sorted by its meaning, and what can stand in its way."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from intent.times.plan import Plan
from intent.times.words.items import (
    Clock,
    Days,
    Holiday,
    Length,
    MinuteOfHour,
    MonthDays,
    Part,
    PlacedDays,
    Rate,
    Window,
    YearDay,
)
from intent.times.words.lexicon import MINUTES_IN

SINGLE_DAYS = "a schedule leaves out weekdays and months, but no single days"
"""Why ``weekdays except the 1st`` can't be had."""
DayItem = Days | PlacedDays | MonthDays | YearDay | Holiday


class Unclear(Exception):
    """Something is missing or has two meanings: ``missing`` says what; ``guess`` what it may mean."""

    def __init__(self, *missing: str, guess: Parts | Plan | tuple[Parts, ...] | None = None) -> None:
        super().__init__(*missing)
        self.missing = missing
        self.guess = guess


class Impossible(Exception):
    """No schedule can say it: ``why`` says what stands in the way; ``near`` is what comes near."""

    def __init__(self, why: str, near: Parts | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.near = near


@dataclass(slots=True)
class Group:
    """Days and the times of day that belong to them."""

    days: list[tuple[DayItem, frozenset[int]]] = field(default_factory=list)
    """Each with its months; empty: those of the whole schedule."""
    clocks: list[Clock] = field(default_factory=list)
    part: Part | None = None

    @property
    def is_complete(self) -> bool:
        """Whether it has days and times."""
        return bool(self.days) and bool(self.clocks)


@dataclass(slots=True)
class Parts:
    """What the words of a schedule say, sorted by its meaning."""

    groups: list[Group] = field(default_factory=lambda: [Group()])
    rates: list[Rate] = field(default_factory=list)
    window: Window | None = None
    minute: MinuteOfHour | None = None
    months: frozenset[int] = frozenset()
    without_days: frozenset[int] = frozenset()
    without_months: frozenset[int] = frozenset()
    without_dates: tuple[DayItem, ...] = ()
    """Days of the month or year, and placed weekdays, that are left out: ``every day but the 1st``."""
    without_window: Window | None = None
    """The stretch of the night that an interval leaves out."""
    start_day: date | None = None
    start_clock: Clock | None = None
    starts_on_day: bool = False
    """Whether ``start_day`` was named as a day: ``from 14 April``, not ``from next month``."""
    end: date | None = None
    closes: Clock | None = None
    zone: str = ""
    needs_time: bool = False
    """Whether no time may be taken for granted: ``every day after lunch``."""
    shift_minutes: int = 0
    shift_days: int = 0
    shift_working_days: int = 0
    """Days from Monday to Friday; for a single day only."""
    overrides: bool = False
    """Whether days that come later have their own time instead of that of all: ``but Sundays at 11``."""
    adds_days: bool = False
    """Whether the weekdays come in addition: ``every day, weekends too``."""
    assumed: list[str] = field(default_factory=list)

    @property
    def rate(self) -> Rate | None:
        """The rate that counts: the first that is no adjective, else the first."""
        return next((rate for rate in self.rates if not rate.is_adjective), None) or next(
            iter(self.rates), None
        )

    @property
    def clocks(self) -> list[Clock]:
        """All times of day."""
        return [clock for group in self.groups for clock in group.clocks]

    @property
    def says_hours(self) -> bool:
        """Whether a time or a stretch of the day was named."""
        hours = (self.window, self.minute, self.closes, self.start_clock)
        return bool(self.clocks) or any(each is not None for each in hours)

    @property
    def days(self) -> list[DayItem]:
        """All days."""
        return [day for group in self.groups for day, _ in group.days]

    @property
    def part(self) -> Part | None:
        """The part of the day, if one was named."""
        return next((group.part for group in self.groups if group.part), None)


def minutes_of(length: Length) -> int:
    """Returns a length in minutes; 0 for one in days or longer."""
    return round(length.count * MINUTES_IN.get(length.unit, 0))
