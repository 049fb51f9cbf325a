"""Agents that words mean by what was said before them: the one that the sentence before describes, and all
others than the one talked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.act import Thing
from intent.acts.clauses import Clause
from intent.acts.lexicon import AGENT_NOUNS
from intent.acts.references import name_parts, stem
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise

_AGENT_LIKE = AGENT_NOUNS | frozenset(
    "thing one report digest alert alerts check checks list mail mails email message messages update summary"
    " reminder watcher notification notifications recap".split()
)
_NUMBERS = {2: {"two", "2"}, 3: {"three", "3"}, 4: {"four", "4"}, 5: {"five", "5"}}
_FEWEST = 2


def described_before(clause: Clause, things: Sequence[Thing]) -> Thing | None:
    """Return the one agent that the message describes as one before a clause: ``the kpi thing woke me again.
    Pause it``; None for none or several.
    """
    words = [stem(one.word) for one in tokenise(clause.message[: clause.start]) if one.is_word]
    found = [thing for thing in things if _describes(words, thing)]
    return found[0] if len(found) == 1 else None


def _describes(words: Sequence[str], thing: Thing) -> bool:
    """Return whether words have two parts of a name in a row, or one before the word for an agent."""
    parts = {stem(part) for part in name_parts(thing.name)}
    nouns = {stem(one) for one in _AGENT_LIKE}
    return any(one in parts and one not in nouns and two in parts | nouns for one, two in pairwise(words))


def all_others(clause: Clause, scene: Scene, things: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return all agents but the one talked about, where a clause asks about the others; empty for any other,
    and where there are fewer than two of them.
    """
    focus = scene.focus
    if focus is None or focus.id not in {thing.id for thing in things}:
        return ()
    rest = tuple(thing for thing in things if thing.id != focus.id)
    words = clause.words
    is_counted = any(one == "other" and two in _NUMBERS.get(len(rest), set()) for one, two in pairwise(words))
    is_rest = ("the", "rest") in pairwise(words) and "us" not in words
    is_said = "others" in words or is_counted or is_rest
    return rest if is_said and len(rest) >= _FEWEST else ()
