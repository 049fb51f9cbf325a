"""Problems in the form of OpenAI's errors: the body ``{"error": {...}}``, and the fields of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from edge.http.problems import STATUSES, Problem
from edge.http.request_models import code_of

ModelT = TypeVar("ModelT", bound=BaseModel)

_CODES = {"model_unknown": "model_not_found", "rate_limited": "rate_limit_exceeded"}
"""The codes that clients of OpenAI know by another name."""
_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


def write_problem(problem: Problem, request_id: str) -> tuple[str, str]:
    """The body of a refused request."""
    described = json.loads(problem.body(request_id))
    return "application/json", json.dumps({"error": error_fields(described)}, ensure_ascii=False)


def error_fields(problem: Mapping[str, Any]) -> Mapping[str, Any]:
    """A problem's members as those of an error. The request's id is in the header X-Request-Id."""
    code, status = problem["code"], STATUSES[problem["code"]]
    kind = _TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
    return {
        "message": problem.get("detail") or problem["title"],
        "type": kind,
        "param": problem.get("param"),
        "code": _CODES.get(code, code),
    }


def invalid(param: str, detail: str, code: str = "field_invalid") -> Problem:
    """The problem of one parameter."""
    return Problem(code, f"{param}: {detail}", members={"param": param})


def validated(model: type[ModelT], value: object) -> ModelT:
    """The body of a request as its model.

    Raises:
        Problem: for the first member that has another form.
    """
    try:
        return model.model_validate(value)
    except ValidationError as refused:
        error = refused.errors(include_url=False, include_input=False)[0]
        param = str(error["loc"][0]) if error["loc"] else "body"
        raise invalid(param, error["msg"].removeprefix("Value error, "), code_of(error)) from None
