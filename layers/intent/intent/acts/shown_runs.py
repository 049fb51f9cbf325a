"""Requests to see runs: ``list the runs of rota``, ``yesterday's runs``, ``which runs were there``."""

from __future__ import annotations

from itertools import pairwise

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS
from intent.acts.references import find_meant
from intent.acts.scene import Scene

_SHOWING = frozenset("show list give see display view get".split())
_ASKING = frozenset({"which", "what"})
_REGULAR = frozenset({"every", "each", "weekly", "daily", "monthly", "hourly"})
_AROUND = LEADS | frozenset("can could would will you i we want to let like me".split())
_OF_SOME = frozenset(
    "failed next upcoming coming scheduled planned yesterday today tomorrow week month".split()
)
"""Words that say which of all runs are asked for."""
_FARTHEST = 6


def shows_runs(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what shows the runs that a clause asks for, of one agent or of all; None for any other."""
    if scene.question is not None or scene.has_draft or not scene.agents:
        return None
    words = [word for word in clause.words if word[0].isalnum()]
    at = next((at for at, word in enumerate(words) if word not in _AROUND), len(words))
    behind = words[at + 1 : at + 1 + _FARTHEST]
    if words[at : at + 1] == [] or _REGULAR & set(words) or "runs" not in behind:
        return None
    is_asked = words[at] in _ASKING and ("were", "there") in pairwise(words)
    if not (words[at] in _SHOWING or is_asked) or _is_verb(behind):
        return None
    is_of_some = bool(_OF_SOME & {word.removesuffix("'s") for word in words})
    is_named = find_meant(clause, scene.agents).is_named
    return ActKind.ASK_WORKSPACE if is_of_some and not is_named else ActKind.SHOW_RESULT


def _is_verb(behind: list[str]) -> bool:
    """Return whether ``runs`` says what a thing does: ``show me when it runs``, ``see what runs today``."""
    before = behind[: behind.index("runs")]
    return bool(_SUBJECTS & set(before[-1:])) or bool(_CLAUSES & set(before))


_SUBJECTS = frozenset({"it", "that", "this", "who", "agent", "one"})
_CLAUSES = frozenset({"when", "what", "where", "how", "why", "whether", "if", "which"})
