"""The port to a model: one attempt at one answer.

`llm.completion` sees to deadlines, retries, budgets and circuit breakers; an adapter only speaks a protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from llm.catalogue import Model
from llm.request_types import ModelRequest, ModelResponse


class StreamPiece(NamedTuple):
    """What arrived of a streamed answer."""

    text: str
    """More of the answer's text; often empty."""
    received_bytes: int
    """Bytes of the answer so far, tool calls and visible thinking included."""


class StreamLink(Protocol):
    """Lets the thread that waits for a stream interrupt the one that reads it."""

    def attach(self, hang_up: Callable[[], None]) -> None:
        """Register ``hang_up``, which wakes the reading thread."""

    def detach(self) -> None:
        """Unregister ``hang_up``, before the connection may serve another call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAttempt:
    """One attempt at one answer."""

    request: ModelRequest
    model: str
    """The id, as the catalogue and litellm have it."""
    listed: Model | None
    """The catalogue's entry for it; None: it has none."""
    api_key: str | None
    """None: the adapter finds the credentials itself, or there are none."""
    timeout_s: float
    """How long the server may be silent."""
    total_s: float
    """How long the attempt may take in all."""


class ModelAdapter(Protocol):
    """A protocol that models are asked by. Thread-safe. Every failure is a `llm.errors.ModelUnavailable`."""

    def complete(self, attempt: ModelAttempt) -> ModelResponse:
        """Return the answer in one piece.

        Raises:
            ModelUnavailable: no answer; carries the reason.
        """

    def stream(self, attempt: ModelAttempt, link: StreamLink) -> Generator[StreamPiece, None, ModelResponse]:
        """Yield what arrives, then return the complete answer. Closing the generator hangs up.

        Raises:
            ModelUnavailable: no complete answer; carries the reason.
        """

    def price(self, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
        """Return the cost in US dollars of a model outside the catalogue; None when it is unknown."""
