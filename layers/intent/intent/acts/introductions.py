"""Statements by which people introduce themselves: ``I am responsible for the invoices here``."""

from __future__ import annotations

from intent.acts.lexicon import LEADS, NEGATIONS
from intent.acts.tokens import tokenise

_BEING = (
    ("i", "am"),
    ("i'm",),
    ("im",),
    ("we", "are"),
    ("we're",),
    ("my", "job", "is"),
    ("my", "name", "is"),
)
_AS = frozenset("a an the responsible in new head self-employed from with working running part".split())
_DOING = frozenset(
    "work run manage lead own teach handle sell head organise organize coordinate supervise oversee operate"
    " administer have direct drive cook repair build design bake grow look".split()
)
_WISHING = frozenset(
    "want need like would wish looking trying interested tired fed sick bored happy afraid wondering hoping"
    " thinking going about ready back done late sure sorry curious able late".split()
)
_OPENING = LEADS | frozenset(
    "good morning afternoon evening day dear everyone there all ! . , - so well".split()
)
_FEWEST, _MOST = 4, 40


def introduces(text: str) -> bool:
    """Return whether words only tell who somebody is and what their work is, and ask for nothing."""
    tokens = tokenise(text)
    words = [token.word for token in tokens]
    while words and words[0] in _OPENING:
        words = words[1:]
    if not _FEWEST <= len(words) <= _MOST or "?" in words or (_WISHING | NEGATIONS) & set(words):
        return False
    for phrase in _BEING:
        if tuple(words[: len(phrase)]) == phrase:
            return phrase[0] == "my" or words[len(phrase)] in _AS
    return words[0] in {"i", "we"} and words[1] in _DOING
