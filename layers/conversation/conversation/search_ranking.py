"""Which messages hold what is wanted, best first. Pure: weights in, names out."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Ranked(NamedTuple):
    """A message by its name in the index, and how well it matches."""

    score: float
    name: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best messages, best first; ``total`` counts the others, too."""

    best: Sequence[Ranked]
    total: int


def ranked(
    weights: Sequence[Mapping[str, int]],
    *,
    documents: int,
    most: int,
    among: Mapping[str, int] | None = None,
) -> Ranking:
    """The messages in which all words weigh something, at least so many where there are; newer ones before
    older ones of the same score.

    ``weights`` has one mapping per word: what it weighs in which message. Where no message holds all words,
    those that hold most of them count, if that is more than half. ``among`` restricts to its messages.
    """
    rarities = [_rarity(len(weight), documents) for weight in weights]
    names = _names(weights, among)
    scores = _scores(names, weights, rarities)
    if len(scores) > most:
        # Sorting all of them would take longer than finding them.
        least = heapq.nlargest(most, scores.values())[-1]
        scores = {name: score for name, score in scores.items() if score >= least}
    # A name ends with its week and place: of equals the newer one comes first.
    best = sorted(scores, key=lambda name: (scores[name], name[6:], name), reverse=True)
    return Ranking([Ranked(scores[name], name) for name in best], len(names))


def _scores(
    names: set[str], weights: Sequence[Mapping[str, int]], rarities: Sequence[float]
) -> dict[str, float]:
    if len(weights) == 1:
        [weight], [rarity] = weights, rarities
        return {name: rarity * weight[name] for name in names}
    pairs = list(zip(rarities, weights, strict=True))
    return {name: sum([rarity * weight.get(name, 0) for rarity, weight in pairs]) for name in names}


def _names(weights: Sequence[Mapping[str, int]], among: Mapping[str, int] | None) -> set[str]:
    names = _shared(weights if among is None else [*weights, among])
    if names or len(weights) < 3:
        return names
    counts = Counter(name for weight in weights for name in weight if among is None or name in among)
    most = max(counts.values(), default=0)
    return {name for name, count in counts.items() if count == most} if 2 * most > len(weights) else set()


def _shared(parts: Sequence[Mapping[str, int]]) -> set[str]:
    smallest, *others = sorted(parts, key=len)
    names = set(smallest)
    for other in others:
        names &= other.keys()
    return names


def _rarity(count: int, documents: int) -> float:
    """BM25's inverse document frequency, in the form that never turns negative."""
    return math.log(1 + (max(documents, count) - count + 0.5) / (count + 0.5))
