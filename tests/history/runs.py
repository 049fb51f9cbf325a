"""Runs with real processes: writers that send to two gateways, or that share a DynamoDB table."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Protocol
from uuid import uuid4

import httpx

from conversation.clock import Deadline, SystemClock
from conversation.identity import Caller
from conversation.threads.repository import ConversationRepository
from local.sign_in.issuer import Issuer
from storage import keys
from storage.dynamodb.table import DynamoTable, create_table
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Query, Table
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tests.fakes.aws.dynamodb import dynamo_client, ministack
from tests.fakes.aws.queues import queue_bodies
from tests.fakes.data.scripted_turns import EchoMaster
from tests.fakes.deployment.faulty_twins import WrappedTwin
from tests.fakes.deployment.twin import ROOT
from tests.fakes.deployment.wait_until import eventually
from tests.history.effects import effect_of, effects_done
from tests.history.functions import LocalFinishQueue, service_over
from tests.history.gateway import ARMED
from tests.history.journal import events_in
from tests.history.records import Event, History, ModelCalled, Stalled
from tests.history.table_state import conversations_of, final_state, waiting_turns
from tests.history.workload import Plan, plans
from tests.history.writer_processes import PLAN

SETTLE_S = 120.0


@dataclass(frozen=True, kw_only=True)
class Size:
    """The number of writers, messages and conversations of a run."""

    writers: int = 8
    messages: int = 50
    conversations: int = 4

    def plans_for(self, seed: int, message: str) -> tuple[Plan, ...]:
        """Return the writers' plans."""
        return plans(
            Random(seed),
            writers=self.writers,
            messages=self.messages,
            conversations=self.conversations,
            message=message,
        )


class Environment(Protocol):
    """An environment for runs, one after the other."""

    def run(self, seed: int, size: Size) -> History:
        """Return the history of a run; each run has its own tenant."""


class SharedTable:
    """Writers that answer their own messages, on one table of ministack's DynamoDB emulation."""

    def __init__(self, folder: Path, endpoint: str) -> None:
        self._folder = folder
        self._endpoint = endpoint
        self._name = f"history-{uuid4()}"
        client = dynamo_client(endpoint)
        create_table(client, self._name)
        self._table = DynamoTable(client, self._name)

    def run(self, seed: int, size: Size, *, rolls_back: bool = False) -> History:
        """Return the history of a run. When it ``rolls_back``, half the writers begin as the next version."""
        caller, folder = _caller(seed), self._folder / f"seed-{seed}"
        said = size.plans_for(seed, "please do {name}")
        reached = {"endpoint": self._endpoint, "table_name": self._name, "rolls_back": rolls_back}
        _write(folder, self._table, caller, seed, said, **reached)
        # Turns that were answered without storage but admitted after all are completed only now.
        master = EchoMaster(effects=lambda turn: effect_of(turn, self._table, contended=False))
        service = service_over(self._table, master, LocalFinishQueue())
        for conversation_id in conversations_of(self._table, caller):
            deadline = Deadline.after(SystemClock(), SETTLE_S)
            assert service.drain(caller.tenant, conversation_id, deadline)
        done = effects_done(self._table, caller.tenant, [each.name for plan in said for each in plan])
        return _history(self._table, caller, said, events_in(folder), done)

    def versions(self, seed: int) -> Counter[int]:
        """How many messages of a run have each version of items."""
        caller = _caller(seed)
        partitions = (
            keys.conversation(caller.tenant, each) for each in conversations_of(self._table, caller)
        )
        pages = (
            self._table.query(Query(each, limit=1_000, prefix=keys.MESSAGE_PREFIX)) for each in partitions
        )
        return Counter(int(str(item["v"])) for page in pages for item in page.items)


class FaultyTwin(WrappedTwin):
    """A twin with the faults of `tests.history.gateway`."""

    module = "tests.history.gateway"


class TwoGateways:
    """Writers that send to two gateways with one shared table file."""

    def __init__(self, folder: Path, gateways: tuple[FaultyTwin, FaultyTwin]) -> None:
        self._folder = folder
        self._gateways = gateways
        self._data = gateways[0].data
        self._table = SqliteTable(self._data / "omniforge.db")

    def run(self, seed: int, size: Size) -> History:
        caller, folder = _caller(seed), self._folder / f"seed-{seed}"
        said = size.plans_for(seed, "Add a task: {name}")
        began = time.monotonic()
        token = Issuer(self._data).access_token(tenant=caller.tenant, user=caller.user, now=datetime.now(UTC))
        with self._disturbed():
            addresses = [gateway.url for gateway in self._gateways]
            _write(folder, self._table, caller, seed, said, addresses=addresses, token=token)
        eventually(partial(self._is_settled, caller, token), within_s=SETTLE_S)
        here = [event for event in events_in(self._folder / "gateways") if _at(event) >= began]
        return _history(self._table, caller, said, [*events_in(folder), *here], self._tasks(caller))

    @contextmanager
    def _disturbed(self) -> Iterator[None]:
        armed = self._folder / "gateways" / ARMED
        armed.touch()
        yield
        armed.unlink()

    def _is_settled(self, caller: Caller, token: str) -> bool:
        """Whether nothing is waiting in a conversation or in the queue."""
        if queue_bodies(self._data / "queue.db"):
            return False
        ids = conversations_of(self._table, caller)
        waiting = [each for each in ids if waiting_turns(self._table, caller, each)]
        for conversation_id in waiting:
            # One look is not enough: a turn is no orphan as long as its caller may still be waiting.
            _look(self._gateways[0], f"/v1/conversations/{conversation_id}", token)
        return not waiting

    def _tasks(self, caller: Caller) -> Counter[str]:
        """Return how often each operation's task was created."""
        store, done = TaskStore(tables=Tables(self._table), clock=SystemClock()), Counter[str]()
        tasks, after = store.list(caller, limit=500)
        done.update(task.title for task in tasks)
        while after is not None:
            tasks, after = store.list(caller, limit=500, after=after)
            done.update(task.title for task in tasks)
        return done


@contextmanager
def shared_table(folder: Path) -> Iterator[SharedTable]:
    """Yield a table for many runs."""
    with ministack() as endpoint:
        yield SharedTable(folder, endpoint)


@contextmanager
def two_gateways(folder: Path) -> Iterator[TwoGateways]:
    """Yield two gateways for many runs."""
    notes = folder / "gateways"
    notes.mkdir(parents=True)
    environ = {"HISTORY": str(notes)}
    data = folder / "data"
    with FaultyTwin(data, environ=environ) as one, FaultyTwin(data, environ=environ) as other:
        yield TwoGateways(folder, (one, other))


def _caller(seed: int) -> Caller:
    return Caller(TenantId(f"seed-{seed}"), "maya")


def _write(
    folder: Path, table: Table, caller: Caller, seed: int, said: tuple[Plan, ...], **more: Any
) -> None:
    """Run the writers until they have sent everything."""
    folder.mkdir()
    repository = ConversationRepository(tables=Tables(table), clock=SystemClock())
    names = {each.conversation for plan in said for each in plan if each.conversation}
    plan = {
        "seed": seed,
        "tenant": caller.tenant,
        "user": caller.user,
        "writers": said,
        "conversations": {name: repository.create(caller).id for name in sorted(names)},
        **more,
    }
    (folder / PLAN).write_text(json.dumps(plan))
    subprocess.run(
        [sys.executable, "-m", "tests.history.writer_processes", str(folder)], cwd=ROOT, check=True
    )


def _look(gateway: FaultyTwin, path: str, token: str) -> None:
    # A killed gateway takes a moment to be available again.
    with suppress(httpx.TransportError):
        gateway.request("GET", path, token=token)


def _at(event: Event) -> float:
    return event.began if isinstance(event, ModelCalled | Stalled) else event.at


def _history(
    table: Table,
    caller: Caller,
    said: tuple[Plan, ...],
    events: list[Event],
    effects: Mapping[str, int],
) -> History:
    operations = tuple(operation for plan in said for operation in plan)
    return History(operations, tuple(events), final_state(table, caller, effects))
