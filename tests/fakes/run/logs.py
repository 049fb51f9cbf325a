"""A context manager that restores the logging configuration after a test."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from edge.observability import ROOMS


@contextmanager
def logging_as_it_was() -> Iterator[None]:
    """Restore our loggers at the end of the ``with`` block, which may open a journal."""
    before = [(logging.getLogger(room), vars(logging.getLogger(room)).copy()) for room in ROOMS]
    try:
        yield
    finally:
        for logger, state in before:
            vars(logger).update(state)
