"""`read_times`, the door of the grammar of times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache, partial
from zoneinfo import ZoneInfo

from conversation.timing import Timing
from intent.times.changes import change_schedule
from intent.times.clock_choice import choose_times
from intent.times.moment_changes import change_moment
from intent.times.moments import Moment, existing, make_moment
from intent.times.parts.assembler import assemble
from intent.times.parts.assembly import Assembly
from intent.times.parts.schedule_parts import Impossible, Parts, Unclear
from intent.times.plan import Plan
from intent.times.reading import Kind, Offer, Problem, Span, TimeReading
from intent.times.schedules import Made, make_schedule
from intent.times.typed_cron import read_typed_cron
from intent.times.wording import describe_plan, moment_words
from intent.times.words.comparisons import with_plain_comparisons
from intent.times.words.dates import Present
from intent.times.words.denied_days import with_plain_exceptions
from intent.times.words.items import Blocker, Clock, Days, Item, Mark, Noun, OneDay, Past, Sign, YearDay
from intent.times.words.lexicon import SINGULAR_WEEKDAYS
from intent.times.words.neighbouring_days import with_plain_neighbours
from intent.times.words.scanner import scan
from intent.times.words.tokens import Tokens, tokenise, words_at


def read_times(
    text: str,
    *,
    now: datetime,
    zone: str,
    was: Timing | datetime | date | None = None,
    wanted: Kind | None = None,
) -> tuple[TimeReading, ...]:
    """Returns what a text says about when, in order; empty when it says nothing.

    Args:
        text: a sentence about anything, or a fragment such as ``4ish``.
        now: the present moment, with its zone.
        zone: the person's own zone; words may name another.
        was: the schedule or the due moment that the words change; what they leave open stays as it was.
        wanted: `Kind.SCHEDULE` where a schedule was asked for, so that ``Monday at 9`` is every Monday;
            `Kind.DAY` or `Kind.MOMENT` where a due date was; None: the words decide.
    """
    return _read(text, now, zone, was, wanted) if was else _read_new(text, now, zone, wanted)


@lru_cache(maxsize=64)  # a turn asks about the same words many times over
def _read_new(text: str, now: datetime, zone: str, wanted: Kind | None) -> tuple[TimeReading, ...]:
    return _read(text, now, zone, None, wanted)


def _read(
    text: str, now: datetime, zone: str, was: Timing | datetime | date | None, wanted: Kind | None
) -> tuple[TimeReading, ...]:
    present = Present(now.astimezone(ZoneInfo(zone)).replace(tzinfo=None), zone)
    typed = read_typed_cron(text, present) if wanted in (None, Kind.SCHEDULE) else None
    if typed is not None and not isinstance(was, date):
        return (_amended(text, typed, now, zone) or typed,)
    text = text if was is None else with_plain_comparisons(with_plain_neighbours(text))
    tokens = tokenise(with_plain_exceptions(text))
    is_answer = wanted is not None or was is not None
    items = scan(tokens, present, is_answer=is_answer)
    found = assemble(items, tokens, present, is_change=was is not None)
    reading = _Reading(tokens, found, present, items)
    if isinstance(was, Timing):
        return reading.changed_schedule(was)
    if was is not None:
        return reading.changed_moment(was)
    return reading.read(wanted)


_AMENDING = ("but ", "except ", "only ", "just ", "without ")


def _amended(text: str, typed: TimeReading, now: datetime, zone: str) -> TimeReading | None:
    """Returns a typed expression as the words behind it change it: ``0 9 * * 1-5 but not on Fridays``.

    None where none do, or not clearly.
    """
    behind = text[typed.span[1] :].lstrip(" ,").lower()
    if typed.missing != ("rest",) or not typed.nearest or not behind.startswith(_AMENDING):
        return None
    found = _read(behind.removeprefix("but "), now, zone, typed.nearest[0].timing, None)
    if len(found) != 1 or found[0].timing is None:
        return None
    return replace(found[0], span=(typed.span[0], len(text)), spans=((typed.span[0], len(text)),))


class _Reading:
    """One text's pieces, and the ways to read them."""

    def __init__(self, tokens: Tokens, found: Assembly, now: Present, items: Sequence[Item]) -> None:
        self._tokens = tokens
        self._found = found
        self._now = now
        self._items = items

    def read(self, wanted: Kind | None) -> tuple[TimeReading, ...]:
        """Returns a schedule, or else a day or moment, or else past periods."""
        found = self._found
        is_due = wanted in (Kind.DAY, Kind.MOMENT)
        if is_due:
            found.end_before_clock()
        recurs = found.recurs and not is_due
        says = any(not isinstance(item, Mark | Past | Blocker | Noun) for item in found.used)
        if recurs and found.parts.minute and found.days and not found.parts.days:
            self._keep_to_one_day()
        if wanted is Kind.SCHEDULE and not recurs and says and self._comes_once():
            return self._one_off()
        if wanted is None and recurs and self._is_bare_list():
            return (self._asking(Kind.SCHEDULE, Unclear("rate")),)
        if recurs or (wanted is Kind.SCHEDULE and (says or found.blockers)):
            return (self._schedule(),)
        if (
            wanted is None
            and not says
            and not _reminds(self._tokens)
            and all(b.is_event for b in found.blockers)
        ):
            return self._periods()
        if blocked := self._blocked(Kind.MOMENT, needs_time=is_due or not says):
            return (blocked,)
        if is_due and self._leaves_day_open(says=says):
            return (self._asking(Kind.DAY, Unclear("day")),)
        return self._moment() if says else self._periods()

    def _leaves_day_open(self, *, says: bool) -> bool:
        """Whether only a month or an event says when something is due: ``in May``, ``before the audit``."""
        if self._found.parts.months and not self._found.days:
            return True
        return not says and _names_event(self._tokens)

    def _comes_once(self) -> bool:
        """Whether the words name one moment: ``tomorrow at 3``, ``14 May, once``, ``in 20 minutes``."""
        found = self._found
        if found.parts.rates or found.parts.window or found.blockers:
            return False
        is_single = bool(found.days) and all(map(_is_single, found.days))
        is_soon = any(length.use == "in" for length in found.lengths)
        return is_single or is_soon or (Sign.ONCE in found.signs and bool(found.days))

    def _is_bare_list(self) -> bool:
        """Whether days are only listed, such as in ``compare Monday and Tuesday``."""
        parts = self._found.parts
        if parts.clocks or parts.rates or parts.part or parts.window or parts.minute:
            return False
        words = [token.text for day in parts.days for token in self._tokens[day.first : day.end]]
        return len(words) > 1 and all(
            word in SINGULAR_WEEKDAYS or word in ("and", "&", ",", "or") for word in words
        )

    def _one_off(self) -> tuple[TimeReading, ...]:
        """Returns the moment, or what has to be asked about it; a time of day is needed."""
        readings = self._moment()
        if any(reading.kind is Kind.DAY for reading in readings):
            return (self._asking(Kind.SCHEDULE, Unclear("time")),)
        return readings

    def _keep_to_one_day(self) -> None:
        """``on the hour until five today`` begins and ends today."""
        for day in self._found.days:
            if isinstance(day, OneDay):
                self._found.parts.start_day = self._found.parts.end = day.day

    def _keep_to_week(self, single: Sequence[OneDay]) -> bool:
        """Whether it begins on a day that is known, or runs for one week: ``daily at 4 next week``."""
        parts = self._found.parts
        if parts.start_day is not None:
            return True
        if len(single) > 1 or not single[0].is_week or parts.end is not None:
            return False
        parts.start_day, parts.end = single[0].day, single[0].day + timedelta(days=6)
        return True

    def changed_schedule(self, was: Timing) -> tuple[TimeReading, ...]:
        """Returns the schedule as the words change it; empty when they say nothing about it."""
        if self._found.blockers and (blocked := self._blocked(Kind.SCHEDULE, needs_time=False)):
            return (blocked,)
        make = partial(change_schedule, self._found, was, self._now, [token.text for token in self._tokens])
        try:
            made = make()
        except Unclear as unclear:
            return (self._asking(Kind.SCHEDULE, unclear),)
        except Impossible as impossible:
            return (self._refusing(Kind.SCHEDULE, impossible.why, impossible.near),)
        return () if made is None else (self._made(made),)

    def changed_moment(self, was: datetime | date) -> tuple[TimeReading, ...]:
        """Returns the due moment as the words change it."""
        if self._found.recurs:
            return (self._schedule(),)
        try:
            moment = change_moment(self._found, was, self._now, [token.text for token in self._tokens])
        except Unclear as unclear:
            return (self._asking(Kind.MOMENT, unclear),)
        return self._moment_reading(moment) if moment else self.read(Kind.DAY)

    def _schedule(self) -> TimeReading:
        blocked = self._blocked(Kind.SCHEDULE, needs_time=False)
        if blocked:
            return blocked
        if (
            self._found.days and all(map(_is_single, self._found.days)) and not self._found.recurs
        ) or Sign.ONCE in self._found.signs:
            return self._asking(Kind.SCHEDULE, Unclear("rate"))
        single = [day for day in self._found.days if isinstance(day, OneDay)]
        if single and not self._keep_to_week(single):
            return self._asking(Kind.SCHEDULE, Unclear("rest"))
        try:
            return self._made(make_schedule(self._found.parts, zone=self._now.zone, now=self._now.local))
        except Unclear as unclear:
            return self._asking(Kind.SCHEDULE, unclear)
        except Impossible as impossible:
            return self._refusing(Kind.SCHEDULE, impossible.why, impossible.near)

    def _moment(self) -> tuple[TimeReading, ...]:
        if self._found.unclear:
            return (self._asking(Kind.MOMENT, Unclear(*self._found.unclear)),)
        try:
            moment = make_moment(self._found, self._now)
        except Unclear as unclear:
            return (self._asking(Kind.MOMENT, unclear),)
        return self._moment_reading(moment) if moment else self._periods()

    def _moment_reading(self, moment: Moment) -> tuple[TimeReading, ...]:
        spans = self._spans()
        moment = existing(moment, self._now.zone)
        return (
            TimeReading(
                span=(spans[0][0], spans[-1][1]),
                spans=spans,
                kind=Kind.MOMENT if moment.at else Kind.DAY,
                day=moment.day,
                at=moment.at,
                is_deadline=bool(self._found.signs & {Sign.BY, Sign.UNTIL, Sign.BEFORE}),
                assumed=moment.assumed,
                said=moment_words(moment.day, moment.at, self._now.today),
            ),
        )

    def _periods(self) -> tuple[TimeReading, ...]:
        return tuple(
            TimeReading(span=self._span(item), spans=(self._span(item),), kind=Kind.PERIOD)
            for item in self._items
            if isinstance(item, Past)
        )

    def _made(self, made: Made) -> TimeReading:
        spans = self._spans()
        return TimeReading(
            span=(spans[0][0], spans[-1][1]),
            spans=spans,
            kind=Kind.SCHEDULE,
            timing=made.timing,
            until=made.timing.end,
            is_recurring=self._found.recurs,
            assumed=made.assumed,
            said=describe_plan(made.plan),
        )

    def _blocked(self, kind: Kind, *, needs_time: bool) -> TimeReading | None:
        """Returns the problem that words such as ``bank holidays`` make of the rest."""
        found = self._found
        is_reminder = _reminds(self._tokens)
        says = bool(found.parts.days or found.parts.rates or found.parts.clocks or found.days)
        blockers = [
            item
            for item in found.blockers
            if (not item.is_weak or kind is Kind.SCHEDULE or is_reminder or (needs_time and not says))
            and not (item.is_event and says)
        ]
        if not blockers:
            return (
                self._asking(kind, Unclear(*found.unclear))
                if found.unclear and kind is Kind.SCHEDULE
                else None
            )
        why = next((item.why for item in blockers if item.why), "")
        missing = tuple(item.missing for item in blockers if item.missing)
        is_no_day = any(item.is_no_day for item in blockers)
        if why and kind is Kind.MOMENT and needs_time and not is_reminder and not is_no_day:
            return self._asking(kind, Unclear(*missing or ("day",)))
        if is_no_day and missing and kind is Kind.SCHEDULE:
            return self._asking(kind, Unclear(*missing))
        if why:
            return self._refusing(kind, why, found.parts)
        return self._asking(kind, Unclear(*missing))

    def _known_time(self) -> time | None:
        """The only time of day that was said, where its days have to be asked."""
        parts = self._found.parts
        choice = choose_times(parts.clocks, parts.part.name if parts.part else "")
        if len(choice.times) != 1:
            return None
        hour, minute = divmod(choice.times[0], 60)
        return time(hour, minute)

    def _asking(self, kind: Kind, unclear: Unclear) -> TimeReading:
        spans = self._spans()
        return TimeReading(
            span=(spans[0][0], spans[-1][1]),
            spans=spans,
            kind=kind,
            at=self._known_time() if "day" in unclear.missing else None,
            is_recurring=self._found.recurs,
            problem=Problem.ASK,
            missing=tuple(dict.fromkeys(unclear.missing)),
            nearest=self._both_halves() if "am_pm" in unclear.missing else self._offers(unclear.guess),
        )

    def _refusing(self, kind: Kind, why: str, near: Parts | None) -> TimeReading:
        spans = self._spans()
        return TimeReading(
            span=(spans[0][0], spans[-1][1]),
            spans=spans,
            kind=kind,
            is_recurring=self._found.recurs,
            problem=Problem.UNSUPPORTED,
            nearest=self._offers(near),
            why=why,
        )

    def _both_halves(self) -> tuple[Offer, ...]:
        """The schedule with every open time in the morning, and with every one after noon."""
        if not self._found.recurs:
            return ()
        parts = self._found.parts
        halves = (
            [replace(group, clocks=_in_half(group.clocks, late)) for group in parts.groups]
            for late in (0, 12)
        )
        return tuple(offer for groups in halves for offer in self._offers(replace(parts, groups=groups)))

    def _offers(self, near: Parts | Plan | tuple[Parts, ...] | None) -> tuple[Offer, ...]:
        if near is None:
            return ()
        if isinstance(near, tuple):
            return tuple(offer for each in near for offer in self._offers(each))
        if isinstance(near, Plan):
            timing = near.timing()
            return (Offer(timing, describe_plan(near)),) if timing else ()
        try:
            made = make_schedule(near, zone=self._now.zone, now=self._now.local)
        except (Unclear, Impossible):
            return ()
        return (Offer(made.timing, describe_plan(made.plan)),)

    def _spans(self) -> tuple[Span, ...]:
        """The stretches of text that were used; all pieces' where none is."""
        used = (
            self._found.used
            or [item for item in self._items if not isinstance(item, Mark)]
            or list(self._items)
        )
        places = sorted({place for item in used for place in range(item.first, item.end)})
        if not places:
            return ((0, self._tokens[-1].end if self._tokens else 0),)
        spans: list[Span] = []
        previous = -2
        for place in places:
            token = self._tokens[place]
            if place == previous + 1:
                spans[-1] = (spans[-1][0], token.end)
            else:
                spans.append((token.start, token.end))
            previous = place
        return tuple(spans)

    def _span(self, item: Item) -> Span:
        return self._tokens[item.first].start, self._tokens[item.end - 1].end


def _is_single(day: object) -> bool:
    """Whether a day comes once: ``tomorrow``, ``this Friday``."""
    if isinstance(day, YearDay):
        return day.year is not None
    if isinstance(day, Days):
        return bool(day.which or day.weeks_later or day.day_of_month)
    return isinstance(day, OneDay)


def _in_half(clocks: Sequence[Clock], later_hours: int) -> list[Clock]:
    return [
        replace(clock, hour=clock.hour % 12 + later_hours, is_open=False) if clock.is_open else clock
        for clock in clocks
    ]


def _names_event(tokens: Tokens) -> bool:
    """Whether words name a due time by what happens then: ``before the audit``, ``in time for my trip``."""
    for place in range(len(tokens)):
        here = words_at(tokens, place, "before", "ahead of", "prior to", "in time for", "by the time of")
        if here and words_at(
            tokens, here, "the", "my", "our", "his", "her", "their", "your", "we", "they", "i"
        ):
            return True
    return False


def _reminds(tokens: Tokens) -> bool:
    return any(token.text in ("remind", "ping", "nudge") for token in tokens[:3])
