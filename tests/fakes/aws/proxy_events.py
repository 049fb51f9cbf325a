"""API Gateway events and functions' answers, for tests that invoke functions without a gateway."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from aws_lambda_powertools.utilities.typing import LambdaContext

STAGE = "dev"
FAR_FUTURE = 4_102_444_800
"""The year 2100, so that the tests' tokens don't expire."""


class Context(LambdaContext):
    """The context object of an invocation with 29 seconds left."""

    _function_name = "test"
    _memory_limit_in_mb = 512
    _invoked_function_arn = "arn:aws:lambda:eu-west-1:000000000000:function:test"
    _aws_request_id = "00000000-0000-0000-0000-000000000000"

    @staticmethod
    def get_remaining_time_in_millis() -> int:
        """Milliseconds until the invocation would be stopped."""
        return 29_000


class ExpiringContext(Context):
    """A context with little time left, so that tests of hanging work don't wait long."""

    def __init__(self, millis: int = 700) -> None:
        self._millis = millis

    def get_remaining_time_in_millis(self) -> int:  # type: ignore[override]
        return self._millis


@dataclass(frozen=True)
class Answer:
    """A function's answer."""

    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The problem's code; asserts that the answer is a problem."""
        assert self.headers["content-type"] == "application/problem+json"
        assert self.json["status"] == self.status
        return str(self.json["code"])


def request(
    method: str,
    path: str,
    *,
    body: object = None,
    headers: Mapping[str, str] | None = None,
    tenant: str = "acme",
    user: str = "maya",
    roles: str = "",
    authorized: bool = True,
    base64: bool = False,
) -> dict[str, Any]:
    """Return an authorized event of a REST API. A body that is not text is sent as JSON.

    ``path`` may have the stage in front, as in the header Location.
    """
    path, _, query = path.removeprefix(f"/{STAGE}").partition("?")
    text = body if body is None or isinstance(body, str) else json.dumps(body)
    given = {**({"Content-Type": "application/json"} if text is not None else {}), **(headers or {})}
    parameters: dict[str, list[str]] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        parameters.setdefault(name, []).append(value)
    authorizer = {"tenant": tenant, "user": user, "roles": roles, "exp": str(FAR_FUTURE), "zoneinfo": ""}
    return {
        "resource": path,
        "path": path,
        "httpMethod": method,
        "headers": given,
        "multiValueHeaders": {name: [value] for name, value in given.items()},
        "queryStringParameters": {name: values[-1] for name, values in parameters.items()} or None,
        "multiValueQueryStringParameters": parameters or None,
        "pathParameters": None,
        "stageVariables": None,
        "requestContext": {
            "requestId": "3f8f4f8e-0000-4000-8000-000000000000",
            "stage": STAGE,
            "path": f"/{STAGE}{path}",
            "httpMethod": method,
            "resourcePath": path,
            "authorizer": authorizer if authorized else None,
        },
        "body": text,
        "isBase64Encoded": base64,
    }


def answer(response: Mapping[str, Any]) -> Answer:
    """Convert a handler's result to an answer with lower-case header names."""
    headers = {name.lower(): ", ".join(values) for name, values in response["multiValueHeaders"].items()}
    return Answer(int(response["statusCode"]), headers, str(response["body"]))
