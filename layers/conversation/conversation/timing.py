"""When something happens again and again: cron expressions, every how many weeks, from when and until when.

`Timing` decides for every moment whether it belongs to the schedule. EventBridge Scheduler and the twin only
wake what runs; a moment that they offer and that is not in the schedule is passed over. That keeps what cron
has no words for exact: a rate of EventBridge counts in steps of 24 hours, and would move by an hour when the
clocks change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from zoneinfo import ZoneInfo

from conversation.cron import Cron

MAX_RUNS_PER_HOUR = 12
"""How often an agent may run on schedule within an hour: every five minutes."""
_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)
MAX_CRONS = 8
_SEPARATOR = "; "
HORIZON_DAYS = 366 * 9
"""How far ahead moments are looked for: 29 February may be eight years away."""


class Unit(StrEnum):
    """What ``every`` counts."""

    MINUTES = "minutes"
    DAYS = "days"
    WEEKS = "weeks"
    MONTHS = "months"


@dataclass(frozen=True, slots=True)
class Timing:
    """A schedule: the moments of any of its ``crons`` that are in every n-th unit, from start to end."""

    crons: tuple[str, ...]
    zone: str = "UTC"
    every: int = 1
    """Only every so many units count, from ``start`` on; 1: all of them."""
    unit: Unit = Unit.WEEKS
    start: datetime | None = None
    """The first local moment that may count, without a zone; None: at once. Weeks begin on Monday."""
    end: date | None = None
    """The last local day that counts; None: it goes on."""

    @classmethod
    def from_text(cls, text: str, zone: str) -> Timing:
        """Reads what `to_text` wrote; five cron fields alone are a schedule, too.

        Raises:
            ValueError: the text has another form.
        """
        crons, values = list[str](), dict[str, str]()
        for part in text.split(_SEPARATOR):
            word, _, value = part.partition(" ")
            if word in ("every", "start", "end"):
                values[word] = value
            else:
                crons.append(part)
        every, _, unit = values.get("every", f"1 {Unit.WEEKS}").partition(" ")
        start, end = values.get("start"), values.get("end")
        return cls(
            tuple(crons),
            zone,
            int(every),
            Unit(unit),
            datetime.fromisoformat(start) if start else None,
            date.fromisoformat(end) if end else None,
        )

    def to_text(self) -> str:
        """The schedule without its zone in one line; one cron expression alone stays as it is."""
        parts = [*self.crons]
        if self.every > 1:
            parts.append(f"every {self.every} {self.unit}")
        if self.start is not None:
            parts.append(f"start {self.start.isoformat(timespec='minutes')}")
        if self.end is not None:
            parts.append(f"end {self.end.isoformat()}")
        return _SEPARATOR.join(parts)

    @property
    def is_one_cron(self) -> bool:
        """Whether one cron expression says it all."""
        return len(self.crons) == 1 and self.every == 1 and self.start is None and self.end is None

    @property
    def is_too_frequent(self) -> bool:
        """Whether it comes more often than an agent may run on schedule."""
        if self.unit is Unit.MINUTES and self.every > 1:
            return self.every * MAX_RUNS_PER_HOUR < 60
        parsed = [_parsed(cron) for cron in self.crons]
        return any(
            len({minute for cron in parsed if hour in cron.hours for minute in cron.minutes})
            > MAX_RUNS_PER_HOUR
            for hour in range(24)
        )

    def matches(self, moment: datetime) -> bool:
        """Whether this moment, whose seconds don't count, belongs to the schedule."""
        minute = moment.astimezone(UTC).replace(second=0, microsecond=0)
        local = minute.astimezone(ZoneInfo(self.zone)).replace(tzinfo=None)
        return minute in self._moments_of(local.date())

    def moments(self, after: datetime) -> Iterator[datetime]:
        """The moments after a time, in UTC and in order, as far as the horizon."""
        day = after.astimezone(ZoneInfo(self.zone)).date()
        if self.start is not None:
            day = max(day, self.start.date())
        for _ in range(HORIZON_DAYS):
            if self.end is not None and day > self.end:
                return
            yield from (moment for moment in self._moments_of(day) if moment > after)
            day += _DAY

    def latest(self, *, after: datetime, until: datetime) -> datetime | None:
        """The latest moment after ``after`` and not after ``until``, in UTC; None when there is none."""
        zone = ZoneInfo(self.zone)
        first, day = after.astimezone(zone).date(), until.astimezone(zone).date()
        while day >= first:
            for moment in reversed(self._moments_of(day)):
                if after < moment <= until:
                    return moment
            day -= _DAY
        return None

    def _moments_of(self, day: date) -> list[datetime]:
        """The day's moments in order: a skipped local time never comes, a repeated one counts once."""
        if (self.end is not None and day > self.end) or not self._is_turn_of(day):
            return []
        zone, found = ZoneInfo(self.zone), set[datetime]()
        for cron in map(_parsed, self.crons):
            if cron.matches_day(day):
                found.update(_moments_of(cron, day, zone))
        return sorted(moment for moment in found if self._is_turn(moment, zone))

    def _is_turn_of(self, day: date) -> bool:
        if self.start is None:
            return True
        first = self.start.date()
        match self.unit:
            case _ if day < first:
                return False
            case Unit.DAYS:
                return (day - first).days % self.every == 0
            case Unit.WEEKS:
                return (_monday(day) - _monday(first)).days // 7 % self.every == 0
            case Unit.MONTHS:
                return ((day.year - first.year) * 12 + day.month - first.month) % self.every == 0
            case _:
                return True

    def _is_turn(self, moment: datetime, zone: ZoneInfo) -> bool:
        if self.start is None:
            return True
        first = self.start.replace(tzinfo=zone).astimezone(UTC)
        return moment >= first and (
            self.unit != Unit.MINUTES or (moment - first) // _MINUTE % self.every == 0
        )


@lru_cache(maxsize=256)
def _parsed(cron: str) -> Cron:
    return Cron.parse(cron)


def _moments_of(cron: Cron, day: date, zone: ZoneInfo) -> Iterator[datetime]:
    for hour in cron.hours:
        for minute in cron.minutes:
            local = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone)
            moment = local.astimezone(UTC)
            if moment.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
                yield moment


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
