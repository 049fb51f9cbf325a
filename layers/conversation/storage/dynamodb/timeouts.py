"""Timeouts and retries of one request to DynamoDB."""

from __future__ import annotations

from typing import NamedTuple


class RequestTimeouts(NamedTuple):
    """Timeouts and retries of one request. A request that conflicts with a transaction is always tried eight
    times.
    """

    attempts: int
    """How often botocore sends a request that is throttled or gets no connection, waiting for seconds at
    most.
    """
    timeout_s: float
    """How long one attempt may wait for a response."""
    connect_timeout_s: float
    retry_for_s: float = 0.0
    """How long our own code resends such a request, with waits of milliseconds; used where botocore does not
    retry.
    """


BACKGROUND_TIMEOUTS = RequestTimeouts(attempts=4, timeout_s=3, connect_timeout_s=1)
"""For background work, which no user waits for."""


def timeouts_within(deadline_s: float) -> RequestTimeouts:
    """Timeouts for a request that must end within the deadline, with a result or an error.

    An attempt that hangs is the last one: it starts in the first third of the deadline and takes the other
    two thirds at most.
    """
    rest_s = deadline_s * 2 / 3
    return RequestTimeouts(attempts=1, timeout_s=rest_s, connect_timeout_s=rest_s, retry_for_s=deadline_s / 3)
