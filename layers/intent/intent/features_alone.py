"""What the learned model sees of a text on its own: its words, letters and frame, and the rules' signs in it.

The rules' own decision is no feature: they were tuned on utterances that the model learns from too, so it
would trust them too much.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from math import sqrt

from intent import features
from intent.keywords import Reading

Features = dict[str, float]
"""Names and values; a name's beginning tells its group."""


def alone(text: str, own: Reading) -> Features:
    """The features of a text; ``own`` is what the rules make of it."""
    said = features.tokens(text)
    return {
        **valued(1.0, frozenset(features.words(said))),
        **valued(1.0, frozenset(features.frame(said))),
        **valued(1.6, frozenset(features.letters(said))),
        **valued(0.3, frozenset(features.shape(text, said))),
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
