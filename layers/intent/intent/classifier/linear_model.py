"""The learned linear model: the likelihood of each action, from features and shipped weights. Pure Python.

`training` trains it, and `intent.classifier.classifier_tier` interprets the likelihoods.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from math import exp
from struct import Struct
from zlib import crc32

from intent.classifier.context_features import MESSAGE, Likelihoods, context_features, read_answered
from intent.classifier.features import message_features, read_written
from intent.classifier.weights import BUCKETS, OFFSET, ROW_BYTES, StageParameters, Weights
from intent.decision import ActionType
from intent.rules.scoring import RuleScore, score
from intent.situation import Situation

_ACTIONS = tuple(ActionType)
_MOST_REMEMBERED = 256
_FIELDS = Struct(f"<{len(_ACTIONS)}I")
_BETWEEN = "\0"
"""A separator that occurs in no feature name."""


class LinearModel:
    """Classifies messages with weights. Caches results for earlier texts, which recur every turn."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._cached_likelihoods = lru_cache(maxsize=_MOST_REMEMBERED)(self._likelihoods_of)

    def likelihoods(self, situation: Situation, own: RuleScore) -> Likelihoods:
        """Return every action's calibrated probability; ``own`` is the rules' score of the message alone."""
        first, second = self._weights.message_stage, self._weights.context_stage
        written = read_written(situation.message)
        totals = self._totals(first, message_features(written, own))
        if not situation.history:
            return _softmax(totals, first.temperature)
        answered = read_answered(situation, own, written)
        judgements = {part: self._cached_likelihoods(text) for part, text in answered.texts.items()}
        seen = context_features(answered, {MESSAGE: _softmax(totals, 1.0), **judgements})
        return _softmax(self._totals(second, seen), second.temperature)

    def _likelihoods_of(self, text: str) -> Likelihoods:
        """The likelihoods of a text on its own, for use as features: uncalibrated, as in training."""
        seen = message_features(read_written(text), score(text))
        return _softmax(self._totals(self._weights.message_stage, seen), 1.0)

    def _totals(self, stage: StageParameters, seen: Mapping[str, float]) -> list[float]:
        totals, places, start = list(stage.bias), feature_buckets(seen), 0
        # The features of a group share one value.
        for value, group in groupby(seen.values()):
            end = start + len(list(group))
            weight = value * self._weights.unit
            wholes = self._sums(places[start:end])
            totals = [total + weight * whole for total, whole in zip(totals, wholes, strict=True)]
            start = end
        return totals

    def _sums(self, places: Sequence[int]) -> list[int]:
        """The total weight of the buckets for each action."""
        # Adds whole rows, with all actions at once. That takes a quarter of the time of adding each one.
        rows, number, size, count = self._weights.rows, int.from_bytes, ROW_BYTES, len(places)
        if count == 1:
            return [field - OFFSET for field in _FIELDS.unpack_from(rows, places[0] * size)]
        whole = sum([number(rows[at : at + size], "little") for at in [place * size for place in places]])
        return [field - OFFSET * count for field in _FIELDS.unpack(whole.to_bytes(size, "little"))]


def feature_buckets(names: Collection[str]) -> list[int]:
    """Return the buckets that hold the features' weights. Names are hashed, so that none need shipping."""
    encoded = _BETWEEN.join(names).encode("utf-8", "surrogatepass").split(_BETWEEN.encode()) if names else ()
    return [code % BUCKETS for code in map(crc32, encoded)]


def _softmax(totals: Sequence[float], temperature: float) -> Likelihoods:
    highest = max(totals)
    raised = [exp((total - highest) / temperature) for total in totals]
    whole = sum(raised)
    return {action: value / whole for action, value in zip(_ACTIONS, raised, strict=True)}
