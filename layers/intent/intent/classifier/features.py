"""What the learned model looks at in a text: its words, their order, its letters, the frame they stand in.

Pure, and the same in training and in use; every feature is a short name. What was said before is
`intent.classifier.context_features`' business.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from math import sqrt

from intent.patterns import straight
from intent.rules.scoring import Reading

MOST_CHARACTERS = 1_500
"""Of a long text the first and the last so many count. Source: issue 3."""

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


def tokens(text: str) -> list[str]:
    """Lower-case words, numbers without their digits, and the punctuation that tells something."""
    found = _TOKEN.findall(straight(_clipped(text)).lower())
    return ["0" * min(len(token), 3) if token[0].isdigit() else token for token in found]


def words(said: Sequence[str]) -> Iterator[str]:
    """Single words, pairs, and the first words in their places."""
    bounded = ["^", *said, "$"]
    yield from (f"w {token}" for token in said)
    yield from (f"p {one} {two}" for one, two in pairwise(bounded))
    yield from (f"{place} {token}" for place, token in enumerate(said[:3]))


def frame(said: Sequence[str]) -> Iterator[str]:
    """Runs of two to four words in which of a sentence only its frame is left."""
    masked = ["^", *_masked(said), "$"]
    for length in (2, 3, 4):
        yield from map("f ".__add__, map(" ".join, zip(*(masked[at:] for at in range(length)), strict=False)))


def letters(said: Sequence[str]) -> Iterator[str]:
    """Runs of three to five letters within words, so that misspelt and inflected words are known."""
    budget = _MOST_LETTERS
    for token in dict.fromkeys(said):
        budget -= len(token)
        if budget < 0:
            return
        word = f"<{token}>"
        for length in (3, 4, 5):
            yield from (f"c {word[at : at + length]}" for at in range(len(word) - length + 1))


def shape(text: str, said: Sequence[str]) -> Iterator[str]:
    """How long the text is, and which marks it carries."""
    yield f"x length {min(len(said).bit_length(), 7)}"
    ending = text.rstrip()[-1:]
    yield f"x ends {ending if ending in tuple('?!.:') else ''}"
    yield from (f"x has {mark}" for mark in '?!:\n@{<"' if mark in text)
    if not any(token[0].isalpha() for token in said):
        yield "x wordless"


def _clipped(text: str) -> str:
    is_long = len(text) > 2 * MOST_CHARACTERS
    return f"{text[:MOST_CHARACTERS]}\n{text[-MOST_CHARACTERS:]}" if is_long else text


def _masked(said: Iterable[str]) -> Iterator[str]:
    is_after_mask = False
    for token in said:
        is_masked = token not in _FRAME_WORDS and token[0].isalpha()
        if not (is_masked and is_after_mask):
            yield _MASK if is_masked else token
        is_after_mask = is_masked


Features = dict[str, float]
"""Names and values; a name's beginning tells its group."""


def alone(text: str, own: Reading) -> Features:
    """The features of a text; ``own`` is what the rules make of it."""
    said = tokens(text)
    return {
        **valued(1.0, frozenset(words(said))),
        **valued(1.0, frozenset(frame(said))),
        **valued(1.6, frozenset(letters(said))),
        **valued(0.3, frozenset(shape(text, said))),
        **valued(0.5, tuple(signs(own))),
    }


def valued(weight: float, names: Collection[str]) -> Features:
    """A group of features that together weigh the same in every message."""
    return dict.fromkeys(names, weight / sqrt(len(names))) if names else {}


def signs(own: Reading) -> Iterator[str]:
    """The rules' signs, and which show together."""
    shown = sorted(own.signs)
    yield from (f"s {sign}" for sign in shown)
    yield from (f"s {one} {two}" for one, two in combinations(shown, 2))
