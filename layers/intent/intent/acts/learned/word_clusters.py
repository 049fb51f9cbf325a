"""Clusters of words that stand in like company, so that a word no message was learned with tells something.

``python -m training.act_models.word_clusters`` makes the file. Its clusters come from public word vectors.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

SHIPPED_CLUSTERS = Path(__file__).with_name("words.clusters")
NUMBERS = (256, 1024)
"""How many clusters there are, coarse and fine."""


@lru_cache(maxsize=8192)
def clusters_of(word: str) -> tuple[str, ...]:
    """Return the names of a word's clusters, coarse first; none when neither it nor its stem is known."""
    places = _places()
    place = next((places[form] for form in _forms(word) if form in places), None)
    if place is None:
        return ()
    return tuple(f"{number} {column[place]}" for number, column in zip(NUMBERS, _columns(), strict=True))


def _forms(word: str) -> tuple[str, ...]:
    return word, word.replace("'", ""), word.removesuffix("s").removesuffix("'"), word.replace("-", "")


@cache
def _places() -> Mapping[str, int]:
    words, _ = read_clusters()
    return dict(zip(words, range(len(words)), strict=True))


def _columns() -> Sequence[array[int]]:
    return read_clusters()[1]


@cache
def read_clusters(path: Path = SHIPPED_CLUSTERS) -> tuple[list[str], tuple[array[int], ...]]:
    """Return the words in a file, and for each number of clusters a column with the words' clusters."""
    head, _, packed = path.read_bytes().partition(b"\n")
    length = json.loads(head)["words"]
    whole = zlib.decompress(packed)
    words = whole[:length].decode().split("\n")
    size = 2 * len(words)
    starts = range(length, length + size * len(NUMBERS), size)
    return words, tuple(array("H", whole[start : start + size]) for start in starts)


def write_clusters(path: Path, words: Sequence[str], columns: Sequence[Sequence[int]], source: str) -> None:
    """Write the clusters of words, a column per number of clusters. The same clusters give the same bytes."""
    text = "\n".join(words).encode()
    packed = zlib.compress(text + b"".join(array("H", column).tobytes() for column in columns), 9)
    path.write_bytes(json.dumps({"source": source, "words": len(text)}).encode() + b"\n" + packed)
