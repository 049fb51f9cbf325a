"""Counts what a boto3 DynamoDB client really sends, and what DynamoDB would charge for it.

Units are computed from the items before and after each write and from the items read, by the documented
rules, with every secondary index and transactions twice; an emulator's own figures are never used. Source:
"DynamoDB on-demand capacity" and "Item sizes and formats" in the developer guide; prices of us-east-1 since
November 2024.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import botocore.session

from storage import keys
from storage.sizes import item_bytes
from storage.table import Index, Item
from storage.wire import from_wire

USD_PER_WRITE_UNIT = 0.625e-6
USD_PER_READ_UNIT = 0.125e-6


@dataclass
class Totals:
    """What was sent and what it costs."""

    requests: list[str] = field(default_factory=list)
    write_units: float = 0.0
    read_units: float = 0.0

    @property
    def usd_per_million(self) -> float:
        """The price of a million times the same."""
        return (self.write_units * USD_PER_WRITE_UNIT + self.read_units * USD_PER_READ_UNIT) * 1e6


class Meter:
    """Watches every DynamoDB client that is made while `watching`."""

    def __init__(self) -> None:
        self.totals = Totals()
        self._raw: Any = None
        self._local = threading.local()

    def reset(self) -> None:
        """Count from zero."""
        self.totals = Totals()

    @contextmanager
    def watching(self) -> Iterator[Meter]:
        """Clients made in this block are counted for as long as they live."""
        original = botocore.session.Session.create_client
        meter = self

        def create_client(session: Any, service_name: str, *args: Any, **kwargs: Any) -> Any:
            client = original(session, service_name, *args, **kwargs)
            if service_name == "dynamodb":
                meter._raw = meter._raw or original(session, service_name, *args, **kwargs)
                client.meta.events.register_last("before-send.dynamodb", meter._before)
                client.meta.events.register_last("after-call.dynamodb", meter._after)
            return client

        setattr(botocore.session.Session, "create_client", create_client)  # noqa: B010
        try:
            yield self
        finally:
            setattr(botocore.session.Session, "create_client", original)  # noqa: B010

    def _before(self, request: Any, **_: Any) -> None:
        target = request.headers["X-Amz-Target"]
        operation = (target.decode() if isinstance(target, bytes) else target).split(".")[1]
        body = json.loads(request.body)
        self.totals.requests.append(operation)
        self._local.sent = (
            operation,
            body,
            [(table, key, self._item(table, key)) for table, key in _written(operation, body)],
        )

    def _after(self, http_response: Any, **_: Any) -> None:
        operation, body, before = self._local.sent
        if http_response.status_code >= 300:
            return
        for table, key, old in before:
            new = self._item(table, key)
            self.totals.write_units += _write_units(old, new) * (2 if operation.startswith("Transact") else 1)
            self.totals.write_units += sum(_index_units(old, new, index) for index in keys.INDEXES)
        answer = json.loads(http_response.content or b"{}")
        if operation in ("Query", "GetItem"):
            items = (
                answer.get("Items") or [answer["Item"]] if answer.get("Items") or answer.get("Item") else []
            )
            size = sum(item_bytes(from_wire(item)) for item in items)
            self.totals.read_units += max(1, math.ceil(size / 4096)) * (
                1 if body.get("ConsistentRead") else 0.5
            )

    def _item(self, table: str, key: Any) -> Item | None:
        found = self._raw.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item")
        return from_wire(found) if found else None


def _written(operation: str, body: Any) -> list[tuple[str, Any]]:
    """Table and key of every item an operation writes."""
    if operation == "PutItem":
        return [(body["TableName"], _key_of(body["Item"]))]
    if operation in ("UpdateItem", "DeleteItem"):
        return [(body["TableName"], body["Key"])]
    if operation != "TransactWriteItems":
        return []
    actions = [action for item in body["TransactItems"] for action in item.values()]
    return [(action["TableName"], action.get("Key") or _key_of(action["Item"])) for action in actions]


def _key_of(item: Any) -> Any:
    return {name: item[name] for name in ("pk", "sk")}


def _write_units(old: Item | None, new: Item | None) -> int:
    return max(1, math.ceil(max(item_bytes(old or {}), item_bytes(new or {})) / 1024))


def _index_units(old: Item | None, new: Item | None, index: Index) -> int:
    before, after = _image(old, index), _image(new, index)
    if before == after:
        return 0
    moved = before and after and any(before[name] != after[name] for name in (index.partition, index.sort))
    return _write_units(before, None) + _write_units(None, after) if moved else _write_units(before, after)


def _image(item: Item | None, index: Index) -> Item | None:
    if not item or index.partition not in item or index.sort not in item:
        return None
    kept = {"pk", "sk", index.partition, index.sort, *index.projected}
    return {name: value for name, value in item.items() if name in kept}
