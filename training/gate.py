"""Whether new weights may replace the shipped ones: only if they understand more of what they never saw.

Both are judged on the same cases: of authors whose cases are as they were, each by models that had not seen
the author, and the cases of the evals, which nobody learns from.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from conversation.clock import SystemClock
from intent.analysis.analyzer import IntentAnalyzer
from intent.classifier import weights as learned_file
from intent.classifier.verdict import LearnedModel
from intent.classifier.weights import Figures, Weights, WeightsUnusable
from intent.offline.tier import OfflineClassifier
from tests.evals.measurement import OWN_CASES, measure, read_cases
from training.corpus import Exemplar, fingerprint

OWN_TOLERANCE = 0.02
"""As in CI: the own cases are too few to tell smaller differences."""


class Refused(Exception):
    """The new weights are no better; says by which figures."""


def author_figures(among: Sequence[Exemplar], right: NDArray[np.bool_]) -> dict[str, tuple[int, int, str]]:
    """For each author how many cases were right, of how many, and a hash of them."""
    figures = {}
    for author in sorted({one.author for one in among}):
        mine = np.array([one.author == author for one in among])
        cases = [one for one in among if one.author == author]
        figures[author] = (int(right[mine].sum()), len(cases), fingerprint(cases)[:16])
    return figures


def own_accuracy(path: Path) -> float:
    """How many of the evals' cases the weights of a file get right."""
    classifier = OfflineClassifier(LearnedModel(path))
    analyzer = IntentAnalyzer(offline=classifier, completion=None, model=None, clock=SystemClock())
    return round(measure(read_cases(OWN_CASES), analyzer).overall.accuracy, 4)


def check(candidate: Weights, shipped: Path) -> str:
    """What the comparison says, if the candidate may be shipped.

    Raises:
        Refused: it is no better than the shipped one, or nothing is left to compare them by.
    """
    try:
        before = learned_file.read(shipped)
    except WeightsUnusable as error:
        return f"nothing to compare with ({error})"
    old, new, cases = _on_the_same(before.figures, candidate.figures)
    if not cases:
        raise Refused("no author's cases are as they were: there is nothing to compare by")
    said = (
        f"of {cases} cases of unseen authors {new} right after {old}, "
        f"of the evals' {candidate.figures.own:.1%} after {before.figures.own:.1%}"
    )
    is_as_good = new == old and candidate.exemplars == before.exemplars
    if not (new > old or is_as_good) or candidate.figures.own < before.figures.own - OWN_TOLERANCE:
        raise Refused(said)
    return said


def _on_the_same(before: Figures, after: Figures) -> tuple[int, int, int]:
    """How many cases were right before and after, of the authors whose cases did not change, of how many."""
    same = [
        author
        for author, (_, total, cases) in after.authors.items()
        if author in before.authors and tuple(before.authors[author][1:]) == (total, cases)
    ]
    old, new = (sum(figures.authors[author][0] for author in same) for figures in (before, after))
    return old, new, sum(after.authors[author][1] for author in same)
