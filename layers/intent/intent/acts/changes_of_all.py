"""Changes of all agents: ``all three should run an hour later``, ``what goes to a@b.co must go to me``."""

from __future__ import annotations

from itertools import pairwise

from intent.acts.clauses import Clause
from intent.acts.lexicon import AGENT_NOUNS, NEGATIONS, TASK_NOUNS
from intent.acts.references import says_all
from intent.acts.scene import Scene
from intent.acts.wished_deeds import asks_how_it_is, is_shifted
from intent.times.reader import read_times

_POINTING = frozenset({"them", "everything"})
_COMING = frozenset({"run", "come", "go"})
_OBLIGING = frozenset("should must shall ought to want wants need needs".split())


def changes_all(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause wants all agents earlier or later, or at another time."""
    if scene.has_draft or scene.question is not None or len(scene.agents) < _FEWEST:
        return False
    return _is_on_all(clause, scene) and (is_shifted(clause) or _is_to_come_at(clause, scene))


_FEWEST = 2


def exchanges_address(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says of what is sent to one address that it goes to another one."""
    words = clause.words
    addresses = {word for word in words if "@" in word[1:-1] or (word[0] == "#" and len(word) > 1)}
    is_open = scene.has_draft or scene.question is not None
    if is_open or clause.is_question or not scene.agents or len(addresses) != _FEWEST:
        return False
    places = [at for at, word in enumerate(words) if word in _WHATEVER]
    return any(SENT & set(words[at + 1 : at + 1 + _NEAR]) for at in places)


_WHATEVER = frozenset({"what", "whatever", "everything", "all"})
SENT = frozenset("you goes went go gets is was comes came".split())
"""Words behind ``what`` that make it mean all that is sent."""
_NEAR = 3


def _is_on_all(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause means all of the user's agents, and no tasks."""
    words = set(clause.words)
    is_of_tasks = "task" in {scene.focus_kind, scene.listed_kind} or bool(TASK_NOUNS & words)
    return bool((AGENT_NOUNS | _POINTING | _COMING) & words) and not is_of_tasks and says_all(clause.tokens)


def _is_to_come_at(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says when something should come: ``they should run at 9``."""
    comes = any(one in _OBLIGING and two in _COMING for one, two in pairwise(clause.words))
    asks = clause.is_question or asks_how_it_is(clause.words) or bool(NEGATIONS & set(clause.words))
    return comes and not asks and bool(read_times(clause.text, now=scene.now, zone=scene.zone))
