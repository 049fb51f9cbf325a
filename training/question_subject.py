"""Training of the question subjects: ``python -m training.question_subject``.

It learns from the labelled acts, the questions of the answers, and the seen files of `tests/evals/questions`,
and prints how many questions of a seen file it gets right with weights trained without that file. ``--without
AUTHOR`` leaves an author out of the weights that it writes.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from intent.answers.answer import shipped_answers
from intent.classifier.features import tokenize
from intent.classifier.question_subject import (
    BUCKETS,
    SHIPPED_SUBJECTS,
    SURELY_GENERAL,
    SURELY_WORKSPACE,
    Head,
    SubjectModel,
    SubjectWeights,
    bucket_of,
    content_words,
    subject_features,
    write_subject_weights,
)
from intent.decision import QuestionSubject

SEEN = ("plover", "wren", "dunlin")
"""The authors of `tests/evals/questions` to learn from; the others stay unseen."""
STRENGTH = 3.0
WORKSPACE_SHARE = 1.4
"""How much questions about the workspace count beside general ones, which have more forms."""
_LARGEST = 127
_LEAST_WORDS = 2
_MOST_CHARACTERS = 300
_ROOT = Path(__file__).parents[1]
_QUESTIONS = _ROOT / "tests/evals/questions"
_GENERAL_KINDS = frozenset({"world.ask"})
_WORKSPACE_KINDS = frozenset(
    {
        "product.ask", "workspace.ask", "usage.ask", "policy.show", "agent.list", "agent.show", "skill.list",
        "run.result", "task.list",
    }
)  # fmt: skip
Label = QuestionSubject | Literal["no question"]
WORKSPACE, GENERAL = QuestionSubject.WORKSPACE, QuestionSubject.GENERAL


class Sample(NamedTuple):
    """A message, its subject, its author and how much it counts."""

    text: str
    subject: Label
    author: str
    weight: float = 1.0


def main() -> None:
    """Learn the weights, report on them and write them."""
    parser = argparse.ArgumentParser(prog="python -m training.question_subject")
    parser.add_argument("--without", choices=SEEN, help="an author to leave out")
    parser.add_argument("--out", type=Path, default=SHIPPED_SUBJECTS)
    arguments = parser.parse_args()
    samples = [sample for sample in read_samples() if sample.author != arguments.without]
    print(Counter(str(sample.subject) for sample in samples))
    for author in SEEN if arguments.without is None else ():
        unseen = [sample for sample in samples if sample.author == author]
        _report(author, unseen, learn([sample for sample in samples if sample.author != author]))
    write_subject_weights(arguments.out, learn(samples))
    print(f"{arguments.out.name}: {arguments.out.stat().st_size / 1e3:.0f} KB")


def learn(samples: Sequence[Sample]) -> SubjectWeights:
    """Return the weights that these messages teach."""
    counts = Counter(
        word
        for sample in samples
        if sample.subject is WORKSPACE
        for word in set(content_words(tokenize(sample.text)))
    )
    vocabulary = frozenset(word for word, count in counts.items() if count >= _LEAST_WORDS)
    questions = [sample for sample in samples if isinstance(sample.subject, QuestionSubject)]
    return SubjectWeights(
        vocabulary,
        _fitted(questions, WORKSPACE, WORKSPACE_SHARE, vocabulary),
        _fitted(samples, GENERAL, 1.0, vocabulary),
    )


def _fitted(
    samples: Sequence[Sample], subject: QuestionSubject, share: float, vocabulary: frozenset[str]
) -> Head:
    """Return the model that tells a subject from all else; ``share`` is how much the subject counts."""
    rows, columns, values = [], [], []
    for row, sample in enumerate(samples):
        for name, value in subject_features(sample.text, vocabulary).items():
            rows.append(row)
            columns.append(bucket_of(name))
            values.append(value)
    table = csr_matrix((values, (rows, columns)), shape=(len(samples), BUCKETS))
    labels = [sample.subject is subject for sample in samples]
    positive = np.mean(labels)
    weights = [
        sample.weight * (share / positive if label else 1 / (1 - positive))
        for sample, label in zip(samples, labels, strict=True)
    ]
    model = LogisticRegression(C=STRENGTH, max_iter=2_000).fit(table, labels, weights)
    unit = float(np.abs(model.coef_).max()) / _LARGEST
    whole = np.rint(model.coef_[0] / unit).astype(int) + 128
    return Head(unit, float(model.intercept_[0]), bytes(whole.tolist()))


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
                    yield Sample(act["text"], GENERAL, "acts")
                elif act["k"] in _WORKSPACE_KINDS:
                    yield Sample(act["text"], WORKSPACE, "acts", 0.5)
            if not {act["k"] for act in line["acts"]} & (_GENERAL_KINDS | _WORKSPACE_KINDS):
                yield Sample(line["say"], "no question", "acts", 0.5)


def _of_answers() -> Iterator[Sample]:
    for answer in shipped_answers():
        for question in (answer.title, *answer.questions):
            yield Sample(question, WORKSPACE, "answers")
    for case in _lines(_ROOT / "tests/evals/answers/other.jsonl"):
        if case["kind"] == "world" and case["seen"]:
            yield Sample(case["text"], GENERAL, "answers")


def _report(author: str, samples: Sequence[Sample], weights: SubjectWeights) -> None:
    model = SubjectModel(weights)
    for subject in (WORKSPACE, GENERAL):
        mine = [model.on_workspace(one.text) for one in samples if one.subject is subject]
        in_doubt = sum(SURELY_GENERAL <= likelihood <= SURELY_WORKSPACE for likelihood in mine)
        sure = (like > SURELY_WORKSPACE if subject is WORKSPACE else like < SURELY_GENERAL for like in mine)
        right, count = sum(sure), len(mine)
        print(
            f"{author} {subject.value}: {right / count:.1%} right, {in_doubt / count:.1%} in doubt of {count}"
        )


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    main()
