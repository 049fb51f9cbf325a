"""Training of the weights that read acts: ``python -m training.act_models.train``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from intent.acts.learned import weight_tables
from intent.acts.learned.act_model import PART, SEVERAL
from intent.acts.learned.weight_tables import ActWeights, WeightTable
from training.act_models import corpus, examples, feature_digest
from training.act_models.corpus import LabelledMessage
from training.act_models.examples import Segmented
from training.act_models.fitting import fit_chain, fit_labels
from training.act_models.matrices import Features, to_table

BOUNDARY_FIT = {"strength": 0.3, "rarity": 0.6}
KIND_FIT = {"strength": 1.0, "rarity": 1.0}
SPAN_STRENGTH = 0.3
"""Chosen by leaving one author out."""
_MOST_ROWS = {"boundaries": 20_000, "kinds": 120_000, "spans": 50_000}


def main() -> None:
    """Train the weights on all labelled messages and write them."""
    parser = argparse.ArgumentParser(
        prog="python -m training.act_models.train", description="Learn the weights."
    )
    parser.add_argument("--out", type=Path, default=weight_tables.SHIPPED_WEIGHTS)
    arguments = parser.parse_args()
    weights = train([*corpus.load_messages(), *corpus.load_joined()])
    weight_tables.write_weights(arguments.out, weights)
    print(f"{arguments.out.name}: {arguments.out.stat().st_size / 1e6:.2f} MB")


def train(among: Sequence[LabelledMessage], figures: Mapping[str, Any] | None = None) -> ActWeights:
    """Return the weights learned from these messages."""
    segmented = [examples.segment(one) for one in among]
    chain, spans = _span_table([one for one in among if one.has_slots and not one.is_joined])
    settings = {
        "boundary_temperature": 1.0,
        "kind_temperature": 1.3,
        "transitions": chain,
        "slots": examples.slots_of_kinds(among),
    }
    return ActWeights(
        _boundary_table(segmented),
        _kind_table(segmented),
        spans,
        settings,
        corpus.fingerprint(),
        feature_digest.features_digest(),
        figures or {},
    )


def _boundary_table(segmented: Sequence[Segmented]) -> WeightTable:
    features = Features()
    rows = examples.cut_rows(segmented, features)
    fit = fit_labels(rows.features, rows.labels, 2, counted=rows.counted, **BOUNDARY_FIT)
    return to_table(["same", "begins"], fit, features, _MOST_ROWS["boundaries"])


def _kind_table(segmented: Sequence[Segmented]) -> WeightTable:
    features = Features()
    kinds = [*sorted({kind for one in segmented for _, _, kind in one.segments}), PART, SEVERAL]
    rows = examples.kind_rows(segmented, kinds, features)
    fit = fit_labels(rows.features, rows.labels, len(kinds), counted=rows.counted, **KIND_FIT)
    return to_table(kinds, fit, features, _MOST_ROWS["kinds"])


def _span_table(among: Sequence[LabelledMessage]) -> tuple[list[list[float]], WeightTable]:
    features = Features()
    fit = fit_chain(examples.span_chains(among, features), examples.SPAN_LABELS, strength=SPAN_STRENGTH)
    table = to_table(examples.SPAN_LABELS, fit, features, _MOST_ROWS["spans"])
    return [[round(float(value), 3) for value in row] for row in fit.moves], table


if __name__ == "__main__":
    main()
