"""A context manager that restores the logging configuration after a test."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from edge.observability import LOGGER_ROOTS


@contextmanager
def restore_logging() -> Iterator[None]:
    """Restore our loggers at the end of the ``with`` block, which may open a journal."""
    before = [(logging.getLogger(room), vars(logging.getLogger(room)).copy()) for room in LOGGER_ROOTS]
    try:
        yield
    finally:
        for logger, state in before:
            vars(logger).update(state)
