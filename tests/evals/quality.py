"""How good a tier's answers are beyond being right: honest confidence, few questions, quick, cheap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from intent.decision import Decision

CLARIFY_BELOW = 0.7
BINS = 5
COVERAGES = (0.5, 0.75, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Answer:
    """One decision, as far as these figures need it; ``cost_usd`` None: no model was asked."""

    confidence: float
    is_right: bool
    asks: bool
    took_ms: float
    cost_usd: float | None
    failed: bool

    @classmethod
    def of(cls, decision: Decision, *, is_right: bool, took_ms: float) -> Answer:
        """The answer that a decision is."""
        return cls(
            confidence=decision.confidence,
            is_right=is_right,
            asks=decision.needs_clarification(CLARIFY_BELOW),
            took_ms=took_ms,
            cost_usd=decision.cost_usd,
            failed=decision.fallback_reason is not None,
        )


def figures(answers: Sequence[Answer]) -> dict[str, object]:
    """The figures, by name; all zero for no answers."""
    costs = [answer.cost_usd for answer in answers if answer.cost_usd is not None]
    return {
        "clarification_rate": _mean([answer.asks for answer in answers]),
        "right_when_not_asking": _mean([answer.is_right for answer in answers if not answer.asks]),
        "calibration_error": calibration_error(answers),
        "right_at_coverage": {str(share): right_at(answers, share) for share in COVERAGES},
        "latency_ms": {"p50": _percentile(answers, 0.5), "p95": _percentile(answers, 0.95)},
        "cost_usd_per_request": round(fmean(costs), 6) if costs else None,
        "error_rate": _mean([answer.failed for answer in answers]),
    }


def right_at(answers: Sequence[Answer], share: float) -> float:
    """How many of the surest ``share`` of the answers are right."""
    surest = sorted(answers, key=lambda answer: -answer.confidence)
    return _mean([answer.is_right for answer in surest[: round(len(surest) * share)]])


def calibration_error(answers: Sequence[Answer]) -> float:
    """The mean gap between confidence and accuracy over bins of equal count."""
    ranked = sorted(answers, key=lambda answer: answer.confidence)
    edges = [round(len(ranked) * place / BINS) for place in range(BINS + 1)]
    bins = [ranked[start:end] for start, end in pairwise(edges) if end > start]
    gaps = [
        len(one) * abs(fmean(answer.confidence for answer in one) - fmean(answer.is_right for answer in one))
        for one in bins
    ]
    return round(sum(gaps) / len(ranked), 4) if ranked else 0.0


def _mean(values: Sequence[bool]) -> float:
    return round(fmean(values), 4) if values else 0.0


def _percentile(answers: Sequence[Answer], share: float) -> float:
    times = sorted(answer.took_ms for answer in answers)
    return round(times[min(int(len(times) * share), len(times) - 1)], 2) if times else 0.0
