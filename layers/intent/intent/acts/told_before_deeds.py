"""Parts that only tell why the deed behind them is wanted: ``nobody looks at numbers over Easter, so could
you stop the cash report``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from intent.acts.act import ActKind
from intent.acts.kind_sets import ON_AGENTS
from intent.acts.lexicon import LIST_NOUNS, TASK_NOUNS
from intent.acts.parts import Part
from intent.acts.references import find_meant
from intent.acts.scene import Scene

_UNSURE_BELOW, _SURE = 0.1, 0.5
_FARTHEST = 3


def without_told_reasons(parts: Sequence[Part], scene: Scene) -> list[Part]:
    """Return the parts; as no request, one before a deed on agents that are there that hardly asks for an
    agent, where ``so`` leads to the deed, or that speaks of no task there is: ``floor's done! start rota``.
    """
    kept = list(parts)
    for at, (part, behind) in enumerate(pairwise(parts)):
        if behind.kind not in ON_AGENTS:
            continue
        is_doubtful = part.kind is ActKind.CREATE_AGENT and part.sure < _UNSURE_BELOW
        is_reason = is_doubtful and behind.sure >= _SURE and _follows(behind)
        if is_reason or (_is_on_no_task(part, scene) and find_meant(behind.clause, scene.agents).is_named):
            kept[at] = replace(part, kind=ActKind.NONE)
    return kept


def _is_on_no_task(part: Part, scene: Scene) -> bool:
    """Return whether words are taken for a list of tasks, or a report on one, and speak of neither."""
    words = set(part.clause.words)
    if part.kind not in _OF_TASKS or part.clause.is_question or words & (LIST_NOUNS | TASK_NOUNS):
        return False
    return not find_meant(part.clause, scene.tasks).things


_OF_TASKS = frozenset({ActKind.LIST_TASKS, ActKind.COMPLETE_TASK})


def _follows(part: Part) -> bool:
    return part.clause.joint == "so" or "so" in part.clause.words[:_FARTHEST]
