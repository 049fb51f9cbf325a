"""The pieces of which words about times are made, each with the tokens it takes up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import Enum, auto


@dataclass(frozen=True, slots=True)
class Item:
    """A piece from token ``first`` up to, but without, token ``end``."""

    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Clock(Item):
    """A time of day. An open one may be in either half of the day."""

    hour: int
    minute: int
    is_open: bool = False
    is_weak: bool = False
    """Whether it is a mere number, and a time only beside other words of time."""
    is_named: bool = False
    """Whether a word stands for it: ``noon``, ``end of day``."""
    is_stretch: bool = False
    """Whether that word stands for a stretch of the day, in which another time may be: ``lunchtime``."""
    is_noun: bool = False
    """Whether it only describes something: ``the 8:30 standup``."""
    is_midnight: bool = False
    is_digital: bool = False
    """Whether hour and minute are written in figures: ``7:30``."""
    has_half: bool = False
    """Whether ``am`` or ``pm`` stands with it."""

    @property
    def minutes(self) -> int:
        """Minutes since midnight."""
        return self.hour * 60 + self.minute


@dataclass(frozen=True, slots=True)
class MinuteOfHour(Item):
    """Minutes past whichever hour: ``quarter past``; ``on the hour`` is 0."""

    minute: int
    is_every_hour: bool = False
    others: tuple[int, ...] = ()
    """The further minutes of ``at 5, 25 and 45 past``."""

    @property
    def minutes(self) -> tuple[int, ...]:
        """All of them, in order."""
        return tuple(sorted({self.minute, *self.others}))


@dataclass(frozen=True, slots=True)
class Window(Item):
    """From one time of day to another."""

    opens: Clock
    closes: Clock
    is_assumed: bool = False


@dataclass(frozen=True, slots=True)
class Part(Item):
    """A part of the day: ``morning``."""

    name: str
    hour: int
    """The hour that stands for it; -1: it has to be asked (``late afternoon``)."""
    is_plural: bool = False


@dataclass(frozen=True, slots=True)
class Days(Item):
    """Days of the week, Sunday is 0."""

    days: frozenset[int]
    is_each: bool = False
    """Whether they come every week: ``Mondays``, ``every Monday``, ``Mon-Fri``."""
    which: str = ""
    """``next`` or ``this``."""
    weeks_later: int = 0
    """1 for ``Tuesday week``, 2 for ``Monday fortnight``."""
    day_of_month: int | None = None
    """14 for ``sat the 14th``."""
    every: int = 1
    """2 for ``every other Monday``."""
    may_be_placed: bool = False
    """Whether ``every`` may be a place in the month as well: ``every second Monday``."""


@dataclass(frozen=True, slots=True)
class PlacedDays(Item):
    """Weekdays with their places in the month: ``the second and fourth Tuesday``; -1 is the last."""

    days: frozenset[int]
    places: tuple[int, ...]
    is_each: bool = False
    """Whether the words say that it comes every month."""
    is_of_quarter: bool = False
    is_of_year: bool = False


@dataclass(frozen=True, slots=True)
class MonthDays(Item):
    """Days of the month, as cron names them: ``1``, ``L``, ``15W``, ``LW``."""

    names: tuple[str, ...]
    is_each: bool = False
    is_of_quarter: bool = False
    is_of_year: bool = False
    is_of_month: bool = False
    """Whether the words say ``of every month``."""


@dataclass(frozen=True, slots=True)
class Months(Item):
    """Months of the year."""

    months: frozenset[int]
    is_only: bool = False


@dataclass(frozen=True, slots=True)
class YearDay(Item):
    """A day of the year: ``18 May``, ``12 September 2027``."""

    day: int
    month: int
    year: int | None = None
    is_each: bool = False
    """Whether the words say that it comes every year: ``every January 15``."""


@dataclass(frozen=True, slots=True)
class OneDay(Item):
    """A single day that is known by now: ``tomorrow``, ``in two weeks``."""

    day: date
    assumed: str = ""
    is_vague: bool = False
    """Whether it stands for a long time, such as next month, and is a day only as a start."""
    at: int | None = None
    """The minutes since midnight that its words name, too: ``this time tomorrow``."""
    is_week: bool = False
    """Whether it is the Monday that stands for its whole week: ``next week``."""


@dataclass(frozen=True, slots=True)
class Holiday(Item):
    """A holiday that is a weekday of a month every year: ``Thanksgiving``, with days to add."""

    month: int
    weekday: int
    place: int
    plus_days: int = 0


@dataclass(frozen=True, slots=True)
class Rate(Item):
    """Every ``count`` units, or ``times`` times per unit."""

    unit: str
    count: int = 1
    times: int = 0
    is_adjective: bool = False
    """Whether it only describes something: ``the weekly report``."""
    part: str = ""
    """The part of the day that the word names, too: ``nightly``."""


@dataclass(frozen=True, slots=True)
class Length(Item):
    """A stretch of time and how it is used: ``in``, ``before``, ``after``, ``earlier``, ``later``."""

    count: float
    unit: str
    use: str


@dataclass(frozen=True, slots=True)
class ZoneName(Item):
    """A time zone; empty: the person's own; ``?``: one that has to be asked."""

    zone: str
    is_denied: bool = False
    meanings: tuple[str, ...] = ()
    """For an abbreviation with several meanings, their zones."""


class Sign(Enum):
    """Words that say how the pieces after them are meant."""

    EXCEPT = auto()
    ONLY = auto()
    ALSO = auto()
    INSTEAD = auto()
    NOT = auto()
    START = auto()
    UNTIL = auto()
    BY = auto()
    BEFORE = auto()
    AFTER = auto()
    REPAIR = auto()
    SAME = auto()
    LAST_ONE = auto()
    DAY_BEFORE = auto()
    ONCE = auto()
    NEVER = auto()
    REST_STAYS = auto()


@dataclass(frozen=True, slots=True)
class Mark(Item):
    """A sign."""

    sign: Sign


@dataclass(frozen=True, slots=True)
class Blocker(Item):
    """Words that make a reading impossible or doubtful: ``sunset``, ``bank holidays``."""

    missing: str = ""
    """What has to be asked."""
    why: str = ""
    """What no schedule can do."""
    is_weak: bool = False
    """Whether it counts only beside a schedule."""
    is_event: bool = False
    """Whether it counts only where nothing else says when."""
    skips: str = ""
    """The unit of which it is every second one where one day is named: ``biweekly on Tuesday``."""
    is_no_day: bool = False
    """Whether it is a day that no year has: ``31 June``."""
    is_condition: bool = False
    """Whether it counts only right after a time: ``Mondays at 9 unless it rains``."""


@dataclass(frozen=True, slots=True)
class Past(Item):
    """A past period, which is a filter and no schedule: ``last week's``."""


@dataclass(frozen=True, slots=True)
class Noun(Item):
    """Words of time that only name, greet or count something: ``the Sunday Times``, ``room 1430``."""
