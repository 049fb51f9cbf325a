"""A meter of the requests that a boto3 DynamoDB client really sends, and of DynamoDB's charge for them.

It computes units by the documented rules from the items before and after each write and from the items read.
Every secondary index counts, and transactions count twice. An emulator's own figures are never used. A
rejected write is charged as DynamoDB does it: for the existing item. Item operations that the table port does
not have raise an error rather than being counted wrongly.

Source: "DynamoDB on-demand capacity", "Item sizes and formats", "Using Global Secondary Indexes" and
"Managing complex workflows with transactions" in the developer guide; prices of us-east-1 since November
2024.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import botocore.session

from storage.dynamodb.attribute_values import from_wire
from storage.items import item_bytes
from storage.table import Item, Key, StreamRecord

USD_PER_WRITE_UNIT = 0.625e-6
USD_PER_READ_UNIT = 0.125e-6
WRITE_UNIT_BYTES = 1024
READ_UNIT_BYTES = 4096

_READS = frozenset({"GetItem", "Query"})
_UNPRICED = frozenset({"BatchGetItem", "ExecuteStatement", "ExecuteTransaction", "Scan", "TransactGetItems"})


@dataclass(frozen=True, slots=True)
class Charge:
    """One line of the bill: a written item, its copy in an index, or the items that one request read."""

    operation: str
    what: str
    """The item's sort key, the index's name, or the number of items read."""
    bytes: int
    """The larger of the item before and after a write; all items of a read."""
    write_units: float = 0.0
    read_units: float = 0.0


@dataclass(frozen=True, slots=True)
class Totals:
    """The requests that were sent and their cost."""

    requests: list[str] = field(default_factory=list)
    """The operation of every request in sending order, including retries."""
    charges: list[Charge] = field(default_factory=list)
    changes: list[StreamRecord] = field(default_factory=list)
    """Every accepted write of an item, as the table's stream has it."""
    other_requests: list[str] = field(default_factory=list)
    """The service of every request to another service, such as ``sqs``."""

    @property
    def write_units(self) -> float:
        """Write request units."""
        return sum(charge.write_units for charge in self.charges)

    @property
    def read_units(self) -> float:
        """Read request units."""
        return sum(charge.read_units for charge in self.charges)

    @property
    def usd_per_million(self) -> float:
        """The price of a million repetitions."""
        return (self.write_units * USD_PER_WRITE_UNIT + self.read_units * USD_PER_READ_UNIT) * 1e6

    def bill(self) -> str:
        """The charges as lines of text, for finding out what costs most."""
        return "\n".join(
            f"{charge.operation:18} {charge.what:24} {charge.bytes:6} bytes"
            f" {charge.write_units:4g} write {charge.read_units:4g} read"
            for charge in self.charges
        )


@dataclass(frozen=True, slots=True)
class _Written:
    """An item that a request is about to write, in its previous state."""

    table: str
    key: Any
    old: Item | None


class Meter:
    """Counts the requests of every DynamoDB client created inside `watch_new_clients`, from any thread."""

    def __init__(self) -> None:
        self.totals = Totals()
        self._raw: Any = None
        self._indexes: dict[str, Sequence[Mapping[str, Any]]] = {}
        self._call = threading.local()

    def reset(self) -> None:
        """Reset all counts to zero."""
        self.totals = Totals()

    @contextmanager
    def watch_new_clients(self) -> Iterator[Meter]:
        """Count the requests of clients created inside the ``with`` block, for as long as these exist."""
        original = botocore.session.Session.create_client
        meter = self

        def create_client(session: Any, service_name: str, *args: Any, **kwargs: Any) -> Any:
            client = original(session, service_name, *args, **kwargs)
            if service_name == "dynamodb":
                # A separate client, which is not counted, reads the items' previous states.
                meter._raw = meter._raw or original(session, service_name, *args, **kwargs)
                client.meta.events.register_last("before-call.dynamodb", meter._on_call)
                # Registered first: a handler that answers in place of the server ends the event.
                client.meta.events.register_first("before-send.dynamodb", meter._on_send)
                client.meta.events.register_last("after-call.dynamodb", meter._on_answer)
            else:
                client.meta.events.register_first("before-send", meter._on_other)
            return client

        setattr(botocore.session.Session, "create_client", create_client)  # noqa: B010
        try:
            yield self
        finally:
            setattr(botocore.session.Session, "create_client", original)  # noqa: B010

    def _on_call(self, model: Any, params: Mapping[str, Any], **_: Any) -> None:
        if model.name in _UNPRICED:
            raise NotImplementedError(f"the meter knows no price for {model.name}")
        body = json.loads(params["body"])
        keys = _written_keys(model.name, body)
        self._call.body = body
        self._call.written = [_Written(table, key, self._item(table, key)) for table, key in keys]

    def _on_send(self, event_name: str, **_: Any) -> None:
        self.totals.requests.append(event_name.rpartition(".")[2])

    def _on_other(self, event_name: str, **_: Any) -> None:
        self.totals.other_requests.append(event_name.split(".")[1])

    def _on_answer(self, http_response: Any, model: Any, **_: Any) -> None:
        body, written = self._call.body, self._call.written
        accepted = http_response.status_code < 300
        if model.name in _READS and accepted:
            answer = json.loads(http_response.content or b"{}")
            self.totals.charges.append(_read_charge(model.name, body, answer))
        for write in written:
            new = self._item(write.table, write.key) if accepted else write.old
            self.totals.charges.extend(self._write_charges(model.name, write, new))
            if new != write.old:
                key = Key(write.key["pk"]["S"], write.key["sk"]["S"])
                self.totals.changes.append(StreamRecord(key, write.old, new))

    def _write_charges(self, operation: str, write: _Written, new: Item | None) -> list[Charge]:
        factor = 2 if operation.startswith("Transact") else 1
        size, sort = _larger(write.old, new), str(write.key["sk"]["S"])
        charges = [Charge(operation, sort, size, write_units=factor * _write_units(write.old, new))]
        for index in self._indexes_of(write.table):
            before, after = _image(write.old, index), _image(new, index)
            if before != after:
                units = _index_units(before, after, index)
                charges.append(Charge(operation, index["IndexName"], _larger(before, after), units))
        return charges

    def _item(self, table: str, key: Any) -> Item | None:
        found = self._raw.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item")
        return from_wire(found) if found else None

    def _indexes_of(self, table: str) -> Sequence[Mapping[str, Any]]:
        if table not in self._indexes:
            description = self._raw.describe_table(TableName=table)["Table"]
            self._indexes[table] = description.get("GlobalSecondaryIndexes", [])
        return self._indexes[table]


def _written_keys(operation: str, body: Any) -> list[tuple[str, Any]]:
    """Return table and key of every item that an operation writes or checks."""
    if operation in {"PutItem", "UpdateItem", "DeleteItem"}:
        actions = [body]
    elif operation == "TransactWriteItems":
        actions = [action for item in body["TransactItems"] for action in item.values()]
    elif operation == "BatchWriteItem":
        return [
            (table, request["DeleteRequest"]["Key"])
            for table, requests in body["RequestItems"].items()
            for request in requests
        ]
    else:
        return []
    return [(action["TableName"], action.get("Key") or _key_of(action["Item"])) for action in actions]


def _key_of(item: Any) -> Any:
    return {name: item[name] for name in ("pk", "sk")}


def _read_charge(operation: str, body: Any, answer: Any) -> Charge:
    items = answer.get("Items", [answer["Item"]] if "Item" in answer else [])
    size = sum(item_bytes(from_wire(item)) for item in items)
    units = max(1, math.ceil(size / READ_UNIT_BYTES)) * (1 if body.get("ConsistentRead") else 0.5)
    return Charge(operation, f"{len(items)} items", size, read_units=units)


def _larger(old: Item | None, new: Item | None) -> int:
    return max(item_bytes(old or {}), item_bytes(new or {}))


def _write_units(old: Item | None, new: Item | None) -> int:
    return max(1, math.ceil(_larger(old, new) / WRITE_UNIT_BYTES))


def _index_units(before: Item | None, after: Item | None, index: Mapping[str, Any]) -> int:
    moved = before and after and any(before[name] != after[name] for name in _index_keys(index))
    return _write_units(before, None) + _write_units(None, after) if moved else _write_units(before, after)


def _image(item: Item | None, index: Mapping[str, Any]) -> Item | None:
    """Return the part of the item that the index stores."""
    names = _index_keys(index)
    if not item or any(name not in item for name in names):
        return None
    projection = index["Projection"]
    if projection["ProjectionType"] == "ALL":
        return item
    kept = {"pk", "sk", *names, *projection.get("NonKeyAttributes", ())}
    return {name: value for name, value in item.items() if name in kept}


def _index_keys(index: Mapping[str, Any]) -> list[str]:
    return [part["AttributeName"] for part in index["KeySchema"]]
