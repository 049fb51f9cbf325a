"""The learned model: how likely each action is, from features and shipped weights. Pure Python.

Training it is not its business (see `training`), nor is what to do with the likelihoods.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp
from operator import itemgetter, mul
from zlib import crc32

from intent.decision import ActionType
from intent.features_alone import alone
from intent.features_answer import MESSAGE, Likely, answering, texts_before
from intent.keywords import Reading, read
from intent.learned_file import BUCKETS, Stage, Weights
from intent.situation import Situation

_ACTIONS = tuple(ActionType)
_MOST_REMEMBERED = 256


class Judge:
    """Judges messages by weights. Remembers what earlier texts look like: they come back turn after turn."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._before = lru_cache(maxsize=_MOST_REMEMBERED)(self._judged)

    def likelihoods(self, situation: Situation, own: Reading) -> Likely:
        """The calibrated probability of every action; ``own`` is what the rules make of the message alone."""
        first, second = self._weights.alone, self._weights.answering
        totals = self._totals(first, alone(situation.message, own))
        if not situation.history:
            return _softmax(totals, first.temperature)
        judged = {part: self._before(text) for part, text in texts_before(situation).items()}
        seen = answering(situation, own, {MESSAGE: _softmax(totals, 1.0), **judged})
        return _softmax(self._totals(second, seen), second.temperature)

    def _judged(self, text: str) -> Likely:
        """What a text looks like on its own, as a feature: as sure as the model was in training."""
        return _softmax(self._totals(self._weights.alone, alone(text, read(text))), 1.0)

    def _totals(self, stage: Stage, seen: Mapping[str, float]) -> list[float]:
        picked, values = itemgetter(*map(bucket, seen)), list(seen.values())
        return [
            bias + self._weights.unit * sum(map(mul, picked(column), values))
            for bias, column in zip(stage.bias, self._weights.columns, strict=True)
        ]


def bucket(name: str) -> int:
    """Where the weights of a feature stand: names are hashed, so that none need shipping."""
    return crc32(name.encode("utf-8", "surrogatepass")) % BUCKETS


def _softmax(totals: Sequence[float], temperature: float) -> Likely:
    highest = max(totals)
    raised = [exp((total - highest) / temperature) for total in totals]
    whole = sum(raised)
    return {action: value / whole for action, value in zip(_ACTIONS, raised, strict=True)}
