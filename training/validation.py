"""What the model will do for authors it has not seen: cross-validation, calibration. Ships nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import softmax

from training import model
from training.fitting import ACTIONS, Floats
from training.model import Prepared

BINS = 5


def held_out(among: Sequence[Prepared], groups: Sequence[str], without: Collection[str] = ()) -> Floats:
    """Scores of every message by a model that saw none of its group."""
    scores = np.zeros((len(among), len(ACTIONS)))
    membership = np.asarray(groups)
    for group in sorted(set(groups)):
        out = membership == group
        learned = model.learn([one for one, is_out in zip(among, out, strict=True) if not is_out], without)
        scores[out] = model.totals(learned, [one for one, is_out in zip(among, out, strict=True) if is_out])
    return scores


def folds(families: Sequence[str], number: int = 5) -> list[str]:
    """A fold for each message; families stay whole."""
    order = {family: str(place % number) for place, family in enumerate(sorted(set(families), key=_shuffled))}
    return [order[family] for family in families]


def temperatures(among: Sequence[Prepared], scores: Floats) -> dict[str, float]:
    """For each model, what to divide its scores by so that confidence means frequency."""
    true, later = _true(among), _is_later(among)
    return {
        "alone": _temperature(scores[~later], true[~later]),
        "answering": _temperature(scores[later], true[later]),
    }


def confidences(among: Sequence[Prepared], scores: Floats, heat: Mapping[str, float]) -> Floats:
    """Calibrated probabilities."""
    divisors = np.where(_is_later(among), heat["answering"], heat["alone"])
    return np.asarray(softmax(scores / divisors[:, None], axis=1))


def is_right(among: Sequence[Prepared], sure: Floats) -> NDArray[np.bool_]:
    """Which messages were understood."""
    return np.asarray(sure.argmax(axis=1) == _true(among))


def calibration_error(confidences: Floats, right: NDArray[np.bool_]) -> float:
    """The mean gap between confidence and accuracy over bins of equal count."""
    bins = np.array_split(np.argsort(confidences), BINS)
    gaps = [abs(confidences[one].mean() - right[one].mean()) * len(one) for one in bins if len(one)]
    return float(sum(gaps) / len(confidences))


def _temperature(scores: Floats, true: NDArray[np.int64]) -> float:
    def surprise(value: float) -> float:
        sure = softmax(scores / value, axis=1)[np.arange(len(true)), true]
        return float(-np.log(np.maximum(sure, 1e-12)).mean())

    return round(float(minimize_scalar(surprise, bounds=(0.1, 5.0), method="bounded").x), 4)


def _true(among: Sequence[Prepared]) -> NDArray[np.int64]:
    return np.array([ACTIONS.index(one.exemplar.label) for one in among])


def _is_later(among: Sequence[Prepared]) -> NDArray[np.bool_]:
    return np.array([bool(one.around) for one in among], dtype=bool)


def _shuffled(family: str) -> str:
    return family[::-1]
