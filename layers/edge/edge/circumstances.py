"""What a request for a turn tells besides who asks and what they say."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from aws_lambda_powertools.event_handler import Request
from aws_lambda_powertools.event_handler.depends import Depends

from edge.api import request_id, seconds_left
from edge.identity import claimed_time_zone, keeps_history


class Circumstances(NamedTuple):
    """Under which a message is answered."""

    time_zone: str | None
    """Where the token says that the user lives."""
    seconds_left: float
    """How long the answer may take."""
    trace_id: str
    keeps_history: bool
    """Whether the tenant has conversations stored."""


def circumstances(request: Request) -> Circumstances:
    """Those of the request at hand."""
    return Circumstances(
        claimed_time_zone(request), seconds_left(request), request_id(request), keeps_history(request)
    )


Asked = Annotated[Circumstances, Depends(circumstances)]
