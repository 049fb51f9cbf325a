"""The log and the metrics of a function: ids and sizes, never content.

The domain does not depend on this module: it logs events through the standard library, with their fields in
``extra``. This module writes them as lines of JSON, and turns those of `edge.event_metrics` into metrics.
Source of events and levels: seed 000, "Monitoring and Operations".
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter
from aws_lambda_powertools.metrics import single_metric
from aws_lambda_powertools.metrics.provider.cloudwatch_emf.cloudwatch import AmazonCloudWatchEMFProvider

from edge.environment import lambda_trace
from edge.event_metrics import MeasuredValue, measured
from edge.settings import LOCAL, Settings
from resilience.trace_context import TraceContext, traced

NAMESPACE = "OmniForge"

LOGGER_ROOTS = ("omniforge", "storage", "conversation", "llm", "intent", "agent", "edge")
"""The roots of our own loggers; the events of libraries are logged from WARNING up."""

_OURS = frozenset({*LOGGER_ROOTS, "functions", "app"})
LOG = logging.getLogger("omniforge.edge")


class RequestLog:
    """The log and the metrics of one function; one instance per execution environment."""

    def __init__(self, service: str, *, stage: str = LOCAL) -> None:
        self._service = service
        # Not `Metrics`, which all of a process share, dimensions included.
        self._metrics = AmazonCloudWatchEMFProvider(
            namespace=NAMESPACE, service=service, default_dimensions={"stage": stage}
        )
        self._stage = stage
        self._formatter = LambdaPowertoolsFormatter(service=service)
        self._is_cold = True

    def configure(self, level: str) -> None:
        """Starts to measure all events, and to write those from ``level`` up to standard output as JSON."""
        lines = logging.StreamHandler(sys.stdout)
        lines.setFormatter(self._formatter)
        lines.setLevel(level)
        counters = {"service": self._service, "stage": self._stage}
        for root in LOGGER_ROOTS:
            logger = logging.getLogger(root)
            logger.setLevel(logging.DEBUG)
            logger.propagate = False
            logger.handlers = [lines, _Measures(self._metrics, counters)]

    @contextmanager
    def for_request(
        self, request_id: str, tenant: str | None = None, *, trace: TraceContext | None = None
    ) -> Iterator[None]:
        """Adds the request's ids to every log line, and publishes its metrics when it ends.

        ``trace`` None: the trace that Lambda began, or one of its own.
        """
        trace = trace or TraceContext.from_xray(lambda_trace()) or TraceContext.begin()
        known = {"request_id": request_id, "tenant_id": tenant, "trace_id": trace.trace_id}
        self._formatter.thread_safe_append_keys(**{name: value for name, value in known.items() if value})
        if self._is_cold:
            self._is_cold = False
            LOG.debug("environment started")
        try:
            with traced(trace):
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
    request_log = RequestLog(service, stage=settings.stage)
    if settings.stage != LOCAL:
        request_log.configure(settings.log_level)
    return request_log


class _Measures(logging.Handler):
    """Adds the values of event fields to the metrics."""

    def __init__(self, metrics: AmazonCloudWatchEMFProvider, dimensions: Mapping[str, str]) -> None:
        super().__init__(logging.DEBUG)
        self._metrics = metrics
        self._dimensions = dict(dimensions)

    def emit(self, record: logging.LogRecord) -> None:
        for value in measured(record):
            if value.dimension is None:
                self._metrics.add_metric(value.metric, value.unit, value.value)
            else:
                self._count(value, *value.dimension)

    def _count(self, counted: MeasuredValue, dimension: str, word: str) -> None:
        with single_metric(
            counted.metric, counted.unit, counted.value, 60, NAMESPACE, self._dimensions
        ) as one:
            one.add_dimension(dimension, word)


def log_internal_error(error: Exception) -> None:
    """Logs an error's type and the lines of our own code it passed through; its text may quote content."""
    locations = [
        f"{frame.f_globals.get('__name__')}:{line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _OURS
    ]
    LOG.error("internal error", extra={"error_type": type(error).__name__, "places": locations})
