"""Handlers for tests of a gateway: each echoes its input or misbehaves in one way."""

from __future__ import annotations

import json
import threading
from typing import Any

Event = dict[str, Any]

authorizer_calls: list[Event] = []
batches: list[list[str]] = []
released = threading.Event()


def echo(event: Event, context: Any) -> Event:
    """Return the event and the context's values in the body."""
    seen = {
        "event": event,
        "function": context.function_name,
        "left_ms": context.get_remaining_time_in_millis(),
    }
    return {
        "statusCode": 201,
        "headers": {"X-One": "1", "WWW-Authenticate": "Bearer"},
        "multiValueHeaders": {"Set-Cookie": ["a=1", "b=2"]},
        "body": json.dumps(seen),
    }


def crash(event: Event, context: Any) -> Event:
    """Raise an exception that quotes the input, as careless code does."""
    raise ValueError(str(event["body"]))


def nonsense(event: Event, context: Any) -> Any:
    """Return something that is not a proxy response."""
    return ["no", "response"]


def hang(event: Event, context: Any) -> Event:
    """Return only when released."""
    released.wait(10)
    return {"statusCode": 200, "body": "late"}


def binary(event: Event, context: Any) -> Event:
    """Return bytes in Base64."""
    return {
        "statusCode": 200,
        "headers": {"Content-Type": "image/png"},
        "body": "iVBORw==",
        "isBase64Encoded": True,
    }


def authorize(event: Event, context: Any) -> Event:
    """Allow, deny or fail, depending on the token."""
    authorizer_calls.append(event)
    word = event["authorizationToken"].removeprefix("Bearer ")
    if word == "unauthorized":
        raise PermissionError("Unauthorized")
    if word == "broken":
        raise RuntimeError("no keys")
    effect = "Deny" if word == "deny" else "Allow"
    resource = event["methodArn"].split("/")[0] + ("/*/GET/*" if word == "readonly" else "/*")
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": resource}
    return {
        "principalId": word,
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": {"tenant": "acme", "code": "tenant_inactive", "exp": 17, "trusted": True},
    }


def finish(event: Event, context: Any) -> Event:
    """Record the batch and report as failed the entries that ask for it."""
    batches.append([record["body"] for record in event["Records"]])
    failed = [record["messageId"] for record in event["Records"] if "fail" in record["body"]]
    return {"batchItemFailures": [{"itemIdentifier": number} for number in failed]}
