"""The `Table` port on DynamoDB, for production.

Each operation is one request, unless a page is full of large items, a request has to be retried, or a batch
has more than 25 keys. Throttling, server errors and lost connections are retried by botocore
(`client_config`) or, with short timeouts (`hasty`), by this module, which also retries every conflict with a
transaction.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, assert_never
from uuid import uuid4

from botocore.config import Config
from botocore.exceptions import (
    ClientError,
    CredentialRetrievalError,
    HTTPClientError,
    NoCredentialsError,
    PartialCredentialsError,
)
from botocore.exceptions import ConnectionError as ConnectionFailed

from storage import keys, validation
from storage.dynamodb.attribute_values import from_wire, to_wire
from storage.dynamodb.client_session import open_session
from storage.dynamodb.errors import is_transaction_conflict, is_transient, to_storage_error
from storage.dynamodb.expressions import key_expressions, write_expressions
from storage.dynamodb.timeouts import BACKGROUND_TIMEOUTS, RequestTimeouts
from storage.errors import StorageMisconfigured, StorageUnavailable, StorageUnreachable
from storage.items import check_key, upgrade
from storage.table import MAX_BATCH, Action, Check, Delete, Index, Item, Key, Page, Put, Query, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_TRIES = 8
_FIRST_WAIT_S = 0.025
_LONGEST_WAIT_S = 0.4

_Answer = TypeVar("_Answer")


def client_config(timeouts: RequestTimeouts = BACKGROUND_TIMEOUTS) -> Config:
    """The production client's configuration: few attempts, and short ones."""
    return Config(
        retries={"mode": "standard", "total_max_attempts": timeouts.attempts},
        connect_timeout=timeouts.connect_timeout_s,
        read_timeout=timeouts.timeout_s,
        tcp_keepalive=True,
        parameter_validation=False,
    )


def make_client(timeouts: RequestTimeouts = BACKGROUND_TIMEOUTS) -> DynamoDBClient:
    """The production client; botocore finds the region, endpoint and credentials."""
    # boto3 would make the same client, but imports resources and S3's transfers first.
    session = open_session()
    client: DynamoDBClient = session.create_client("dynamodb", config=client_config(timeouts))
    return client


class DynamoTable:
    """A `storage.table.Table` on a DynamoDB table with our keys and indexes, see `create_table`."""

    def __init__(
        self,
        client: DynamoDBClient,
        name: str,
        *,
        retry_for_s: float = 0.0,
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """``retry_for_s``: see `storage.dynamodb.timeouts.RequestTimeouts`; 0 leaves these retries to
        botocore."""
        self._client = client
        self._name = name
        self._retry_for_s = retry_for_s
        self._sleep = sleep
        self._monotonic = monotonic

    def get(self, key: Key, *, consistent: bool = True) -> Item | None:
        check_key(key)
        answer = self._send(self._client.get_item, Key=_wire_key(key), ConsistentRead=consistent)
        attributes = answer.get("Item")
        return None if attributes is None else upgrade(from_wire(attributes))

    def query(self, query: Query) -> Page:
        index = validation.find_index(keys.INDEXES, query.index)
        validation.check_query(query, index)
        request = _query_request(query, index)
        items: list[Item] = []
        # DynamoDB ends a page at 1 MB, wherever the limit is.
        while True:
            answer = self._send(self._client.query, **request, Limit=query.limit - len(items))
            items += [upgrade(from_wire(attributes)) for attributes in answer["Items"]]
            last = answer.get("LastEvaluatedKey")
            if last is None:
                return Page(tuple(items))
            if len(items) >= query.limit:
                return Page(tuple(items), {name: value["S"] for name, value in last.items()})
            request["ExclusiveStartKey"] = last

    def put(self, put: Put) -> None:
        self._send(self._client.put_item, **_put_arguments(validation.prepare_put(put, keys.INDEXES)))

    def update(self, update: Update) -> Item:
        arguments = _update_arguments(validation.prepare_update(update))
        answer = self._send(self._client.update_item, **arguments, ReturnValues="ALL_NEW")
        return upgrade(from_wire(answer["Attributes"]))

    def delete(self, delete: Delete) -> None:
        self._send(self._client.delete_item, **_delete_arguments(validation.prepare_delete(delete)))

    def transact(self, actions: Sequence[Action]) -> None:
        prepared = validation.prepare_transaction(actions, keys.INDEXES)
        self._retried(
            self._client.transact_write_items,
            TransactItems=[self._transact_item(action) for action in prepared],
            # The same for every resend: after a lost response DynamoDB does not apply the transaction again.
            ClientRequestToken=str(uuid4()),
        )

    def batch_delete(self, keys: Sequence[Key]) -> None:
        distinct = list(dict.fromkeys(keys))
        for key in distinct:
            check_key(key)
        for start in range(0, len(distinct), MAX_BATCH):
            batch = [
                {"DeleteRequest": {"Key": _wire_key(key)}} for key in distinct[start : start + MAX_BATCH]
            ]
            self._write_batch(batch)

    def _write_batch(self, batch: list[Any]) -> None:
        attempt = 1
        while True:
            answer = self._retried(self._client.batch_write_item, RequestItems={self._name: batch})
            batch = answer.get("UnprocessedItems", {}).get(self._name, [])
            if not batch:
                return
            if attempt == _TRIES:
                raise StorageUnavailable("DynamoDB left a part of a batch undone at every try")
            self._wait(attempt)
            attempt += 1

    def _transact_item(self, action: Action) -> Any:
        match action:
            case Put():
                return {"Put": {"TableName": self._name, **_put_arguments(action)}}
            case Update():
                return {"Update": {"TableName": self._name, **_update_arguments(action)}}
            case Delete():
                return {"Delete": {"TableName": self._name, **_delete_arguments(action)}}
            case Check():
                return {"ConditionCheck": {"TableName": self._name, **_check_arguments(action)}}
            case _:
                assert_never(action)

    def _send(self, operation: Callable[..., _Answer], **arguments: Any) -> _Answer:
        return self._retried(operation, TableName=self._name, **arguments)

    def _retried(self, operation: Callable[..., _Answer], **arguments: Any) -> _Answer:
        attempt, until = 1, self._monotonic() + self._retry_for_s
        while True:
            longest_s = _LONGEST_WAIT_S
            try:
                return operation(**arguments)
            except ClientError as error:
                if attempt == _TRIES or not is_transaction_conflict(error.response):
                    longest_s = self._time_for_another(attempt, until)
                    if not (longest_s and is_transient(error.response)):
                        raise to_storage_error(error.response) from error
            except (HTTPClientError, ConnectionFailed, CredentialRetrievalError) as error:
                longest_s = self._time_for_another(attempt, until)
                if not longest_s:
                    raise StorageUnreachable("DynamoDB is out of reach") from error
            except (NoCredentialsError, PartialCredentialsError) as error:
                raise StorageMisconfigured("there are no credentials for DynamoDB") from error
            self._wait(attempt, longest_s)
            attempt += 1

    def _time_for_another(self, attempt: int, until: float) -> float:
        """Seconds left in which a request that met no transaction may be sent again; 0: no more attempts."""
        return max(0.0, until - self._monotonic()) if attempt < _TRIES else 0.0

    def _wait(self, attempt: int, longest_s: float = _LONGEST_WAIT_S) -> None:
        # Full jitter: requests that conflicted must not conflict again in lockstep.
        self._sleep(random.uniform(0, min(longest_s, _FIRST_WAIT_S * 2 ** (attempt - 1))))


def create_table(client: DynamoDBClient, name: str) -> None:
    """Create the table and its indexes and wait until it is ready. For tests; on AWS the template does it."""
    attributes = dict.fromkeys(
        chain(("pk", "sk"), *((index.partition, index.sort) for index in keys.INDEXES))
    )
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": attribute, "AttributeType": "S"} for attribute in attributes],
        KeySchema=_key_schema("pk", "sk"),
        GlobalSecondaryIndexes=[_index_schema(index) for index in keys.INDEXES],
    )
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})


def _key_schema(partition: str, sort: str) -> Any:
    return [
        {"AttributeName": partition, "KeyType": "HASH"},
        {"AttributeName": sort, "KeyType": "RANGE"},
    ]


def _index_schema(index: Index) -> Any:
    projection: dict[str, Any] = {"ProjectionType": "KEYS_ONLY"}
    if index.projected:
        projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(index.projected)}
    schema = _key_schema(index.partition, index.sort)
    return {"IndexName": index.name, "KeySchema": schema, "Projection": projection}


def _query_request(query: Query, index: Index | None) -> dict[str, Any]:
    partition, sort = ("pk", "sk") if index is None else (index.partition, index.sort)
    request = key_expressions(query, partition, sort)
    request["ScanIndexForward"] = not query.newest_first
    if index is None:
        request["ConsistentRead"] = query.consistent
    else:
        request["IndexName"] = index.name
    if query.after is not None:
        request["ExclusiveStartKey"] = to_wire(query.after)
    return request


def _put_arguments(put: Put) -> dict[str, Any]:
    return {"Item": to_wire(put.item), **_conditional(write_expressions(put.conditions))}


def _update_arguments(update: Update) -> dict[str, Any]:
    expressions = write_expressions(update.conditions, update.changes)
    return {"Key": _wire_key(update.key), **_conditional(expressions)}


def _delete_arguments(delete: Delete) -> dict[str, Any]:
    return {"Key": _wire_key(delete.key), **_conditional(write_expressions(delete.conditions))}


def _check_arguments(check: Check) -> dict[str, Any]:
    return {"Key": _wire_key(check.key), **_conditional(write_expressions(check.conditions))}


def _conditional(expressions: dict[str, Any]) -> dict[str, Any]:
    """The expressions; with a condition, they also ask for the existing item when it is refused."""
    if "ConditionExpression" in expressions:
        expressions["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return expressions


def _wire_key(key: Key) -> dict[str, Any]:
    return to_wire({"pk": key.partition, "sk": key.sort})
