"""Training of the two models: one for texts on their own, one for messages that follow others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from intent.classifier.context_features import MESSAGE, likelihood_features
from intent.classifier.weights import OFFSET, AccuracyFigures, StageParameters, Weights
from intent.decision import ActionType
from training.features import PreparedExemplar
from training.fitting import ACTIONS, Floats, LinearFit, fit_model
from training.matrix import Row, join_rows, to_matrix, to_row

STRENGTH = {"alone": 0.4, "answering": 0.1}
"""Chosen by cross-validation over authors."""
_LARGEST = 32_767


@dataclass(frozen=True, slots=True)
class TrainedModels:
    """Both models with unrounded weights, and the feature groups that they were trained without."""

    alone: LinearFit
    answering: LinearFit
    excluded_groups: Collection[str] = ()


def train_models(among: Sequence[PreparedExemplar], without: Collection[str] = ()) -> TrainedModels:
    """Train both models on exemplars.

    The first model trains only on messages without a history. Its judgements of the other messages are
    therefore unbiased features for the second. The second model must also learn that not every message in a
    conversation is an answer. So it also trains on messages of the first kind, moved into other exemplars'
    conversations and judged by a model that has not seen them.
    """
    first = [one for one in among if not one.is_later]
    later = [one for one in among if one.is_later]
    hosts = {one.exemplar.case.id for one in later}
    moved = [one.transplanted for one in first if one.transplanted and one.transplanted.host in hosts]
    texts_alone = _fit_alone(first, without)
    rows = _answers(later, texts_alone, without)
    rows += _answers(moved, _fit_alone([one for one in first if not one.transplanted], without), without)
    labels = [one.exemplar.label for one in (*later, *moved)]
    return TrainedModels(
        texts_alone, fit_model(to_matrix(rows, without), labels, STRENGTH["answering"]), without
    )


def model_scores(model: TrainedModels, among: Sequence[PreparedExemplar]) -> Floats:
    """Return the messages' scores, in the order of the messages."""
    scores = np.zeros((len(among), len(ACTIONS)))
    is_later = np.array([one.is_later for one in among], dtype=bool)
    if not is_later.all():
        first = [one.text_row for one in among if not one.is_later]
        scores[~is_later] = model.alone.scores(to_matrix(first, model.excluded_groups))
    if is_later.any():
        rows = _answers([one for one in among if one.is_later], model.alone, model.excluded_groups)
        scores[is_later] = model.answering.scores(to_matrix(rows, model.excluded_groups))
    return scores


def to_weights(
    model: TrainedModels,
    temperatures: Mapping[str, float],
    *,
    exemplars: str,
    probes: str,
    figures: AccuracyFigures,
) -> Weights:
    """Return the model as shipped, with its weights rounded to integers."""
    exact = model.alone.weights + model.answering.weights
    unit = float(np.abs(exact).max()) / _LARGEST
    return Weights(
        rows=(np.rint(exact / unit) + OFFSET).astype("<u4").tobytes(),
        unit=unit,
        message_stage=_stage(model.alone, temperatures["alone"]),
        context_stage=_stage(model.answering, temperatures["answering"]),
        exemplars_hash=exemplars,
        probes_hash=probes,
        figures=figures,
    )


def _fit_alone(first: Sequence[PreparedExemplar], without: Collection[str]) -> LinearFit:
    rows = [one.text_row for one in first]
    return fit_model(to_matrix(rows, without), [one.exemplar.label for one in first], STRENGTH["alone"])


def _stage(fitted: LinearFit, temperature: float) -> StageParameters:
    return StageParameters([round(float(value), 6) for value in fitted.bias], temperature)


def _answers(later: Sequence[PreparedExemplar], judge: LinearFit, without: Collection[str]) -> list[Row]:
    """Return the rows of messages that follow others, including the judge's probabilities for their texts."""
    if not later:
        return []
    texts = [text for one in later for text in (one.text_row, *one.context_rows.values())]
    likely = iter(softmax(judge.scores(to_matrix(texts, without)), axis=1))
    found = []
    for one in later:
        judged = {part: _judgement(next(likely)) for part in (MESSAGE, *one.context_rows)}
        found.append(join_rows(one.unjudged_row, to_row(likelihood_features(one.exemplar.case.text, judged))))
    return found


def _judgement(likely: Floats) -> dict[ActionType, float]:
    return dict(zip(ACTIONS, map(float, likely), strict=True))
