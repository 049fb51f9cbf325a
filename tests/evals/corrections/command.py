"""The suite of corrections on the command line: ``python -m tests.evals --suite corrections``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from intent.analysis.analyzer import IntentAnalyzer
from tests.evals.corrections.elsewhere import Elsewhere
from tests.evals.corrections.tenants import FOLDER, Tenant, offline_analyzer, read_tenants, understood

RECORDED = FOLDER / "recorded.json"
FEWEST_POINTS, MOST_LOST = 10.0, 0.3
"""What twenty corrections have to gain on the tenant's own wording, and may lose elsewhere, in points."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The shares of one tenant that are understood, in percent.

    ``again`` is of the corrected sentences themselves. ``wrong_ones`` is how many of them were misunderstood
    at all, and ``after_wrong_ones`` what correcting only those gives. ``lost_elsewhere`` is in points.
    """

    tenant: str
    is_unseen: bool
    before: float
    after: float
    again: float
    wrong_ones: int
    after_wrong_ones: float
    lost_elsewhere: float

    @property
    def gained(self) -> float:
        """The points that the corrections gain on the held-out sentences."""
        return round(self.after - self.before, 1)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; return the exit code."""
    analyzer, elsewhere = offline_analyzer(), Elsewhere()
    found = [learned(tenant, analyzer, elsewhere) for tenant in read_tenants(arguments.cases)]
    print(json.dumps(as_json(found), indent=2) if arguments.json else _table(found))
    return 0


def learned(tenant: Tenant, analyzer: IntentAnalyzer, elsewhere: Elsewhere) -> Learned:
    """Return what the corrections of a tenant do."""
    lessons = tenant.lessons(tenant.corrected)
    before, _ = understood(analyzer, tenant, tenant.held_out)
    after, _ = understood(analyzer, tenant, tenant.held_out, lessons)
    again, _ = understood(analyzer, tenant, tenant.corrected, lessons)
    _, wrong = understood(analyzer, tenant, tenant.corrected)
    of_wrong, _ = understood(analyzer, tenant, tenant.held_out, tenant.lessons(wrong))
    lost = elsewhere.with_lessons(()).accuracy - elsewhere.with_lessons(lessons).accuracy
    return Learned(
        tenant.name, tenant.is_unseen, _percent(before.accuracy), _percent(after.accuracy),
        _percent(again.accuracy), len(wrong), _percent(of_wrong.accuracy), round(100 * lost, 2),
    )  # fmt: skip


def as_json(found: Sequence[Learned]) -> dict[str, object]:
    """Return the figures as plain values."""
    unseen = [one for one in found if one.is_unseen]
    return {
        "tenants": [{**asdict(one), "gained": one.gained} for one in found],
        "gained": _mean(one.gained for one in found),
        "gained_unseen": _mean(one.gained for one in unseen),
        "gained_least": min(one.gained for one in found),
        "lost_elsewhere_most": max(one.lost_elsewhere for one in found),
    }


def _percent(share: float) -> float:
    return round(100 * share, 1)


def _mean(values: Iterable[float]) -> float:
    several = list(values)
    return round(sum(several) / len(several), 1) if several else 0.0


def _table(found: Sequence[Learned]) -> str:
    lines = [f"{'tenant':<14}{'before':>8}{'after 20':>10}{'gained':>8}{'lost elsewhere':>16}"]
    for one in found:
        name = f"{one.tenant}{' *' if one.is_unseen else ''}"
        lines.append(
            f"{name:<14}{one.before:>7}%{one.after:>9}%{one.gained:>+8}{one.lost_elsewhere:>16}"
            f"   (the {one.wrong_ones} that were wrong: {one.after_wrong_ones}%; said again: {one.again}%)"
        )
    totals = as_json(found)
    lines.append(f"gained on average {totals['gained']}; * unseen: {totals['gained_unseen']}")
    return "\n".join(lines)
