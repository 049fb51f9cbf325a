"""New weights are shipped only if they understand more of what they were not learned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from intent.classifier import weights
from intent.classifier.weights import AccuracyFigures, Weights
from training import acceptance, corpus, train, validation
from training.corpus import Exemplar

pytestmark = pytest.mark.slow

SHIPPED = weights.read_weights()


def candidate(right: int, *, own: float = 0.9, cases: str = "a1", exemplars: str = "new") -> Weights:
    return SHIPPED._replace(
        figures=AccuracyFigures({"c1": (right, 100, cases)}, own), exemplars_hash=exemplars
    )


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    path = tmp_path / "shipped"
    weights.write_weights(path, candidate(80, exemplars="old"))
    return path


def test_better_weights_pass_and_both_figures_are_told(shipped: Path) -> None:
    assert "81 right after 80" in acceptance.compare_with_shipped(candidate(81), shipped)


def test_no_better_weights_are_refused_with_both_figures(shipped: Path) -> None:
    with pytest.raises(acceptance.NotBetter, match="of 100 cases of unseen authors 80 right after 80"):
        acceptance.compare_with_shipped(candidate(80), shipped)


def test_learning_the_same_again_is_no_reason_to_refuse(shipped: Path) -> None:
    assert acceptance.compare_with_shipped(candidate(80, exemplars="old"), shipped)


def test_weights_that_lose_the_evals_cases_are_refused(shipped: Path) -> None:
    with pytest.raises(acceptance.NotBetter, match=r"85\.0% after 90\.0%"):
        acceptance.compare_with_shipped(candidate(90, own=0.85), shipped)


def test_changed_cases_are_nothing_to_compare_by(shipped: Path) -> None:
    with pytest.raises(acceptance.NotBetter, match="nothing to compare by"):
        acceptance.compare_with_shipped(candidate(99, cases="b2"), shipped)


def test_the_first_weights_of_a_version_have_no_rival(tmp_path: Path) -> None:
    assert "nothing to compare with" in acceptance.compare_with_shipped(candidate(1), tmp_path / "absent")


def test_authors_stay_whole_in_folds_of_about_the_same_size() -> None:
    authors = ["a"] * 60 + ["b"] * 50 + [str(number) for number in range(8) for _ in range(10)]
    folds = validation.author_folds(authors)
    assert len(set(zip(authors, folds, strict=True))) == len(set(authors))
    assert len(set(folds)) == validation.MOST_AUTHOR_FOLDS


@pytest.mark.slow
def test_turns_with_shuffled_labels_are_refused(tmp_path: Path) -> None:
    exemplars = corpus.load_exemplars()
    among = [one for one in exemplars if one.author in ("c1", "c2")][::8]
    path = tmp_path / "weights"
    weights.write_weights(path, train.train(among, []))
    turns = [one for one in exemplars if one.author == "c3"][::8]
    with pytest.raises(acceptance.NotBetter):
        acceptance.compare_with_shipped(train.train(among, shuffled(turns)), path)


def shuffled(among: Sequence[Exemplar]) -> list[Exemplar]:
    labels = np.random.default_rng(0).permutation([one.case.label for one in among])
    return [
        replace(one, case=replace(one.case, label=str(label)))
        for one, label in zip(among, labels, strict=True)
    ]
