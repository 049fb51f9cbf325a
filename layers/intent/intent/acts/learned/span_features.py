"""The features of a token of an act, to tell which slot it fills. Pure, the same in training and in use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from intent.acts.learned.marked_tokens import MarkedToken

_PREPOSITIONS = frozenset(
    "to from in on at by via into onto of for with about as until till before after between through"
    " over using per"
    " called named titled except but instead not out off that which who when if whenever every each".split()
)
_REACH = 6


def token_features(tokens: Sequence[MarkedToken], start: int, end: int, kind: str) -> list[tuple[str, ...]]:
    """Return for each token from ``start`` to ``end`` the names of its features in an act of this kind."""
    shapes = [_own(token) for token in tokens]
    return [tuple(_features(tokens, shapes, start, end, place, kind)) for place in range(start, end)]


def _features(
    tokens: Sequence[MarkedToken],
    shapes: Sequence[tuple[str, ...]],
    start: int,
    end: int,
    place: int,
    kind: str,
) -> Iterator[str]:
    token = tokens[place]
    area = kind.partition(".")[0]
    masks = [tokens[at].mask if start <= at < end else "" for at in range(place - 3, place + 4)]
    before, own, after = masks[2], masks[3], masks[4]
    yield f"k {kind}"
    yield f"w {own}"
    yield f"w- {before}"
    yield f"w+ {after}"
    yield f"w-- {masks[1]}"
    yield f"w++ {masks[5]}"
    yield f"w-w {before} {own}"
    yield f"ww+ {own} {after}"
    yield f"w--w {masks[1]} {before}"
    yield f"w+w+ {after} {masks[5]}"
    yield f"kw {kind} {own}"
    yield f"kw- {kind} {before}"
    yield f"kw+ {kind} {after}"
    yield f"kw-w {area} {before} {own}"
    for offset, name in ((-2, "c-- "), (-1, "c- "), (0, "c "), (1, "c+ "), (2, "c++ ")):
        if start <= place + offset < end:
            for shape in shapes[place + offset]:
                yield name + shape
                if -1 <= offset <= 1:
                    yield f"k{name}{area} {shape}"
    for shape in shapes[place]:
        yield f"cw- {before} {shape}"
        yield f"cw+ {after} {shape}"
    yield from _affixes(token.token.word)
    word, distance = _preposition(tokens, start, place)
    yield f"pr {word}"
    yield f"pr {word} {min(distance, 4)}"
    yield f"kpr {area} {word}"
    for shape in shapes[place][:3]:
        yield f"cpr {word} {shape}"
    yield f"vb {_verb(tokens, start, place)}"
    yield f"kvb {area} {_verb(tokens, start, place)}"
    yield f"at {min(place - start, 3)}"
    yield f"kat {kind} {min(place - start, 3)}"
    yield f"to end {min(end - place, 3)}"
    if "quoted" in token.classes:
        yield f"quoted {kind}"


def _own(token: MarkedToken) -> tuple[str, ...]:
    return (*token.classes, *((f"verb {token.verb}",) if token.verb else ()))


@lru_cache(maxsize=4096)
def _affixes(word: str) -> tuple[str, ...]:
    if not word[0].isalpha():
        return ()
    return (f"pre {word[:3]}", f"suf {word[-3:]}", f"suf {word[-2:]}")


def _preposition(tokens: Sequence[MarkedToken], start: int, place: int) -> tuple[str, int]:
    """Return the last word that governs what follows it, and how far back it is."""
    for at in range(place - 1, max(start, place - _REACH) - 1, -1):
        word = tokens[at].token.word
        if word in _PREPOSITIONS or word in ",;:.":
            return word, place - at
    return "", _REACH


def _verb(tokens: Sequence[MarkedToken], start: int, place: int) -> str:
    """Return the class of the last verb before a place."""
    for at in range(place - 1, start - 1, -1):
        if tokens[at].verb:
            return tokens[at].verb
    return ""
