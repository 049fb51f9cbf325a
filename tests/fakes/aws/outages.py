"""A deployment in one process with a table and a queue that tests make unavailable.

It has the functions as they are composed and a manual clock. Tests trigger the queue's deliveries.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from conversation.identity import Caller
from conversation.messages.models import Message
from conversation.threads.repository import ConversationRepository
from conversation.turns.deferred_turn import QueueUnavailable
from edge.adapters.queues import SqliteSender
from local.events.queues import QueueReader, process_batch
from local.template.resources import QueueConsumer
from storage.dynamodb.timeouts import RequestTimeouts
from storage.errors import StorageUnreachable
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Table
from storage.tenant_table import Tables
from tests.fakes.aws.proxy_events import Answer, Context, request
from tests.fakes.aws.tables import ObservedTable
from tests.fakes.deployment import functions
from tests.fakes.run.clocks import ManualClock

FINISH = QueueConsumer(
    "FinishQueue", "FinishFunction", batch_size=1, delay_s=0, visibility_s=360, max_receives=5
)
OpenTable = Callable[[str, RequestTimeouts], Table]


class Availability:
    """The availability of table and queue."""

    def __init__(self) -> None:
        self.requests = 0
        self.queue = True
        self._left: float = float("inf")
        self._loses_an_answer = False

    def fail_after(self, *, after: int = 0, loses_an_answer: bool = False) -> None:
        """Fail all requests after the first ``after`` ones; the first failing one may still take effect."""
        self._left, self._loses_an_answer = after, loses_an_answer

    def recover(self) -> None:
        """Make everything available again."""
        self._left, self.queue = float("inf"), True

    def __call__(self, name: str, when: str) -> None:
        """Observe a table's request."""
        if when == "before":
            self.requests += 1
            self._left -= 1
            if self._left < 0 and not (self._loses_an_answer and self._left == -1):
                raise StorageUnreachable
        elif self._left < 0:
            raise StorageUnreachable


class Deployment:
    """The functions that answer, finish and show turns, on one folder."""

    def __init__(self, folder: Path, *, open_table: OpenTable | None = None, **settings: str) -> None:
        self.clock = ManualClock()
        self.reach = Availability()
        self.caller = Caller(TenantId("acme"), "maya")
        self.table: Table = SqliteTable(folder / "omniforge.db")
        self._queue_path = folder / "queue.db"
        environ = functions.settings(folder, **settings)
        with self._composing(open_table or self._observed):
            self.chat, self.finish, self.conversations = (
                functions.load(name, environ) for name in ("chat", "finish", "conversations")
            )
        self._inbox = QueueReader(str(self._queue_path), FINISH)

    def send(
        self,
        message: str,
        conversation_id: str | None = None,
        *,
        key: str | None = None,
        user: str | None = None,
        path: str = "/v1/chat",
    ) -> Answer:
        """Send a message and return its answer. The user is the caller unless another one is named."""
        body = {"message": message, **({"conversation_id": conversation_id} if conversation_id else {})}
        headers = {"Idempotency-Key": key} if key else {}
        with self._reached_queue():
            sent = request(
                "POST",
                path,
                body=body,
                headers=headers,
                tenant=self.caller.tenant,
                user=user or self.caller.user,
            )
            return functions.invoke(self.chat, sent)

    def continue_as(self, user: str) -> None:
        """Recover from the outage and continue as another user."""
        self.reach.recover()
        self.clock.advance(60)
        self.drain()
        self.caller = Caller(TenantId("acme"), user)

    def continue_as_tenant(self, tenant: str) -> None:
        """Continue as the same user of a tenant that no process has seen yet."""
        self.caller = Caller(TenantId(tenant), self.caller.user)

    def stream(self, message: str, conversation_id: str | None = None) -> list[tuple[str, Any]]:
        """Return the frames of a streamed turn."""
        body = {"message": message, **({"conversation_id": conversation_id} if conversation_id else {})}
        event = request("POST", "/v1/chat/stream", body=body, user=self.caller.user)
        with self._reached_queue():
            text = b"".join(self.chat.stream_handler(event, Context()).chunks).decode()
        frames = (
            dict(line.split(": ", 1) for line in each.splitlines()) for each in text.split("\n\n") if each
        )
        return [(frame["event"], json.loads(frame["data"])) for frame in frames if "event" in frame]

    def read(self, path: str) -> Answer:
        """Return the answer of the function for conversations."""
        with self._reached_queue():
            return functions.invoke(self.conversations, request("GET", path, user=self.caller.user))

    def deliver(self) -> None:
        """Deliver the due entries of the queue, batch by batch."""

        def invoke(_: str, event: dict[str, Any]) -> Any:
            with self._reached_queue():
                return self.finish.handler(event, Context())

        while batch := self._inbox.receive(self._now()):
            process_batch(batch, self._inbox, FINISH, invoke)

    def drain(self) -> None:
        """Deliver until the queue is empty."""
        for _ in range(1_000):
            if not self.waiting():
                return
            self.clock.advance(5)
            self.deliver()
        raise AssertionError("the queue does not become empty")

    def waiting(self) -> list[Any]:
        """Return the parsed entries of the queue, oldest first."""
        return [json.loads(body) for body in self._bodies("select body from queue order by id")]

    def dead_letters(self) -> list[str]:
        """Return the bodies of the dead letters."""
        return self._bodies("select body from dead_letters order by id")

    def stored(self, conversation_id: str, caller: Caller | None = None) -> Sequence[Message]:
        """Return the stored messages of a conversation, oldest first."""
        repository = ConversationRepository(tables=Tables(self.table), clock=self.clock)
        return tuple(repository.messages(caller or self.caller, conversation_id))

    def _observed(self, target: str, patience: RequestTimeouts) -> Table:
        return ObservedTable(self.table, self.reach)

    def _bodies(self, statement: str) -> list[str]:
        with closing(sqlite3.connect(self._queue_path)) as connection:
            return [body for (body,) in connection.execute(statement)]

    def _now(self) -> float:
        return self.clock.now().timestamp()

    @contextmanager
    def _composing(self, open_table: OpenTable) -> Iterator[None]:
        with (
            patch("storage.factory._open", open_table),
            patch("storage.factory.time", self.clock),
            patch("edge.function_runtime.open_clock", lambda _: self.clock),
        ):
            yield

    @contextmanager
    def _reached_queue(self) -> Iterator[None]:
        put = SqliteSender.put

        def reached(*arguments: Any, **options: Any) -> None:
            if not self.reach.queue:
                raise QueueUnavailable
            put(*arguments, **options)

        with patch.object(SqliteSender, "put", reached):
            yield
