"""Training of the question subjects: ``python -m training.question_subject``.

It learns from the labelled acts, the questions of the answers, and the seen half of `tests/evals/questions`,
and prints how many questions of a seen file it gets right with weights trained without that file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from intent.answers.answer import shipped_answers
from intent.classifier.features import tokenize
from intent.classifier.question_subject import (
    BUCKETS,
    SHIPPED_SUBJECTS,
    SubjectModel,
    SubjectWeights,
    bucket_of,
    content_words,
    subject_features,
    write_subject_weights,
)
from intent.decision import QuestionSubject

SEEN = ("plover", "wren")
"""The authors of `tests/evals/questions` to learn from; the others stay unseen."""
STRENGTH = 10.0
WORKSPACE_SHARE = 1.4
"""How much questions about the workspace count beside general ones, which have more forms."""
_LARGEST = 127
_LEAST_WORDS = 2
_MOST_CHARACTERS = 200
_ROOT = Path(__file__).parents[1]
_QUESTIONS = _ROOT / "tests/evals/questions"
_GENERAL_KINDS = frozenset({"world.ask"})
_WORKSPACE_KINDS = frozenset(
    {
        "product.ask", "workspace.ask", "usage.ask", "policy.show", "agent.list", "agent.show", "skill.list",
        "run.result", "task.list",
    }
)  # fmt: skip


class Sample(NamedTuple):
    """A question, its subject, its author and how much it counts."""

    text: str
    subject: QuestionSubject
    author: str
    weight: float = 1.0


def main() -> None:
    """Learn the weights, report on them and write them."""
    samples = list(read_samples())
    print(Counter(sample.subject.value for sample in samples))
    for author in SEEN:
        unseen = [sample for sample in samples if sample.author == author]
        _report(author, unseen, learn([sample for sample in samples if sample.author != author]))
    write_subject_weights(SHIPPED_SUBJECTS, learn(samples))
    print(f"{SHIPPED_SUBJECTS.name}: {SHIPPED_SUBJECTS.stat().st_size / 1e3:.0f} KB")


def learn(samples: Sequence[Sample]) -> SubjectWeights:
    """Return the weights that these questions teach."""
    counts = Counter(
        word
        for sample in samples
        if sample.subject is QuestionSubject.WORKSPACE
        for word in set(content_words(tokenize(sample.text)))
    )
    vocabulary = frozenset(word for word, count in counts.items() if count >= _LEAST_WORDS)
    rows, columns, values = [], [], []
    for row, sample in enumerate(samples):
        for name, value in subject_features(sample.text, vocabulary).items():
            rows.append(row)
            columns.append(bucket_of(name))
            values.append(value)
    table = csr_matrix((values, (rows, columns)), shape=(len(samples), BUCKETS))
    labels = [sample.subject is QuestionSubject.WORKSPACE for sample in samples]
    share = np.mean(labels)
    weights = [
        sample.weight * (WORKSPACE_SHARE / share if label else 1 / (1 - share))
        for sample, label in zip(samples, labels, strict=True)
    ]
    model = LogisticRegression(C=STRENGTH, max_iter=2_000).fit(table, labels, weights)
    unit = float(np.abs(model.coef_).max()) / _LARGEST
    whole = np.rint(model.coef_[0] / unit).astype(int) + 128
    return SubjectWeights(unit, float(model.intercept_[0]), vocabulary, bytes(whole.tolist()))


def read_samples() -> Iterator[Sample]:
    """Yield all questions to learn from, each text once."""
    seen: set[str] = set()
    for sample in (*_of_authors(), *_of_training(), *_of_acts(), *_of_answers()):
        key = sample.text.casefold()
        if key not in seen and len(sample.text) <= _MOST_CHARACTERS:
            seen.add(key)
            yield sample


def _of_authors() -> Iterator[Sample]:
    for author in SEEN:
        for line in _lines(_QUESTIONS / f"{author}.jsonl"):
            yield Sample(line["text"], QuestionSubject(line["subject"]), author, 2.0)


def _of_training() -> Iterator[Sample]:
    for line in _lines(Path(__file__).with_name("question_subjects.jsonl")):
        yield Sample(line["text"], QuestionSubject(line["subject"]), "training", 2.0)


def _of_acts() -> Iterator[Sample]:
    for path in sorted((_ROOT / "training/acts").glob("*.jsonl")):
        for line in _lines(path):
            for act in line["acts"]:
                if act["k"] in _GENERAL_KINDS:
                    yield Sample(act["text"], QuestionSubject.GENERAL, "acts")
                elif act["k"] in _WORKSPACE_KINDS:
                    yield Sample(act["text"], QuestionSubject.WORKSPACE, "acts", 0.5)


def _of_answers() -> Iterator[Sample]:
    for answer in shipped_answers():
        for question in (answer.title, *answer.questions):
            yield Sample(question, QuestionSubject.WORKSPACE, "answers")
    for case in _lines(_ROOT / "tests/evals/answers/other.jsonl"):
        if case["kind"] == "world" and case["seen"]:
            yield Sample(case["text"], QuestionSubject.GENERAL, "answers")


def _report(author: str, samples: Sequence[Sample], weights: SubjectWeights) -> None:
    model = SubjectModel(weights)
    for subject in (QuestionSubject.WORKSPACE, QuestionSubject.GENERAL):
        mine = [sample for sample in samples if sample.subject is subject]
        wrong = [sample.text for sample in mine if model.subject(sample.text) is not subject]
        print(
            f"{author} {subject.value}: {1 - len(wrong) / len(mine):.1%} of {len(mine)}", *wrong, sep="\n  "
        )


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    main()
