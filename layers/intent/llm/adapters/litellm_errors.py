"""Conversion of litellm exceptions to our errors. Imports litellm's dependencies, so only calls import it.

Source: observed with litellm 1.106 over HTTP. It reports a refused connection, a reset and a body that is
not JSON all as a server error with status 500; only the chain of causes shows what happened.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import httpx
import openai

from llm.errors import (
    ModelMisconfigured,
    ModelOutputInvalid,
    ModelTimeout,
    ModelUnavailable,
    TransientModelError,
    error_of_status,
    parse_retry_after,
)

_TOO_LATE = (openai.APITimeoutError, httpx.TimeoutException)
_NO_CONNECTION = (openai.APIConnectionError, httpx.TransportError, ConnectionError)


def to_model_error(error: Exception) -> ModelUnavailable:
    """Return the error of ours that corresponds to a litellm exception."""
    causes = list(_causes(error))
    if any(isinstance(cause, _TOO_LATE) for cause in causes):
        return ModelTimeout()
    if any(isinstance(cause, json.JSONDecodeError) for cause in causes):
        return ModelOutputInvalid()
    if any(type(cause) is openai.OpenAIError for cause in causes):
        return ModelMisconfigured("not_configured")  # the client could not be created: no key
    if any(isinstance(cause, _NO_CONNECTION) for cause in causes[1:]):
        was_sent = not any(isinstance(cause, httpx.ConnectError) for cause in causes)
        return TransientModelError("unreachable", was_sent=was_sent)
    return error_of_status(getattr(error, "status_code", None), _retry_after_s(error))


def _retry_after_s(error: Exception) -> float | None:
    headers = getattr(error, "litellm_response_headers", None)
    return parse_retry_after(headers.get("retry-after")) if isinstance(headers, Mapping) else None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
