"""The log and the metrics of a function: ids and sizes, never content.

The domain does not depend on this module: it logs events through the standard library, with their fields in
``extra``. This module writes them as lines of JSON and turns some of them into metrics. Source of events,
levels and metric names: seed 000, "Monitoring and Operations".
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from aws_lambda_powertools import Metrics
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter
from aws_lambda_powertools.metrics import MetricUnit, single_metric

from edge.settings import LOCAL, Settings

NAMESPACE = "OmniForge"

LOGGER_ROOTS = ("omniforge", "storage", "conversation", "llm", "intent", "agent", "edge")
"""The roots of our own loggers; the events of libraries are logged from WARNING up."""

_OURS = frozenset({*LOGGER_ROOTS, "functions", "app"})
LOG = logging.getLogger("omniforge.edge")


class Measurement(NamedTuple):
    """A metric, and the event field that holds its value."""

    name: str
    unit: MetricUnit
    field: str


EVENT_METRICS: Mapping[str, tuple[Measurement, ...]] = {
    "intent decided": (
        Measurement("intent_classification_latency_ms", MetricUnit.Milliseconds, "latency_ms"),
        Measurement("intent_confidence", MetricUnit.NoUnit, "confidence"),
    ),
    "context assembled": (
        Measurement("context_messages_included", MetricUnit.Count, "message_count"),
        Measurement("context_tokens_used", MetricUnit.Count, "total_tokens"),
    ),
    "retention swept": (
        Measurement("retention_conversations_due", MetricUnit.Count, "looked_at"),
        Measurement("retention_conversations_removed", MetricUnit.Count, "removed"),
        Measurement("retention_messages_removed", MetricUnit.Count, "messages"),
        Measurement("retention_conversations_moved", MetricUnit.Count, "moved"),
        Measurement("retention_conversations_held", MetricUnit.Count, "held"),
        Measurement("retention_conversations_busy", MetricUnit.Count, "busy"),
    ),
    "turn kept for later": (Measurement("turns_stored_later", MetricUnit.Count, "turns"),),
    "model output refused": (Measurement("model_output_refused", MetricUnit.Count, "times"),),
    "model not loaded yet": (Measurement("offline_because_cold", MetricUnit.Count, "turns"),),
    "turn not kept": (Measurement("turns_not_stored", MetricUnit.Count, "turns"),),
    "turn given up": (Measurement("turns_given_up", MetricUnit.Count, "turns"),),
    "record skipped": (Measurement("records_skipped", MetricUnit.Count, "records"),),
    "message stored": (Measurement("conversation_message_count", MetricUnit.Count, "message_count"),),
}
EVENT_COUNTERS: Mapping[str, tuple[str, str]] = {"intent decided": ("intent_classification_method", "source")}
"""Events that are counted: the name of the metric, and the event field that is its dimension."""


class RequestLog:
    """The log and the metrics of one function; one instance per execution environment."""

    def __init__(self, service: str) -> None:
        self._service = service
        self._metrics = Metrics(namespace=NAMESPACE, service=service)
        self._formatter = LambdaPowertoolsFormatter(service=service)

    def configure(self, level: str) -> None:
        """Starts to measure all events, and to write those from ``level`` up to standard output as JSON."""
        lines = logging.StreamHandler(sys.stdout)
        lines.setFormatter(self._formatter)
        lines.setLevel(level)
        for root in LOGGER_ROOTS:
            logger = logging.getLogger(root)
            logger.setLevel(logging.DEBUG)
            logger.propagate = False
            logger.handlers = [lines, _Measures(self._metrics, self._service)]

    @contextmanager
    def for_request(self, request_id: str, tenant: str | None = None) -> Iterator[None]:
        """Adds the request's ids to every log line, and publishes its metrics when it ends."""
        known = {"request_id": request_id, "tenant_id": tenant}
        self._formatter.thread_safe_append_keys(**{name: value for name, value in known.items() if value})
        try:
            yield
        finally:
            self._formatter.thread_safe_clear_keys()
            self._publish(known)

    def _publish(self, known: Mapping[str, str | None]) -> None:
        if not self._metrics.metric_set:
            return
        for name, value in known.items():
            self._metrics.add_metadata(name, value)
        self._metrics.flush_metrics()


def open_request_log(service: str, settings: Settings) -> RequestLog:
    """The request log of a function. The local twin, where all share a process, sets up logging itself."""
    request_log = RequestLog(service)
    if settings.stage != LOCAL:
        request_log.configure(settings.log_level)
    return request_log


class _Measures(logging.Handler):
    """Adds the values of event fields to the metrics."""

    def __init__(self, metrics: Metrics, service: str) -> None:
        super().__init__(logging.DEBUG)
        self._metrics = metrics
        self._service = service

    def emit(self, record: logging.LogRecord) -> None:
        fields = record.__dict__
        for metric, unit, field in EVENT_METRICS.get(record.msg, ()):
            if fields.get(field) is not None:
                self._metrics.add_metric(metric, unit, fields[field])
        if record.msg in EVENT_COUNTERS:
            self._count(*EVENT_COUNTERS[record.msg], fields)

    def _count(self, metric: str, dimension: str, fields: Mapping[str, object]) -> None:
        service = {"service": self._service}
        with single_metric(metric, MetricUnit.Count, 1, 60, NAMESPACE, service) as one:
            one.add_dimension(dimension, str(fields.get(dimension)))


def log_internal_error(error: Exception) -> None:
    """Logs an error's type and the lines of our own code it passed through; its text may quote content."""
    locations = [
        f"{frame.f_globals.get('__name__')}:{line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _OURS
    ]
    LOG.error("internal error", extra={"error_type": type(error).__name__, "places": locations})
