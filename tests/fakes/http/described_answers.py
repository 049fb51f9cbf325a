"""Checks every answer of the API against its own description, whoever asked for it.

`tests.fakes.deployment.functions.load` checks what functions answer in the test's process, `api_client`
what comes over HTTP. A test fails by an answer with a status, a media type or a field that
``openapi.json`` does not have, and by one that lacks a required field. Neither requests are checked nor
paths that the description leaves out, such as ``/mcp``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, Protocol

import httpx
from jsonschema_rs import Draft202012Validator, ValidationError

from tests.fakes.run.api_operations import resolve_reference

PATH = Path(__file__).parents[3] / "layers/edge/edge/routes/openapi.json"
JSON = "application/json"
PROBLEM = "application/problem+json"
PROBLEM_SCHEMA = {"$ref": "#/components/schemas/Problem"}
NO_ROUTE = "route_not_found"
"""What a function answers that does not have the operation, or anyone to a path that there is not."""
EVENTS = "text/event-stream"
LINES = "application/jsonl"
OWN_HEADERS = frozenset({"idempotency-replayed", "location", "next-cursor", "retry-after"})
"""The headers that an answer's description has to name; those of every answer are not described."""
_undescribed: list[str] = []
"""What was found. `tests/conftest.py` fails the test that it was found in, even if nobody saw the error."""


class AnswerUndescribed(AssertionError):
    """An answer differs from the description; the message says where."""


class AnswerCheck:
    """Checks one answer, whose body may come in parts: the frames of a stream are checked as they come."""

    def __init__(self, method: str, path: str, status: int, headers: Mapping[str, str]) -> None:
        """``headers`` has lower-case names."""
        self._name = f"{method} {path}: {status}"
        self._method = method
        self._operation = _operation(method, path)
        self._status, self._headers = status, headers
        self._media_type = headers.get("content-type", "").partition(";")[0]
        self._waiting = b""

    def add(self, part: bytes) -> None:
        """Check what the part completes."""
        self._waiting += part
        if self._operation is None or self._media_type != EVENTS:
            return
        *blocks, self._waiting = self._waiting.split(b"\n\n")
        for block in blocks:
            if not block.startswith(b":"):
                self._validate(self._schema(self._operation), _frame(block.decode()))

    def end(self) -> None:
        """Check the answer, whose body is whole now."""
        values = [] if self._media_type == EVENTS else list(_values(self._media_type, self._waiting))
        if self._operation is None or (self._media_type == PROBLEM and NO_ROUTE.encode() in self._waiting):
            schema: Mapping[str, Any] | None = PROBLEM_SCHEMA if self._media_type == PROBLEM else None
        else:
            schema = self._schema(self._operation)
        has_body = self._method != "HEAD" and self._media_type not in {EVENTS, LINES}
        if schema is not None and not values and has_body:
            _refuse(f"{self._name}: there is no body")
        for value in values:
            self._validate(schema, value)

    def _schema(self, operation: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The schema of the body, or of a frame or line of it; None for an answer without a body."""
        if str(self._status) not in operation["responses"]:
            _refuse(f"{self._name}: the status is not described")
        described = resolve_reference(_document(), operation["responses"][str(self._status)])
        known = {name.lower() for name in described.get("headers", {})}
        for name in sorted(OWN_HEADERS & self._headers.keys() - known):
            _refuse(f"{self._name}: the header {name} is not described")
        content = described.get("content", {})
        if (content or self._waiting) and self._media_type not in content:
            _refuse(f"{self._name}: {self._media_type!r} is not described")
        return content[self._media_type]["schema"] if content else None

    def _validate(self, schema: Mapping[str, Any] | None, value: Any) -> None:
        if schema is None:
            return
        try:
            _validator(json.dumps(schema)).validate(value)
        except ValidationError as error:
            place = "/".join(map(str, error.instance_path))
            _refuse(f"{self._name}: {place}: {error.message[:500]}")


def take_undescribed() -> list[str]:
    """What was found since the last call."""
    found = list(_undescribed)
    _undescribed.clear()
    return found


class _Handler(Protocol):
    def __call__(self, event: Mapping[str, Any], context: Any) -> Any: ...


def check_function(module: ModuleType) -> ModuleType:
    """The function's app, whose answers to requests are checked from now on."""
    if hasattr(module, "api"):
        for name in {"handler", "stream_handler"} & vars(module).keys():
            setattr(module, name, _checked(getattr(module, name)))
    return module


def api_client(url: str, *, timeout_s: float) -> httpx.Client:
    """A client of the API at the address that checks what it is answered."""
    return httpx.Client(base_url=url, timeout=timeout_s, trust_env=False, transport=_CheckedTransport())


def undescribed_client(url: str, *, timeout_s: float) -> httpx.Client:
    """A client of another API than the described one."""
    return httpx.Client(base_url=url, timeout=timeout_s, trust_env=False)


def check_answer(method: str, path: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
    """Check an answer that is there as a whole."""
    check = AnswerCheck(method, path, status, {name.lower(): value for name, value in headers.items()})
    check.add(body)
    check.end()


def check_function_answer(event: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    """Check what a function has returned for an event of the gateway."""
    if answer["isBase64Encoded"]:
        return  # a file of the page /docs, which is not described
    headers = _headers(answer["multiValueHeaders"])
    body = (answer["body"] or "").encode()
    check_answer(event["httpMethod"], event["path"], int(answer["statusCode"]), headers, body)


class _CheckedTransport(httpx.HTTPTransport):
    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        assert isinstance(response.stream, httpx.SyncByteStream)
        check = AnswerCheck(request.method, request.url.path, response.status_code, response.headers)
        response.stream = _CheckedBody(response.stream, check)
        return response


class _CheckedBody(httpx.SyncByteStream):
    def __init__(self, body: httpx.SyncByteStream, check: AnswerCheck) -> None:
        self._body, self._check = body, check

    def __iter__(self) -> Iterator[bytes]:
        for part in self._body:
            self._check.add(part)
            yield part
        self._check.end()

    def close(self) -> None:
        self._body.close()


def _checked(handler: _Handler) -> _Handler:
    def answer(event: Mapping[str, Any], context: Any) -> Any:
        response = handler(event, context)
        if "httpMethod" not in event:
            return response
        if hasattr(response, "chunks"):
            headers = _headers(response.headers)
            check = AnswerCheck(event["httpMethod"], event["path"], response.status, headers)
            return response._replace(chunks=_checked_parts(response.chunks, check))
        check_function_answer(event, response)
        return response

    return answer


def _checked_parts(parts: Iterator[bytes], check: AnswerCheck) -> Iterator[bytes]:
    for part in parts:
        check.add(part)
        yield part
    check.end()


def _headers(headers: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {name.lower(): ", ".join(values) for name, values in headers.items()}


def _frame(block: str) -> dict[str, Any]:
    fields = [line.partition(": ")[::2] for line in block.split("\n")]
    named = dict(fields)
    data = "\n".join(value for name, value in fields if name == "data")
    return {"id": int(named["id"]), "event": named["event"], "data": json.loads(data)}


def _values(media_type: str, body: bytes) -> Iterator[Any]:
    """The values in a whole body that have to fit the schema of its media type."""
    if not body:
        return  # API Gateway gives an answer without a body a media type, too
    if media_type == LINES:
        yield from map(json.loads, body.splitlines())
    elif media_type in {JSON, PROBLEM}:
        yield json.loads(body)
    else:
        yield body.decode(errors="replace")


def _refuse(text: str) -> NoReturn:
    _undescribed.append(text)
    raise AnswerUndescribed(text)


def _operation(method: str, path: str) -> Mapping[str, Any] | None:
    """The described operation; a path without parameters goes before one with."""
    found = [methods for pattern, methods in _paths() if pattern.fullmatch(path)]
    return found[0].get(method.lower()) if found else None


@cache
def _document() -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads(PATH.read_text("utf-8"))
    return document


@cache
def _paths() -> Sequence[tuple[re.Pattern[str], Mapping[str, Any]]]:
    paths = sorted(_document()["paths"].items(), key=lambda each: each[0].count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), methods) for path, methods in paths]


@cache
def _validator(schema: str) -> Draft202012Validator:
    components = {"schemas": _closed(_document()["components"]["schemas"])}
    return Draft202012Validator(json.loads(schema) | {"components": components}, validate_formats=True)


def _closed(schema: Any) -> Any:
    """The schema with every object limited to the fields that it lists."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(each) for name, each in schema.items()}
    if isinstance(closed.get("properties"), dict) and closed.get("type") == "object":
        closed.setdefault("additionalProperties", False)
    return closed
