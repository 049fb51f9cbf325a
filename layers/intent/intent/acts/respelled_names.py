"""The name of an agent spelled anew: ``ha, spring-orders I meant. with an r`` behind a new name."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import ActKind, Span
from intent.acts.clauses import Clause
from intent.acts.lexicon import CORRECTIONS, LEADS, POINTERS
from intent.acts.references import name_parts
from intent.acts.scene import Scene
from intent.acts.tokens import Token
from intent.letter_slips import is_one_slip

_NAMING = frozenset({ActKind.CHANGE_AGENT, ActKind.CREATE_AGENT, ActKind.COPY_AGENT})
_AROUND = LEADS | CORRECTIONS | POINTERS | frozenset(
    "i i'm meant mean meaning it's that's is was should be have been with without a an the one two of course"
    " ha haha lol argh ah oh typo spelled spelt letter obviously name called and my mistake bad not".split()
)  # fmt: skip
_FEWEST_LETTERS = 5


def respelled_name(clause: Clause, scene: Scene) -> Span | None:
    """Return the name in a clause that is, but for one letter, the one just given to an agent; None where a
    clause says anything else.
    """
    focus = scene.focus
    if scene.question is not None or scene.has_draft or focus is None or scene.focus_kind != "agent":
        return None
    if scene.did not in _NAMING or clause.is_question:
        return None
    return respelled(clause.tokens, focus.name)


def respelled(tokens: Sequence[Token], name: str) -> Span | None:
    """Return what differs from a name by one letter in words that say nothing besides."""
    names = [one for one in tokens if _is_slip(one.text.lower(), name.lower())]
    if len(names) != 1:
        return None
    rest = {one.word for one in tokens if one.is_word and one not in names and len(one.text) > 1}
    if not rest <= _AROUND | set(name_parts(names[0].text)):
        return None  # ``attendance with an a: training-attendance`` says the part of the name again
    return Span(names[0].text, names[0].start, names[0].end)


def _is_slip(word: str, name: str) -> bool:
    return len(word) >= _FEWEST_LETTERS and word != name and word[0].isalpha() and is_one_slip(word, name)
