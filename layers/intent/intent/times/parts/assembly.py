"""What a text says about when, sorted by its meaning."""

from __future__ import annotations

from dataclasses import dataclass, field

from intent.times.parts.schedule_parts import DayItem, Parts
from intent.times.words.items import (
    Blocker,
    Clock,
    Days,
    Holiday,
    Item,
    Length,
    MonthDays,
    Months,
    OneDay,
    Part,
    PlacedDays,
    Sign,
    YearDay,
)

HALF_AN_HOUR_BEFORE = "half an hour before"


@dataclass(slots=True)
class Assembly:
    """What a text says about when, sorted."""

    parts: Parts = field(default_factory=Parts)
    days: list[OneDay | YearDay | Days | MonthDays | PlacedDays | Holiday] = field(default_factory=list)
    """All days in the main role, in order; for a moment."""
    lengths: list[Length] = field(default_factory=list)
    blockers: list[Blocker] = field(default_factory=list)
    signs: set[Sign] = field(default_factory=set)
    dropped_clocks: list[Clock] = field(default_factory=list)
    dropped_parts: list[Part] = field(default_factory=list)
    """Parts of the day whose times are left out: ``skip the morning one``."""
    removed_days: list[DayItem | Months] = field(default_factory=list)
    replaced_days: list[DayItem] = field(default_factory=list)
    start: Item | None = None
    """The piece that names the first day."""
    until: OneDay | YearDay | Days | MonthDays | None = None
    used: list[Item] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    next_part: Part | None = None
    """A further part of the day, to which the times after it belong."""
    zone_asked: bool = False
    is_before_clock: bool = False
    """Whether the only time of day is the one before which it has to be done."""

    def end_before_clock(self) -> None:
        """Takes ``before the 7:30 handover`` as a deadline at that time, not as half an hour earlier."""
        if self.is_before_clock and HALF_AN_HOUR_BEFORE in self.parts.assumed:
            self.parts.assumed.remove(HALF_AN_HOUR_BEFORE)
            self.parts.shift_minutes = 0

    @property
    def recurs(self) -> bool:
        """Whether the words themselves say that it comes again."""
        parts = self.parts
        says_when = bool(parts.clocks or parts.days)
        return bool(
            any(says_when or not rate.is_adjective for rate in parts.rates)
            or (parts.minute and (parts.minute.is_every_hour or parts.window or parts.closes))
            or any(_comes_again(day) for day in parts.days)
        )


def _comes_again(day: DayItem) -> bool:
    return isinstance(day, Days | MonthDays | PlacedDays | YearDay) and day.is_each
