"""JSON-RPC 2.0 as A2A speaks it: calls, results, and errors with A2A's numbers.

Source: `JSON_RPC_ERROR_CODE_MAP` of the package `a2a-sdk`, 1.3, and the specification's section 9.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from pydantic import JsonValue

from edge.http.problems import STATUSES, Problem

CallId: TypeAlias = str | int | None
MAX_CALL_ID = 255

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = (
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
)
REFUSED = -32000
"""Of those that are left to servers: who asks may not, or not now."""
TASK_NOT_FOUND = -32001
TASK_NOT_CANCELABLE = -32002
PUSH_NOTIFICATION_NOT_SUPPORTED = -32003
UNSUPPORTED_OPERATION = -32004
CONTENT_TYPE_NOT_SUPPORTED = -32005
EXTENDED_AGENT_CARD_NOT_CONFIGURED = -32007
VERSION_NOT_SUPPORTED = -32009

_REASONS = {
    PARSE_ERROR: "PARSE_ERROR",
    INVALID_REQUEST: "INVALID_REQUEST",
    METHOD_NOT_FOUND: "METHOD_NOT_FOUND",
    INVALID_PARAMS: "INVALID_PARAMS",
    INTERNAL_ERROR: "INTERNAL_ERROR",
    REFUSED: "REFUSED",
    TASK_NOT_FOUND: "TASK_NOT_FOUND",
    TASK_NOT_CANCELABLE: "TASK_NOT_CANCELABLE",
    PUSH_NOTIFICATION_NOT_SUPPORTED: "PUSH_NOTIFICATION_NOT_SUPPORTED",
    UNSUPPORTED_OPERATION: "UNSUPPORTED_OPERATION",
    CONTENT_TYPE_NOT_SUPPORTED: "CONTENT_TYPE_NOT_SUPPORTED",
    EXTENDED_AGENT_CARD_NOT_CONFIGURED: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
    VERSION_NOT_SUPPORTED: "VERSION_NOT_SUPPORTED",
}
_NOT_READ = frozenset(
    {
        "json_invalid",
        "json_too_deep",
        "json_duplicate_key",
        "json_number_range",
        "body_encoding",
        "unicode_invalid",
        "unicode_control",
    }
)
_NOT_A_CALL = frozenset({"body_missing", "body_not_object", "body_too_large", "unsupported_media_type"})
_NOT_THERE = frozenset({"turn_not_found", "conversation_not_found", "run_not_found"})
_BY_STATUS = frozenset({401, 403, 429})
"""Statuses that clients know by themselves; what else is wrong with a call is an answer to it, 200."""


class Call(NamedTuple):
    """A call of a method."""

    id: CallId
    method: str
    params: Mapping[str, JsonValue]


class CallRefused(Exception):
    """An error of A2A that the API has no problem for."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number
        self.message = message


def parse_call(body: Mapping[str, JsonValue]) -> Call:
    """The call of a request.

    Raises:
        CallRefused: it is none.
    """
    call_id, method, params = call_id_of(body), body.get("method"), body.get("params", {})
    if body.get("jsonrpc") != "2.0":
        raise CallRefused(INVALID_REQUEST, 'jsonrpc: "2.0" is expected.')
    if call_id is None and body.get("id") is not None:
        raise CallRefused(
            INVALID_REQUEST, f"id: a text of up to {MAX_CALL_ID} characters or a whole number is expected."
        )
    if not isinstance(method, str):
        raise CallRefused(INVALID_REQUEST, "method: a name is expected.")
    if not isinstance(params, dict):
        raise CallRefused(INVALID_PARAMS, "params: an object is expected.")
    return Call(call_id, method, params)


def call_id_of(body: Mapping[str, JsonValue]) -> CallId:
    """The id of a call; None where it has none that can be given back."""
    sent = body.get("id")
    if isinstance(sent, str):
        return sent if len(sent) <= MAX_CALL_ID else None
    return sent if type(sent) is int else None


def result_of(call_id: CallId, result: Any) -> Mapping[str, Any]:
    """The answer to a call."""
    return {"jsonrpc": "2.0", "id": call_id, "result": result}


def error_of(call_id: CallId, number: int, message: str, code: str | None = None) -> Mapping[str, Any]:
    """The answer to a call that is refused. ``code`` is that of the API's problem."""
    info = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": _REASONS[number],
        "domain": "a2a-protocol.org",
        "metadata": {} if code is None else {"code": code},
    }
    return {"jsonrpc": "2.0", "id": call_id, "error": {"code": number, "message": message, "data": [info]}}


def problem_error(call_id: CallId, problem: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer to a call that met a problem, by the problem's members."""
    code = problem["code"]
    message = problem.get("detail") or problem["title"]
    return error_of(call_id, _number(code), message, code)


def status_of(problem: Problem) -> int:
    """The HTTP status of the answer to a call that met a problem."""
    return problem.status.value if problem.status in _BY_STATUS or problem.status >= 500 else 200


def _number(code: str) -> int:
    if code in _NOT_READ:
        return PARSE_ERROR
    if code in _NOT_A_CALL:
        return INVALID_REQUEST
    if code in _NOT_THERE:
        return TASK_NOT_FOUND
    if STATUSES[code] in _BY_STATUS:
        return REFUSED
    return INTERNAL_ERROR if STATUSES[code] >= 500 else INVALID_PARAMS


def write_problem(problem: Problem, request_id: str) -> tuple[str, str]:
    """The body of a request that was refused before it was known to be a call."""
    return "application/json", to_json(problem_error(None, json.loads(problem.body(request_id))))


def to_json(answer: Mapping[str, Any]) -> str:
    """An answer as it is sent."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
