"""The words that make a request polite and say nothing else: ``could you``, ``would you mind`` and the like.

A frame begins a clause. It consists of words such as ``it would be great if`` and ends with its pivot, the
words by which the request itself is addressed: ``you could``, ``you to``, ``let's``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from intent.acts import lexicon
from intent.acts.tokens import Token

_MODALS = frozenset("can could would will may might should must shall".split())
_ASKING = frozenset("can could would will might".split())
_ADVERBS = frozenset("please kindly just maybe perhaps possibly quickly".split())
_POLITE = frozenset({"please", "kindly"})
_FRAME_WORDS = (
    _MODALS
    | _ADVERBS
    | frozenset(
        "i we i'd we'd i'm we're it it's that that'd it'd is was be am do have need want like love wish"
        " appreciate ask get trouble bother hope hoping wondering thinking great good nice kind lovely super"
        " helpful wonderful brilliant best any chance way there if whether for a me really very much think"
        " guess possible able".split()
    )
)
_PIVOTS = tuple(
    tuple(pivot.split())
    for pivot in (
        "you to", "let's", "it's time to", "go ahead and", "do me a favour and", "do me a favor and",
        "be so kind and", "be so kind as to", "be so good and", "be so good as to", "be able to",
        "how about you",
    )
)  # fmt: skip
_BEGIN_PIVOTS = frozenset({pivot[0] for pivot in _PIVOTS} | _ASKING | {"you", "be", "mind"})
_POSSIBLE = frozenset("ok okay alright fine possible good".split())
_OPENERS = frozenset(
    "so and but then also or ok okay well oh hi hey hello please right now basically".split()
)
_TELLING = frozenset({"know", "understand", "realise", "realize"})
"""Verbs behind which no request is told."""
_MOST_WORDS = 10
_WISH_WORDS = frozenset(
    "basically actually really just simply what all the only thing i i'd we we'd want need like would ask am"
    " asking for from of you now today right is".split()
)
_WISHES = frozenset({"want", "need", "like", "ask", "asking"})
_BEHIND_WISH = (("that", "you"), ("for", "you", "to"), ("you", "to"))


class Frame(NamedTuple):
    """A frame from ``start`` to ``end`` in the message."""

    start: int
    end: int
    is_open: bool
    """Whether it may also ask if something is possible: ``can you``."""
    verb: Token | None = None
    """A gerund behind it that stands for an imperative."""


def find_frames(tokens: Sequence[Token]) -> Iterator[Frame]:
    """Yield the frames of a message in order."""
    free = 0
    for place in range(len(tokens)):
        if place < free or not _begins_clause(tokens, place):
            continue
        found = _frame_at(tokens, place) or _wish_at(tokens, place)
        if found is not None:
            frame, free = found
            yield frame


def base_of(verb: Token) -> str:
    """Return the imperative of a gerund: ``pause`` for ``pausing``."""
    form = lexicon.verb_forms().get(verb.word)
    return form.base if form is not None else verb.word


def _begins_clause(tokens: Sequence[Token], place: int) -> bool:
    if place == 0 or not tokens[place - 1].is_word:
        return tokens[place].is_word
    return tokens[place - 1].word in _OPENERS


def _frame_at(tokens: Sequence[Token], begin: int) -> tuple[Frame, int] | None:
    """Return the frame that begins at a token, and the place behind it."""
    words = [token.word for token in tokens[begin : begin + _MOST_WORDS + 1]]
    for at in range(len(words)):
        length, is_open = _pivot_at(words, at)
        if length:
            end = _behind_pivots(tokens, begin + at + length)
            is_bare = at == 0 and set(words[2 : end - begin]) <= _ADVERBS - _POLITE
            return _closed(tokens, begin, end, is_open=is_open and (is_bare or words[at] == "be"))
        if words[at] not in _FRAME_WORDS:
            return None
    return None


def _wish_at(tokens: Sequence[Token], begin: int) -> tuple[Frame, int] | None:
    """Return the frame that is a clause of its own: ``what I need is only that you``."""
    words = [token.word for token in tokens[begin : begin + _MOST_OF_WISH]]
    state = next((at for at, word in enumerate(words) if word in {"is", "was"}), 0)
    if not _WISHES & set(words[:state]) or not set(words[:state]) <= _WISH_WORDS:
        return None
    at = state + 1
    while words[at : at + 1] and words[at] in _NARROWING:
        at += 1
    pivot = next((one for one in _BEHIND_WISH if tuple(words[at : at + len(one)]) == one), None)
    return None if pivot is None else _closed(tokens, begin, begin + at + len(pivot), is_open=False)


_NARROWING = frozenset({"only", "just", "simply", "really", "basically", "actually"})
_MOST_OF_WISH = 18


def _behind_pivots(tokens: Sequence[Token], end: int) -> int:
    """Return the place behind the adverbs and further pivots that follow: ``would you be so kind as to``."""
    while end < len(tokens):
        words = [token.word for token in tokens[end : end + _MOST_WORDS]]
        length = 1 if words[0] in _ADVERBS else _pivot_at(words, 0)[0]
        if not length:
            return end
        end += length
    return end


def _pivot_at(words: Sequence[str], at: int) -> tuple[int, bool]:
    """Return how many words the pivot at a place has, and whether it may ask if something is possible."""
    if words[at] not in _BEGIN_PIVOTS:
        return 0, False
    for pivot in _PIVOTS:
        if tuple(words[at : at + len(pivot)]) == pivot:
            return len(pivot), False
    following = words[at + 1] if at + 1 < len(words) else ""
    if words[at] == "be" and following in _POSSIBLE and words[at + 2 : at + 3] == ["to"]:
        return 3, True
    if words[at] in _ASKING and following == "we":
        return 2, True
    if words[at] in _ASKING and following == "you":
        return (3, False) if words[at + 2 : at + 3] == ["mind"] else (2, words[at] != "might")
    if words[at] == "you" and following in _MODALS:
        return 2, True
    return (1, False) if words[at] == "mind" else (0, False)


def _closed(tokens: Sequence[Token], begin: int, end: int, *, is_open: bool) -> tuple[Frame, int] | None:
    """Return the frame with the verb behind it; None where no request can follow."""
    if end >= len(tokens) or not tokens[end].is_word or tokens[end].word in _TELLING:
        return None
    verb = None
    if "mind" in (token.word for token in tokens[begin:end]):
        verb = tokens[end]
        form = lexicon.verb_forms().get(verb.word)
        if form is None or not verb.word.endswith("ing"):
            return None
    return Frame(tokens[begin].start, tokens[end].start, is_open, verb), end
