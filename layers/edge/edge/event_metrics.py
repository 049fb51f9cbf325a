"""Which events of the domain are metrics: an event's name, the metric and the field with its value.

Names of intent and context metrics: seed 000, "Metrics". The alarms of `template.yaml` and docs/runbook.md
name the others, too.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from aws_lambda_powertools.metrics import MetricUnit

TURN_STAGES = (
    "admitting",
    "waiting",
    "reading",
    "understanding",
    "acting",
    "routing",
    "answering",
    "storing",
)
"""The stages of a turn in their order; the time of each is a metric ``turn_<stage>_ms``."""


class Measurement(NamedTuple):
    """A metric, and the event field that holds its value; None: each event counts as one."""

    name: str
    unit: MetricUnit
    field: str | None = None


class Counter(NamedTuple):
    """A metric that counts events, apart for each value of a field. The field has few values."""

    name: str
    field: str


class MeasuredValue(NamedTuple):
    """A value of a metric; ``dimension`` is the name and value of its own dimension, if it has one."""

    metric: str
    unit: MetricUnit
    value: float
    dimension: tuple[str, str] | None = None


_MS, _COUNT, _USD = MetricUnit.Milliseconds, MetricUnit.Count, MetricUnit.NoUnit

EVENT_METRICS: Mapping[str, tuple[Measurement, ...]] = {
    "environment started": (Measurement("cold_starts", _COUNT),),
    "request answered": (Measurement("request_latency_ms", _MS, "duration_ms"),),
    "turn ended": (
        Measurement("turn_latency_ms", _MS, "latency_ms"),
        *(Measurement(f"turn_{stage}_ms", _MS, f"{stage}_ms") for stage in TURN_STAGES),
        Measurement("turns_waited", _COUNT, "waited"),
        Measurement("turns_accepted", _COUNT, "accepted"),
        Measurement("turns_replayed", _COUNT, "replayed"),
        Measurement("turn_model_calls", _COUNT, "model_calls"),
        Measurement("turn_prompt_tokens", _COUNT, "prompt_tokens"),
        Measurement("turn_completion_tokens", _COUNT, "completion_tokens"),
        Measurement("turn_cost_usd", _USD, "cost_usd"),
    ),
    "turn conflict": (Measurement("turn_conflicts", _COUNT),),
    "intent decided": (
        Measurement("intent_classification_latency_ms", _MS, "latency_ms"),
        Measurement("intent_confidence", MetricUnit.NoUnit, "confidence"),
        Measurement("intent_cost_usd", _USD, "cost_usd"),
    ),
    "context assembled": (
        Measurement("context_messages_included", _COUNT, "message_count"),
        Measurement("context_tokens_used", _COUNT, "total_tokens"),
    ),
    "model called": (
        Measurement("model_calls", _COUNT),
        Measurement("model_failures", _COUNT, "failed"),
        Measurement("model_latency_ms", _MS, "latency_ms"),
    ),
    "model refused": (Measurement("models_refused", _COUNT),),
    "model retires soon": (Measurement("models_retiring", _COUNT),),
    "budget reached": (Measurement("tenant_budgets_reached", _COUNT),),
    "run ended": (
        Measurement("runs_ended", _COUNT),
        Measurement("runs_failed", _COUNT, "failed"),
    ),
    "retention swept": (
        Measurement("retention_conversations_due", _COUNT, "looked_at"),
        Measurement("retention_conversations_removed", _COUNT, "removed"),
        Measurement("retention_messages_removed", _COUNT, "messages"),
        Measurement("retention_conversations_moved", _COUNT, "moved"),
        Measurement("retention_conversations_held", _COUNT, "held"),
        Measurement("retention_conversations_busy", _COUNT, "busy"),
    ),
    "turn kept for later": (Measurement("turns_stored_later", _COUNT, "turns"),),
    "model output refused": (Measurement("model_output_refused", _COUNT, "times"),),
    "model not loaded yet": (Measurement("offline_because_cold", _COUNT, "turns"),),
    "turn not kept": (Measurement("turns_not_stored", _COUNT, "turns"),),
    "turn given up": (Measurement("turns_given_up", _COUNT, "turns"),),
    "record skipped": (Measurement("records_skipped", _COUNT, "records"),),
    "message stored": (Measurement("conversation_message_count", _COUNT, "message_count"),),
    "token refused": (Measurement("tokens_refused", _COUNT),),
    "issuer keys unreadable": (Measurement("authorizer_failures", _COUNT),),
    "tenant not looked up": (Measurement("authorizer_failures", _COUNT),),
}
EVENT_COUNTERS: Mapping[str, Counter] = {
    "intent decided": Counter("intent_classification_method", "source"),
    "keyword fallback used": Counter("intent_fallbacks", "reason"),
    "tool used": Counter("tools_used", "outcome"),
}


def measured(record: logging.LogRecord) -> Iterator[MeasuredValue]:
    """The values of an event's metrics. A field that is missing or None has none."""
    fields = record.__dict__
    for name, unit, field in EVENT_METRICS.get(record.msg, ()):
        value = 1 if field is None else fields.get(field)
        if value is not None:
            yield MeasuredValue(name, unit, value)
    counter = EVENT_COUNTERS.get(record.msg)
    if counter is not None:
        yield MeasuredValue(counter.name, _COUNT, 1, (counter.field, str(fields.get(counter.field))))
