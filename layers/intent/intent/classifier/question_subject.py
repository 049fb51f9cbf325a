"""The subject of a question: this workspace, or the world outside. Two small linear models in pure Python.

`training.question_subject` trains them. One tells which of both a question is about, the other whether a
message asks about the world at all. Neither says what a question wants to know.
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

VERSION = 2
BUCKETS = 1 << 16
SHIPPED_SUBJECTS = Path(__file__).with_name("question_subject.weights")
SURELY_GENERAL, SURELY_WORKSPACE = 0.1, 0.88
"""A question that is less likely than the first about the workspace is general, and one that is more likely
than the second is about it. Between them it may be about either.
"""
_PRODUCT = "omniforge"
_OWNERS, _ADDRESSED = frozenset({"my", "our", "mine", "ours"}), frozenset({"you", "your", "yours"})
_THINGS = frozenset(
    """
    agent agents task tasks run runs skill skills chat chats conversation conversations workspace workspaces
    policy connection connections schedule schedules usage budget settings result results account report admin
    retention
    """.split()
)
"""What a workspace has. Most of these words mean other things elsewhere."""
_REACH = 4
_OWN = frozenset({"o own", "o product"})
_OFFSET = 128
_MOST_CHARACTERS = 600
_SMALL_WORDS = 3
"""Words as short as this say nothing by being unknown."""


class Head(NamedTuple):
    """The learned weights of one linear model: one byte per bucket, in multiples of ``unit``."""

    unit: float
    bias: float
    table: bytes


class SubjectWeights(NamedTuple):
    """The learned weights of both models."""

    vocabulary: frozenset[str]
    """The words that questions about the workspace have."""
    workspace: Head
    world: Head


class SubjectModel:
    """Says how likely a question is about the workspace. Keeps nothing between questions."""

    def __init__(self, weights: SubjectWeights) -> None:
        self._weights = weights

    def subject(self, question: str) -> QuestionSubject:
        """Return the subject of a question. One that speaks of the user's agents is never surely general."""
        likelihood = self.on_workspace(question)
        if likelihood < SURELY_GENERAL and _OWN.isdisjoint(
            _possessions(tokenize(question[:_MOST_CHARACTERS]))
        ):
            return QuestionSubject.GENERAL
        return QuestionSubject.WORKSPACE if likelihood > SURELY_WORKSPACE else QuestionSubject.EITHER

    def on_workspace(self, question: str) -> float:
        """Return how likely a question is about the workspace, from 0 to 1; it must be a question."""
        return self._likelihood(question, self._weights.workspace)

    def on_world(self, message: str) -> float:
        """Return how likely a message of any kind asks about the world, from 0 to 1."""
        return self._likelihood(message, self._weights.world)

    def _likelihood(self, text: str, head: Head) -> float:
        features = subject_features(text, self._weights.vocabulary)
        total = sum(value * (head.table[bucket_of(name)] - _OFFSET) for name, value in features.items())
        return 1 / (1 + exp(-max(-30.0, min(30.0, head.bias + total * head.unit))))


def subject_features(question: str, vocabulary: Collection[str]) -> Features:
    """Return the features of a question; the same in training and in use."""
    tokens = tokenize(question[:_MOST_CHARACTERS])
    return {
        **weight_group(1.6, word_features(tokens)),
        **weight_group(1.0, frame_features(tokens)),
        **weight_group(1.0, letter_features(tokens)),
        **weight_group(0.7, frozenset(_shapes(question, tokens, vocabulary))),
        **weight_group(1.2, frozenset(_possessions(tokens))),
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


def _possessions(tokens: Sequence[str]) -> Iterator[str]:
    """Yield whose things a text speaks of: ``my agent`` says more than the two words apart."""
    is_owned = False
    for place, token in enumerate(tokens):
        if token in _THINGS:
            near = tokens[max(0, place - _REACH) : place + _REACH]
            is_owned = is_owned or not _OWNERS.isdisjoint(near)
            yield "o thing"
    if is_owned:
        yield "o own"
    if not _ADDRESSED.isdisjoint(tokens):
        yield "o addressed"
    if not _OWNERS.isdisjoint(tokens):
        yield "o owner"
    if _PRODUCT in tokens:
        yield "o product"


def write_subject_weights(path: Path, weights: SubjectWeights) -> None:
    """Write the weights to a file. The same weights give the same bytes."""
    heads = [weights.workspace, weights.world]
    header = {
        "version": VERSION, "vocabulary": sorted(weights.vocabulary),
        "heads": [[head.unit, head.bias] for head in heads],
    }  # fmt: skip
    tables = b"".join(head.table for head in heads)
    path.write_bytes(json.dumps(header).encode() + b"\n" + zlib.compress(tables, 9))


def read_subject_weights(path: Path = SHIPPED_SUBJECTS) -> SubjectWeights:
    """Return the weights in a file."""
    head, _, packed = path.read_bytes().partition(b"\n")
    header = json.loads(head)
    tables = zlib.decompress(packed)
    workspace, world = (
        Head(unit, bias, tables[place * BUCKETS : (place + 1) * BUCKETS])
        for place, (unit, bias) in enumerate(header["heads"])
    )
    return SubjectWeights(frozenset(header["vocabulary"]), workspace, world)


@cache
def shared_subjects() -> SubjectModel:
    """Return the model with the shipped weights, loaded once."""
    return SubjectModel(read_subject_weights())
