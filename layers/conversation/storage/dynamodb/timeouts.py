"""How long one request to the table may take, tries included. Who gives up is told by whoever composes."""

from __future__ import annotations

from typing import NamedTuple


class Patience(NamedTuple):
    """Times of one request to DynamoDB. What ran into another transaction is tried eight times with any."""

    attempts: int
    """How often boto3 sends a request that is throttled, or finds nobody, with up to seconds between."""
    timeout_s: float
    """How long an attempt may wait for an answer."""
    connect_timeout_s: float
    retry_for_s: float = 0.0
    """How long such a request is sent again by us, with milliseconds between; for where boto3 does not."""


PATIENT = Patience(attempts=4, timeout_s=3, connect_timeout_s=1)
"""For work that nobody waits for."""


def hasty(deadline_s: float) -> Patience:
    """For work that somebody waits for: within the deadline there is an answer, or none is to be had.

    An attempt that hangs is the last one: it is begun in the first third, and takes the other two at most.
    """
    rest_s = deadline_s * 2 / 3
    return Patience(attempts=1, timeout_s=rest_s, connect_timeout_s=rest_s, retry_for_s=deadline_s / 3)
