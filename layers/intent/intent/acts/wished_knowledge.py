"""What somebody wishes to be told or to know: ``who's starting this week`` of ``it would be a blessing if I
got told ahead of time who's starting this week``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from intent.acts.lexicon import CORRECTIONS, NEGATIONS
from intent.acts.slot_types import CLOSED_CLASS
from intent.acts.tokens import Token, tokenise

_WISHING = frozenset("wish would i'd we'd it'd if could want like love blessing only wouldn't need".split())
_KNOWING = frozenset("told tell knew know heard hear warned warn informed notified see saw".split())
_AHEAD = frozenset(
    "me us i we ahead of time beforehand before hand in advance early earlier first always exactly right away"
    " every morning week day daily weekly at once straight out sooner".split()
)
_ASKED = frozenset("who who's whos which what's whether whose how".split())
_ENDS = frozenset(".!?;\n")
_FEWEST = 2


def wished_knowledge(messages: Iterable[str]) -> str:
    """Return what messages wish to be told, the first that any does; empty where none does."""
    return next((said for message in messages if (said := _wished(message))), "")


def _wished(message: str) -> str:
    tokens = tokenise(message)
    for begin, end in _sentences(tokens):
        sentence = tokens[begin:end]
        place = _asked_place(sentence)
        if place is None:
            continue
        told = sentence[place:]
        is_asked = len(told) >= _FEWEST and told[1].word not in {"to", "you"}
        if is_asked and any(one.is_word and one.word not in CLOSED_CLASS for one in told[1:]):
            return message[told[0].start : told[-1].end]
    return ""


def _asked_place(sentence: Sequence[Token]) -> int | None:
    """Return where what is wished to be known begins in a sentence; None without such a wish."""
    words = [one.word for one in sentence]
    for at, word in enumerate(words):
        marks = (to for to in range(at - 1, -1, -1) if words[to] in {",", "but", "and"})
        before = set(words[next(marks, -1) + 1 : at])
        is_denied = (NEGATIONS - {"wouldn't"} | CORRECTIONS) & before or "you" in before
        if word not in _KNOWING or not _WISHING & before or is_denied:
            continue
        behind = next((to for to in range(at + 1, len(words)) if words[to] not in _AHEAD), None)
        if behind is not None and words[behind] in _ASKED:
            return behind
    return None


def _sentences(tokens: Sequence[Token]) -> Iterable[tuple[int, int]]:
    begin = 0
    for at, one in enumerate(tokens):
        if one.text[0] in _ENDS:
            yield begin, at
            begin = at + 1
    yield begin, len(tokens)
