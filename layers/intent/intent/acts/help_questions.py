"""Questions what could be done about what was just told, that say nothing else: ``is there anything you could
do with that?``, ``what sort of thing could you do there?``
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from conversation.sentences import sentence_spans
from intent.acts.lexicon import LEADS
from intent.acts.tokens import tokenise

_DOING = frozenset({"do", "done", "help", "offer", "manage", "make", "suggest"})
_WHOM = frozenset({"you", "be", "one", "this"})
_MODALS = frozenset("can could would might will there's is".split())
_POINTING = frozenset({"that", "it", "this", "there", "those", "them", "these"})
_AROUND = LEADS | _DOING | _WHOM | _MODALS | _POINTING | frozenset(
    "there anything something what sort kind kinds sorts type of thing things with about for me us any"
    " way at all exactly here i'm we're asking then maybe perhaps possibly how out from some somehow"
    " wondering if to".split()
)  # fmt: skip


def asks_what_helps(words: Sequence[str]) -> bool:
    """Return whether words only ask what could be done about what was told; plain words in lower case."""
    said = [word for word in words if word not in LEADS]
    if not said or not _DOING & set(said) or not set(said) <= _AROUND:
        return False
    points = any(
        word in _POINTING and before in {"with", "about", "of", "for", "out", "do", "us", "me", "help"}
        for before, word in pairwise(said)
    )
    return points and bool(_MODALS & set(said))


def without_help_question(text: str) -> str:
    """Return a text without the questions that only ask what could be done about what it tells; the text
    where it says nothing else.
    """
    spans = list(sentence_spans(text))
    kept = [text[begin:end].strip() for begin, end in spans if not _is_one(text[begin:end])]
    return " ".join(filter(None, kept)) if 0 < len(kept) < len(spans) else text


def _is_one(sentence: str) -> bool:
    words = [token.word for token in tokenise(sentence) if token.is_word]
    return sentence.rstrip().endswith("?") and asks_what_helps(words)
