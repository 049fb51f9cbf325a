"""What a deployed template tells API Gateway, Lambda and SQS, as values. `local.template` reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
    """One method of one resource; ``method`` may be ``ANY``. Either ``function`` or ``mock`` is given."""

    method: str
    path: str
    function: str | None = None
    mock: Mock | None = None
    authorizer: str | None = None
    timeout_s: float = INTEGRATION_TIMEOUT_S


@dataclass(frozen=True, slots=True)
class QueueConsumer:
    """A function fed by a queue; ``max_receives`` is how often a message is tried (None: for ever)."""

    queue: str
    function: str
    batch_size: int
    delay_s: float
    visibility_s: float
    max_receives: int | None


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
