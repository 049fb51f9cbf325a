"""Sparse matrices of named features, and the conversion of fitted weights to tables as shipped."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from intent.acts.learned.weight_tables import LARGEST, OFFSET, WeightTable
from training.act_models.fitting import Fit

Groups = Iterable[tuple[float, Sequence[str]]]


class Features:
    """Numbers the features of all texts: a column per hash of a name."""

    def __init__(self) -> None:
        self._columns: dict[int, int] = {}

    def matrix(self, texts: Iterable[Groups]) -> csr_matrix:
        """Return a row per text; new features get new columns."""
        columns, values, ends = array("q"), array("f"), array("q", [0])
        for groups in texts:
            for value, names in groups:
                for name in names:
                    code = crc32(name.encode("utf-8", "surrogatepass"))
                    columns.append(self._columns.setdefault(code, len(self._columns)))
                    values.append(value)
            ends.append(len(columns))
        shape = (len(ends) - 1, len(self._columns))
        found = csr_matrix((np.array(values), np.array(columns), np.array(ends)), shape=shape)
        found.sum_duplicates()
        return found

    @property
    def codes(self) -> NDArray[np.uint32]:
        """Return the hash of each column."""
        return np.fromiter(self._columns, dtype=np.uint32, count=len(self._columns))


def to_table(labels: Sequence[str], fit: Fit, features: Features, most: int) -> WeightTable:
    """Return weights as shipped: rounded to bytes, without all but the ``most`` rows that count most."""
    strength = np.abs(fit.weights).max(axis=1)
    rows = np.sort(np.argsort(-strength, kind="stable")[:most])
    rows = rows[strength[rows] > 0]
    unit = float(np.quantile(strength[rows], 0.999)) / LARGEST
    rounded = np.clip(np.rint(fit.weights[rows] / unit), -LARGEST, LARGEST) + OFFSET
    codes = array("I", features.codes[fit.kept[rows]].tolist())
    bias = [round(float(value), 4) for value in fit.bias]
    return WeightTable(labels, bias, unit, codes, rounded.astype("u1").tobytes())
