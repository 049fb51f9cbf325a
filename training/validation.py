"""Cross-validation and calibration of the model, to estimate its accuracy for unseen authors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import softmax

from training import model
from training.features import PreparedExemplar
from training.fitting import ACTIONS, Floats

BINS = 5
MOST_AUTHOR_FOLDS = 6
_PROCESSES = 2


def held_out_scores(
    among: Sequence[PreparedExemplar],
    folds: Sequence[str],
    without: Collection[str] = (),
    *,
    also: Sequence[PreparedExemplar] = (),
    step: int = 1,
) -> Floats:
    """Return the scores of every message by a model that was not trained on the message's fold.

    Every model trains on ``also``, which is not scored, and on every ``step``-th message of the other folds.
    """
    scores = np.zeros((len(among), len(ACTIONS)))
    task = partial(_fold, among, np.asarray(folds), frozenset(without), also, step)
    with ProcessPoolExecutor(_PROCESSES, mp_context=get_context("fork")) as pool:
        for out, found in pool.map(task, sorted(set(folds))):
            scores[out] = found
    return scores


def _fold(
    among: Sequence[PreparedExemplar],
    folds: NDArray[np.str_],
    without: Collection[str],
    also: Sequence[PreparedExemplar],
    step: int,
    fold: str,
) -> tuple[NDArray[np.bool_], Floats]:
    out = folds == fold
    inside = [one for one, is_out in zip(among, out, strict=True) if not is_out]
    outside = [one for one, is_out in zip(among, out, strict=True) if is_out]
    return out, model.model_scores(model.train_models([*inside[::step], *also], without), outside)


def author_folds(authors: Sequence[str]) -> list[str]:
    """Return a fold per message. An author's messages share a fold, and folds have about equal sizes."""
    sizes: Counter[str] = Counter()
    fold_of: dict[str, str] = {}
    for author, size in sorted(Counter(authors).items(), key=lambda item: (-item[1], item[0])):
        fold = min(map(str, range(MOST_AUTHOR_FOLDS)), key=lambda name: (sizes[name], name))
        fold_of[author] = fold
        sizes[fold] += size
    return [fold_of[author] for author in authors]


def family_folds(families: Sequence[str], number: int = 5) -> list[str]:
    """Return a fold per message. A family's messages share a fold."""
    order = {family: str(place % number) for place, family in enumerate(sorted(set(families), key=_shuffled))}
    return [order[family] for family in families]


def fit_temperatures(among: Sequence[PreparedExemplar], scores: Floats) -> dict[str, float]:
    """Fit each model's softmax temperature, the divisor of its scores that calibrates its confidence."""
    true, later = _true(among), _is_later(among)
    return {
        "alone": _temperature(scores[~later], true[~later]),
        "answering": _temperature(scores[later], true[later]),
    }


def calibrated(among: Sequence[PreparedExemplar], scores: Floats, heat: Mapping[str, float]) -> Floats:
    """Return calibrated probabilities, a row per message and a column per action."""
    divisors = np.where(_is_later(among), heat["answering"], heat["alone"])
    return np.asarray(softmax(scores / divisors[:, None], axis=1))


def correct_mask(among: Sequence[PreparedExemplar], sure: Floats) -> NDArray[np.bool_]:
    """Return for each message whether its most likely action is the labelled one."""
    return np.asarray(sure.argmax(axis=1) == _true(among))


def calibration_error(confidences: Floats, right: NDArray[np.bool_]) -> float:
    """Return the mean gap between confidence and accuracy over bins of equal count."""
    bins = np.array_split(np.argsort(confidences), BINS)
    gaps = [abs(confidences[one].mean() - right[one].mean()) * len(one) for one in bins if len(one)]
    return float(sum(gaps) / len(confidences))


def _temperature(scores: Floats, true: NDArray[np.int64]) -> float:
    def surprise(value: float) -> float:
        sure = softmax(scores / value, axis=1)[np.arange(len(true)), true]
        return float(-np.log(np.maximum(sure, 1e-12)).mean())

    return round(float(minimize_scalar(surprise, bounds=(0.1, 5.0), method="bounded").x), 4)


def _true(among: Sequence[PreparedExemplar]) -> NDArray[np.int64]:
    return np.array([ACTIONS.index(one.exemplar.label) for one in among])


def _is_later(among: Sequence[PreparedExemplar]) -> NDArray[np.bool_]:
    return np.array([one.is_later for one in among], dtype=bool)


def _shuffled(family: str) -> str:
    return family[::-1]
