from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from edge.adapters.queues import SqliteRequestQueue, SqliteTurnQueue
from local.events.queues import QueueDelivery, QueueReader, process_batch
from local.proxy.functions import FunctionFailed
from local.template.resources import QueueConsumer
from storage.keys import TenantId, parse_tenant

ACME = parse_tenant("acme")
CONSUMER = QueueConsumer("Queue", "Finish", batch_size=3, delay_s=0, visibility_s=360, max_receives=2)


def queue(tmp_path: Path) -> tuple[SqliteTurnQueue, QueueReader]:
    path = str(tmp_path / "queue.db")
    return SqliteTurnQueue(path), QueueReader(path, CONSUMER)


def groups(batch: list[QueueDelivery]) -> list[str]:
    """The conversations of the entries."""
    return [str(json.loads(delivery.body)["conversation"]) for delivery in batch]


def dead(tmp_path: Path) -> list[str]:
    with closing(sqlite3.connect(tmp_path / "queue.db")) as connection:
        bodies = connection.execute("select body from dead_letters")
        return [str(json.loads(body)["conversation"]) for (body,) in bodies]


def test_entries_come_in_batches_and_in_order(tmp_path: Path) -> None:
    sending, inbox = queue(tmp_path)
    for conversation in ("a", "b", "c", "f"):
        sending.send(ACME, conversation)
    assert groups(inbox.receive(0)) == ["a", "b", "c"]
    assert groups(inbox.receive(0)) == ["f"]


def test_a_conversation_that_is_worked_on_is_not_handed_out(tmp_path: Path) -> None:
    sending, inbox = queue(tmp_path)
    sending.send(ACME, "a")
    inbox.receive(0)
    sending.send(ACME, "a")
    sending.send(ACME, "b")
    assert groups(inbox.receive(0)) == ["b"]


def test_an_entry_waits_for_the_queues_delay(tmp_path: Path) -> None:
    sending, _ = queue(tmp_path)
    inbox = QueueReader(str(tmp_path / "queue.db"), replace(CONSUMER, delay_s=5))
    sending.send(ACME, "a")
    assert inbox.receive(100) == []
    assert inbox.receive(104) == []
    assert groups(inbox.receive(105)) == ["a"]


def test_what_is_finished_does_not_come_back(tmp_path: Path) -> None:
    sending, inbox = queue(tmp_path)
    sending.send(ACME, "a")
    inbox.delete(inbox.receive(0))
    assert inbox.receive(10_000) == []


def test_what_is_not_finished_comes_back_when_its_time_is_over(tmp_path: Path) -> None:
    sending, inbox = queue(tmp_path)
    sending.send(ACME, "a")
    inbox.receive(0)
    assert inbox.receive(359) == []
    assert [delivery.receives for delivery in inbox.receive(361)] == [2]


def test_what_was_tried_often_enough_is_set_aside_and_does_not_block(tmp_path: Path) -> None:
    sending, inbox = queue(tmp_path)
    sending.send(ACME, "a")
    inbox.receive(0)
    inbox.receive(1_000)
    sending.send(ACME, "a")
    assert [delivery.receives for delivery in inbox.receive(2_000)] == [1]
    assert dead(tmp_path) == ["a"]


def test_two_processes_do_not_get_the_same_entry(tmp_path: Path) -> None:
    sending, inbox = queue(tmp_path)
    sending.send(ACME, "a")
    other = QueueReader(str(tmp_path / "queue.db"), CONSUMER)
    assert [groups(inbox.receive(0)), groups(other.receive(0))] == [["a"], []]


def test_what_a_killed_process_held_is_handed_out_at_once(tmp_path: Path) -> None:
    sending, inbox = queue(tmp_path)
    sending.send(ACME, "a")
    script = (
        "import sys; from local.events.queues import QueueReader;"
        "from local.template.resources import QueueConsumer;"
        "print(len(QueueReader(sys.argv[1], QueueConsumer('Queue', 'Finish', 3, 0, 360, 5)).receive(0)))"
    )
    path = str(tmp_path / "queue.db")
    gone = subprocess.run([sys.executable, "-c", script, path], capture_output=True, check=True)
    assert gone.stdout == b"1\n"
    assert groups(inbox.receive(1)) == ["a"]


def test_only_what_failed_comes_back(tmp_path: Path) -> None:
    sending, inbox = queue(tmp_path)
    for conversation in ("good", "bad"):
        sending.send(ACME, conversation)

    def invoke(_: str, event: dict[str, Any]) -> dict[str, Any]:
        bad = [record["messageId"] for record in event["Records"] if "bad" in record["body"]]
        return {"batchItemFailures": [{"itemIdentifier": number} for number in bad]}

    process_batch(inbox.receive(0), inbox, CONSUMER, invoke)
    assert groups(inbox.receive(1_000)) == ["bad"]


def test_a_failing_function_gets_the_whole_batch_again(tmp_path: Path) -> None:
    sending, inbox = queue(tmp_path)
    sending.send(ACME, "a")

    def invoke(_: str, event: dict[str, Any]) -> None:
        raise FunctionFailed("ValueError", "")

    process_batch(inbox.receive(0), inbox, CONSUMER, invoke)
    assert groups(inbox.receive(1_000)) == ["a"]


def test_an_entry_waits_for_its_own_delay(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.db")
    sending, inbox = SqliteRequestQueue(path), QueueReader(path, CONSUMER)
    sending.send(Named("late"), delay_s=30)
    sending.send(Named("now"))
    assert [delivery.body for delivery in inbox.receive(100)] == ["now"]
    assert [delivery.body for delivery in inbox.receive(130)] == ["late"]


def test_without_an_order_nothing_waits_for_another_entry(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.db")
    sending, inbox = (
        SqliteRequestQueue(path),
        QueueReader(path, replace(CONSUMER, batch_size=1, is_fifo=False)),
    )
    for _ in range(2):
        sending.send(Named("same"))
    assert [len(inbox.receive(0)), len(inbox.receive(0))] == [1, 1]


def test_only_an_ordered_queue_tells_of_an_order(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.db")
    told: list[frozenset[str]] = []

    def invoke(_: str, event: dict[str, Any]) -> None:
        told.append(frozenset(event["Records"][0]["attributes"]))

    for consumer in (CONSUMER, replace(CONSUMER, is_fifo=False)):
        SqliteRequestQueue(path).send(Named("x"))
        inbox = QueueReader(path, consumer)
        process_batch(inbox.receive(0), inbox, consumer, invoke)
    assert ["MessageGroupId" in attributes for attributes in told] == [True, False]


class Named(NamedTuple):
    """A request that is nothing but its body."""

    body: str
    tenant: TenantId | None = ACME

    def to_body(self) -> str:
        return self.body


BURST = 500
ONE_BY_ONE = replace(CONSUMER, batch_size=1, is_fifo=False)


def test_many_entries_of_one_tenant_do_not_delay_another_tenants(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.db")
    sending, inbox = SqliteRequestQueue(path), QueueReader(path, ONE_BY_ONE)
    executed: list[str] = []

    def invoke(_: str, event: dict[str, Any]) -> None:
        executed.extend(record["body"] for record in event["Records"])

    for number in range(BURST):
        sending.send(Named(f"acme {number}"))
    for _ in range(3):
        process_batch(inbox.receive(0), inbox, ONE_BY_ONE, invoke)
    sending.send(Named("neighbour", parse_tenant("acme-eu")))
    for _ in range(BURST - 2):
        process_batch(inbox.receive(0), inbox, ONE_BY_ONE, invoke)
    assert executed.index("neighbour") == 3
    assert executed[:3] == ["acme 0", "acme 1", "acme 2"]
    assert len(executed) == BURST + 1


def test_tenants_take_turns(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.db")
    sending, inbox = SqliteRequestQueue(path), QueueReader(path, ONE_BY_ONE)
    for tenant in ("a", "b", "c"):
        for number in range(3):
            sending.send(Named(f"{tenant}{number}", parse_tenant(tenant)))
    handed_out = [inbox.receive(0)[0].body for _ in range(9)]
    assert handed_out == ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"]


def test_a_batch_holds_entries_of_several_tenants(tmp_path: Path) -> None:
    sending, inbox = queue(tmp_path)
    for conversation in ("a", "b", "c", "d"):
        sending.send(ACME, conversation)
    sending.send(parse_tenant("acme-eu"), "e")
    assert groups(inbox.receive(0)) == ["a", "e", "b"]


def test_entries_of_nobody_come_in_their_order(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.db")
    sending, inbox = SqliteRequestQueue(path), QueueReader(path, ONE_BY_ONE)
    for number in range(3):
        sending.send(Named(str(number), None))
    assert [inbox.receive(0)[0].body for _ in range(3)] == ["0", "1", "2"]
