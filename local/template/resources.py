"""Value classes for the resources of a deployed template. `local.template.interpreter` creates them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

INTEGRATION_TIMEOUT_S = 29.0


@dataclass(frozen=True, slots=True)
class Function:
    """One Lambda function. ``folder`` is its CodeUri, ``handler`` the ``module.function`` in that folder."""

    name: str
    folder: str
    handler: str
    timeout_s: float
    memory_mb: int
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Authorizer:
    """A Lambda authorizer; ``ttl_s`` 0 means that its results are not cached."""

    name: str
    function: str
    by_token: bool
    identity_sources: tuple[str, ...]
    validation: str | None
    ttl_s: int


@dataclass(frozen=True, slots=True)
class GatewayResponse:
    """The template for one kind of gateway response; ``status`` None keeps the kind's own status."""

    status: int | None
    headers: Mapping[str, str]
    templates: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MockResponse:
    """A fixed response that the gateway sends without a function, as for CORS preflights."""

    status: int
    headers: Mapping[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class Throttle:
    """A token bucket's refill rate in requests per second, and its size."""

    rate: float
    burst: int


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one resource; ``method`` may be ``ANY``. Either ``function`` or ``mock`` is given.

    ``timeout_s`` limits the whole response, also when it ``is_streamed``.
    """

    method: str
    path: str
    function: str | None = None
    mock: MockResponse | None = None
    authorizer: str | None = None
    timeout_s: float = INTEGRATION_TIMEOUT_S
    is_streamed: bool = False


@dataclass(frozen=True, slots=True)
class QueueConsumer:
    """A function fed by a queue. A message is delivered at most ``max_receives`` times (None: unlimited).

    ``target`` is the queue's address, in the form of the settings.
    """

    queue: str
    function: str
    batch_size: int
    delay_s: float
    visibility_s: float
    max_receives: int | None
    target: str = ""
    is_fifo: bool = True


@dataclass(frozen=True, slots=True)
class StreamConsumer:
    """A function fed by a table's stream with the writes that match one of the filters (no filters: all).

    ``target`` is the table's address, in the form of the settings. Of ``lanes`` batches at once, each has
    items of its own. A batch that fails is halved if it ``bisects``. What still fails after ``max_retries``
    (None: unlimited) or ``max_age_s`` becomes dead letters.
    """

    table: str
    target: str
    function: str
    batch_size: int
    filters: tuple[Mapping[str, Any], ...]
    max_age_s: float
    max_retries: int | None = None
    bisects: bool = False
    lanes: int = 1


@dataclass(frozen=True, slots=True)
class Rule:
    """A function that is invoked periodically."""

    name: str
    function: str
    every_s: float


@dataclass(frozen=True, slots=True)
class PageDelivery:
    """How CloudFront delivers the page: the headers it adds, and the patterns of paths that go to the API.

    In a pattern, ``*`` stands for any characters and ``?`` for one.
    """

    headers: Mapping[str, str]
    api_patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stack:
    """Everything that the twin reads from the template."""

    stage: str
    routes: tuple[Route, ...]
    authorizers: Mapping[str, Authorizer]
    gateway_responses: Mapping[str, GatewayResponse]
    throttles: Mapping[tuple[str, str], Throttle]
    binary_types: tuple[str, ...]
    functions: Mapping[str, Function]
    consumers: tuple[QueueConsumer, ...] = ()
    streams: tuple[StreamConsumer, ...] = ()
    rules: tuple[Rule, ...] = ()
    page: PageDelivery = PageDelivery({}, ())
    access_log_format: str = ""
    """A line of the gateway's access log with its ``$context`` variables; empty: there is no such log."""
