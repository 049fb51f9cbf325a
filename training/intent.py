"""``python -m training.intent [--from-turns FILE]``:

learns the offline tier's weights, and says what they will do for authors nobody has seen.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from intent import learned_file
from training import corpus, model, validation
from training.corpus import Exemplar
from training.fitting import Floats
from training.model import Prepared

_PARTS: Mapping[str, Callable[[Exemplar], str]] = {
    "author": lambda one: one.author,
    "difficulty": lambda one: one.case.difficulty,
    "label": lambda one: one.case.label,
}


def main() -> None:
    """Train, report, ship."""
    parser = argparse.ArgumentParser(prog="python -m training.intent", description="Learn the weights.")
    parser.add_argument(
        "--from-turns", type=Path, action="append", default=[], help="more labelled utterances"
    )
    parser.add_argument("--out", type=Path, default=learned_file.SHIPPED)
    arguments = parser.parse_args()
    among = corpus.exemplars(corpus.EXEMPLARS, *arguments.from_turns)
    train(among, arguments.out)


def train(among: Sequence[Exemplar], out: Path) -> None:
    """Learn from the exemplars, report on unseen authors, and write the weights."""
    ready = [model.prepared(one) for one in among]
    scores = validation.held_out(ready, [one.author for one in among])
    heat = validation.temperatures(ready, scores)
    _report(ready, validation.confidences(ready, scores, heat))
    learned_file.write(out, model.shipped(model.learn(ready), heat, corpus.fingerprint(among)))
    print(f"{out.name}: {out.stat().st_size / 1e6:.2f} MB")


def _report(among: Sequence[Prepared], sure: Floats) -> None:
    right = validation.is_right(among, sure)
    print(f"{len(among)} exemplars; each author judged by a model that saw the others only")
    for part, name_of in _PARTS.items():
        names = np.array([name_of(one.exemplar) for one in among])
        shares = (f"{name} {right[names == name].mean():.1%}" for name in sorted(set(names)))
        print(f"by {part}: {', '.join(shares)}")
    ece = validation.calibration_error(sure.max(axis=1), right)
    ours = right[[not one.exemplar.is_shared for one in among]].mean()
    print(f"overall {right.mean():.1%}, without the shared set {ours:.1%}, calibration error {ece:.3f}")


if __name__ == "__main__":
    main()
