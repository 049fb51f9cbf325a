from __future__ import annotations

import json
import threading
from pathlib import Path

import boto3
import pytest
from botocore.config import Config

from conversation.finishing import QueueUnavailable
from edge.queues import SqliteQueue, SqsQueue, Waiting, open_queue
from storage.keys import parse_tenant

ACME = parse_tenant("acme")


def test_no_setting_is_no_queue() -> None:
    assert open_queue(None) is None


def test_what_is_sent_is_received_until_it_is_acknowledged(tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path}/queue.db"
    sender, receiver = open_queue(target), open_queue(target)
    assert sender is not None
    assert isinstance(receiver, SqliteQueue)

    sender.send(ACME, "c1")

    ((number, body),) = receiver.receive()
    assert json.loads(body) == {"tenant": "acme", "conversation": "c1"}
    assert Waiting.from_body(body) == (ACME, "c1")
    assert receiver.receive() == [(number, body)]
    receiver.ack(number)
    assert receiver.receive() == []


def test_one_entry_at_a_time_is_delivered_of_a_conversation(tmp_path: Path) -> None:
    queue = SqliteQueue(str(tmp_path / "queue.db"))
    for conversation_id in ("c1", "c1", "c2"):
        queue.send(ACME, conversation_id)

    first, second = queue.receive()
    assert [Waiting.from_body(body).conversation_id for _, body in (first, second)] == ["c1", "c2"]
    queue.ack(first[0])
    assert len(queue.receive()) == 2


def test_many_may_send_at_once(tmp_path: Path) -> None:
    queue = SqliteQueue(str(tmp_path / "queue.db"))
    threads = [threading.Thread(target=queue.send, args=(ACME, f"c{number}")) for number in range(16)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(queue.receive(limit=100)) == 16


def test_a_queue_that_can_not_be_reached_says_so(tmp_path: Path) -> None:
    queue = SqliteQueue(str(tmp_path / "queue.db"))
    (tmp_path / "queue.db").write_text("no database")

    with pytest.raises(QueueUnavailable):
        queue.send(ACME, "c1")


def test_sqs_that_can_not_be_reached_says_so() -> None:
    client = boto3.client(
        "sqs",
        region_name="eu-west-1",
        endpoint_url="http://127.0.0.1:9",
        aws_access_key_id="x",
        aws_secret_access_key="x",
        config=Config(retries={"total_max_attempts": 1}),
    )

    with pytest.raises(QueueUnavailable):
        SqsQueue(lambda: client, "http://127.0.0.1:9/000000000000/finish.fifo").send(ACME, "c1")


@pytest.mark.parametrize(
    "body", ["", "{", "[]", "{}", '{"tenant":"a b","conversation":"c"}', '{"tenant":"acme"}']
)
def test_a_body_we_did_not_write_is_refused(body: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        Waiting.from_body(body)
