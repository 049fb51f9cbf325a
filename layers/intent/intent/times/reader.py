"""`read_times`, the door of the grammar of times."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from conversation.timing import Timing
from intent.dates.due_dates import find_due_date
from intent.dates.schedules import find_schedule, parse_schedule
from intent.dates.times import find_times
from intent.times.reading import Kind, Problem, TimeReading


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
        wanted: `Kind.SCHEDULE` where a schedule was asked for, so that ``Monday at 9`` is every Monday.
    """
    parse = parse_schedule if wanted is Kind.SCHEDULE or isinstance(was, Timing) else find_schedule
    found = parse(text)
    if found is not None and found.spans:
        spans = tuple((span.start, span.end) for span in found.spans)
        timing = Timing((found.cron,), zone) if found.cron else None
        return (
            TimeReading(
                span=(spans[0][0], max(end for _, end in spans)),
                spans=spans,
                kind=Kind.SCHEDULE,
                timing=timing,
                is_recurring=True,
                problem=None if timing else Problem.UNSUPPORTED,
                said=found.text,
            ),
        )
    due = find_due_date(text, now.astimezone(ZoneInfo(zone)).date())
    if due is None:
        return ()
    times = find_times(text)
    at = datetime.min.replace(hour=times[0].hour, minute=times[0].minute).time() if times else None
    span = (due.start, due.end)
    return (TimeReading(span=span, spans=(span,), kind=Kind.MOMENT if at else Kind.DAY, day=due.day, at=at),)
