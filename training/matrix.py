"""Sparse vectors and matrices of features. They keep each feature's group for ablations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from intent.classifier.linear_model import feature_buckets
from intent.classifier.weights import BUCKETS

GROUPS = ("w", "p", "0", "1", "2", "f", "c", "x", "s", "j", "a", "assistant", "user")


@dataclass(frozen=True, slots=True)
class Row:
    """A message's features: their buckets, their values and their groups."""

    columns: NDArray[np.int32]
    values: NDArray[np.float64]
    groups: NDArray[np.int8]


def to_row(features: Mapping[str, float]) -> Row:
    """Convert features to a row."""
    return Row(
        np.array(feature_buckets(features), dtype=np.int32),
        np.array(list(features.values()), dtype=np.float64),
        np.array([GROUPS.index(_group(name)) for name in features], dtype=np.int8),
    )


def join_rows(one: Row, other: Row) -> Row:
    """Concatenate two rows."""
    return Row(
        np.concatenate((one.columns, other.columns)),
        np.concatenate((one.values, other.values)),
        np.concatenate((one.groups, other.groups)),
    )


def to_matrix(rows: Sequence[Row], without: Collection[str] = ()) -> csr_matrix:
    """Return the matrix of messages by buckets. Features of the groups ``without`` are left out."""
    if without:
        rows = [_without(one, [GROUPS.index(group) for group in without]) for one in rows]
    ends = np.concatenate([[0], np.cumsum([len(one.columns) for one in rows])])
    values = np.concatenate([one.values for one in rows])
    places = np.concatenate([one.columns for one in rows])
    found = csr_matrix((values, places, ends), shape=(len(rows), BUCKETS))
    found.sum_duplicates()
    return found


def _without(one: Row, groups: Sequence[int]) -> Row:
    kept = ~np.isin(one.groups, groups)
    return Row(one.columns[kept], one.values[kept], one.groups[kept])


def _group(name: str) -> str:
    """The group of a feature, which is the start of its name."""
    return name.removeprefix("h ").partition(" ")[0]
