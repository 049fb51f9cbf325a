"""Puts the pieces of words about times together to a schedule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta

from conversation.timing import Timing, Unit
from intent.times.clock_choice import choose_times, choose_window
from intent.times.plan import ALL_MONTHS, MAX_TIMES, DaySpec, Plan, Rule, merged, weekly
from intent.times.wording import clock_words
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
from intent.times.words.lexicon import ALL_DAYS, MINUTES_IN

_FULL_DAY = 24 * 60
_DEFAULT_TIME = 9 * 60
_TIMES_A_DAY = {2: (9, 17), 3: (9, 13, 17), 4: (0, 6, 12, 18), 6: (0, 4, 8, 12, 16, 20)}
QUARTERS = frozenset({1, 4, 7, 10})
QUARTER_ENDS = frozenset({3, 6, 9, 12})

DayItem = Days | PlacedDays | MonthDays | YearDay | Holiday


class Unclear(Exception):
    """Something is missing or has two meanings: ``missing`` says what; ``guess`` is the likeliest meaning."""

    def __init__(self, *missing: str, guess: Parts | None = None) -> None:
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
    start_day: date | None = None
    start_clock: Clock | None = None
    end: date | None = None
    closes: Clock | None = None
    zone: str = ""
    needs_time: bool = False
    """Whether no time may be taken for granted: ``every day after lunch``."""
    shift_minutes: int = 0
    shift_days: int = 0
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
    def days(self) -> list[DayItem]:
        """All days."""
        return [day for group in self.groups for day, _ in group.days]

    @property
    def part(self) -> Part | None:
        """The part of the day, if one was named."""
        return next((group.part for group in self.groups if group.part), None)


@dataclass(frozen=True, slots=True)
class Made:
    """A schedule and what was taken for granted in it."""

    timing: Timing
    plan: Plan
    assumed: tuple[str, ...]


def make_schedule(parts: Parts, *, zone: str, now: datetime) -> Made:
    """Returns the schedule that the parts describe.

    Args:
        parts: what was said.
        zone: the person's zone, which counts where the words name none.
        now: the local time without its zone.

    Raises:
        Unclear: something has to be asked.
        Impossible: no schedule can say it.
    """
    assumed = list(parts.assumed)
    rules = _rules(parts, now, assumed)
    if not rules:
        raise Unclear("day")
    plan = Plan(merged(rules), parts.zone or zone, end=parts.end)
    plan = _counted(plan, parts, now)
    if plan.start is None and parts.start_day is not None:
        plan = replace(plan, start=_begin(parts.start_day))
    timing = plan.timing()
    if timing is None:
        raise Impossible("that takes more times of day than one schedule has")
    return Made(timing, plan, tuple(dict.fromkeys(assumed)))


def _rules(parts: Parts, now: datetime, assumed: list[str]) -> list[Rule]:
    step = _step(parts)
    if step:
        return _stepped(parts, step, assumed)
    rules: list[Rule] = []
    groups = _completed(parts.groups)
    for group in groups:
        times = _times(parts, group, assumed)
        for days in _day_specs(parts, group, now, assumed):
            shifted, moved = _shifted(days, times, parts)
            rules.append(Rule(shifted, moved))
    return rules


def _completed(groups: Sequence[Group]) -> list[Group]:
    """Returns the groups; days without a time have the time of the group before."""
    found: list[Group] = []
    for group in groups:
        if found and group.days and not group.clocks and group.part is None:
            found[-1] = replace(found[-1], days=[*found[-1].days, *group.days])
        elif found and not group.days:
            found[-1] = replace(
                found[-1], clocks=[*found[-1].clocks, *group.clocks], part=found[-1].part or group.part
            )
        else:
            found.append(group)
    return found


def _step(parts: Parts) -> int:
    """The minutes between two times for ``every 20 minutes``, ``hourly``; 0 for anything else."""
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


def _stepped(parts: Parts, step: int, assumed: list[str]) -> list[Rule]:
    part = parts.part.name if parts.part else ""
    offset = parts.minute.minute if parts.minute else 0
    days = _stepped_days(parts)
    bounds = _bounds(parts, part, assumed)
    if bounds is not None:
        opens, closes = bounds
        first = opens + (offset - opens) % 60 if step == 60 else opens
        times = tuple(time for time in range(first, closes + 1, step) if time < _FULL_DAY)
        if len(times) > MAX_TIMES:
            raise Impossible("that is too often")
        return [Rule(spec, times, step) for spec in days]
    clocks = parts.clocks
    if len(clocks) > 1 or (clocks and parts.start_clock):
        raise Unclear("time")
    if part and not clocks:
        raise Unclear("time")
    if _FULL_DAY % step or (step < 60 and 60 % step) or (step > 60 and step % 60):
        return [Rule(spec, _every_minutes_apart(step), step) for spec in days]
    start = _start_of_step(parts)
    first = (start if start is not None else offset) % step
    return [Rule(spec, tuple(range(first, _FULL_DAY, step)), step) for spec in days]


def _every_minutes_apart(step: int) -> tuple[int, ...]:
    """The times of day at which an interval that doesn't fit into a day may come."""
    common = next(size for size in (60, 30, 20, 15, 12, 10, 6, 5, 4, 3, 2, 1) if step % size == 0)
    if common < 5:
        raise Impossible("intervals are five minutes or a multiple")
    return tuple(range(0, _FULL_DAY, common))


def _start_of_step(parts: Parts) -> int | None:
    clocks = [parts.start_clock] if parts.start_clock else parts.clocks
    if not clocks:
        return None
    choice = choose_times(clocks, parts.part.name if parts.part else "")
    if choice.is_open:
        raise Unclear("am_pm")
    return choice.times[0]


def _bounds(parts: Parts, part: str, assumed: list[str]) -> tuple[int, int] | None:
    window = parts.window
    opens = parts.start_clock or (parts.clocks[0] if parts.clocks else None)
    if window is None and parts.closes is not None and opens is not None:
        window = Window(0, 0, opens, parts.closes)
    if window is None:
        return (0, _closing(parts.closes)) if parts.closes is not None else None
    bounds = choose_window(window, part)
    if bounds is None:
        raise Unclear("am_pm")
    if window.is_assumed:
        assumed.append(f"office hours are taken as {clock_words(bounds[0])} to {clock_words(bounds[1])}")
    elif window.opens.is_open or window.closes.is_open:
        assumed.append(
            f"the hours are taken as {clock_words(bounds[0])} to {clock_words(bounds[1] % _FULL_DAY)}"
        )
    return bounds


def _closing(closes: Clock) -> int:
    choice = choose_times([closes], "")
    if choice.is_open:
        raise Unclear("am_pm")
    return choice.times[0]


def _stepped_days(parts: Parts) -> list[DaySpec]:
    days: set[int] = set()
    for item in parts.days:
        if not isinstance(item, Days) or item.every > 1:
            raise Impossible("an interval of minutes or hours goes with days of the week only")
        days |= item.days
    chosen = frozenset(days) or ALL_DAYS
    return [weekly(_left(chosen, parts), _months(parts))]


def _left(days: frozenset[int], parts: Parts) -> frozenset[int]:
    left = days - parts.without_days
    if not left:
        raise Unclear("day")
    return left


def _months(parts: Parts, own: frozenset[int] = frozenset()) -> frozenset[int]:
    months = (own or parts.months or ALL_MONTHS) - parts.without_months
    if not months:
        raise Unclear("day")
    return months


def _times(parts: Parts, group: Group, assumed: list[str]) -> tuple[int, ...]:
    rate = parts.rate
    wanted = rate.times if rate and rate.unit == "day" and rate.times > 1 else 0
    if wanted and group.clocks and len(group.clocks) != wanted:
        raise Unclear("time")
    part = group.part or parts.part
    if parts.window is not None:
        raise Unclear("rate")
    if not group.clocks:
        return _default_times(parts, part, wanted, assumed)
    if {clock.minutes for clock in group.clocks if clock.is_midnight} and _is_doubtful_midnight(parts, group):
        raise Unclear("day")
    choice = choose_times(group.clocks, part.name if part else "")
    if choice.is_open:
        raise Unclear("am_pm")
    assumed.extend(choice.assumed)
    return choice.times


def _is_doubtful_midnight(parts: Parts, group: Group) -> bool:
    """``Friday at midnight`` begins or ends the Friday; ``Friday night at midnight`` ends it."""
    if parts.part and parts.part.name.startswith("night"):
        return False
    return any(not isinstance(day, Days) or day.days != ALL_DAYS for day, _ in group.days)


def _default_times(parts: Parts, part: Part | None, wanted: int, assumed: list[str]) -> tuple[int, ...]:
    if wanted:
        hours = _TIMES_A_DAY.get(wanted)
        if hours is None:
            raise Unclear("time")
        times = tuple(hour * 60 for hour in hours)
        assumed.append(f"the times are {', '.join(map(clock_words, times))}")
        return times
    minutes = part.hour * 60 if part else _DEFAULT_TIME
    if parts.minute is not None or parts.needs_time or minutes < 0:
        raise Unclear("time")
    said = f"{part.name} is taken as" if part else "no time was named:"
    assumed.append(f"{said} {clock_words(minutes)}")
    return (minutes,)


def _shifted(days: DaySpec, times: tuple[int, ...], parts: Parts) -> tuple[DaySpec, tuple[int, ...]]:
    """Returns days and times moved by what was said: ``an hour before``, ``the day before``."""
    moved = [time_ + parts.shift_minutes for time_ in times]
    if _ends_the_night(parts, times):
        moved = [time_ + _FULL_DAY if time_ < 5 * 60 else time_ for time_ in moved]
    carried = {time_ // _FULL_DAY for time_ in moved}
    if len(carried) > 1:
        raise Impossible("the times would fall on two days")
    return shift_days(days, carried.pop() + parts.shift_days), tuple(
        sorted({time_ % _FULL_DAY for time_ in moved})
    )


def _ends_the_night(parts: Parts, times: tuple[int, ...]) -> bool:
    """``Friday night at midnight`` is the end of Friday."""
    is_night = parts.part is not None and parts.part.name.startswith("night")
    named = [day for day in parts.days if isinstance(day, Days) and day.days != ALL_DAYS]
    if is_night and named and any(time_ < 5 * 60 for time_ in times):
        if times != (0,):
            raise Unclear("day")
        return True
    return False


def shift_days(days: DaySpec, by: int) -> DaySpec:
    """Returns the days so many days later.

    Raises:
        Impossible: days of the month that would leave it.
    """
    if by == 0 or days == DaySpec():
        return days
    if days.is_weekly:
        return (
            weekly((day + by) % 7 for day in days.plain_weekdays) if days.months == ALL_MONTHS else _refuse()
        )
    if days.weekdays or not all(name.isdigit() for name in days.month_days):
        return _refuse()
    if len(days.months) == 1 and len(days.month_days) == 1:
        moved = date(2027, next(iter(days.months)), int(days.month_days[0])) + timedelta(days=by)
        return DaySpec((str(moved.day),), frozenset({moved.month}))
    numbers = [int(name) + by for name in days.month_days]
    return (
        replace(days, month_days=tuple(map(str, numbers)))
        if all(1 <= n <= 28 for n in numbers)
        else _refuse()
    )


def _refuse() -> DaySpec:
    raise Impossible("days of the month can't be moved into another month")


def _day_specs(parts: Parts, group: Group, now: datetime, assumed: list[str]) -> list[DaySpec]:
    rate = parts.rate
    weekdays = frozenset(day for item, _ in group.days if isinstance(item, Days) for day in item.days)
    placed = [(item, months) for item, months in group.days if not isinstance(item, Days)]
    if placed and weekdays:
        raise Impossible("a schedule has days of the month or days of the week, not both")
    if placed:
        return [_placed(item, _months_of(parts, item, months)) for item, months in placed]
    own = frozenset().union(*(months for _, months in group.days)) if group.days else frozenset()
    if weekdays and rate is not None and rate.unit in ("month", "quarter", "year") and not rate.is_adjective:
        raise Unclear("day")
    if parts.adds_days and rate is not None and rate.unit == "day":
        weekdays = ALL_DAYS
    if not weekdays:
        weekdays = _default_days(parts, assumed)
    if rate is not None and rate.unit == "week" and rate.times > 1 and len(weekdays) != rate.times:
        raise Unclear("day")
    return [weekly(_left(weekdays, parts), _months(parts, own))]


def _default_days(parts: Parts, assumed: list[str]) -> frozenset[int]:
    """The days where none were named: all of them, if that was said."""
    rate = parts.rate
    if rate is None or rate.unit == "day" or parts.without_days or (parts.months and rate is None):
        if rate is None and not (parts.without_days or parts.part or parts.months or parts.clocks):
            raise Unclear("day")
        if rate is None and not parts.without_days:
            if parts.part is None or not parts.part.is_plural:
                raise Unclear("day")
        return ALL_DAYS
    raise Unclear("day", guess=_with_first_day(parts, rate))


def _with_first_day(parts: Parts, rate: Rate) -> Parts:
    """Returns what ``weekly`` and ``monthly`` most likely mean: the first day of the period."""
    day: DayItem
    if rate.unit in ("week", "even week", "odd week"):
        day = Days(0, 0, frozenset({1}), is_each=True)
    elif rate.unit == "year":
        day = YearDay(0, 0, 1, 1)
    else:
        day = MonthDays(0, 0, ("1",), is_each=True)
    groups = [replace(group) for group in parts.groups]
    groups[0] = replace(groups[0], days=[(day, frozenset())])
    return replace(parts, groups=groups)


def _months_of(parts: Parts, item: DayItem, own: frozenset[int]) -> frozenset[int]:
    rate = parts.rate
    is_quarterly = (isinstance(item, MonthDays) and item.is_of_quarter) or (
        rate is not None and rate.unit == "quarter"
    )
    if is_quarterly and not own and not parts.months:
        ends = isinstance(item, MonthDays) and any(name.startswith("L") for name in item.names)
        ends = ends or (isinstance(item, PlacedDays) and -1 in item.places)
        return (QUARTER_ENDS if ends else QUARTERS) - parts.without_months
    if rate is not None and rate.unit == "month" and rate.count > 1:
        return ALL_MONTHS
    return _months(parts, own)


def _placed(item: DayItem, months: frozenset[int]) -> DaySpec:
    match item:
        case PlacedDays():
            names = tuple(
                f"{day}L" if place < 0 else f"{day}#{place}"
                for place in item.places
                for day in sorted(item.days)
            )
            return DaySpec(months=months, weekdays=names)
        case MonthDays():
            return DaySpec(item.names, months)
        case YearDay():
            if (item.day, item.month) == (29, 2):
                raise Unclear("day")
            return DaySpec((str(item.day),), frozenset({item.month}))
        case Holiday():
            return _holiday(item)
        case Days():
            return weekly(item.days, months)


def _holiday(item: Holiday) -> DaySpec:
    if item.plus_days:
        raise Impossible("that day depends on another day")
    name = f"{item.weekday}L" if item.place < 0 else f"{item.weekday}#{item.place}"
    return DaySpec(months=frozenset({item.month}), weekdays=(name,))


def _counted(plan: Plan, parts: Parts, now: datetime) -> Plan:
    """Returns the plan with every how many weeks, days, months or minutes it comes, and from when."""
    every, unit = _every(parts)
    step = _step(parts)
    if step and plan.rules and len(plan.rules[0].times) > 1 and _is_uneven(step) and not _has_bounds(parts):
        every, unit = step, Unit.MINUTES
        if parts.days and any(day.days != ALL_DAYS for day in parts.days if isinstance(day, Days)):
            raise Impossible("that interval doesn't fit into a day, so it goes with every day only")
    if every == 1 and unit is Unit.WEEKS:
        return _with_start_time(plan, parts, now) if step and parts.start_day else plan
    start = _begin(parts.start_day) if parts.start_day else None
    clock = _start_of_step(parts) if unit is Unit.MINUTES else None
    if unit is Unit.MINUTES:
        begin = start or _begin(now.date())
        if clock is None:
            raise Unclear("time")
        return replace(plan, every=every, unit=unit, start=begin + timedelta(minutes=clock))
    if unit is Unit.MONTHS and parts.months and len(parts.months) == 1 and parts.start_day is None:
        start = _month_start(next(iter(parts.months)), now)
    begin = start or now
    first = next(
        replace(plan, start=begin, end=None, every=1).timing().moments(_aware(begin, plan.zone)), None
    )  # type: ignore[union-attr]
    if first is None:
        raise Unclear("day")
    return replace(plan, every=every, unit=unit, start=_first_day(parts, first, plan))


def _with_start_time(plan: Plan, parts: Parts, now: datetime) -> Plan:
    clock = _start_of_step(parts)
    assert parts.start_day is not None
    return replace(plan, start=_begin(parts.start_day) + timedelta(minutes=clock or 0))


def _is_uneven(step: int) -> bool:
    return bool(_FULL_DAY % step or (step < 60 and 60 % step) or (step > 60 and step % 60))


def _has_bounds(parts: Parts) -> bool:
    return parts.window is not None or parts.closes is not None


def _first_day(parts: Parts, first: datetime, plan: Plan) -> datetime:
    from zoneinfo import ZoneInfo

    local = first.astimezone(ZoneInfo(plan.zone)).replace(tzinfo=None)
    rate = parts.rate
    if rate is not None and rate.unit in ("even week", "odd week"):
        is_even = local.isocalendar().week % 2 == 0
        if is_even != (rate.unit == "even week"):
            local += timedelta(days=7)
    return _begin(local.date())


def _aware(local: datetime, zone: str) -> datetime:
    from zoneinfo import ZoneInfo

    return local.replace(tzinfo=ZoneInfo(zone)) - timedelta(minutes=1)


def _begin(day: date) -> datetime:
    return datetime.combine(day, time())


def _month_start(month: int, now: datetime) -> datetime:
    year = now.year + (month < now.month)
    return _begin(
        max(
            date(year, month, 1),
            now.date() if (year, month) == (now.year, now.month) else date(year, month, 1),
        )
    )


def _every(parts: Parts) -> tuple[int, Unit]:
    """Every how many units of which kind; one week for what comes each time."""
    skipping = max((day.every for day in parts.days if isinstance(day, Days)), default=1)
    if skipping > 1:
        return skipping, Unit.WEEKS
    for rate in parts.rates:
        if rate.count > 1 and not rate.times:
            match rate.unit:
                case "week" | "even week" | "odd week":
                    return rate.count, Unit.WEEKS
                case "day" if any(isinstance(day, Days) for day in parts.days) and rate.count % 7 == 0:
                    return rate.count // 7, Unit.WEEKS
                case "day" if not parts.days:
                    return rate.count, Unit.DAYS
                case "day":
                    raise Impossible("days of the week don't go with every so many days")
                case "month":
                    return rate.count, Unit.MONTHS
                case "quarter":
                    return 3 * rate.count, Unit.MONTHS
                case "year":
                    raise Impossible("no schedule skips years")
                case _:
                    pass
    return 1, Unit.WEEKS


def weekdays_of(items: Iterable[DayItem]) -> frozenset[int]:
    """Returns all days of the week among the items."""
    return frozenset(day for item in items if isinstance(item, Days) for day in item.days)


def minutes_of(length: Length) -> int:
    """Returns a length in minutes; 0 for one in days or longer."""
    return round(length.count * MINUTES_IN.get(length.unit, 0))
