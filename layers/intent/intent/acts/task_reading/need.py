"""Whether it takes the user's tasks to read a message: reading them costs a request."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.kind_sets import ON_TASKS
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import MarkedToken
from intent.acts.lexicon import TASK_NOUNS, classes_of
from intent.acts.scene import Scene
from intent.acts.task_reading.due_statements import corrects_day

_SURE = 0.35
_NEARLY = 0.33


def _may_be_on_tasks(segment: Segment) -> bool:
    """Return whether an act on tasks is nearly as likely as the likeliest."""
    least = segment.ranked[0].probability * _NEARLY
    return any(one.kind in ON_TASKS and one.probability >= least for one in segment.ranked)


_TASK_VERBS = frozenset({"complete", "reopen"})


def _speaks_of_tasks(token: MarkedToken) -> bool:
    """Return whether a word is about tasks: ``to-do``, ``tick``, ``due``."""
    word = token.token.word
    return word in TASK_NOUNS | {"due"} or (
        "base verb" in token.classes and bool(classes_of(word) & _TASK_VERBS)
    )


def _names_own_list(tokens: Sequence[MarkedToken]) -> bool:
    """Return whether words speak of ``my list``, which is the one of tasks."""
    words = [token.token.word for token in tokens]
    return any(word == "list" and before in {"my", "our"} for before, word in pairwise(words))


_MOVING = frozenset("move reschedule shift shove postpone delay push extend bump".split())


def _may_change_task(word: str) -> bool:
    """Return whether a word renames something, puts it off or deletes it."""
    return word in _MOVING or bool({"rename", "delete"} & classes_of(word))


def may_mean_tasks(segments: Sequence[Segment], scene: Scene, tokens: Sequence[MarkedToken]) -> bool:
    """Return whether it takes the user's tasks to read the message; reading them costs a request."""
    asked_of = scene.question.of if scene.question is not None else ""
    kinds = (scene.focus_kind, scene.listed_kind, asked_of.partition(".")[0])
    if "task" in kinds or any(map(_speaks_of_tasks, tokens)) or _names_own_list(tokens):
        return True
    if corrects_day([token.token.word for token in tokens]):
        return True
    has_agent = any(token.mask == "AGENT" for token in tokens)
    if not has_agent and any(_may_change_task(token.token.word) for token in tokens):
        return True
    return any(
        segment.kind in ON_TASKS or (segment.ranked[0].probability < _SURE and _may_be_on_tasks(segment))
        for segment in segments
        if segment.kind
    )
