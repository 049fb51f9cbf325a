"""Parts that only tell why the deed behind them is wanted: ``nobody looks at numbers over Easter, so could
you stop the cash report``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from intent.acts.act import ActKind
from intent.acts.kind_sets import ON_AGENTS
from intent.acts.parts import Part

_UNSURE_BELOW, _SURE = 0.1, 0.5
_FARTHEST = 3


def without_told_reasons(parts: Sequence[Part]) -> list[Part]:
    """Return the parts; as no request, one that hardly asks for an agent where ``so`` leads from it to a deed
    on agents that are there.
    """
    kept = list(parts)
    for at, (part, behind) in enumerate(pairwise(parts)):
        is_doubtful = part.kind is ActKind.CREATE_AGENT and part.sure < _UNSURE_BELOW
        if is_doubtful and behind.kind in ON_AGENTS and behind.sure >= _SURE and _follows(behind):
            kept[at] = replace(part, kind=ActKind.NONE)
    return kept


def _follows(part: Part) -> bool:
    return part.clause.joint == "so" or "so" in part.clause.words[:_FARTHEST]
