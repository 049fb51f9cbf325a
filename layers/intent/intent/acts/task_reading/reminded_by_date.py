"""Reminders whose day is told by the date of an event: ``the wedding is on June 20, so the day before at 4
remind me to call the florist``. The event itself is no task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from intent.acts.act import ActKind, Span
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS
from intent.acts.parts import Part
from intent.acts.requests import asks_for_something
from intent.acts.scene import Scene
from intent.acts.task_reading.due_offsets import Offset, find_offset, last_day_in, offset_day
from intent.acts.tokens import Token
from intent.times.reader import read_times

_REMINDING = frozenset({("remind", "me"), ("remind", "us")})
_TOWARDS = frozenset({"to", "about", "of", "that"})
_ASKING = LEADS | frozenset("can could would will you should i'd we'd like want need to".split())
_BEFORE_TIME = frozenset({"at", "by", "around", "about"})
_MARKS = frozenset(",.;:!?\n-\u2013\u2014")


class _Reminder(NamedTuple):
    """The places of a reminder in its part: where it begins, and its ``remind me``."""

    begin: int
    verb: int
    offset: Offset


def with_reminded_by_date(part: Part, before: Sequence[Part], scene: Scene) -> list[Part] | None:
    """Return the parts that a part means which wants to be reminded so long before the date of an event that
    it tells, or the part before: the reminder, behind the event where that is to be put down, too. None for
    any other part.
    """
    tokens = part.clause.tokens
    reminder = _reminder(tokens)
    if reminder is None:
        return None
    own = tokens[: reminder.begin]
    told = own or (before[-1].clause.tokens if before else _behind_nothing(part))
    statement = " ".join(part.clause.message[told[0].start : told[-1].end].split()) if told else ""
    day = last_day_in(statement, now=scene.now, zone=scene.zone) if statement else None
    title = _title(part.clause, reminder, scene)
    if day is None or title is None:
        return None
    is_task = bool(own) and asks_for_something(own)
    due = _due(part.clause, reminder, offset_day(day, reminder.offset).isoformat(), scene)
    named = title if is_task or not own else title._replace(text=f"{title.text} ({_bare(statement)})")
    rest = replace(part.clause, tokens=tokens[reminder.begin :] if is_task else tokens)
    shared = {"when": due, "title": named}
    asked = replace(part, kind=ActKind.ADD_TASK, clause=rest, shared=shared, is_filler=False)
    event = replace(part, clause=replace(part.clause, tokens=own)) if is_task else None
    return [asked] if event is None else [event, asked]


def behind_told_offset(part: Part, before: Sequence[Part]) -> Part | None:
    """Return a part with what is told before it, where that ends with how long before a date the reminder is
    to come; None for any other part.
    """
    told = before[-1] if before else None
    if part.kind is not ActKind.ADD_TASK or told is None or told.kind not in _TELLING:
        return None
    if find_offset(told.clause.tokens, is_free=True) is None:
        return None
    return replace(part, clause=replace(part.clause, tokens=(*told.clause.tokens, *part.clause.tokens)))


_TELLING = frozenset({ActKind.REMEMBER, ActKind.NONE})


def _behind_nothing(part: Part) -> tuple[Token, ...]:
    """Return no words: what stands before the first part is a greeting."""
    return part.clause.tokens[:0]


def _reminder(tokens: Sequence[Token]) -> _Reminder | None:
    words = [token.word for token in tokens]
    verb = next((at for at in range(len(words) - 1) if tuple(words[at : at + 2]) in _REMINDING), None)
    offset = find_offset(tokens, is_free=True) if verb is not None else None
    if verb is None or offset is None:
        return None
    begin = min(verb, offset.start)
    while begin and (words[begin - 1] in _ASKING or words[begin - 1] in {"and", "so"}):
        begin -= 1
    while begin and tokens[begin - 1].text[0] in _MARKS:
        begin -= 1
    return _Reminder(begin, verb, offset)


def _title(clause: Clause, reminder: _Reminder, scene: Scene) -> Span | None:
    """Return what is to be done: the words behind ``remind me to`` that say no time."""
    busy = _time_places(clause, reminder, scene)
    kept = [at for at in range(reminder.verb + 2, len(clause.tokens)) if at not in busy]
    while kept and not clause.tokens[kept[-1]].is_word:
        kept.pop()
    while kept and (clause.tokens[kept[0]].word in _TOWARDS | LEADS or not clause.tokens[kept[0]].is_word):
        kept.pop(0)
    while kept and clause.tokens[kept[-1]].word in LEADS:
        kept.pop()
    if not kept or kept[-1] - kept[0] >= len(kept):
        return None  # a time stands within
    first, last = clause.tokens[kept[0]], clause.tokens[kept[-1]]
    return Span(clause.message[first.start : last.end], first.start, last.end)


def _time_places(clause: Clause, reminder: _Reminder, scene: Scene) -> set[int]:
    """Return the places of the words of a reminder that say when."""
    offset, tokens = reminder.offset, clause.tokens
    times = read_times(_told(clause, reminder), now=scene.now, zone=scene.zone)
    spans = [span for one in times for span in one.spans]
    timed = {at for at, token in enumerate(tokens) if any(a <= token.start < b for a, b in spans)}
    led = {at - 1 for at in timed if at and tokens[at - 1].word in _BEFORE_TIME}
    return {*range(offset.start, offset.end)} | timed | led


def _told(clause: Clause, reminder: _Reminder) -> str:
    """Return the message with blanks for all but the words of the reminder beside its offset."""
    offset, tokens = reminder.offset, clause.tokens
    own = [*range(reminder.begin, offset.start), *range(offset.end, len(tokens))]
    text = [" "] * clause.end
    for at in own:
        text[tokens[at].start : tokens[at].end] = clause.message[tokens[at].start : tokens[at].end]
    return "".join(text)


def _due(clause: Clause, reminder: _Reminder, day: str, scene: Scene) -> Span:
    """Return the words that say when: the day, and the time of day beside the offset."""
    times = read_times(_told(clause, reminder), now=scene.now, zone=scene.zone)
    said = [clause.message[a:b] for one in times for a, b in one.spans]
    offset = reminder.offset
    start, end = clause.tokens[offset.start].start, clause.tokens[offset.end - 1].end
    return Span(" ".join((day, *said)), start, end)


def _bare(statement: str) -> str:
    """Return a statement without the words that only lead to it and the marks around it."""
    words = statement.strip(" ,.;:!?-").split()
    while len(words) > 1 and words[0].lower() in LEADS | {"the", "and", "so"}:
        words.pop(0)
    return " ".join(words)
