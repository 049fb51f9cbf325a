"""Fitting of a linear model on hashed features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags
from sklearn.linear_model import LogisticRegression

from intent.classifier.weights import BUCKETS
from intent.decision import ActionType

Floats = NDArray[np.float64]
ACTIONS = tuple(ActionType)
_LEAST_SHOWN = 2
_RARITY = 1.8
"""Both values were chosen by cross-validation over authors."""


@dataclass(frozen=True, slots=True)
class LinearFit:
    """A fitted model: unrounded weights, a row per bucket and a column per action, and a bias per action."""

    weights: Floats
    bias: Floats

    def scores(self, features: csr_matrix) -> Floats:
        """Return the messages' scores, a row per message and a column per action."""
        return np.asarray(features @ self.weights + self.bias)


def fit_model(features: csr_matrix, labels: Sequence[ActionType], strength: float) -> LinearFit:
    """Fit a model to these messages; ``strength`` is the inverse of the regularisation.

    A feature that only one message has is not informative and is left out. Rarer features may get larger
    weights.
    """
    counts = np.bincount(features.indices, minlength=BUCKETS)
    kept = np.flatnonzero(counts >= _LEAST_SHOWN)
    scale = np.log(1 + features.shape[0] / counts[kept]) ** _RARITY
    numbers = [ACTIONS.index(label) for label in labels]
    model = LogisticRegression(C=strength, max_iter=400, tol=1e-3).fit(
        features[:, kept] @ diags(scale), numbers
    )
    weights, bias = np.zeros((BUCKETS, len(ACTIONS))), np.full(len(ACTIONS), -20.0)
    weights[np.ix_(kept, model.classes_)] = scale[:, None] * model.coef_.T
    bias[model.classes_] = model.intercept_
    return LinearFit(weights, bias)
