"""The queues: SQS on AWS, SQLite files in the local twin.

In one lie conversations that wait to be finished, in another runs that wait to be executed, in the third what
retention is asked to do. What is done about them is `agent.turns.service`', `agent.runs.executor`'s and
`conversation.retention.jobs`' business.
"""

from __future__ import annotations

import functools
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from conversation.identity import new_id
from conversation.turns.deferred_turn import FinishedTurn, QueueUnavailable, TurnQueue
from edge.environment import SettingsInvalid
from storage.keys import TenantId, parse_tenant

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

SQLITE_SCHEME = "sqlite:///"
_SCHEMA = """
create table if not exists queue
    (id integer primary key, body text not null, group_id text not null, delay_s real not null default 0)
"""
_DELAY = "alter table queue add column delay_s real not null default 0"
_BUSY_TIMEOUT_S = 10.0


class Waiting(NamedTuple):
    """A conversation somebody asked to have finished, or a turn of it to store."""

    tenant: TenantId
    conversation_id: str
    turn: FinishedTurn | None = None
    """None: what waits in the conversation is to be answered."""

    def to_body(self) -> str:
        """As it lies in a queue.

        Raises:
            QueueUnavailable: the turn is too long for any.
        """
        named = json.dumps({"tenant": self.tenant, "conversation": self.conversation_id})
        if self.turn is None:
            return named
        text = self.turn.to_text()
        if text is None:
            raise QueueUnavailable
        return f'{named[:-1]}, "turn": {text}}}'

    @classmethod
    def from_body(cls, body: str) -> Waiting:
        """What `to_body` wrote.

        Raises:
            ValueError, KeyError: for anything else.
        """
        members = json.loads(body)
        turn = FinishedTurn.from_members(members["turn"]) if "turn" in members else None
        return cls(parse_tenant(members["tenant"]), str(members["conversation"]), turn)


class Request(Protocol):
    """Anything that knows how it lies in a queue, such as an `agent.runs.requests.RunRequest`."""

    def to_body(self) -> str:
        """Its text."""


class RequestQueue(Protocol):
    """A queue for requests, in no particular order."""

    def send(self, request: Request, *, delay_s: int = 0) -> None:
        """Put it in; nobody receives it before the delay is over.

        Raises:
            QueueUnavailable: nothing was queued.
        """


class SqsSender:
    """Sends to one SQS queue."""

    def __init__(self, connect: Callable[[], SQSClient], url: str) -> None:
        # Most requests send nothing, and making a client takes longer than most requests.
        self._client = functools.cache(connect)
        self._url = url

    def put(self, body: str, **options: Any) -> None:
        """Send the body; the options are those of ``SendMessage``."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            self._client().send_message(QueueUrl=self._url, MessageBody=body, **options)
        except (BotoCoreError, ClientError) as error:
            raise QueueUnavailable from error


class SqsQueue(SqsSender):
    """A FIFO queue; one group per conversation, so that one function at a time works on it."""

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        # A deduplication id of its own, never dropped as a repetition: what was asked before may be done,
        # with a new message waiting.
        body = Waiting(tenant, conversation_id).to_body()
        self.put(body, MessageGroupId=conversation_id, MessageDeduplicationId=new_id())

    def keep(self, tenant: TenantId, turn: FinishedTurn) -> None:
        place = turn.place
        body = Waiting(tenant, place.conversation_id, turn).to_body()
        self.put(body, MessageGroupId=place.conversation_id, MessageDeduplicationId=place.ulid)


class SqsRequests(SqsSender):
    """A standard queue."""

    def send(self, request: Request, *, delay_s: int = 0) -> None:
        self.put(request.to_body(), DelaySeconds=delay_s)


class SqliteSender:
    """Sends to a queue in a file that several processes share. Receiving from it is the twin's matter."""

    def __init__(self, path: str) -> None:
        self._path = path
        with self._connection() as connection:
            connection.execute("pragma journal_mode=wal")
            connection.execute(_SCHEMA)
            if "delay_s" not in {column[1] for column in connection.execute("pragma table_info(queue)")}:
                connection.execute(_DELAY)

    def put(self, body: str, group: str, delay_s: int = 0) -> None:
        """Send the body; those of one group are worked on one at a time."""
        try:
            with self._connection() as connection:
                connection.execute(
                    "insert into queue (body, group_id, delay_s) values (?, ?, ?)", (body, group, delay_s)
                )
        except sqlite3.Error as error:
            raise QueueUnavailable from error

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=_BUSY_TIMEOUT_S)) as connection, connection:
            yield connection


class SqliteQueue(SqliteSender):
    """What `SqsQueue` is on AWS."""

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        self.put(Waiting(tenant, conversation_id).to_body(), conversation_id)

    def keep(self, tenant: TenantId, turn: FinishedTurn) -> None:
        conversation_id = turn.place.conversation_id
        self.put(Waiting(tenant, conversation_id, turn).to_body(), conversation_id)


class SqliteRequests(SqliteSender):
    """What `SqsRequests` is on AWS."""

    def send(self, request: Request, *, delay_s: int = 0) -> None:
        self.put(request.to_body(), new_id(), delay_s)


def open_queue(target: str | None) -> TurnQueue | None:
    """The queue a setting names: the URL of an SQS queue, ``sqlite:///`` and a path, or none."""
    if target is None:
        return None
    if target.startswith(SQLITE_SCHEME):
        return SqliteQueue(target.removeprefix(SQLITE_SCHEME))
    return SqsQueue(_connect_at_once, target)


def open_requests(target: str | None, *, setting: str = "OMNIFORGE_RUN_QUEUE") -> RequestQueue:
    """The queue that a setting names, as for `open_queue`: of runs to execute, unless told otherwise.

    Raises:
        SettingsInvalid: it names none.
    """
    if target is None:
        raise SettingsInvalid(setting, "is needed and not set")
    if target.startswith(SQLITE_SCHEME):
        return SqliteRequests(target.removeprefix(SQLITE_SCHEME))
    return SqsRequests(_connect, target)


def _connect() -> SQSClient:
    import boto3

    return boto3.client("sqs")


def _connect_at_once() -> SQSClient:
    """For those who have somebody waiting, perhaps while nothing else can be reached either."""
    import boto3
    from botocore.config import Config

    config = Config(
        connect_timeout=0.5, read_timeout=1, retries={"mode": "standard", "total_max_attempts": 2}
    )
    return boto3.client("sqs", config=config)
