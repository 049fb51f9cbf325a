"""Log output for the terminal: each record as one line that ends with its fields.

On AWS, `edge.observability` writes the same records as JSON and adds metrics.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from edge.observability import LOGGER_ROOTS

_REQUEST: ContextVar[str] = ContextVar("request", default="")
_STANDARD = frozenset({*logging.makeLogRecord({}).__dict__, "message", "asctime"})


class OneLineFormatter(logging.Formatter):
    """Formats time, level, event, fields and request id. No value can start a new line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        extra = {name: value for name, value in record.__dict__.items() if name not in _STANDARD}
        if _REQUEST.get():
            extra["request_id"] = _REQUEST.get()
        event = " ".join(record.getMessage().split())
        parts = [self.formatTime(record, "%H:%M:%S"), f"{record.levelname:<7}", event]
        return " ".join((*parts, *(f"{name}={_text(value)}" for name, value in extra.items())))


def configure_logging(level: str, measures: logging.Handler | None = None) -> None:
    """Log our own modules from ``level`` up and libraries from warnings up, to the standard output.

    ``measures`` gets all events of the functions, written or not.
    """
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(OneLineFormatter())
    lowest = logging.getLevelNamesMapping()[level]
    handler.addFilter(lambda record: record.levelno >= lowest or not _is_ours(record))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for root in (*LOGGER_ROOTS, "local"):
        logging.getLogger(root).setLevel(level)
    if measures is not None:
        for root in LOGGER_ROOTS:
            logging.getLogger(root).setLevel(logging.DEBUG)
            logging.getLogger(root).handlers = [measures]


def _is_ours(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] in {*LOGGER_ROOTS, "local"}


@contextmanager
def logged_request(event: dict[str, Any]) -> Iterator[None]:
    """Add the request id of an API Gateway event to every line logged inside the ``with`` block."""
    token = _REQUEST.set(event.get("requestContext", {}).get("requestId", ""))
    try:
        yield
    finally:
        _REQUEST.reset(token)


def _text(value: object) -> str:
    return json.dumps(value, default=str)
