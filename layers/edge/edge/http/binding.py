"""The arguments of a route function, taken from the request according to its signature.

Powertools' own validation runs before anything else can, coerces types, and lets some bodies escape as
exceptions. This module reads requests within our own limits instead. A signature may hold path parameters,
query and header parameters, one body, and dependencies on the request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aws_lambda_powertools.event_handler import Request
from aws_lambda_powertools.event_handler.openapi.compat import ModelField
from aws_lambda_powertools.event_handler.openapi.params import Dependant
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from edge.http import json_body as payloads
from edge.http import request_models as models
from edge.http.problems import STATUSES, Problem

MAX_QUERY_CHARACTERS = 8_192


def bind(signature: Dependant, request: Request, event: APIGatewayProxyEvent) -> dict[str, Any]:
    """The arguments of a route function, except those of its path. Dependencies come first, so the caller is
    known before anything they sent is read.

    Raises:
        Problem, DomainError: for the first argument that can't be supplied.
    """
    arguments = {needed.param_name: needed.depends.dependency(request) for needed in signature.dependencies}
    arguments |= _query(signature.query_params, event)
    arguments |= _headers(signature.header_params, event)
    for body in signature.body_params:
        arguments[body.name] = _body(body, event)
    return arguments


def _query(fields: Sequence[ModelField], event: APIGatewayProxyEvent) -> dict[str, Any]:
    sent = event.multi_value_query_string_parameters
    if (
        sum(len(name) + len(value) + 2 for name, values in sent.items() for value in values)
        > MAX_QUERY_CHARACTERS
    ):
        raise Problem("query_too_long", f"The query may have {MAX_QUERY_CHARACTERS} characters.")
    names = [field.alias for field in fields]
    if not sent.keys() <= set(names):
        raise Problem("query_unknown", f"The query may have these parameters: {', '.join(names) or 'none'}.")
    return {field.name: _one(field, sent.get(field.alias, ()), "query_invalid") for field in fields}


def _headers(fields: Sequence[ModelField], event: APIGatewayProxyEvent) -> dict[str, Any]:
    sent = event.resolved_headers_field
    return {field.name: _one(field, _values(sent, field.alias), "header_invalid") for field in fields}


def _values(headers: Mapping[str, Any], name: str) -> Sequence[str]:
    values = headers.get(name.lower(), ())
    return [values] if isinstance(values, str) else values


def _one(field: ModelField, values: Sequence[str], code: str) -> Any:
    """The parameter's value; a parameter that is sent twice is refused."""
    if not values and not field.required:
        return field.default
    if len(values) != 1:
        raise Problem(code, f"{field.alias}: expected once.")
    value, errors = field.validate(values[0])
    if errors:
        kind = errors[0]["type"]
        raise Problem(kind if kind in STATUSES else code, f"{field.alias}: {errors[0]['msg']}")
    return value


def _body(field: ModelField, event: APIGatewayProxyEvent) -> Any:
    body = event.body
    if body:
        _require_json(event)
    members = payloads.parse_object(body, is_base64=bool(event.is_base64_encoded))
    return models.parse_body(field.type_, members)


def _require_json(event: APIGatewayProxyEvent) -> None:
    media_type = event.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Problem("unsupported_media_type", "The body must be application/json.")
