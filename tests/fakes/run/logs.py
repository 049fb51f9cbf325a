"""Logging that a test changes and leaves as it was."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from edge.observability import ROOMS


@contextmanager
def logging_as_it_was() -> Iterator[None]:
    """Undo afterwards what opening a journal does to our loggers."""
    before = [(logging.getLogger(room), vars(logging.getLogger(room)).copy()) for room in ROOMS]
    try:
        yield
    finally:
        for logger, state in before:
            vars(logger).update(state)
