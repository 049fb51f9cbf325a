"""Training of the offline tier's weights: ``python -m training.train [--from-turns FILE] [--accept]``.

It learns the weights, reports their accuracy on unseen authors, and ships them when they are better than the
shipped ones.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from intent.classifier import weights as weights_file
from intent.classifier.weights import AccuracyFigures, Weights
from training import acceptance, corpus, feature_digest, features, model, validation
from training.corpus import Exemplar
from training.features import PreparedExemplar
from training.fitting import Floats

_PARTS: Mapping[str, Callable[[Exemplar], str]] = {
    "author": lambda one: one.author,
    "difficulty": lambda one: one.case.difficulty,
    "label": lambda one: one.case.label,
}


def main() -> None:
    """Train the weights, report on them and ship them."""
    parser = argparse.ArgumentParser(prog="python -m training.train", description="Learn the weights.")
    parser.add_argument(
        "--from-turns", type=Path, action="append", default=[], help="more labelled utterances to learn from"
    )
    parser.add_argument("--out", type=Path, default=weights_file.SHIPPED_WEIGHTS)
    parser.add_argument("--accept", action="store_true", help="ship them even if they are no better")
    arguments = parser.parse_args()
    learned = train(corpus.load_exemplars(), corpus.read_exemplars(arguments.from_turns))
    try:
        print(acceptance.compare_with_shipped(learned, arguments.out))
    except acceptance.NotBetter as why:
        if not arguments.accept:
            sys.exit(f"not shipped: {why}. To ship them all the same: --accept")
        print(f"no better, shipped all the same: {why}")
    weights_file.write_weights(arguments.out, learned)
    print(f"{arguments.out.name}: {arguments.out.stat().st_size / 1e6:.2f} MB")


def train(among: Sequence[Exemplar], turns: Sequence[Exemplar]) -> Weights:
    """Learn weights from exemplars and turns, and return them with their accuracy figures.

    The figures cover the exemplars only, so that weights learned with and without turns can be compared. A
    turn with the text of an exemplar is left out, because it would leak into the training data of every fold.
    """
    texts = {one.case.text.casefold() for one in among}
    ready = features.prepare_exemplars(among)
    also = features.prepare_exemplars([one for one in turns if one.case.text.casefold() not in texts])
    folds = validation.author_folds([one.author for one in among])
    scores = validation.held_out_scores(ready, folds, also=also)
    heat = validation.fit_temperatures(ready, scores)
    sure = validation.calibrated(ready, scores, heat)
    _report(ready, sure)
    weights = model.to_weights(
        model.train_models([*ready, *also]),
        heat,
        exemplars=corpus.fingerprint([*among, *turns]),
        probes=feature_digest.features_digest(),
        figures=AccuracyFigures(acceptance.author_figures(among, validation.correct_mask(ready, sure)), 0.0),
    )
    return _with_own_accuracy(weights)


def _with_own_accuracy(weights: Weights) -> Weights:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "candidate")
        weights_file.write_weights(path, weights)
        return weights._replace(figures=weights.figures._replace(own=acceptance.own_accuracy(path)))


def _report(among: Sequence[PreparedExemplar], sure: Floats) -> None:
    right = validation.correct_mask(among, sure)
    print(f"{len(among)} exemplars; each author judged by a model that saw others only")
    for part, name_of in _PARTS.items():
        names = np.array([name_of(one.exemplar) for one in among])
        shares = (f"{name} {right[names == name].mean():.1%}" for name in sorted(set(names)))
        print(f"by {part}: {', '.join(shares)}")
    ece = validation.calibration_error(sure.max(axis=1), right)
    ours = right[[not one.exemplar.is_shared for one in among]].mean()
    print(f"overall {right.mean():.1%}, without the shared set {ours:.1%}, calibration error {ece:.3f}")


if __name__ == "__main__":
    main()
