"""The queues: SQS on AWS, SQLite files in the local twin.

The first holds conversations to finish, the second runs to execute, the third requests to the retention
function. Their entries are processed by `agent.turns.service`, `agent.runs.executor` and
`conversation.retention.jobs`.
"""

from __future__ import annotations

import functools
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from conversation.identity import derived_id, new_id
from conversation.turns.deferred_turn import DeferredTurn, DeferredTurnQueue, QueueUnavailable
from edge.adapters.sqlite_file import connect, sqlite_path, write_transaction
from edge.environment import SettingsInvalid
from storage.keys import TenantId, parse_tenant

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_SCHEMA = """
create table if not exists queue
    (id integer primary key, body text not null, group_id text not null, delay_s real not null default 0,
     tenant text not null default '')
"""
_LATER_COLUMNS = {
    "delay_s": "alter table queue add column delay_s real not null default 0",
    "tenant": "alter table queue add column tenant text not null default ''",
}
FINISH_GROUPS = 16
"""The groups of a tenant in the finish queue. One function at a time works on each, so a tenant takes no more
functions than this, however many of its conversations wait."""


class QueuedTurn(NamedTuple):
    """An entry of the finish queue: a conversation to answer, or a turn of it to store."""

    tenant: TenantId
    conversation_id: str
    turn: DeferredTurn | None = None
    """None: the pending messages of the conversation are to be answered."""

    def to_body(self) -> str:
        """The body of the entry.

        Raises:
            QueueUnavailable: the turn is too long for a queue.
        """
        named = json.dumps({"tenant": self.tenant, "conversation": self.conversation_id})
        if self.turn is None:
            return named
        text = self.turn.to_queue_body()
        if text is None:
            raise QueueUnavailable
        return f'{named[:-1]}, "turn": {text}}}'

    @classmethod
    def from_body(cls, body: str) -> QueuedTurn:
        """The entry that `to_body` wrote.

        Raises:
            ValueError, KeyError: for any other body.
        """
        members = json.loads(body)
        turn = DeferredTurn.from_json(members["turn"]) if "turn" in members else None
        return cls(parse_tenant(members["tenant"]), str(members["conversation"]), turn)


class QueueRequest(Protocol):
    """A request that can be queued, such as an `agent.runs.run_queue.RunRequest`."""

    @property
    def tenant(self) -> TenantId | None:
        """The tenant whose request it is; None: the deployment's own."""

    def to_body(self) -> str:
        """The body of the entry."""


class RequestQueue(Protocol):
    """A queue of requests, in no particular order; a tenant with many of them does not delay another's."""

    def send(self, request: QueueRequest, *, delay_s: int = 0) -> None:
        """Queues the request; it is not delivered before the delay is over.

        Raises:
            QueueUnavailable: nothing was queued.
        """


class SqsSender:
    """Sends to one SQS queue."""

    def __init__(self, connect: Callable[[], SQSClient], url: str) -> None:
        # Made on first use: most requests send nothing, and making a client takes longer than most requests.
        self._client = functools.cache(connect)
        self._url = url

    def put(self, body: str, **options: Any) -> None:
        """Send the body; the options are those of ``SendMessage``."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            self._client().send_message(QueueUrl=self._url, MessageBody=body, **options)
        except (BotoCoreError, ClientError) as error:
            raise QueueUnavailable from error


class SqsTurnQueue(SqsSender):
    """A FIFO queue in which each conversation belongs to one of its tenant's groups: one function at a time
    works on it, and a limited number on all of the tenant's.
    """

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        # A unique deduplication id, so that the entry is never dropped as a repetition: an earlier one may be
        # done, and a new message pending.
        body = QueuedTurn(tenant, conversation_id).to_body()
        self.put(body, MessageGroupId=finish_group(tenant, conversation_id), MessageDeduplicationId=new_id())

    def send_turn(self, tenant: TenantId, turn: DeferredTurn) -> None:
        place = turn.parsed_turn_id
        body = QueuedTurn(tenant, place.conversation_id, turn).to_body()
        group = finish_group(tenant, place.conversation_id)
        self.put(body, MessageGroupId=group, MessageDeduplicationId=place.ulid)


class SqsRequestQueue(SqsSender):
    """A standard SQS queue of requests. The group makes it a fair queue; it orders nothing.

    Source: "Amazon SQS fair queues", Amazon SQS Developer Guide.
    """

    def send(self, request: QueueRequest, *, delay_s: int = 0) -> None:
        group = {} if request.tenant is None else {"MessageGroupId": request.tenant}
        self.put(request.to_body(), DelaySeconds=delay_s, **group)


class SqliteSender:
    """Sends to a queue in a SQLite file that processes share; `local.events.queues` receives from it."""

    def __init__(self, path: str) -> None:
        self._path = path
        with closing(connect(path)) as connection:
            connection.execute("pragma journal_mode=wal")
            connection.execute(_SCHEMA)
            present = {column[1] for column in connection.execute("pragma table_info(queue)")}
            for column, statement in _LATER_COLUMNS.items():
                if column not in present:
                    connection.execute(statement)

    def put(self, body: str, group: str, delay_s: int = 0, *, tenant: TenantId | None = None) -> None:
        """Sends the body; the entries of one group are processed one at a time, those of all tenants in
        turns.
        """
        try:
            with write_transaction(self._path) as connection:
                connection.execute(
                    "insert into queue (body, group_id, delay_s, tenant) values (?, ?, ?, ?)",
                    (body, group, delay_s, tenant or ""),
                )
        except sqlite3.Error as error:
            raise QueueUnavailable from error


class SqliteTurnQueue(SqliteSender):
    """The local counterpart of `SqsTurnQueue`."""

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        group = finish_group(tenant, conversation_id)
        self.put(QueuedTurn(tenant, conversation_id).to_body(), group, tenant=tenant)

    def send_turn(self, tenant: TenantId, turn: DeferredTurn) -> None:
        conversation_id = turn.parsed_turn_id.conversation_id
        group = finish_group(tenant, conversation_id)
        self.put(QueuedTurn(tenant, conversation_id, turn).to_body(), group, tenant=tenant)


class SqliteRequestQueue(SqliteSender):
    """The local counterpart of `SqsRequestQueue`."""

    def send(self, request: QueueRequest, *, delay_s: int = 0) -> None:
        self.put(request.to_body(), new_id(), delay_s, tenant=request.tenant)


def finish_group(tenant: TenantId, conversation_id: str) -> str:
    """The group of a conversation in the finish queue."""
    number = int(derived_id("finish", conversation_id)[:8], 16) % FINISH_GROUPS
    # A tenant's name alone may be as long as a group's may be.
    return f"{derived_id('finish', tenant)[:24]}-{number}"


def open_turn_queue(target: str | None) -> DeferredTurnQueue | None:
    """The queue of a setting: the URL of an SQS queue, or ``sqlite:///`` and a path; None: none."""
    if target is None:
        return None
    path = sqlite_path(target)
    return SqsTurnQueue(_connect_at_once, target) if path is None else SqliteTurnQueue(path)


def open_request_queue(target: str | None, *, setting: str = "OMNIFORGE_RUN_QUEUE") -> RequestQueue:
    """The request queue of a setting, in the forms of `open_turn_queue`; ``setting`` is its name for the
    error.

    Raises:
        SettingsInvalid: the setting is missing.
    """
    if target is None:
        raise SettingsInvalid(setting, "is needed and not set")
    path = sqlite_path(target)
    return SqsRequestQueue(_connect, target) if path is None else SqliteRequestQueue(path)


def _connect() -> SQSClient:
    import boto3

    return boto3.client("sqs")


def _connect_at_once() -> SQSClient:
    """A client with short timeouts, for requests that wait, perhaps while nothing can be reached."""
    import boto3
    from botocore.config import Config

    config = Config(
        connect_timeout=0.5, read_timeout=1, retries={"mode": "standard", "total_max_attempts": 2}
    )
    return boto3.client("sqs", config=config)
