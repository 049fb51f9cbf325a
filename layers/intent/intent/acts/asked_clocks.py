"""Questions for the time elsewhere that go on from one for the time: ``and in London?``, ``Berlin time``."""

from __future__ import annotations

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS
from intent.acts.scene import Scene
from intent.times.words.tokens import tokenise
from intent.times.words.zones import place_at

_AROUND = LEADS | frozenset("in at the time what about how over there then for is it what's".split())


def asks_clock_elsewhere(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause only names a place, after the time was asked for."""
    if scene.last[-1:] != (ActKind.CLOCK,) or scene.question is not None or scene.has_draft:
        return False
    tokens = tokenise(clause.text)
    found = next(((at, one[1]) for at in range(len(tokens)) if (one := place_at(tokens, at))), None)
    if found is None:
        return False
    text = clause.text
    rest = f"{text[: tokens[found[0]].start]} {text[tokens[found[1] - 1].end :]}".lower()
    return {word.strip("?!.,") for word in rest.split()} - {""} <= _AROUND
