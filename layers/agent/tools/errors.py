"""Tool errors in the form a model may see: a code from a closed list and a sentence."""

from __future__ import annotations

import logging
from typing import Literal

from conversation.errors import Conflict, DomainError, Forbidden, Invalid, NotFound
from storage.errors import StorageUnavailable

LOG = logging.getLogger(__name__)

ErrorCode = Literal[
    "invalid_arguments",
    "unknown_tool",
    "timeout",
    "too_large",
    "not_allowed",
    "needs_approval",
    "math_error",
    "url_blocked",
    "scheme_blocked",
    "result_invalid",
    "unavailable",
    "unreachable",
    "certificate_invalid",
    "not_found",
    "failed",
    "sign_in_needed",
    "try_later",
]

_KINDS: tuple[tuple[type[DomainError], ErrorCode], ...] = (
    (NotFound, "not_found"),
    (Forbidden, "not_allowed"),
    (Invalid, "invalid_arguments"),
    (Conflict, "not_allowed"),
)


class ToolError(Exception):
    """A tool call failed. The message is for the model and may be shown to the user."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message


def as_tool_error(error: Exception) -> ToolError:
    """Converts any exception of a tool to a `ToolError`; an unexpected one is logged, its details hidden."""
    if isinstance(error, ToolError):
        return error
    if isinstance(error, DomainError):
        if isinstance(error, Conflict) and error.retry_after_s is not None:
            return ToolError("try_later", str(error))
        codes = (code for kind, code in _KINDS if isinstance(error, kind))
        return ToolError(next(codes, "failed"), str(error))
    if isinstance(error, StorageUnavailable):
        return ToolError("unavailable", "The storage can't be reached at the moment; try again later.")
    LOG.error("a tool failed", extra={"error_type": type(error).__name__})
    return ToolError("failed", "The tool failed.")
