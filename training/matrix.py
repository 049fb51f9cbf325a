"""Features as numbers: a message's row, and the matrix of many. A feature's group is kept, for ablations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from intent.classifier.model import buckets
from intent.classifier.weights import BUCKETS

GROUPS = ("w", "p", "0", "1", "2", "f", "c", "x", "s", "j", "a", "assistant", "user")


@dataclass(frozen=True, slots=True)
class Row:
    """Where a message's features stand, what they weigh, and of which groups they are."""

    places: NDArray[np.int32]
    values: NDArray[np.float64]
    groups: NDArray[np.int8]


def row(features: Mapping[str, float]) -> Row:
    """The features as a row."""
    return Row(
        np.array(buckets(features), dtype=np.int32),
        np.array(list(features.values()), dtype=np.float64),
        np.array([GROUPS.index(_group(name)) for name in features], dtype=np.int8),
    )


def joined(one: Row, other: Row) -> Row:
    """Both rows as one."""
    return Row(
        np.concatenate((one.places, other.places)),
        np.concatenate((one.values, other.values)),
        np.concatenate((one.groups, other.groups)),
    )


def matrix(rows: Sequence[Row], without: Collection[str] = ()) -> csr_matrix:
    """Messages by buckets; features of the groups ``without`` are left out, to see what those groups give."""
    if without:
        rows = [_without(one, [GROUPS.index(group) for group in without]) for one in rows]
    ends = np.concatenate([[0], np.cumsum([len(one.places) for one in rows])])
    values = np.concatenate([one.values for one in rows])
    places = np.concatenate([one.places for one in rows])
    found = csr_matrix((values, places, ends), shape=(len(rows), BUCKETS))
    found.sum_duplicates()
    return found


def _without(one: Row, groups: Sequence[int]) -> Row:
    kept = ~np.isin(one.groups, groups)
    return Row(one.places[kept], one.values[kept], one.groups[kept])


def _group(name: str) -> str:
    """The group of a feature, by its name's beginning."""
    return name.removeprefix("h ").partition(" ")[0]
