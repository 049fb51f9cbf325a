"""What a deployed template tells API Gateway, Lambda and SQS, as values. `local.template.interpreter`
reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

INTEGRATION_TIMEOUT_S = 29.0


@dataclass(frozen=True, slots=True)
class Function:
    """One Lambda function; ``folder`` is its CodeUri, ``handler`` its ``module.function`` in there."""

    name: str
    folder: str
    handler: str
    timeout_s: float
    memory_mb: int
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Authorizer:
    """A Lambda authorizer; ``ttl_s`` 0 means its answers are not kept."""

    name: str
    function: str
    by_token: bool
    identity_sources: tuple[str, ...]
    validation: str | None
    ttl_s: int


@dataclass(frozen=True, slots=True)
class GatewayResponse:
    """How the gateway words one kind of its own answers; ``status`` None keeps the one the answer has."""

    status: int | None
    headers: Mapping[str, str]
    templates: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Mock:
    """An answer the gateway gives by itself, as CORS preflights have it."""

    status: int
    headers: Mapping[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class Throttle:
    """A token bucket's refill and size: requests a second, and at once."""

    rate: float
    burst: int


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one resource; ``method`` may be ``ANY``. Either ``function`` or ``mock`` is given.

    ``timeout_s`` is how long the whole answer may take, where it ``is_streamed`` as well.
    """

    method: str
    path: str
    function: str | None = None
    mock: Mock | None = None
    authorizer: str | None = None
    timeout_s: float = INTEGRATION_TIMEOUT_S
    is_streamed: bool = False


@dataclass(frozen=True, slots=True)
class QueueConsumer:
    """A function fed by a queue; ``max_receives`` is how often a message is tried (None: for ever).

    ``target`` is where the queue is, as the settings name it.
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
    """A function fed by the stream of a table, with the writes that match one of the filters (none: all).

    ``target`` is where the table is, as the settings name it; what can't be worked on for ``max_age_s`` is
    dropped.
    """

    table: str
    target: str
    function: str
    batch_size: int
    filters: tuple[Mapping[str, Any], ...]
    max_age_s: float


@dataclass(frozen=True, slots=True)
class Rule:
    """A function that is invoked every so often."""

    name: str
    function: str
    every_s: float


@dataclass(frozen=True, slots=True)
class Delivery:
    """How CloudFront delivers the page: with which headers, and which paths it leaves to the API instead,
    as its patterns (``*`` any characters, ``?`` one).
    """

    headers: Mapping[str, str]
    api_patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stack:
    """All the twin knows of the template."""

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
    page: Delivery = Delivery({}, ())
