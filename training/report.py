"""A report on the model's accuracy for unseen authors, with tables and plots: ``python -m training.report``.

It counts only our own authors, because the rules, whose signals are features of the model, were tuned on the
shared set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

from intent.decision import ActionType
from training import corpus, features, validation
from training.features import PreparedExemplar
from training.fitting import ACTIONS, Floats

FOLDER = Path(__file__).with_name("report")
_WORDS, _BEFORE = {"w", "p", "0", "1", "2"}, {"assistant", "user"}
_ABLATIONS: Mapping[str, Collection[str]] = {
    "without words and pairs": _WORDS,
    "without frames": {"f"},
    "without letters": {"c"},
    "without shape": {"x"},
    "without the rules' signs": {"s"},
    "without judgements of what was said before": {"j"},
    "without the manner of answering": {"a"},
    "without words said before": _BEFORE,
    "words and letters only": {"f", "x", "s", "j", "a", *_BEFORE},
}
_STEPS = (16, 8, 4, 2)


def main() -> None:
    """Measure the model, draw the plots and write the report."""
    FOLDER.mkdir(exist_ok=True)
    among = features.prepare_exemplars(corpus.load_exemplars())
    scores = _held_out(among)
    sure = validation.calibrated(among, scores, validation.fit_temperatures(among, scores))
    ours = np.array([not one.exemplar.is_shared for one in among])
    counted = [one for one, is_ours in zip(among, ours, strict=True) if is_ours]
    _draw_confusion(counted, sure[ours])
    _draw_risk(counted, sure[ours])
    whole = _accuracy(among, scores)
    text = "\n".join(_lines(among, counted, sure[ours], whole))
    FOLDER.joinpath("README.md").write_text(text + "\n", encoding="utf-8")
    print(text)


def _lines(
    among: Sequence[PreparedExemplar], ours: Sequence[PreparedExemplar], sure: Floats, whole: float
) -> Iterator[str]:
    right = validation.correct_mask(ours, sure)
    ece = validation.calibration_error(sure.max(axis=1), right)
    yield "# The offline tier on authors it has not seen\n"
    yield f"{len(ours)} exemplars of ours; each author is judged by a model that learned from others only"
    yield f"(six groups of authors): **{right.mean():.1%}** right, calibration error {ece:.3f}."
    for name, part in (
        ("author", [one.exemplar.author for one in ours]),
        ("difficulty", [one.exemplar.case.difficulty for one in ours]),
        ("label", [one.exemplar.case.label for one in ours]),
    ):
        yield from _table(name, part, right)
    yield "\n![Confusion](confusion.svg)\n\n![Risk and coverage](risk.svg)"
    yield from _risks(sure, right)
    folds = validation.family_folds([one.exemplar.family for one in among])
    families = validation.held_out_scores(among, folds)
    yield f"\nFive folds, near-twins kept together, authors mixed: {_accuracy(among, families):.1%} right."
    yield from _ablation(among, whole)
    yield from _learning_curve(among, whole)


def _table(name: str, part: Sequence[str], right: NDArray[np.bool_]) -> Iterator[str]:
    yield f"\n| {name} | right | of |\n|---|---|---|"
    for value, count in sorted(Counter(part).items()):
        yield f"| {value} | {right[np.array(part) == value].mean():.1%} | {count} |"


def _risks(sure: Floats, right: NDArray[np.bool_]) -> Iterator[str]:
    yield "\n| answered without a question | right of those | confidence at least |\n|---|---|---|"
    order = np.argsort(-sure.max(axis=1))
    for coverage in (0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0):
        answered = order[: int(len(order) * coverage)]
        yield f"| {coverage:.0%} | {right[answered].mean():.1%} | {sure.max(axis=1)[answered].min():.2f} |"


def _ablation(among: Sequence[PreparedExemplar], whole: float) -> Iterator[str]:
    yield f"\n| features | right |\n|---|---|\n| everything | {whole:.1%} |"
    for name, without in _ABLATIONS.items():
        yield f"| {name} | {_accuracy(among, _held_out(among, without)):.1%} |"


def _learning_curve(among: Sequence[PreparedExemplar], whole: float) -> Iterator[str]:
    """Train on every n-th exemplar of the training authors; always test on all of the held-out authors."""
    yield "\n| exemplars learned from | right |\n|---|---|"
    learned = len(among) * (validation.MOST_AUTHOR_FOLDS - 1) // validation.MOST_AUTHOR_FOLDS
    for step in _STEPS:
        yield f"| about {learned // step} | {_accuracy(among, _held_out(among, step=step)):.1%} |"
    yield f"| about {learned} | {whole:.1%} |"


def _held_out(among: Sequence[PreparedExemplar], without: Collection[str] = (), step: int = 1) -> Floats:
    folds = validation.author_folds([one.exemplar.author for one in among])
    return validation.held_out_scores(among, folds, without, step=step)


def _accuracy(among: Sequence[PreparedExemplar], scores: Floats) -> float:
    ours = [not one.exemplar.is_shared for one in among]
    return float(validation.correct_mask(among, scores)[ours].mean())


def _draw_confusion(ours: Sequence[PreparedExemplar], sure: Floats) -> None:
    counts = np.zeros((len(ACTIONS), len(ACTIONS)), dtype=int)
    for one, understood in zip(ours, sure.argmax(axis=1), strict=True):
        counts[ACTIONS.index(ActionType(one.exemplar.case.label)), understood] += 1
    figure, axes = plt.subplots(figsize=(7, 6))
    axes.imshow(counts / counts.sum(axis=1, keepdims=True), cmap="Blues", vmin=0, vmax=1)
    names = [action.value for action in ACTIONS]
    axes.set_xticks(range(len(names)), names, rotation=40, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set(xlabel="understood", ylabel="meant")
    for row, column in np.ndindex(*counts.shape):
        axes.text(column, row, str(counts[row, column]), ha="center", va="center")
    _save(figure, "confusion.svg")


def _draw_risk(ours: Sequence[PreparedExemplar], sure: Floats) -> None:
    right = validation.correct_mask(ours, sure)[np.argsort(-sure.max(axis=1))]
    answered = np.arange(1, len(right) + 1)
    figure, axes = plt.subplots(figsize=(6, 4))
    axes.plot(answered / len(right), 1 - np.cumsum(right) / answered)
    axes.set(xlabel="share answered without a question", ylabel="share of those that is wrong")
    axes.axvline(0.75, linestyle=":")
    axes.axhline(0.08, linestyle=":")
    _save(figure, "risk.svg")


def _save(figure: plt.Figure, name: str) -> None:
    figure.tight_layout()
    figure.savefig(FOLDER / name, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    main()
