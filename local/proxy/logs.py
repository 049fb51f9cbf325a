"""What the functions log, for the eyes of somebody at a terminal: one line each, its fields behind it.

On AWS the same events are JSON with metrics beside them; that is `edge.observability`'s business.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from edge.observability import ROOMS

_REQUEST: ContextVar[str] = ContextVar("request", default="")
_STANDARD = frozenset({*logging.makeLogRecord({}).__dict__, "message", "asctime"})


class OneLine(logging.Formatter):
    """Time, level, event, its fields, and the request it belongs to; nothing in them can start a new line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        extra = {name: value for name, value in record.__dict__.items() if name not in _STANDARD}
        if _REQUEST.get():
            extra["request_id"] = _REQUEST.get()
        event = " ".join(record.getMessage().split())
        parts = [self.formatTime(record, "%H:%M:%S"), f"{record.levelname:<7}", event]
        return " ".join((*parts, *(f"{name}={_text(value)}" for name, value in extra.items())))


def show(level: str) -> None:
    """From now on write down what our own modules log from the level on, and warnings of libraries."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(OneLine())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for room in (*ROOMS, "local"):
        logging.getLogger(room).setLevel(level)


@contextmanager
def request(event: dict[str, Any]) -> Iterator[None]:
    """Name the request of an API Gateway event in every line that is written meanwhile."""
    token = _REQUEST.set(event.get("requestContext", {}).get("requestId", ""))
    try:
        yield
    finally:
        _REQUEST.reset(token)


def _text(value: object) -> str:
    return json.dumps(value, default=str)
