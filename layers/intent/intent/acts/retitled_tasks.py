"""Another title that a clause gives a task by saying both: ``'bye cake' ought to read 'buy cake'``, ``"buy
rolls", not "buy buns"``, ``buy bread -> buy two loaves``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from intent.acts.act import Act, Meant, Span, Thing
from intent.acts.clauses import Clause
from intent.acts.lexicon import AGENT_NOUNS, LEADS, TASK_NOUNS
from intent.acts.references import find_name_place, name_parts
from intent.acts.scene import Scene
from intent.acts.slots import quotations
from intent.acts.title_corrections import corrected_title
from intent.acts.tokens import tokenise
from intent.times.reader import read_times

_GIVING = frozenset(
    "to into as with by read say be called named titled make it's its is -> => \u2192 supposed meant".split()
)
_BARE_GIVING = frozenset({"read", "say", "called", "titled", "->", "=>", "\u2192"})
"""Words behind which another title stands without quotation marks."""
_BETWEEN = (
    _GIVING
    | LEADS
    | frozenset(
        "on my our the list to-do todo task entry one should ought must needs need has have shall can could"
        " would wrong spelled spelt misspelled misspelt typo a in there's that this it really supposed"
        " rather instead changed change reworded renamed".split()
    )
)
_NAMING = frozenset({"call", "name", "title", "label"})
_DENYING = frozenset("not instead of and".split())
_OTHER_DEEDS = frozenset("add put move send post mail tick mark remove delete pause".split())
_MARKS = frozenset("\"'\u201c\u201d\u2018\u2019,:;.-\u2013\u2014")
_CLOSING = frozenset(",.;!?()")


def with_said_title(act: Act, clause: Clause, scene: Scene) -> Act | None:
    """Return an act with the task whose title a clause corrects and the new title; None where it does not."""
    if (retitled := find_retitled(clause, scene)) is not None:
        meant = Meant(things=(retitled.task,), is_named=True)
        return replace(act, meant=meant, slots={"name": retitled.title})
    title = corrected_title(clause, scene)
    if not title or scene.focus is None:
        return None
    slots = {"name": Span(title, clause.start, clause.end)}
    return replace(act, meant=Meant(things=(scene.focus,), is_focus=True), slots=slots)


class Retitled(NamedTuple):
    """A task and its new title."""

    task: Thing
    title: Span


def find_retitled(clause: Clause, scene: Scene) -> Retitled | None:
    """Return the task whose present title a clause says beside the new one; None for any other clause.

    The tasks are read only where the words give another title: reading them costs a request.
    """
    words = set(clause.words)
    first = next((word for word in clause.words if word[0].isalnum() and word not in LEADS), "")
    if scene.question is not None or first in _OTHER_DEEDS or AGENT_NOUNS & words:
        return None
    if not (_GIVING | _DENYING | _NAMING) & words:
        return None
    quoted = [span for span in quotations(clause.message) if clause.start <= span.start <= clause.end]
    if len(quoted) > 1:
        return _of_quoted(clause, quoted, scene)
    is_given = _gives(clause, quoted[0]) if quoted else bool(_BARE_GIVING & words)
    return _behind_title(clause, quoted, scene) if is_given else None


def _gives(clause: Clause, title: Span) -> bool:
    """Return whether the word before a quotation gives it to something: ``… should be 'buy cake'``."""
    before = _words_between(clause, clause.start, title.start)
    return bool(_GIVING & set(before[-1:]))


def _of_quoted(clause: Clause, quoted: Sequence[Span], scene: Scene) -> Retitled | None:
    """Return what two quotations say of which one is a present title."""
    old, new = quoted[0], quoted[1]
    between = _words_between(clause, old.end, new.start)
    is_given = bool(_GIVING & set(between)) and set(between) <= _BETWEEN
    names = bool(_NAMING & set(_words_between(clause, clause.start, old.start)))
    is_given = is_given or (names and set(between) <= TASK_NOUNS)  # ``call "a" "b" instead``
    if is_given and (task := _task(old.text, scene)) is not None:
        return Retitled(task, new)
    is_denied = bool(between) and between[0] in {"not", "and", "instead"} and set(between) <= _DENYING
    if is_denied and (task := _task(new.text, scene)) is not None:
        return Retitled(task, old)
    return None


def _behind_title(clause: Clause, quoted: Sequence[Span], scene: Scene) -> Retitled | None:
    """Return what stands behind a title without quotation marks, or before one, as the new title."""
    for task in scene.tasks:
        place = find_name_place(clause.words, task.name) if len(name_parts(task.name)) > 1 else None
        if place is None:
            continue
        end = clause.tokens[place[1] - 1].end
        if quoted and quoted[0].start >= end:
            between = _words_between(clause, end, quoted[0].start)
            is_given = bool(_GIVING & set(between)) and set(between) <= _BETWEEN
            return Retitled(task, quoted[0]) if is_given else None
        return _bare(clause, task, place[1], scene)
    return None


def _bare(clause: Clause, task: Thing, place: int, scene: Scene) -> Retitled | None:
    tokens = clause.tokens[place:]
    at = next((at for at, one in enumerate(tokens) if one.word in _BARE_GIVING), None)
    if at is None or not {one.word for one in tokens[:at]} - _MARKS <= _BETWEEN:
        return None
    own = tokens[at + 1 :]
    end = next((at for at, one in enumerate(own) if one.text in _CLOSING), len(own))
    own = tuple(one for one in own[:end] if one.text not in _MARKS)
    if not own:
        return None
    title = Span(clause.message[own[0].start : own[-1].end], own[0].start, own[-1].end)
    return None if _is_time(title.text, scene) else Retitled(task, title)


def _is_time(title: str, scene: Scene) -> bool:
    """Return whether words are nothing but a time: ``buy bread -> friday at 3`` moves a task."""
    spans = [span for one in read_times(title, now=scene.now, zone=scene.zone) for span in one.spans]
    left = [one for one in tokenise(title) if not any(start <= one.start < end for start, end in spans)]
    return bool(spans) and all(one.word in {"the", "at", "on", "by"} for one in left)


def _words_between(clause: Clause, start: int, end: int) -> list[str]:
    within = (one for one in clause.tokens if start <= one.start and one.end <= end)
    return [one.word for one in within if one.text not in _MARKS]


def _task(title: str, scene: Scene) -> Thing | None:
    parts = name_parts(title)
    return next((task for task in scene.tasks if name_parts(task.name) == parts), None)
