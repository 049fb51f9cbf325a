"""The OpenAPI document of the whole API, generated from the routes of all functions.

``python -m local.openapi`` writes it to the file that `edge.routes.docs` serves. A test checks that the
committed file matches the routes.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from edge.http import problems
from edge.http.problems import STATUSES
from edge.http.resolver import HttpApi
from edge.routes import docs, exports
from edge.streaming.frame_views import TurnEvent
from edge.views.base import ProblemView

FUNCTIONS = ("chat", "conversations", "workspace", "tenants", "mcp")
PATH = Path(docs.__file__).with_name("openapi.json")

_ENVIRONMENT = {
    "OMNIFORGE_STAGE": "local",
    "OMNIFORGE_TABLE": "sqlite:///:memory:",
    "OMNIFORGE_INTENT_MODEL": "",
}
_COMPONENT = "#/components/schemas/{model}"
_POWERTOOLS_OWN = ("HTTPValidationError", "ValidationError", "ResponseValidationError")
_OF_THE_GATEWAY = {
    HTTPStatus.FORBIDDEN: ("request_blocked",),
    HTTPStatus.TOO_MANY_REQUESTS: ("quota_exceeded",),
    HTTPStatus.SERVICE_UNAVAILABLE: ("service_unavailable",),
    HTTPStatus.GATEWAY_TIMEOUT: ("timeout",),
}
"""Problem codes that only the template's gateway responses use."""
_RETRY_AFTER = {
    "Retry-After": {
        "description": "Seconds until it may succeed.",
        "schema": {"type": "integer", "minimum": 1},
    }
}
_REPEATABLE = frozenset({HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_LOCATION = {
    "Location": {
        "description": "The path of what was made, or of what will become of it.",
        "schema": {"type": "string"},
    }
}
_REPLAYED = {
    "Idempotency-Replayed": {
        "description": "`true`: what an earlier request with the same key made or said.",
        "schema": {"const": "true", "type": "string"},
    }
}
_NEXT_CURSOR = {
    exports.NEXT_CURSOR: {
        "description": "Where the file goes on; absent on its last page.",
        "schema": {"type": "string"},
    }
}
_MADE = ("201", "202")
_PROMISE = "#/components/schemas/AcceptedView"
_UNDER_A_MESSAGE = "/messages/{message_id}"
_SIGN_INS = "/sign-ins"
_FILES = "/v1/attachments"


def build_document() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of all functions together."""
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {"Problem": ProblemView.model_json_schema()}
    frames = TypeAdapter[Any](TurnEvent).json_schema(ref_template=_COMPONENT, mode="serialization")
    streamed = frames.pop("$defs") | {"TurnEvent": frames}
    for api in _apis():
        one = json.loads(api.get_openapi_json_schema(title="OmniForge", version="1"))
        for path, operations in one["paths"].items():
            paths.setdefault(path, {}).update(operations)
        _add(schemas, one["components"]["schemas"])
    schemas = streamed | schemas
    for path, method, operation in _operations(paths):
        _complete(path, method, operation, schemas)
    for name in _POWERTOOLS_OWN:
        schemas.pop(name, None)
    return _document(paths, schemas)


def write_document() -> None:
    """Write the document to the file it is served from."""
    PATH.write_text(json.dumps(build_document(), indent=1, ensure_ascii=False) + "\n")


def _apis() -> Iterator[HttpApi]:
    # A function reads its settings while it is imported. Any values do: the routes don't depend on them.
    os.environ.update({name: value for name, value in _ENVIRONMENT.items() if name not in os.environ})
    for name in FUNCTIONS:
        yield importlib.import_module(f"functions.{name}.app").api


def _add(schemas: dict[str, Any], more: dict[str, Any]) -> None:
    """Add schemas to the document's.

    Raises:
        AssertionError: two different schemas have the same name, so one would replace the other.
    """
    for name, schema in more.items():
        if schemas.setdefault(name, schema) != schema:
            raise AssertionError(f"two schemas are called {name!r}: rename one of the classes")


def _operations(paths: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, operations in paths.items():
        for method, operation in operations.items():
            yield path, method, operation


def _complete(path: str, method: str, operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    responses = operation["responses"]
    if "204" in responses:
        responses["204"] = {"description": "Done; there is nothing to say."}
    for status in responses.keys() & {"200", *_MADE}:
        headers = dict(_headers(path, status, operation))
        if headers:
            responses[status]["headers"] = headers
    for status in sorted(_refusals(path, method, operation, schemas)):
        responses.setdefault(str(status.value), {"$ref": f"#/components/responses/{_name(status)}"})


def _headers(path: str, status: str, operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the headers that an answer may have besides those of every answer."""
    if status in _MADE:
        yield from _LOCATION.items()
    if _PROMISE in json.dumps(operation["responses"][status]):
        yield from _RETRY_AFTER.items()
    elif _has(operation, "Idempotency-Key") and "text/event-stream" not in _media_types(operation, status):
        yield from _REPLAYED.items()
    if path.endswith("/export"):
        yield from _NEXT_CURSOR.items()


def _media_types(operation: dict[str, Any], status: str) -> set[str]:
    return set(operation["responses"][status]["content"])


def _refusals(
    path: str, method: str, operation: dict[str, Any], schemas: dict[str, Any]
) -> Iterator[HTTPStatus]:
    """Yield the error statuses of an operation, from the gateway or from our code."""
    yield from (HTTPStatus.BAD_REQUEST, HTTPStatus.TOO_MANY_REQUESTS)
    yield from (HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.GATEWAY_TIMEOUT)
    yield from (HTTPStatus.FORBIDDEN, HTTPStatus.SERVICE_UNAVAILABLE)
    if not path.startswith("/v1/"):
        return
    yield from (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_ACCEPTABLE)
    if "{" in path or _may_name_a_conversation(operation) or _names_in_body(operation, schemas):
        yield HTTPStatus.NOT_FOUND
    if "requestBody" in operation:
        yield from (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    if method != "get":
        yield HTTPStatus.CONFLICT
    if _has(operation, "Idempotency-Key") or _UNDER_A_MESSAGE in path or path.endswith(_SIGN_INS):
        yield HTTPStatus.UNPROCESSABLE_ENTITY
    if path.startswith(_FILES) and method == "post":
        yield HTTPStatus.UNPROCESSABLE_ENTITY


def _has(operation: dict[str, Any], parameter: str) -> bool:
    return any(each["name"].lower() == parameter.lower() for each in operation.get("parameters", ()))


def _may_name_a_conversation(operation: dict[str, Any]) -> bool:
    return _has(operation, "conversation_id") or _has(operation, "Idempotency-Key")


def _names_in_body(operation: dict[str, Any], schemas: dict[str, Any]) -> bool:
    """Whether the body has an id of something that may not be there."""
    content = operation.get("requestBody", {}).get("content", {})
    name = content.get("application/json", {}).get("schema", {}).get("$ref", "").rpartition("/")[2]
    return any(field.endswith("_id") for field in schemas.get(name, {}).get("properties", ()))


def _name(status: HTTPStatus) -> str:
    # Not the status's name: Python renames some of them between versions.
    return f"Problem{status.value}"


def _problem(status: HTTPStatus) -> dict[str, Any]:
    ours = (code for code, known in STATUSES.items() if known == status)
    codes = sorted({*ours, *_OF_THE_GATEWAY.get(status, ())})
    headers = {"headers": _RETRY_AFTER} if status in _REPEATABLE else {}
    return {
        "description": f"Codes: {', '.join(f'`{code}`' for code in codes)}.",
        **headers,
        "content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


def _refused_with(paths: dict[str, Any]) -> list[HTTPStatus]:
    referred = {
        int(status)
        for _, _, operation in _operations(paths)
        for status, response in operation["responses"].items()
        if "$ref" in response
    }
    return [HTTPStatus(status) for status in sorted(referred)]


def _document(paths: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "OmniForge",
            "version": "1",
            "description": "A multi-tenant chat that remembers, understands and acts.",
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "responses": {_name(status): _problem(status) for status in _refused_with(paths)},
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    }


if __name__ == "__main__":
    write_document()
