"""The check whether new weights may replace the shipped ones: they must be more accurate on unseen cases.

Both are compared on the same cases. These are the cases of authors whose cases did not change, each scored by
models that had not seen the author, and the cases of the evals, which are never trained on.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from conversation.clock import SystemClock
from intent.analysis.analyzer import IntentAnalyzer
from intent.classifier import weights
from intent.classifier.classifier_tier import ClassifierTier
from intent.classifier.weights import AccuracyFigures, Weights, WeightsInvalid
from intent.offline.offline_classifier import OfflineClassifier
from tests.evals.measurement import OWN_CASES, measure, read_cases
from training.corpus import Exemplar, fingerprint

OWN_ACCURACY_TOLERANCE = 0.02
"""As in CI: the evals' own cases are too few to show smaller differences."""


class NotBetter(Exception):
    """The new weights are not better; the message gives the figures."""


def author_figures(among: Sequence[Exemplar], right: NDArray[np.bool_]) -> dict[str, tuple[int, int, str]]:
    """Return for each author the number of right cases, the number of all cases, and a hash of the cases."""
    figures = {}
    for author in sorted({one.author for one in among}):
        mine = np.array([one.author == author for one in among])
        cases = [one for one in among if one.author == author]
        figures[author] = (int(right[mine].sum()), len(cases), fingerprint(cases)[:16])
    return figures


def own_accuracy(path: Path) -> float:
    """Return the accuracy of a file's weights on the evals' own cases."""
    classifier = OfflineClassifier(ClassifierTier(path))
    analyzer = IntentAnalyzer(offline=classifier, completion=None, model=None, clock=SystemClock())
    return round(measure(read_cases(OWN_CASES), analyzer).overall.accuracy, 4)


def compare_with_shipped(candidate: Weights, shipped: Path) -> str:
    """Compare the candidate with the shipped weights and return a summary when it may be shipped.

    Raises:
        Refused: the candidate is not better, or no author's cases are left for a comparison.
    """
    try:
        before = weights.read_weights(shipped)
    except WeightsInvalid as error:
        return f"nothing to compare with ({error})"
    old, new, cases = _on_the_same(before.figures, candidate.figures)
    if not cases:
        raise NotBetter("no author's cases are as they were: there is nothing to compare by")
    figures = (
        f"of {cases} cases of unseen authors {new} right after {old}, "
        f"of the evals' {candidate.figures.own:.1%} after {before.figures.own:.1%}"
    )
    is_as_good = new == old and candidate.exemplars_hash == before.exemplars_hash
    if not (new > old or is_as_good) or candidate.figures.own < before.figures.own - OWN_ACCURACY_TOLERANCE:
        raise NotBetter(figures)
    return figures


def _on_the_same(before: AccuracyFigures, after: AccuracyFigures) -> tuple[int, int, int]:
    """Return the right cases before, the right cases after and all cases of authors with unchanged cases."""
    same = [
        author
        for author, (_, total, cases) in after.authors.items()
        if author in before.authors and tuple(before.authors[author][1:]) == (total, cases)
    ]
    old, new = (sum(figures.authors[author][0] for author in same) for figures in (before, after))
    return old, new, sum(after.authors[author][1] for author in same)
