"""The learned model: how likely each action is, from features and shipped weights. Pure Python.

Training it is not its business (see `training`), nor is what to do with the likelihoods.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from operator import mul
from zlib import crc32

from intent.decision import ActionType
from intent.features_alone import alone
from intent.features_answer import Likely, answering, texts
from intent.keywords import Reading, read
from intent.learned_file import BUCKETS, Stage, Weights
from intent.situation import Situation

_ACTIONS = tuple(ActionType)


def likelihoods(weights: Weights, situation: Situation, own: Reading) -> Likely:
    """The calibrated probability of every action; ``own`` is what the rules make of the message alone."""
    if not situation.history:
        seen = alone(situation.message, own)
        return _softmax(_totals(weights, weights.alone, seen), weights.alone.temperature)
    judged = {part: judge(weights, text) for part, text in texts(situation).items()}
    seen = answering(situation, own, judged)
    return _softmax(_totals(weights, weights.answering, seen), weights.answering.temperature)


def judge(weights: Weights, text: str) -> Likely:
    """What a text looks like on its own, as a feature: as sure as the model was in training."""
    return _softmax(_totals(weights, weights.alone, alone(text, read(text))), 1.0)


def bucket(name: str) -> int:
    """Where the weights of a feature stand: names are hashed, so that none need shipping."""
    return crc32(name.encode("utf-8", "surrogatepass")) % BUCKETS


def _totals(weights: Weights, stage: Stage, seen: Mapping[str, float]) -> list[float]:
    places, values = [bucket(name) * len(_ACTIONS) for name in seen], list(seen.values())
    columns = ([weights.table[place + action] for place in places] for action in range(len(_ACTIONS)))
    return [
        bias + weights.unit * sum(map(mul, column, values))
        for bias, column in zip(stage.bias, columns, strict=True)
    ]


def _softmax(totals: Sequence[float], temperature: float) -> Likely:
    highest = max(totals)
    raised = [exp((total - highest) / temperature) for total in totals]
    whole = sum(raised)
    return {action: value / whole for action, value in zip(_ACTIONS, raised, strict=True)}
