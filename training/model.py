"""The two models as they are learned: texts on their own first, then messages after others."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import softmax

from intent.decision import ActionType
from intent.evidence import evidence
from intent.features_alone import Features, alone
from intent.features_answer import answering, texts
from intent.keywords import read
from intent.learned_file import Stage, Weights
from training.corpus import Exemplar
from training.fitting import ACTIONS, Fit, Floats, fit, matrix

STRENGTH = {"alone": 10.0, "answering": 3.0}
"""Chosen by leaving authors out."""
_LARGEST = 32_767


@dataclass(frozen=True, slots=True)
class Prepared:
    """An exemplar with what does not depend on a fit: features of its text and of the texts around it."""

    exemplar: Exemplar
    seen: Features
    around: Mapping[str, Features]


@dataclass(frozen=True, slots=True)
class Model:
    """Both models, exact, and the groups of features that they know nothing of."""

    alone: Fit
    answering: Fit
    without: Collection[str] = ()


def prepared(exemplar: Exemplar) -> Prepared:
    """The exemplar with its features."""
    situation = exemplar.case.situation()
    seen = alone(situation.message, evidence(situation).own)
    parts = texts(situation) if situation.history else {}
    return Prepared(exemplar, seen, {part: alone(text, read(text)) for part, text in parts.items()})


def learn(among: Sequence[Prepared], without: Collection[str] = ()) -> Model:
    """Both models from exemplars.

    The first learns from messages without a history only, so that its judgements of the others are honest
    features for the second. The second also learns that not everything said in a conversation is an answer:
    messages of the first are put into conversations of others, judged by a model that has not seen them.
    """
    first = [one for one in among if not one.around]
    later = [one for one in among if one.around]
    texts_alone = _fit_alone(first, without)
    moved = [_after(one, later[place % len(later)]) for place, one in enumerate(first[1::4])]
    answers = _answers(later, texts_alone, without)
    answers += _answers(moved, _fit_alone(first[::2], without), without)
    labels = _labels([*later, *moved])
    return Model(texts_alone, fit(matrix(answers, without), labels, STRENGTH["answering"]), without)


def totals(model: Model, among: Sequence[Prepared]) -> Floats:
    """Scores of messages, in their order."""
    scores = np.zeros((len(among), len(ACTIONS)))
    is_later = np.array([bool(one.around) for one in among], dtype=bool)
    if not is_later.all():
        first = [one.seen for one in among if not one.around]
        scores[~is_later] = model.alone.totals(matrix(first, model.without))
    if is_later.any():
        later = [one for one in among if one.around]
        scores[is_later] = model.answering.totals(
            matrix(_answers(later, model.alone, model.without), model.without)
        )
    return scores


def shipped(model: Model, temperatures: Mapping[str, float], exemplars: str) -> Weights:
    """The model in whole numbers, as it is shipped."""
    exact = model.alone.weights + model.answering.weights
    unit = float(np.abs(exact).max()) / _LARGEST
    return Weights(
        table=array("h", np.rint(exact / unit).astype("<i2").tobytes()),
        unit=unit,
        alone=_stage(model.alone, temperatures["alone"]),
        answering=_stage(model.answering, temperatures["answering"]),
        exemplars=exemplars,
    )


def _fit_alone(first: Sequence[Prepared], without: Collection[str]) -> Fit:
    return fit(matrix([one.seen for one in first], without), _labels(first), STRENGTH["alone"])


def _after(one: Prepared, other: Prepared) -> Prepared:
    """The exemplar as if said in the other's conversation."""
    case = replace(one.exemplar.case, history=other.exemplar.case.history)
    return prepared(replace(one.exemplar, case=case))


def _stage(fitted: Fit, temperature: float) -> Stage:
    return Stage([round(float(value), 6) for value in fitted.bias], temperature)


def _answers(later: Sequence[Prepared], judge: Fit, without: Collection[str]) -> list[Features]:
    found = []
    for one in later:
        situation = one.exemplar.case.situation()
        likely = softmax(judge.totals(matrix(list(one.around.values()), without)), axis=1)
        judged = {
            part: dict(zip(ACTIONS, map(float, row), strict=True))
            for part, row in zip(one.around, likely, strict=True)
        }
        found.append(answering(situation, evidence(situation).own, judged))
    return found


def _labels(among: Sequence[Prepared]) -> list[ActionType]:
    return [one.exemplar.label for one in among]
