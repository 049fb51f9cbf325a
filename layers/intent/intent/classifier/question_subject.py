"""The subject of a question: this workspace, or the world outside. A small linear model in pure Python.

`training.question_subject` trains it. It says nothing about what a question wants to know.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from math import exp
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from intent.classifier.features import (
    Features,
    frame_features,
    letter_features,
    tokenize,
    weight_group,
    word_features,
)
from intent.decision import QuestionSubject

VERSION = 1
BUCKETS = 1 << 15
SHIPPED_SUBJECTS = Path(__file__).with_name("question_subject.weights")
DOUBT = 0.05
"""Within this distance of one half a question may be about either."""
EVEN = 0.5
_OFFSET = 128
_MOST_CHARACTERS = 600
_SMALL_WORDS = 3
"""Words as short as this say nothing by being unknown."""


class SubjectWeights(NamedTuple):
    """The learned weights: one byte per bucket, in multiples of ``unit``."""

    unit: float
    bias: float
    vocabulary: frozenset[str]
    """The words that questions about the workspace have."""
    table: bytes


class SubjectModel:
    """Says how likely a question is about the workspace. Keeps nothing between questions."""

    def __init__(self, weights: SubjectWeights) -> None:
        self._weights = weights

    def subject(self, question: str) -> QuestionSubject:
        """Return the subject of a question."""
        likelihood = self.likelihood(question)
        if abs(likelihood - EVEN) < DOUBT:
            return QuestionSubject.EITHER
        return QuestionSubject.WORKSPACE if likelihood > EVEN else QuestionSubject.GENERAL

    def likelihood(self, question: str) -> float:
        """Return how likely a question is about the workspace, from 0 to 1."""
        table, total = self._weights.table, 0.0
        for name, value in subject_features(question, self._weights.vocabulary).items():
            total += value * (table[bucket_of(name)] - _OFFSET)
        total = self._weights.bias + total * self._weights.unit
        return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def subject_features(question: str, vocabulary: Collection[str]) -> Features:
    """Return the features of a question; the same in training and in use."""
    tokens = tokenize(question[:_MOST_CHARACTERS])
    return {
        **weight_group(1.6, frozenset(word_features(tokens))),
        **weight_group(1.0, frozenset(frame_features(tokens))),
        **weight_group(1.0, frozenset(letter_features(tokens))),
        **weight_group(0.7, frozenset(_shapes(question, tokens, vocabulary))),
    }


def bucket_of(name: str) -> int:
    """Return the bucket that holds a feature's weight."""
    return crc32(name.encode("utf-8", "surrogatepass")) % BUCKETS


def content_words(tokens: Sequence[str]) -> list[str]:
    """Return the words that may tell a subject."""
    return [token for token in tokens if len(token) > _SMALL_WORDS and token[0].isalpha()]


def _shapes(question: str, tokens: Sequence[str], vocabulary: Collection[str]) -> Iterator[str]:
    unknown = sum(word not in vocabulary for word in content_words(tokens))
    yield f"u {min(unknown, 4)}"
    yield f"u all {unknown == len(content_words(tokens))}"
    yield f"u length {min(len(tokens).bit_length(), 5)}"
    if any("-" in word.strip("-?.,!") for word in question.split()):
        yield "u hyphen"
    if any(word[:1].isupper() for word in question.split()[1:] if word not in {"I", "I'm", "I've"}):
        yield "u name"


def write_subject_weights(path: Path, weights: SubjectWeights) -> None:
    """Write the weights to a file. The same weights give the same bytes."""
    header = {
        "version": VERSION, "unit": weights.unit, "bias": weights.bias,
        "vocabulary": sorted(weights.vocabulary),
    }  # fmt: skip
    path.write_bytes(json.dumps(header).encode() + b"\n" + zlib.compress(weights.table, 9))


def read_subject_weights(path: Path = SHIPPED_SUBJECTS) -> SubjectWeights:
    """Return the weights in a file."""
    head, _, packed = path.read_bytes().partition(b"\n")
    header = json.loads(head)
    return SubjectWeights(
        header["unit"], header["bias"], frozenset(header["vocabulary"]), zlib.decompress(packed)
    )


@cache
def shared_subjects() -> SubjectModel:
    """Return the model with the shipped weights, loaded once."""
    return SubjectModel(read_subject_weights())
