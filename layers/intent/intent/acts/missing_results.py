"""Reports that nothing came of an agent: ``I got nothing from rota``, ``rota never arrived today``.

What the agent did answers them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.clauses import Clause
from intent.acts.references import find_meant
from intent.acts.scene import Scene

_GETTING = frozenset("got had received seen heard found".split())
_NONE = frozenset({"nothing", "none", "no"})
_DENYING = frozenset("never didn't hasn't haven't didnt hasnt havent".split())
_COMING = frozenset(
    "come came arrive arrived get got gotten receive received see seen show shown turn turned appear appeared"
    " hear heard land landed".split()
)
_NEAR = 3


def tells_missing(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause tells that a named agent brought nothing, a while ago or today."""
    if scene.question is not None or scene.has_draft or not scene.agents:
        return False
    return lacks_result(clause.words) and find_meant(clause, scene.agents).is_named


def lacks_result(words: Sequence[str]) -> bool:
    """Return whether words tell that something was not got, or did not come."""
    pairs = set(pairwise(words))
    if any(one in _GETTING and two in _NONE for one, two in pairs):
        return True
    if any(one == "nothing" and two in _COMING for one, two in pairs):
        return True
    return any(
        word in _DENYING and bool(_COMING & set(words[at + 1 : at + 1 + _NEAR]))
        for at, word in enumerate(words)
    )
