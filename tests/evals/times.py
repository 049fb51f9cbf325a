"""Plays labelled time phrases against `intent.times.reader.read_times`, and counts what came out.

A reading is *wrong* if it would be stored and isn't what the label wants: only that does harm. A question, a
refusal and no reading at all do not. The format is in ``time_phrases/README.md``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from conversation.timing import Timing
from intent.times.reader import read_times
from intent.times.reading import Kind, Problem, TimeReading

CASES = tuple(sorted((Path(__file__).parent / "time_phrases").glob("*.jsonl")))
"""The sets of all authors; each was played before anybody who worked on the grammar had read it."""
FIRINGS = 5
_WEEKDAYS = {name: str(place) for place, name in enumerate(("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"))}


@dataclass(frozen=True, slots=True)
class TimeCase:
    """One phrase with its label; ``expected`` holds every alternative that counts as right."""

    id: str
    say: str
    zone: str
    now: datetime
    kind: str
    was: Timing | datetime | date | None
    wants: str
    """``fires``, ``due``, ``ask``, ``cannot`` or ``none`` (no time at all)."""
    expected: tuple[tuple[str, ...], ...]
    told_in: str
    """The zone of the expected moments: the person's own, unless the label names another."""

    def read(self) -> tuple[TimeReading, ...]:
        """What the grammar makes of it."""
        wanted = {"schedule": Kind.SCHEDULE, "due": Kind.DAY}.get(self.kind)
        return read_times(self.say, now=self.now, zone=self.zone, was=self.was, wanted=wanted)


@dataclass(slots=True)
class TimesResult:
    """How many phrases came out how; the lists hold ids."""

    total: int = 0
    understood: int = 0
    asked: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share that was understood."""
        return self.understood / self.total if self.total else 0.0

    def totals(self) -> dict[str, object]:
        """The figures without any id."""
        return {
            "cases": self.total,
            "understood": round(self.share, 4),
            "asked": len(self.asked),
            "missed": len(self.missed),
            "wrong": len(self.wrong),
        }

    def as_json(self) -> dict[str, object]:
        """The figures and the ids of what was not understood."""
        return {**self.totals(), "asked": self.asked, "missed": self.missed, "wrong": self.wrong}


def read_time_cases(path: Path) -> tuple[TimeCase, ...]:
    """The cases of a file."""
    return tuple(_case(json.loads(line)) for line in path.read_text().splitlines() if line.strip())


def play(cases: Iterable[TimeCase]) -> TimesResult:
    """Reads every phrase and compares it with its label."""
    result = TimesResult()
    for case in cases:
        result.total += 1
        match judge(case, case.read()):
            case "understood":
                result.understood += 1
            case "asked":
                result.asked.append(case.id)
            case "missed":
                result.missed.append(case.id)
            case _:
                result.wrong.append(case.id)
    return result


def judge(case: TimeCase, readings: Sequence[TimeReading]) -> str:
    """``understood``, ``asked``, ``missed`` (nothing would be stored) or ``wrong``."""
    reading = _stored(readings, case)
    if reading is None:
        return "understood" if case.wants == "none" else "missed"
    if reading.problem is not None:
        wants = {"ask": Problem.ASK, "cannot": Problem.UNSUPPORTED}.get(case.wants)
        return "understood" if reading.problem is wants else "asked"
    return "understood" if _result(reading, case) in case.expected else "wrong"


def _stored(readings: Sequence[TimeReading], case: TimeCase) -> TimeReading | None:
    """The reading that a caller takes: the first schedule or moment, else the first that has a problem."""
    usable = [reading for reading in readings if reading.kind is not Kind.PERIOD]
    if case.wants == "fires" or case.kind == "schedule":
        usable.sort(key=lambda reading: reading.kind is not Kind.SCHEDULE)
    return usable[0] if usable else None


def _result(reading: TimeReading, case: TimeCase) -> tuple[str, ...]:
    if reading.timing is not None:
        zone = ZoneInfo(case.told_in)
        moments = islice(reading.timing.moments(case.now), FIRINGS)
        return tuple(moment.astimezone(zone).strftime("%Y-%m-%dT%H:%M") for moment in moments)
    if reading.day is None:
        return ("",)
    if reading.at is None:
        return (reading.day.isoformat(),)
    moment = datetime.combine(reading.day, reading.at, ZoneInfo(case.zone)).astimezone(ZoneInfo(case.told_in))
    return (f"{moment:%Y-%m-%dT%H:%M}",)


def _case(data: Mapping[str, Any]) -> TimeCase:
    expect = data["expect"]
    wants = next(name for name in ("fires", "due", "ask", "cannot", "none") if name in expect)
    main = expect[wants]
    alternatives = [*expect.get("accept", ()), *data.get("accept", ())]
    if wants in ("fires", "due"):
        alternatives.insert(0, main)
    now = datetime.fromisoformat(data["now"])
    return TimeCase(
        id=data["id"],
        say=data["say"],
        zone=data["zone"],
        now=now,
        kind=data["kind"],
        was=_was(data.get("was"), data["zone"]),
        wants=wants,
        expected=tuple((each,) if isinstance(each, str) else tuple(each) for each in alternatives),
        told_in=expect.get("zone", data["zone"]),
    )


def _was(text: str | None, zone: str) -> Timing | datetime | date | None:
    if not text:
        return None
    if text.startswith("cron("):
        minute, hour, day, month, weekday, _year = text[5:-1].split()
        return Timing((f"{minute} {hour} {_any(day)} {month} {_weekdays(_any(weekday))}",), zone)
    plain = text.removeprefix("at(").removesuffix(")")
    if len(plain) == len("2026-01-01"):
        return date.fromisoformat(plain)
    moment = datetime.fromisoformat(plain)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone))


def _any(field_text: str) -> str:
    return "*" if field_text == "?" else field_text


def _weekdays(text: str) -> str:
    """EventBridge's weekdays, names or numbers from 1 (Sunday), as those of five fields."""
    numbered = re.sub(r"(?<![#\d])[1-7](?=$|[,#L-])", lambda day: str(int(day[0]) - 1), text)
    named = re.sub(r"[A-Z]{3}", lambda name: _WEEKDAYS[name[0]], numbered)
    return re.sub(r"(\d)-(\d)", _span, named)


def _span(match: re.Match[str]) -> str:
    first, last = int(match[1]), int(match[2])
    if first <= last:
        return match[0]
    return ",".join(str(day % 7) for day in range(first, last + 8))
