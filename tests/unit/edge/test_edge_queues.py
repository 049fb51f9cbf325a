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
from tests.fakes.queues import queued

ACME = parse_tenant("acme")


def test_no_setting_is_no_queue() -> None:
    assert open_queue(None) is None


def test_what_is_sent_stays_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "queue.db"
    for conversation_id in ("c1", "c1", "c2"):
        queue = open_queue(f"sqlite:///{path}")
        assert queue is not None
        queue.send(ACME, conversation_id)

    bodies = queued(path)
    assert json.loads(bodies[0]) == {"tenant": "acme", "conversation": "c1"}
    assert [Waiting.from_body(body) for body in bodies] == [(ACME, "c1"), (ACME, "c1"), (ACME, "c2")]


def test_many_may_send_at_once(tmp_path: Path) -> None:
    queue = SqliteQueue(str(tmp_path / "queue.db"))
    threads = [threading.Thread(target=queue.send, args=(ACME, f"c{number}")) for number in range(16)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(queued(tmp_path / "queue.db")) == 16


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
