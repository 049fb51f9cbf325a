"""Questions for what goes on here by itself: ``what is it doing at the moment?``

Somebody for whom another person set it up asks so. What all this is for is a question about the product.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import ActKind
from intent.acts.agent_filters import asks_what_goes_on, asks_what_is_shared
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS
from intent.acts.references import find_meant
from intent.acts.scene import Scene


def asked_of_work(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what words ask to see of the agents there are; None where they ask for anything else."""
    words = clause.words
    is_open = scene.has_draft or scene.question is not None
    if not scene.agents or is_open:
        return None
    if asks_what_is_shared(words) or asks_what_goes_on(words):
        return ActKind.LIST_AGENTS
    if _asks_where_from(words) and find_meant(clause, scene.agents).things:
        return ActKind.SHOW_AGENT
    if not _asks_for_work(words):
        return None
    is_one = len(scene.agents) == 1 or scene.focus_kind in {"agent", "run"}
    return ActKind.SHOW_AGENT if is_one else ActKind.LIST_AGENTS


def _asks_where_from(words: Sequence[str]) -> bool:
    """Return whether words ask where data come from: ``where do you take the churn numbers from?``"""
    said = [word for word in words if word[0].isalnum() and word not in LEADS]
    is_fetched = bool({"take", "get", "have", "pull", "fetch", "read", "draw", "know"} & set(said))
    return said[:1] == ["where"] and is_fetched and "from" in said[-2:] and "you" in said[1:4]


def _asks_for_work(words: Sequence[str]) -> bool:
    said = [word for word in words if word[0].isalnum() and word not in LEADS - _AROUND]
    while said and said[0] in _BEFORE:
        said = said[1:]
    if said[:1] == [] or said[0] not in _WHAT:
        return False
    rest = set(said[1:])
    is_now = bool(rest & _NOW)
    works = "doing" in rest or ("up" in rest and is_now) or (bool(rest & _DOES) and is_now)
    return works and bool(rest & _THIS) and rest <= _AROUND


_WHAT = frozenset({"what", "what's", "whats"})
_BEFORE = frozenset({"so", "and", "but", "ok", "okay", "well"})
_NOW = frozenset({"moment", "now", "currently", "present", "days", "today"})
_DOES = frozenset({"do", "does"})
_THIS = frozenset({"it", "this", "that", "they", "these", "those"})
_AROUND = _NOW | _DOES | _THIS | frozenset(
    "is are doing up to thing one app program machine tool gadget stuff here for me us at the right these by"
    " itself themselves all then exactly actually really even just".split()
)  # fmt: skip
