"""When tasks are due, read from words: a day, a day and a time of day, or again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from agent.dialogue import texts
from agent.dialogue.workbench import Workbench
from conversation.timing import Timing
from intent.acts.act import Act
from intent.acts.tokens import tokenise
from intent.times.reader import read_times
from intent.times.reading import Kind, TimeReading
from intent.times.words.lexicon import WEEKDAYS
from intent.times.words.tokens import LEFT_OUT
from tasks.due_times import checked_repetition, next_time
from tasks.task import Task

_FEW = 2


class Due(NamedTuple):
    """A day and, where one was said, a time of day on the user's clocks."""

    day: date
    at: time | None = None
    repeat: str = ""
    """Five cron fields; empty: once."""
    said: str = ""
    """The repetition for people: ``Fridays at 3:00 PM``."""
    note: str = ""
    """What was taken for granted, as a sentence; empty: nothing."""

    def fields(self, zone: str) -> Mapping[str, JsonValue | date | datetime]:
        """Return the fields of a task that is due then."""
        if self.at is None:
            return {"due_date": self.day}
        again: Mapping[str, JsonValue] = {"repeat": self.repeat} if self.repeat else {}
        return {"due_at": datetime.combine(self.day, self.at), "time_zone": zone, **again}

    def words(self, today: date) -> str:
        """Return it within a sentence."""
        if self.at is None:
            return texts.due(self.day, today)
        first = texts.due_time(datetime.combine(self.day, self.at), today)
        return texts.repeating(first, self.said) if self.repeat else first

    @classmethod
    def of(cls, task: Task) -> Due | None:
        """Return when a task is due; None: never."""
        if task.due_at is not None:
            return cls(task.due_at.date(), task.due_at.time())
        return None if task.due_date is None else cls(task.due_date)


def removes_due(act: Act) -> bool:
    """Return whether an act takes away when a task is due, not the task: ``remove the due date of it``."""
    words = [token.word for token in tokenise(act.clause.text) if token.is_word]
    verb = next((place for place, word in enumerate(words) if word in _REMOVING), None)
    if verb is None:
        return False
    behind = words[verb + 1 :]
    end = next((place for place, word in enumerate(behind) if word in _OF), len(behind))
    removed = frozenset(behind[:end])
    return bool(removed & _DUE_WORDS) and removed <= _DUE_WORDS | _FILLERS


_REMOVING = frozenset({"remove", "delete", "clear", "drop", "take", "cancel", "unset", "erase"})
_OF = frozenset({"of", "from", "for", "on", "off"})
_DUE_WORDS = frozenset({"due", "date", "dates", "deadline", "deadlines"})
_FILLERS = frozenset({"the", "its", "it's", "that", "this", "a", "time", "day", "please", "again"})


def read_due(act: Act, bench: Workbench, task: Task | None = None) -> Due | None:
    """Return when an act's words say that a task is due; None when they don't, or not clearly.

    ``task`` is one whose time changes: what the words leave open stays as it is.
    """
    due = next((due for text in _words(act) if (due := _read(text, bench, task)) is not None), None)
    was = None if task is None else Due.of(task)
    return due if due is None or was is None else _behind(due, was, act)


def _behind(due: Due, was: Due, act: Act) -> Due:
    """Return when a task is due that gets more time until a day of the week: the next such day behind the
    one it was due on.
    """
    words = {token.word for token in tokenise(act.clause.text)}
    if due.repeat or due.day > was.day or not _EXTENDING & words or not WEEKDAYS.keys() & words:
        return due
    return due._replace(day=due.day + timedelta(days=7 * ((was.day - due.day).days // 7 + 1)))


_EXTENDING = frozenset("more longer extra extension extended postponed delayed".split())


def unclear_words(act: Act, bench: Workbench) -> Unclear | None:
    """Return the words of an act that name a time which a task can't have as it is; None: there are none."""
    for text in _words(act):
        for one in _readings(text, bench, None):
            if one.kind is not Kind.PERIOD and _due_of(one, text, bench, None) is None:
                words = " ".join(text[one.span[0] : one.span[1]].replace(LEFT_OUT, " ").split())
                return Unclear(words, is_repetition=one.timing is not None)
    return None


class Unclear(NamedTuple):
    """Words that name no time a task can have; ``is_repetition``: they say how often, clearly."""

    words: str
    is_repetition: bool


def _words(act: Act) -> list[str]:
    """Return the texts of an act that may say when; an answer is read with what it completes, too."""
    said = [text for name in ("when", "due") if (text := act.slot(name))]
    return [*said, *(f"{act.slot(UNCLEAR)} {text}" for text in said if act.slot(UNCLEAR))]


UNCLEAR = "unclear"
"""The slot of an act that waits for a clear time: the words that weren't."""


def read_dues(act: Act, bench: Workbench) -> list[Due | None]:
    """Return when each task of an act is due: the time beside its title, else the one said for all."""
    if act.dues:
        return [_read(text, bench) if text else None for text in act.dues]
    common = read_due(act, bench)
    if len(act.several) < _FEW:
        tails = (act.clause.text[span.end - act.clause.start :] for span in act.several)
        return [common or _read(text, bench) for text in tails]
    begin, text = act.clause.start, act.clause.text
    ends = [*(span.start - begin for span in act.several[1:]), len(text)]
    starts = [0, *(span.end - begin for span in act.several[:-1])]
    behind = [_read(text[span.end - begin : end], bench) for span, end in zip(act.several, ends, strict=True)]
    before = [
        _read(text[start : span.start - begin], bench)
        for start, span in zip(starts, act.several, strict=True)
    ]
    beside = before if before[0] is not None and behind[-1] is None else behind
    return beside if sum(due is not None for due in beside) > 1 else [common] * len(beside)


def _read(words: str, bench: Workbench, task: Task | None = None) -> Due | None:
    readings = _readings(words, bench, task)
    found = (_due_of(one, words, bench, task) for one in readings if one.kind is not Kind.PERIOD)
    return next(filter(None, found), None)


def _readings(words: str, bench: Workbench, task: Task | None) -> Sequence[TimeReading]:
    situation = bench.turn.situation
    was: Timing | datetime | date | None = None
    wanted: Kind | None = None
    if task is not None and task.repeat and task.time_zone:
        was, wanted = Timing((task.repeat,), task.time_zone), Kind.SCHEDULE
    elif task is not None:
        zone = ZoneInfo(task.time_zone or situation.time_zone)
        was = task.due_date if task.due_at is None else task.due_at.replace(tzinfo=zone)
    said = words.replace("?", ",")  # ``friday? let's say friday``
    return read_times(said, now=situation.now, zone=situation.time_zone, was=was, wanted=wanted)


def _due_of(reading: TimeReading, words: str, bench: Workbench, task: Task | None) -> Due | None:
    if reading.day is not None:
        return Due(_in_month_of(task, reading, words, bench) or reading.day, reading.at)
    if reading.timing is not None:
        return _repeated(reading.timing, reading.said, bench)
    if reading.missing == ("am_pm",):
        return _by_day(reading, words, bench, task)
    return None


def _in_month_of(task: Task | None, reading: TimeReading, words: str, bench: Workbench) -> date | None:
    """Return a day that is named by its number alone in the month in which a task was due: ``make it the
    12th``; None for any other words, and where that day is gone or isn't there.
    """
    said = [token.word for token in tokenise(words[reading.span[0] : reading.span[1]]) if token.is_word]
    numbers = [word for word in said if word not in _NUMBERING]
    is_number = len(numbers) == 1 and numbers[0].rstrip("stndrh").isdigit()
    if task is None or task.due_date is None or reading.day is None or not is_number:
        return None
    try:
        day = task.due_date.replace(day=reading.day.day)
    except ValueError:
        return None
    return day if day >= bench.turn.today else None


_NUMBERING = frozenset({"the", "on", "for", "by", "to", "st", "nd", "rd", "th"})


def _repeated(timing: Timing, said: str, bench: Workbench) -> Due | None:
    """Return the first time of a schedule that a task can repeat by; None where it can't."""
    if len(timing.crons) != 1 or timing.every != 1 or timing.start is not None or timing.end is not None:
        return None
    try:
        cron = checked_repetition(timing.crons[0])
    except ValueError:
        return None
    situation = bench.turn.situation
    first = next_time(cron, situation.time_zone, after=situation.now)
    return None if first is None else Due(first.date(), first.time(), cron, said)


def _by_day(reading: TimeReading, words: str, bench: Workbench, task: Task | None) -> Due | None:
    """Return the time with a bare hour taken for one of the day, and said so."""
    first, last = reading.span
    ends = [token.end for token in tokenise(words) if first < token.end <= last]
    halves = [f"{words[:end]} {half} {words[end:]}" for end in ends for half in ("am", "pm")]
    found = [due for text in halves for one in _readings(text, bench, task)[:1] if (due := _plain(one))]
    now = bench.turn.situation.now.astimezone(ZoneInfo(bench.turn.situation.time_zone))
    likely = [due for due in found if due.at is not None and due.at.hour in _BY_DAY]
    due = next((one for one in likely if (one.day, one.at) > (now.date(), now.time())), None)
    return due and due._replace(
        note=texts.TAKEN_BY_DAY if due.at and due.at.hour < _NOON else texts.TAKEN_LATE
    )


def _plain(reading: TimeReading) -> Due | None:
    return None if reading.day is None else Due(reading.day, reading.at)


_BY_DAY = range(7, 19)
_NOON = 12
