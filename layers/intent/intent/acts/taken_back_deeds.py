"""Deeds that the same clause takes back: ``I think that's done.. no wait, that was hers. leave that one``."""

from __future__ import annotations

from itertools import pairwise

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import CORRECTIONS, POINTERS

DEEDS = frozenset(
    {
        ActKind.COMPLETE_TASK, ActKind.DELETE_TASK, ActKind.REOPEN_TASK, ActKind.CHANGE_TASK,
        ActKind.DELETE_AGENT, ActKind.PAUSE_AGENT, ActKind.RESUME_AGENT, ActKind.RUN_AGENT,
        ActKind.CHANGE_AGENT,
    }
)  # fmt: skip
_LEAVING = frozenset({"leave", "keep"})
_MARKS = frozenset(",.;!\n\u2013\u2014-\u2026")
_AFTER = frozenset("alone be there open as one in".split())


def is_taken_back(kind: ActKind, clause: Clause) -> bool:
    """Return whether a clause takes its own deed back behind a word of correction."""
    if kind not in DEEDS:
        return False
    tokens = clause.tokens
    places = (
        at for at, (mark, token) in enumerate(pairwise(tokens), 1)
        if (mark.text[0] in _MARKS or mark.word == "or") and token.word in CORRECTIONS and at > 1
    )  # fmt: skip
    begin = next(places, len(tokens))
    words = [token.word for token in tokens[begin:]]
    return any(
        verb in _LEAVING and pointer in POINTERS and (behind in _AFTER or not behind.isalnum())
        for verb, pointer, behind in zip(words, words[1:], [*words[2:], "", ""], strict=False)
    )
