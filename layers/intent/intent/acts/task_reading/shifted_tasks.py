"""Tasks that are moved by a length of time: ``the drill slips by a week``, ``the audit two days earlier``."""

from __future__ import annotations

from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, NEGATIONS, POINTERS, QUESTION_WORDS, classes_of
from intent.acts.references import find_meant
from intent.acts.scene import Scene
from intent.times.reader import read_times

_MOVING = frozenset(
    "earlier later sooner back forward forwards slip slips slipped slipping delay delays delayed postpone"
    " postponed extend extended extra more another longer off".split()
)
_TELLING = frozenset("was were did done finished took had been ago".split())
_ADDING = frozenset({"add", "remind"})


def shifts_task(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says that one of the user's tasks is due so much earlier or later."""
    words = set(clause.words)
    first = next((word for word in clause.words if word not in LEADS), "")
    if not words & _MOVING or words & (NEGATIONS | _TELLING) or first in QUESTION_WORDS:
        return False
    if classes_of(first) & _ADDING or find_meant(clause, scene.agents).is_named:
        return False
    found = read_times(clause.text, now=scene.now, zone=scene.zone)
    if any(one.day is not None or one.is_recurring for one in found):
        return False
    meant = find_meant(clause, scene.tasks)
    is_focus = scene.focus_kind == "task" and bool(POINTERS & words) and not meant.things
    focus = next((one for one in scene.tasks if scene.focus and one.id == scene.focus.id), None)
    task = meant.things[0] if len(meant.things) == 1 else focus if is_focus else None
    if task is None or task.due is None or meant.is_all:
        return False
    moved = read_times(clause.text, now=scene.now, zone=scene.zone, was=task.due)
    return len(moved) == 1 and moved[0].problem is None and moved[0].day not in {None, task.due}
