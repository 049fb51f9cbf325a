"""Fits the linear models: in their exemplars' span, for there are far more features than exemplars."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from intent.decision import ActionType
from intent.learned import bucket
from intent.learned_file import BUCKETS

Floats = NDArray[np.float64]
ACTIONS = tuple(ActionType)


@dataclass(frozen=True, slots=True)
class Fit:
    """A model: the exact weights of the buckets, a column per action."""

    weights: Floats
    bias: Floats

    def totals(self, features: csr_matrix) -> Floats:
        """Scores of messages."""
        return np.asarray(features @ self.weights + self.bias)


def matrix(seen: Sequence[Mapping[str, float]], without: Collection[str] = ()) -> csr_matrix:
    """Messages by buckets, with the values that the model sees in use.

    Features of the groups ``without`` are left out, to see what those groups give.
    """
    rows, columns, values = array("i"), array("i"), array("d")
    for row, found in enumerate(seen):
        features = {name: value for name, value in found.items() if group(name) not in without}
        rows.extend([row] * len(features))
        columns.extend(bucket(name) for name in features)
        values.extend(features.values())
    return csr_matrix((values, (rows, columns)), shape=(len(seen), BUCKETS))


def group(name: str) -> str:
    """The group of a feature, by its name's beginning."""
    return name.removeprefix("h ").partition(" ")[0]


def fit(features: csr_matrix, labels: Sequence[ActionType], strength: float) -> Fit:
    """The model for these messages; ``strength`` is the inverse of the regularisation."""
    alike = np.asarray((features @ features.T).todense())
    values, vectors = np.linalg.eigh(alike)
    kept = values > 1e-6 * values[-1]
    spread, basis = np.sqrt(values[kept]), vectors[:, kept]
    numbers = [ACTIONS.index(label) for label in labels]
    model = LogisticRegression(C=strength, max_iter=400, tol=1e-3).fit(basis * spread, numbers)
    weights, bias = np.zeros((BUCKETS, len(ACTIONS))), np.full(len(ACTIONS), -20.0)
    weights[:, model.classes_] = features.T @ ((basis / spread) @ model.coef_.T)
    bias[model.classes_] = model.intercept_
    return Fit(weights, bias)
