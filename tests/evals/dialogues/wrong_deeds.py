"""Which turns of a dialogue that failed changed something against the person's goal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tests.evals.dialogues.format import COUNTS, Json
from tests.evals.dialogues.judgement import Played
from tests.evals.dialogues.matchers import unmet_of_state
from tests.evals.dialogues.state import State, changes

MARK = "wrong deed"
_SORTS = ("agents", "tasks", "runs", "policy", "skills")


def mark_wrong_deeds(played: Played, start: State) -> None:
    """Mark the turns that changed the state and left it further from the one expected in the end.

    Nothing is marked where that state was reached. ``start`` is the state before the first turn.
    """
    expected = [one["end"] for one in played.case["expect"] if "end" in one]
    if not expected or not any(line.startswith("end:") for line in played.unmet):
        return
    states = [start, *(turn.after for turn in played.turns)]
    far = [sum(_distance(one, state, start) for one in expected) for state in states]
    for turn, (before, after) in zip(played.turns, pairwise(far), strict=True):
        if turn.changed and after > before:
            turn.marks.append(MARK)


def _distance(expected: Json, state: State, start: State) -> int:
    """How many expectations a state does not fulfil, how many items it has too few or too many, and how
    many changes were made to sorts of things of which nothing is expected.
    """
    counted = {key: value for key, value in expected.items() if key in COUNTS}
    rest = {key: value for key, value in expected.items() if key not in COUNTS}
    named = {key.partition("_")[0] for key in expected}
    untouched = {f"{sort.rstrip('s')} " for sort in _SORTS if sort not in named}
    besides = [kind for kind, _ in changes(start, state) if any(kind.startswith(sort) for sort in untouched)]
    wrong = sum(abs(_count(key, state) - int(value)) for key, value in counted.items())
    return len(unmet_of_state(rest, state)) + wrong + len(besides)


def _count(key: str, state: State) -> int:
    items: Sequence[Json] = getattr(state, key.partition("_")[0])
    if key == "tasks_open_exactly":
        return sum(not task.get("completed") for task in items)
    return len(items)
