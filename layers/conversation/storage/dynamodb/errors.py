"""Interprets DynamoDB's error responses: whether to send the request again, or which of our errors to raise.

Works on responses as botocore parsed them. DynamoDB's error texts are not passed on, because some of them
quote values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storage.dynamodb.attribute_values import from_wire
from storage.errors import (
    ConditionRefused,
    InvalidRequest,
    LimitExceeded,
    StorageError,
    StorageMisconfigured,
    StorageUnavailable,
    StorageUnreachable,
    TransactionRefused,
)
from storage.items import upgrade
from storage.table import Item

_CANCELLED = "TransactionCanceledException"
_CONFLICTS = frozenset(("TransactionConflictException", "TransactionInProgressException"))
_PASSING_REASONS = frozenset(
    ("TransactionConflict", "TransactionInProgress", "ThrottlingError", "ProvisionedThroughputExceeded")
)
_THROTTLED = frozenset(
    (
        "LimitExceededException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingException",
    )
)


def is_transaction_conflict(answer: Mapping[str, Any]) -> bool:
    """Whether the request conflicted with a transaction, so that it may succeed in a moment.

    botocore retries a throttled request, but not one that conflicted with a transaction, nor a transaction
    with a throttled action.
    """
    if _code(answer) != _CANCELLED:
        return _code(answer) in _CONFLICTS
    reasons = {reason.get("Code", "None") for reason in answer.get("CancellationReasons", ())}
    return bool(reasons & _PASSING_REASONS) and reasons <= _PASSING_REASONS | {"None"}


def is_transient(answer: Mapping[str, Any]) -> bool:
    """Whether the request was throttled or failed with a server error. botocore retries these where it is
    configured to.
    """
    status = answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return _code(answer) in _THROTTLED or status >= 500


def to_storage_error(answer: Mapping[str, Any]) -> StorageError:
    """The error to raise for a final response."""
    code = _code(answer)
    if code == "ConditionalCheckFailedException":
        return ConditionRefused(_old(answer))
    if code == _CANCELLED:
        return _cancelled(answer.get("CancellationReasons", ()))
    if code == "ValidationException":
        return _invalid(str(answer["Error"].get("Message", "")))
    status = answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if code in _CONFLICTS | _THROTTLED:
        return StorageUnavailable(f"DynamoDB answered {code!r}")
    if status >= 500:
        return StorageUnreachable(f"DynamoDB answered {code!r}")
    return StorageMisconfigured(f"DynamoDB answered {code!r}")


def _code(answer: Mapping[str, Any]) -> str:
    return str(answer.get("Error", {}).get("Code", ""))


def _cancelled(reasons: list[Mapping[str, Any]]) -> StorageError:
    refused = {
        place: _old(reason)
        for place, reason in enumerate(reasons)
        if reason.get("Code") == "ConditionalCheckFailed"
    }
    if refused:
        return TransactionRefused(refused)
    for reason in reasons:
        if reason.get("Code") == "ValidationError":
            return _invalid(str(reason.get("Message", "")))
    return StorageUnavailable("the transaction was cancelled")


def _invalid(message: str) -> StorageError:
    if "exceed" in message:
        return LimitExceeded("DynamoDB found the request too large")
    return InvalidRequest("DynamoDB can't carry out this request on what is stored")


def _old(answer: Mapping[str, Any]) -> Item | None:
    item = answer.get("Item")
    return upgrade(from_wire(item)) if item else None
