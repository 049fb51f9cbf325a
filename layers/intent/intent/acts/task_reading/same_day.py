"""The due day of a new task that is told by the task just spoken of: ``and pick up the boxes, same day``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from intent.acts.act import Span
from intent.acts.clauses import Clause
from intent.acts.scene import Scene
from intent.acts.slots import Found
from intent.acts.tokens import Token
from intent.times.reading import Kind, TimeReading

_DATES = frozenset({"day", "date", "deadline"})
_BEFORE = frozenset("for on by at due and with the that this".split())
_BEHIND = frozenset("too please pls also and at by as well again thanks".split())


class SameDay(NamedTuple):
    """The words that name the day of the task just spoken of, and how that day is written."""

    start: int
    end: int
    day: str


def find_same_day(clause: Clause, scene: Scene) -> SameDay | None:
    """Return where a clause says ``the same day`` and which day that is; None where it names no day so."""
    focus = scene.focus if scene.focus_kind == "task" else None
    due = next((one.due for one in scene.tasks if focus is not None and one.id == focus.id), None)
    place = None if due is None else _place(clause.tokens)
    if due is None or place is None:
        return None
    first, last = place
    return SameDay(clause.tokens[first].start, clause.tokens[last].end, due.isoformat())


def _place(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return the first and the last token of ``for the same day`` that goes with no noun."""
    words = [token.word for token in tokens]
    for at in range(len(words) - 1):
        behind = tokens[at + 2] if at + 2 < len(tokens) else None
        is_alone = behind is None or not behind.is_word or behind.word in _BEHIND
        if (
            words[at] != "same"
            or words[at + 1] not in _DATES
            or not is_alone
            or words[at + 2 :][:1] == ["as"]
        ):
            continue
        first = at
        while first and words[first - 1] in _BEFORE:
            first -= 1
        return first, at + 1
    return None


def without_same_day(found: Found, same: SameDay | None) -> Found:
    """Return what a clause has, with the words of the day as a time, so that they are no part of a title."""
    if same is None:
        return found
    span = (same.start, same.end)
    return replace(found, times=(*found.times, TimeReading(span, Kind.DAY, (span,))))


def on_same_day(when: Span | None, clause: Clause, same: SameDay | None) -> Span | None:
    """Return the words that say when, with the day in place of ``the same day``."""
    if same is None:
        return when
    start, end = same.start - clause.start, same.end - clause.start
    text = same.day if when is None else f"{clause.text[:start]} {same.day} {clause.text[end:]}"
    return Span(text, clause.start, clause.end)
