"""Training of the two models: one for texts on their own, one for messages that follow others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from intent.classifier.context_features import MESSAGE, judgements
from intent.classifier.weights import OFFSET, Figures, Stage, Weights
from intent.decision import ActionType
from training.features import Prepared
from training.fitting import ACTIONS, Fit, Floats, fit
from training.matrix import Row, joined, matrix, row

STRENGTH = {"alone": 0.4, "answering": 0.1}
"""Chosen by cross-validation over authors."""
_LARGEST = 32_767


@dataclass(frozen=True, slots=True)
class Model:
    """Both models with unrounded weights, and the feature groups that they were trained without."""

    alone: Fit
    answering: Fit
    without: Collection[str] = ()


def learn(among: Sequence[Prepared], without: Collection[str] = ()) -> Model:
    """Train both models on exemplars.

    The first model trains only on messages without a history. Its judgements of the other messages are
    therefore unbiased features for the second. The second model must also learn that not every message in a
    conversation is an answer. So it also trains on messages of the first kind, moved into other exemplars'
    conversations and judged by a model that has not seen them.
    """
    first = [one for one in among if not one.is_later]
    later = [one for one in among if one.is_later]
    hosts = {one.exemplar.case.id for one in later}
    moved = [one.moved for one in first if one.moved and one.moved.host in hosts]
    texts_alone = _fit_alone(first, without)
    rows = _answers(later, texts_alone, without)
    rows += _answers(moved, _fit_alone([one for one in first if not one.moved], without), without)
    labels = [one.exemplar.label for one in (*later, *moved)]
    return Model(texts_alone, fit(matrix(rows, without), labels, STRENGTH["answering"]), without)


def totals(model: Model, among: Sequence[Prepared]) -> Floats:
    """Return the messages' scores, in the order of the messages."""
    scores = np.zeros((len(among), len(ACTIONS)))
    is_later = np.array([one.is_later for one in among], dtype=bool)
    if not is_later.all():
        first = [one.seen for one in among if not one.is_later]
        scores[~is_later] = model.alone.totals(matrix(first, model.without))
    if is_later.any():
        rows = _answers([one for one in among if one.is_later], model.alone, model.without)
        scores[is_later] = model.answering.totals(matrix(rows, model.without))
    return scores


def shipped(
    model: Model, temperatures: Mapping[str, float], *, exemplars: str, probes: str, figures: Figures
) -> Weights:
    """Return the model as shipped, with its weights rounded to integers."""
    exact = model.alone.weights + model.answering.weights
    unit = float(np.abs(exact).max()) / _LARGEST
    return Weights(
        rows=(np.rint(exact / unit) + OFFSET).astype("<u4").tobytes(),
        unit=unit,
        alone=_stage(model.alone, temperatures["alone"]),
        answering=_stage(model.answering, temperatures["answering"]),
        exemplars=exemplars,
        probes=probes,
        figures=figures,
    )


def _fit_alone(first: Sequence[Prepared], without: Collection[str]) -> Fit:
    rows = [one.seen for one in first]
    return fit(matrix(rows, without), [one.exemplar.label for one in first], STRENGTH["alone"])


def _stage(fitted: Fit, temperature: float) -> Stage:
    return Stage([round(float(value), 6) for value in fitted.bias], temperature)


def _answers(later: Sequence[Prepared], judge: Fit, without: Collection[str]) -> list[Row]:
    """Return the rows of messages that follow others, including the judge's probabilities for their texts."""
    if not later:
        return []
    texts = [text for one in later for text in (one.seen, *one.around.values())]
    likely = iter(softmax(judge.totals(matrix(texts, without)), axis=1))
    found = []
    for one in later:
        judged = {part: _judgement(next(likely)) for part in (MESSAGE, *one.around)}
        found.append(joined(one.unjudged, row(judgements(one.exemplar.case.text, judged))))
    return found


def _judgement(likely: Floats) -> dict[ActionType, float]:
    return dict(zip(ACTIONS, map(float, likely), strict=True))
