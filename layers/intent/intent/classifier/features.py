"""Features of a single text: words, word order, letter sequences and function-word frames.

Pure, and identical in training and in use. Every feature is a short name. Features of earlier messages are
in `intent.classifier.context_features`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from math import sqrt
from typing import NamedTuple

from intent.regular_expressions import straighten_quotes
from intent.rules.scoring import RuleScore

_MOST_CHARACTERS = 1_500
"""A long text counts only with this many first and last characters. Source: issue 3."""

_MOST_LETTERS = 300
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[?!@#:/]|\.{2,}|\n")
_FRAME = """
    a an the this that these those my our your his her their its some any every each all both no none
    another i me we us you he him she it they them one ones myself ourselves itself who whom whose which
    what when where why how whether if as is are was were be been being am isn't aren't wasn't weren't do
    does did done doing don't doesn't didn't have has had having haven't hasn't will would won't wouldn't
    can could can't couldn't cannot shall should shouldn't may might must need needs i'd i'm i've i'll we'd
    we're we've we'll you're it's that's there's what's let's let there here not never ever and or but so
    because since until unless while than then of to in on at by for from with without into onto over under
    about after before between out up off down again once twice now today tomorrow yesterday tonight always
    still just only also too already yet anymore more less most instead rather other same new old next last
    first second third like please pls thanks ok okay yes no hi hello hey somebody someone something anybody
    anyone anything nobody nothing everybody everyone everything whenever daily weekly monthly agent agents
    bot bots automation assistant skill skills ability tool workflow platform account user users
"""
_FRAME_WORDS = frozenset(_FRAME.split())
_MASK = "_"


def tokenize(text: str) -> list[str]:
    """Return lower-case words, numbers with masked digits, and the significant punctuation."""
    found = _TOKEN.findall(straighten_quotes(_clipped(text)).lower())
    return ["0" * min(len(token), 3) if token[0].isdigit() else token for token in found]


class WrittenText(NamedTuple):
    """A text as it is written: its tokens, and the names of the features that they and its form have."""

    tokens: Sequence[str]
    words: Collection[str]
    frames: Collection[str]
    letters: Collection[str]
    shape: Collection[str]


def read_written(text: str) -> WrittenText:
    """Return a text's tokens and the features of its writing, each once."""
    tokens = tokenize(text)
    return WrittenText(
        tokens,
        words=word_features(tokens),
        frames=frame_features(tokens),
        letters=letter_features(tokens),
        shape=frozenset(_shape_features(text, tokens)),
    )


def word_features(tokens: Sequence[str]) -> frozenset[str]:
    """Return single words, word pairs, and the first three words with their positions."""
    bounded = ["^", *tokens, "$"]
    return frozenset(
        [
            *[f"w {token}" for token in tokens],
            *[f"p {one} {two}" for one, two in pairwise(bounded)],
            *[f"{place} {token}" for place, token in enumerate(tokens[:3])],
        ]
    )


def frame_features(tokens: Sequence[str]) -> frozenset[str]:
    """Return sequences of two to four words, with everything but function words masked."""
    masked, found = ["^", *_masked(tokens), "$"], set[str]()
    for length in (2, 3, 4):
        found.update([f"f {' '.join(masked[at : at + length])}" for at in range(len(masked) - length + 1)])
    return frozenset(found)


def letter_features(tokens: Sequence[str]) -> frozenset[str]:
    """Return sequences of three to five letters within words, to recognise misspelt and inflected words."""
    budget, found = _MOST_LETTERS, set[str]()
    for token in dict.fromkeys(tokens):
        budget -= len(token)
        if budget < 0:
            break
        word = f"<{token}>"
        for length in (3, 4, 5):
            found.update([f"c {word[at : at + length]}" for at in range(len(word) - length + 1)])
    return frozenset(found)


def _shape_features(text: str, tokens: Sequence[str]) -> Iterator[str]:
    """The length of the text and its punctuation marks."""
    yield f"x length {min(len(tokens).bit_length(), 7)}"
    ending = text.rstrip()[-1:]
    yield f"x ends {ending if ending in tuple('?!.:') else ''}"
    yield from (f"x has {mark}" for mark in '?!:\n@{<"' if mark in text)
    if not any(token[0].isalpha() for token in tokens):
        yield "x wordless"


def _clipped(text: str) -> str:
    is_long = len(text) > 2 * _MOST_CHARACTERS
    return f"{text[:_MOST_CHARACTERS]}\n{text[-_MOST_CHARACTERS:]}" if is_long else text


def _masked(tokens: Iterable[str]) -> Iterator[str]:
    is_after_mask = False
    for token in tokens:
        is_masked = token not in _FRAME_WORDS and token[0].isalpha()
        if not (is_masked and is_after_mask):
            yield _MASK if is_masked else token
        is_after_mask = is_masked


Features = dict[str, float]
"""Feature values by name. The start of a name tells its group."""


def message_features(written: WrittenText, own: RuleScore) -> Features:
    """Return the features of a text on its own; ``own`` is the rules' score of it."""
    return {
        **weight_group(1.0, written.words),
        **weight_group(1.0, written.frames),
        **weight_group(1.6, written.letters),
        **weight_group(0.3, written.shape),
        **weight_group(0.5, tuple(signal_features(own))),
    }


def weight_group(weight: float, names: Collection[str]) -> Features:
    """Return a group of equal features whose total weight is the same in every message."""
    return dict.fromkeys(names, weight / sqrt(len(names))) if names else {}


def signal_features(own: RuleScore) -> Iterator[str]:
    """Yield the rules' signals, and pairs of signals that occur together."""
    shown = sorted(own.signals)
    yield from (f"s {sign}" for sign in shown)
    yield from (f"s {one} {two}" for one, two in combinations(shown, 2))
