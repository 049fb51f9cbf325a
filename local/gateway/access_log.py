"""The gateway's access log, in the format that the template gives it.

API Gateway puts ``-`` in the place of a variable that a request has no value for.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from contextvars import ContextVar

_LOG = logging.getLogger("local.access")
_VARIABLE = re.compile(r"\$context\.([A-Za-z0-9_.]+)")

_FACTS: ContextVar[dict[str, str] | None] = ContextVar("facts", default=None)


class AccessLog:
    """Writes a line for each request of the API; shared by all requests."""

    def __init__(self, line_format: str) -> None:
        """``line_format`` is empty where the stage writes no access log."""
        self._format = line_format

    def begin(self) -> None:
        """Begin a request; what it turns out to be is noted by `note`."""
        _FACTS.set({})

    def write(self) -> None:
        """Write the line of the request that has ended. A request that was none of the API's has none."""
        facts = _FACTS.get()
        if facts and self._format:
            _LOG.debug("request served", extra=json.loads(render(self._format, facts)))


def note(context: Mapping[str, str]) -> None:
    """Add ``$context`` variables to the current request's."""
    facts = _FACTS.get()
    if facts is not None:
        facts.update(context)


def render(line_format: str, context: Mapping[str, str]) -> str:
    """Return the line for a request with these variables."""
    return _VARIABLE.sub(lambda found: context.get(found[1]) or "-", line_format)
