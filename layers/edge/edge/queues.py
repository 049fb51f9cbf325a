"""Where conversations wait to be finished: an SQS FIFO queue on AWS, a SQLite file in the local twin.

What is done about them is `agent.turns`' business.
"""

from __future__ import annotations

import functools
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from conversation.finishing import FinishQueue, QueueUnavailable
from conversation.identity import new_id
from storage.keys import TenantId, parse_tenant

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

SQLITE_SCHEME = "sqlite:///"
_SCHEMA = (
    "create table if not exists queue (id integer primary key, body text not null, group_id text not null)"
)
_BUSY_TIMEOUT_S = 10.0


class Waiting(NamedTuple):
    """A conversation somebody asked to have finished."""

    tenant: TenantId
    conversation_id: str

    def to_body(self) -> str:
        """As it lies in a queue."""
        return json.dumps({"tenant": self.tenant, "conversation": self.conversation_id})

    @classmethod
    def from_body(cls, body: str) -> Waiting:
        """What `to_body` wrote.

        Raises:
            ValueError, KeyError: for anything else.
        """
        members = json.loads(body)
        return cls(parse_tenant(members["tenant"]), str(members["conversation"]))


class SqsQueue:
    """A FIFO queue; one group per conversation, so that one function at a time works on it."""

    def __init__(self, connect: Callable[[], SQSClient], url: str) -> None:
        # Most requests send nothing, and making a client takes longer than most requests.
        self._client = functools.cache(connect)
        self._url = url

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            self._client().send_message(
                QueueUrl=self._url,
                MessageBody=Waiting(tenant, conversation_id).to_body(),
                MessageGroupId=conversation_id,
                # Never dropped as a repetition: what was asked before may be done, with a new message
                # waiting.
                MessageDeduplicationId=new_id(),
            )
        except (BotoCoreError, ClientError) as error:
            raise QueueUnavailable from error


class SqliteQueue:
    """A queue in a file that several processes share. Receiving from it is the twin's matter."""

    def __init__(self, path: str) -> None:
        self._path = path
        with self._connection() as connection:
            connection.execute("pragma journal_mode=wal")
            connection.execute(_SCHEMA)

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        body = Waiting(tenant, conversation_id).to_body()
        try:
            with self._connection() as connection:
                connection.execute(
                    "insert into queue (body, group_id) values (?, ?)", (body, conversation_id)
                )
        except sqlite3.Error as error:
            raise QueueUnavailable from error

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=_BUSY_TIMEOUT_S)) as connection, connection:
            yield connection


def open_queue(target: str | None) -> FinishQueue | None:
    """The queue a setting names: the URL of an SQS queue, ``sqlite:///`` and a path, or none."""
    if target is None:
        return None
    if target.startswith(SQLITE_SCHEME):
        return SqliteQueue(target.removeprefix(SQLITE_SCHEME))
    return SqsQueue(_connect, target)


def _connect() -> SQSClient:
    import boto3

    return boto3.client("sqs")
