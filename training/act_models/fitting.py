"""Fitting of the linear models: multinomial regression for boundaries and kinds, a linear chain for spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, diags
from scipy.special import log_softmax

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
_LEAST_SHOWN = 2
_ITERATIONS, _CHAIN_ITERATIONS = 28, 100
NEVER = -1e4


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights: a row per kept feature and a column per label; a bias per label; ``moves`` between labels."""

    kept: Numbers
    weights: Floats
    bias: Floats
    moves: Floats

    def scores(self, features: csr_matrix) -> Floats:
        """Return a row per text and a column per label."""
        inside = self.kept[self.kept < features.shape[1]]
        return np.asarray(features[:, inside] @ self.weights[: len(inside)] + self.bias)


def fit_labels(
    features: csr_matrix, labels: Numbers, number: int, *, counted: int, strength: float, rarity: float
) -> Fit:
    """Fit a multinomial regression; ``strength`` is the inverse of the regularisation.

    A feature that only one of the first ``counted`` texts has is left out. Rarer features may get larger
    weights, by ``rarity``.
    """
    counts = np.bincount(features[:counted].indices, minlength=features.shape[1])
    kept = np.flatnonzero(counts >= _LEAST_SHOWN)
    scale = np.log(1 + counted / counts[kept]) ** rarity
    inside = (features[:, kept] @ diags(scale)).tocsr().astype(np.float32)
    turned, size = inside.T.tocsr(), len(kept)
    true = np.eye(number, dtype=np.float32)[labels]

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights, bias = flat[: size * number].reshape(size, number).astype(np.float32), flat[size * number :]
        likely = log_softmax(inside @ weights + bias.astype(np.float32), axis=1)
        off = strength * (np.exp(likely) - true)
        value = -strength * float((likely * true).sum()) + 0.5 * float((weights**2).sum())
        return value, np.concatenate([(turned @ off + weights).ravel(), off.sum(axis=0)]).astype(np.float64)

    flat = _minimised(loss, (size + 1) * number, _ITERATIONS)
    weights = scale[:, None] * flat[: size * number].reshape(size, number)
    return Fit(kept, weights, flat[size * number :], np.zeros((0, 0)))


@dataclass(frozen=True, slots=True)
class Chains:
    """Sequences laid out step by step: all first tokens, all second ones, and so on; longest first."""

    features: csr_matrix
    labels: Numbers
    counts: Sequence[int]
    """How many sequences have a token at each step."""


def fit_chain(chains: Chains, labels: Sequence[str], *, strength: float) -> Fit:
    """Fit a conditional random field over BIO labels by maximum likelihood."""
    number, counts = len(labels), list(chains.counts)
    kept = np.flatnonzero(
        np.bincount(chains.features.indices, minlength=chains.features.shape[1]) >= _LEAST_SHOWN
    )
    inside = chains.features[:, kept].tocsr().astype(np.float32)
    turned, size = inside.T.tocsr(), len(kept)
    true = np.eye(number, dtype=np.float32)[chains.labels]
    starts = np.concatenate([[0], np.cumsum(counts)])
    open_moves = np.array([[may_follow(one, other) for other in labels] for one in labels])
    opening = np.array([not label.startswith("I") for label in labels], dtype=np.float64)
    seen = np.zeros((number, number))
    for step in range(1, len(counts)):
        here = slice(starts[step], starts[step] + counts[step])
        before = slice(starts[step - 1], starts[step - 1] + counts[step])
        np.add.at(seen, (chains.labels[before], chains.labels[here]), 1)

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat[: size * number].reshape(size, number).astype(np.float32)
        moves = flat[size * number :].reshape(number, number)
        emitted = inside @ weights
        total, marginal, crossed = _marginals(
            emitted, np.where(open_moves, np.exp(moves), 0), opening, counts
        )
        gold = float((emitted * true).sum()) + float((seen * moves).sum())
        value = strength * (total - gold) + 0.5 * float((weights**2).sum()) + 0.5 * float((moves**2).sum())
        slope = strength * (turned @ (marginal - true).astype(np.float32)) + weights
        return value, np.concatenate([slope.ravel(), (strength * (crossed - seen) + moves).ravel()]).astype(
            np.float64
        )

    flat = _minimised(loss, size * number + number * number, _CHAIN_ITERATIONS)
    moves = np.where(open_moves, flat[size * number :].reshape(number, number), NEVER)
    return Fit(kept, flat[: size * number].reshape(size, number), np.zeros(number), moves)


def may_follow(before: str, label: str) -> bool:
    """Return whether a label may follow another: a span goes on only within the same slot."""
    return not label.startswith("I") or (before != "O" and before[2:] == label[2:])


def _marginals(
    emitted: Floats, moves: Floats, opening: Floats, counts: Sequence[int]
) -> tuple[float, Floats, Floats]:
    """Return the log of the sum over all paths, each token's marginals, and the expected moves."""
    highest = emitted.max(axis=1, keepdims=True)
    raised = np.exp(emitted - highest)
    starts = np.concatenate([[0], np.cumsum(counts)])
    ahead, behind, sums = np.zeros_like(raised), np.ones_like(raised), np.zeros(len(raised))
    for step, count in enumerate(counts):
        here = slice(starts[step], starts[step] + count)
        if step:
            way = (ahead[starts[step - 1] : starts[step - 1] + count] @ moves) * raised[here]
        else:
            way = raised[here] * opening
        sums[here] = way.sum(axis=1)
        ahead[here] = way / sums[here, None]
    crossed = np.zeros_like(moves)
    for step in range(len(counts) - 2, -1, -1):
        count = counts[step + 1]
        here, following = (
            slice(starts[step], starts[step] + count),
            slice(starts[step + 1], starts[step + 1] + count),
        )
        flow = raised[following] * behind[following] / sums[following, None]
        behind[here] = flow @ moves.T
        crossed += (ahead[here].T @ flow) * moves
    return float(np.log(sums).sum() + highest.sum()), ahead * behind, crossed


def _minimised(loss: object, size: int, iterations: int) -> Floats:
    found = minimize(
        loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": iterations, "maxcor": 5}
    )
    return np.asarray(found.x)
