"""`TimeReading`: what words say about when, with the spans they take up in the text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum
from typing import TypeAlias

from conversation.timing import Timing


class Kind(StrEnum):
    """What the words name."""

    SCHEDULE = "schedule"
    """Something that comes again: ``every Friday at 4``."""
    MOMENT = "moment"
    """A day and a time of day: ``tomorrow at 3``."""
    DAY = "day"
    """A day without a time: ``by Friday``."""
    PERIOD = "period"
    """A range of past days, as a filter rather than a date: ``last week's sales``."""


class Problem(StrEnum):
    """Why a reading can't be taken as it is."""

    ASK = "ask"
    """Something is missing or has two meanings; `TimeReading.missing` says what."""
    UNSUPPORTED = "unsupported"
    """No schedule can say this; `TimeReading.nearest` offers what comes near."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A schedule that comes near what was asked for, and its words."""

    timing: Timing
    said: str


Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TimeReading:
    """What a text says about when. With a problem, ``timing`` and ``day`` are None."""

    span: Span
    """From the first to the last of its words."""
    kind: Kind
    spans: tuple[Span, ...] = ()
    """The stretches of text it is made of, in order; other words may stand between them."""
    timing: Timing | None = None
    """The schedule; None for the other kinds."""
    day: date | None = None
    """The day, in the person's own zone; for a period its first day."""
    at: time | None = None
    """The time of day, in the person's own zone; None: the whole day."""
    until: date | datetime | None = None
    """For a schedule its last day; for a period its last day; None: open."""
    is_deadline: bool = False
    """Whether a day or moment was said with ``by``, ``until`` or ``before``."""
    is_recurring: bool = False
    """Whether the words themselves say that it comes again; ``Monday at 9`` may be either."""
    problem: Problem | None = None
    missing: tuple[str, ...] = ()
    """For `Problem.ASK`: ``day``, ``time``, ``am_pm``, ``zone``, ``rate``, ``direction`` or ``rest``."""
    nearest: tuple[Offer, ...] = ()
    """Offers in place of what can't be had, best first; with `Problem.ASK`, the likeliest meanings."""
    why: str = ""
    """For `Problem.UNSUPPORTED`, what is in the way, for people: ``no schedule knows public holidays``."""
    assumed: tuple[str, ...] = ()
    """What was taken for granted, for people: ``4 is taken as 4:00 PM``."""
    said: str = ""
    """The reading for people, without the zone: ``Fridays at 4:00 PM``."""
