"""The index of the answers about the product: ``python -m training.answers``.

It reads the texts in `intent.answers`, learns what tells questions about the product from others, and
writes the file that the search loads. Run it after each change of a text. The same texts give the same
file.
"""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from intent.answers import finder, index_file
from intent.answers.answer import Answer, other_questions, shipped_answers
from intent.answers.index_file import ShippedIndex, build_index
from intent.answers.subject_features import TERM, Features
from intent.decision import ActionType
from training.corpus import load_exemplars

FOLDS = 8
"""Each eighth of the questions is scored by an index that does not have it, as a new question would be."""
EPOCHS = 60
DECAY = 2e-4
PRODUCT_WEIGHT = 0.65
"""The answers have many more questions than there are others; counting less, they weigh about the same."""
MIN_COUNT = 4
"""A term in fewer questions than this gets no weight of its own."""
FOREIGN_EXEMPLARS = 2_500
MAX_EXEMPLAR = 300
_MAY_BE_PRODUCT = {ActionType.QUERY_INFO, ActionType.MANAGE_PLATFORM, ActionType.CREATE_SKILL}
_QUESTIONS = Path(__file__).with_name("product_questions.jsonl")
_CASES = Path(__file__).parents[1] / "tests/evals/answers"


class Sample(NamedTuple):
    """One question: its features, whether it is about the product, and how much it counts."""

    features: Features
    is_product: bool
    weight: float


def main() -> None:
    """Write the index, with everything learned."""
    answers, others = shipped_answers(), other_questions()
    samples = [*_from_folds(answers, others), *_from_labels(build_index(answers, others, {}))]
    shipped = build_index(answers, others, learn_subject(samples))
    path = Path(index_file.__file__).with_name(index_file.INDEX_FILE)
    path.write_text(index_file.index_to_json(shipped, index_file.sources_digest()), "utf-8")
    print(
        f"{path.name}: {path.stat().st_size / 1e3:.0f} KB, {len(answers)} answers, {len(samples)} questions"
    )


def learn_subject(samples: Sequence[Sample]) -> dict[str, float]:
    """Returns the weights of a logistic regression."""
    counts = Counter(name for sample in samples for name in sample.features if name.startswith(TERM))
    ready = [
        sample._replace(
            features={
                name: value
                for name, value in sample.features.items()
                if not name.startswith(TERM) or counts[name] >= MIN_COUNT
            }
        )
        for sample in samples
    ]
    order, weights = random.Random(5), Counter[str]()
    for epoch in range(EPOCHS):
        order.shuffle(ready)
        _learn_once(ready, weights, 0.4 / (1 + epoch / 8))
    return {name: round(weight, 2) for name, weight in weights.items() if abs(weight) >= 0.05}


def _learn_once(samples: Sequence[Sample], weights: Any, rate: float) -> None:
    for features, is_product, share in samples:
        total = sum(weights[name] * value for name, value in features.items())
        guess = 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
        step = (is_product - guess) * share * rate
        for name, value in features.items():
            weights[name] += step * value - rate * DECAY * weights[name]


def _from_folds(answers: Sequence[Answer], others: Sequence[str]) -> Iterator[Sample]:
    for fold in range(FOLDS):
        rest = [
            replace(
                answer,
                questions=tuple(
                    each for number, each in enumerate(answer.questions) if _fold(place, number) != fold
                ),
            )
            for place, answer in enumerate(answers)
        ]
        index = build_index(rest, [each for number, each in enumerate(others) if number % FOLDS != fold], {})
        for place, answer in enumerate(answers):
            for number, question in enumerate(answer.questions):
                if _fold(place, number) == fold:
                    yield Sample(_features(question, index), is_product=True, weight=PRODUCT_WEIGHT)
        for other in others[fold::FOLDS]:
            yield Sample(_features(other, index), is_product=False, weight=2.0)


def _fold(place: int, number: int) -> int:
    return (place * 7 + number) % FOLDS


def _from_labels(index: ShippedIndex) -> Iterator[Sample]:
    """Questions that are in no index: the seen half of the cases, other people's questions and other
    messages.
    """
    for name, is_product in (("questions", True), ("other", False)):
        for case in _lines(_CASES / f"{name}.jsonl"):
            if case["seen"]:
                yield Sample(_features(case["text"], index), is_product, 1.5)
    for case in _lines(_QUESTIONS):
        yield Sample(_features(case["text"], index), is_product=True, weight=1.0)
    texts = sorted(
        {
            one.case.text
            for one in load_exemplars()
            if one.label not in _MAY_BE_PRODUCT and not one.case.history and len(one.case.text) < MAX_EXEMPLAR
        }
    )
    for text in random.Random(5).sample(texts, FOREIGN_EXEMPLARS):
        yield Sample(_features(text, index), is_product=False, weight=0.5)


def _features(question: str, shipped: ShippedIndex) -> Features:
    return finder.features_of(finder.asked_part(question), shipped)


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    main()
