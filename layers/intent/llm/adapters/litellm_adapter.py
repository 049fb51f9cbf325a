"""Asks a model through litellm, which knows nearly every vendor. Is given the imported library.

`llm.adapters.registry` decides which models go this way.
"""

from __future__ import annotations

import math
import socket
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from llm.adapters.adapter import ModelAttempt, StreamLink, StreamPiece
from llm.adapters.openai_body import chat_arguments
from llm.catalogue import Catalogue
from llm.errors import ModelOutputInvalid
from llm.request_types import ModelResponse, ToolCall
from llm.spend_guard import estimate_prompt_tokens, estimate_tokens
from llm.streamed_answer import StreamedAnswer
from resilience.trace_context import trace_headers


class LitellmAdapter:
    """A `llm.adapters.adapter.ModelAdapter` for every model that litellm knows."""

    def __init__(self, litellm: Any) -> None:
        self._litellm = litellm

    def complete(self, attempt: ModelAttempt) -> ModelResponse:
        with _as_failure():
            response = self._litellm.completion(**_arguments(attempt))
        return self._to_response(attempt, response)

    def stream(self, attempt: ModelAttempt, link: StreamLink) -> Generator[StreamPiece, None, ModelResponse]:
        answer, usage = StreamedAnswer(), None
        with _as_failure():
            stream = self._litellm.completion(
                **_arguments(attempt), stream=True, stream_options={"include_usage": True}
            )
        link.attach(lambda: _hang_up(stream))
        try:
            while (chunk := _next(stream)) is not None:
                yield StreamPiece(_add(answer, chunk), answer.size)
                usage = getattr(chunk, "usage", None) or usage
        finally:
            link.detach()
            _close(stream)
        return self._to_streamed_response(attempt, answer, stream, usage)

    def price(self, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
        """Return the cost by litellm, which knows far more models than the catalogue; else None."""
        try:
            costs = self._litellm.cost_per_token(
                model=model, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens
            )
        except Exception:  # noqa: BLE001 - only the library's own code runs here, and it raises a bare one
            return None
        return float(sum(costs))

    def _to_response(self, attempt: ModelAttempt, response: Any) -> ModelResponse:
        """Return the answer in a response.

        Raises:
            ModelOutputInvalid: it has neither text nor tool calls, or is malformed.
        """
        cost = self._cost_of(attempt, response)
        message = response.choices[0].message if response.choices else None
        calls = tuple(_tool_call(call) for call in getattr(message, "tool_calls", None) or ())
        text = getattr(message, "content", None)
        if text is None and calls:
            text = ""
        if not isinstance(text, str):
            raise ModelOutputInvalid
        return ModelResponse(
            text=text,
            prompt_tokens=response.usage.prompt_tokens,
            completion_tokens=response.usage.completion_tokens,
            cost_usd=cost,
            tool_calls=calls,
        )

    def _to_streamed_response(
        self, attempt: ModelAttempt, answer: StreamedAnswer, stream: Any, usage: Any
    ) -> ModelResponse:
        """Return the answer of a finished stream, with the usage that the library reports at its end.

        Without a report from the provider, tokens and cost are estimated.

        Raises:
            ModelOutputInvalid: it contains no answer, or the stream ended without a finish reason.
        """
        # For a stream that simply stops, the library invents a finish reason and token counts.
        if not (stream.received_finish_reason or stream.intermittent_finish_reason):
            raise ModelOutputInvalid
        if usage is None or not any(getattr(chunk, "usage", None) for chunk in stream.chunks):
            tokens = estimate_prompt_tokens(attempt.request), estimate_tokens(answer.size)
            return answer.to_response(*tokens, self._listed_price(attempt, *tokens))
        cost = self._cost_of_usage(attempt, usage)
        return answer.to_response(usage.prompt_tokens, usage.completion_tokens, cost)

    def _cost_of(self, attempt: ModelAttempt, response: Any) -> float | None:
        """The cost of an answer. Litellm accounts for cached prompts and the like if it knows the model."""
        cost = response._hidden_params.get("response_cost")  # noqa: SLF001 - documented, and never raises
        if isinstance(cost, float) and not _has_own_price(attempt):
            return cost
        usage = response.usage
        return self._listed_price(attempt, usage.prompt_tokens, usage.completion_tokens)

    def _cost_of_usage(self, attempt: ModelAttempt, usage: Any) -> float | None:
        """The cost of a streamed answer, which reports its usage only at the end."""
        try:
            costs = self._litellm.cost_per_token(model=attempt.model, usage_object=usage)
        except Exception:  # noqa: BLE001 - only the library's own code runs here, and it raises a bare one
            costs = None
        if costs is None or _has_own_price(attempt):
            return self._listed_price(attempt, usage.prompt_tokens, usage.completion_tokens)
        return float(sum(costs))

    def _listed_price(
        self, attempt: ModelAttempt, prompt_tokens: int, completion_tokens: int
    ) -> float | None:
        if attempt.listed is not None:
            return attempt.listed.cost_usd(prompt_tokens, completion_tokens)
        return self.price(attempt.model, prompt_tokens, completion_tokens)


def _has_own_price(attempt: ModelAttempt) -> bool:
    """Whether the deployment describes the model otherwise than we do, whose prices are litellm's."""
    return attempt.listed is not None and attempt.listed != Catalogue.load().find(attempt.model)


def _arguments(attempt: ModelAttempt) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        **chat_arguments(attempt.request),
        "model": attempt.model,
        "timeout": _rounded_up(attempt.timeout_s),
        "max_retries": 0,
        "drop_params": True,
        "_skip_mcp_handler": True,  # would import mcp when there are tools or a schema
    }
    if headers := trace_headers():
        arguments["extra_headers"] = headers
    return arguments if attempt.api_key is None else {**arguments, "api_key": attempt.api_key}


def _add(answer: StreamedAnswer, chunk: Any) -> str:
    """Add a chunk and return the text it contains; empty when it contains none."""
    delta = chunk.choices[0].delta if chunk.choices else None
    for call in getattr(delta, "tool_calls", None) or ():
        name = getattr(call.function, "name", None) or ""
        answer.add_call(call.index, call.id, name, getattr(call.function, "arguments", None) or "")
    answer.add_thinking(getattr(delta, "reasoning_content", None) or "")
    text = getattr(delta, "content", None)
    if not isinstance(text, str):
        return ""
    answer.add_text(text)
    return text


def _tool_call(call: Any) -> ToolCall:
    match call.id, call.function.name, call.function.arguments:
        case str(id), str(name), str(arguments):
            return ToolCall(id, name, arguments)
        case _:
            raise ModelOutputInvalid


@contextmanager
def _as_failure() -> Iterator[None]:
    """Converts exceptions of the library to our own errors."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - only the library's own code runs here
        from llm.adapters.litellm_errors import to_model_error

        failure = to_model_error(error)
        failure.cause_name = type(error).__name__
        raise failure from None  # the provider's message may quote the prompt


def _next(stream: Any) -> Any:
    with _as_failure():
        return next(stream, None)


def _hang_up(stream: Any) -> None:
    """Wake the thread that reads the stream, if the transport is a known one. That thread closes the stream.

    With any other transport, the thread wakes at the call's timeout or at the next event.
    """
    source = stream.completion_stream
    response = getattr(source, "response", None) or getattr(source, "http_response", None)
    network = getattr(response, "extensions", {}).get("network_stream")
    if network is not None:
        with suppress(OSError):
            network.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def _close(stream: Any) -> None:
    """Release the connection of a stream that was not read to its end."""
    close = getattr(stream.completion_stream, "close", None)
    if close is not None:
        with suppress(Exception):  # the answer is complete, or why it is not is known
            close()


def _rounded_up(seconds: float) -> float:
    """Rounds up to one digit: the library keeps a client with its own connections per timeout value."""
    unit = 10.0 ** math.floor(math.log10(seconds))
    return round(math.ceil(seconds / unit) * unit, 6)
