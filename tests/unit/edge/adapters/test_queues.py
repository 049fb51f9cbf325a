from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import boto3
import pytest
from botocore.config import Config
from botocore.stub import Stubber

from conversation.turns.deferred_turn import QueueUnavailable
from edge.adapters.queues import (
    FINISH_GROUPS,
    QueuedTurn,
    SqliteRequestQueue,
    SqliteTurnQueue,
    SqsRequestQueue,
    SqsTurnQueue,
    finish_group,
    open_request_queue,
    open_turn_queue,
)
from edge.environment import SettingsInvalid
from storage.keys import TenantId, parse_tenant
from tests.fakes.aws.dynamodb import REGION, ministack
from tests.fakes.aws.queues import queue_bodies

ACME = parse_tenant("acme")


def test_no_setting_is_no_queue() -> None:
    assert open_turn_queue(None) is None


def test_what_is_sent_stays_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "queue.db"
    for conversation_id in ("c1", "c1", "c2"):
        queue = open_turn_queue(f"sqlite:///{path}")
        assert queue is not None
        queue.send(ACME, conversation_id)

    bodies = queue_bodies(path)
    assert json.loads(bodies[0]) == {"tenant": "acme", "conversation": "c1"}
    assert [QueuedTurn.from_body(body)[:2] for body in bodies] == [(ACME, "c1"), (ACME, "c1"), (ACME, "c2")]


def test_many_may_send_at_once(tmp_path: Path) -> None:
    queue = SqliteTurnQueue(str(tmp_path / "queue.db"))
    threads = [threading.Thread(target=queue.send, args=(ACME, f"c{number}")) for number in range(16)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(queue_bodies(tmp_path / "queue.db")) == 16


def test_a_queue_that_can_not_be_reached_says_so(tmp_path: Path) -> None:
    queue = SqliteTurnQueue(str(tmp_path / "queue.db"))
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
        SqsTurnQueue(lambda: client, "http://127.0.0.1:9/000000000000/finish.fifo").send(ACME, "c1")


@pytest.mark.parametrize(
    "body", ["", "{", "[]", "{}", '{"tenant":"a b","conversation":"c"}', '{"tenant":"acme"}']
)
def test_a_body_we_did_not_write_is_refused(body: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        QueuedTurn.from_body(body)


@dataclass(frozen=True)
class Asked:
    number: int
    tenant: TenantId | None = ACME

    def to_body(self) -> str:
        return str(self.number)


def test_requests_wait_in_a_file_with_the_delay_they_were_sent_with(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    queue = open_request_queue(f"sqlite:///{path}")
    queue.send(Asked(1))
    queue.send(Asked(2), delay_s=30)
    with closing(sqlite3.connect(path)) as connection:
        waiting = connection.execute("select body, delay_s from queue order by id").fetchall()
    assert waiting == [("1", 0.0), ("2", 30.0)]


def test_a_queue_file_from_before_there_were_delays_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "queue.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "create table queue (id integer primary key, body text not null, group_id text not null)"
        )
        connection.execute("insert into queue (body, group_id) values ('old', 'c1')")
        connection.commit()
    SqliteRequestQueue(str(path)).send(Asked(1))
    assert queue_bodies(path) == ["old", "1"]


def test_requests_are_sent_to_a_standard_queue_of_sqs() -> None:
    with ministack("sqs") as endpoint:
        client = boto3.client(
            "sqs",
            region_name=REGION,
            endpoint_url=endpoint,
            aws_access_key_id="x",
            aws_secret_access_key="x",
        )
        url = client.create_queue(QueueName="runs")["QueueUrl"]
        queue = SqsRequestQueue(lambda: client, url)
        queue.send(Asked(1), delay_s=600)
        queue.send(Asked(2))
        received = client.receive_message(QueueUrl=url, MaxNumberOfMessages=10)
    assert [message["Body"] for message in received["Messages"]] == ["2"]


def test_a_request_is_sent_in_the_group_of_its_tenant_so_that_the_queue_is_fair() -> None:
    client = boto3.client("sqs", region_name=REGION, aws_access_key_id="x", aws_secret_access_key="x")
    url = "https://sqs.eu-west-1.amazonaws.com/000000000000/runs"
    sent = {"QueueUrl": url, "MessageBody": "1", "DelaySeconds": 30}
    with Stubber(client) as sqs:
        sqs.add_response("send_message", {}, {**sent, "MessageGroupId": "acme"})
        sqs.add_response("send_message", {}, sent)
        queue = SqsRequestQueue(lambda: client, url)
        queue.send(Asked(1), delay_s=30)
        queue.send(Asked(1, tenant=None), delay_s=30)
        sqs.assert_no_pending_responses()


def test_a_tenant_has_a_limited_number_of_groups_to_finish() -> None:
    long = parse_tenant("a" * 128)
    groups = {finish_group(long, f"c{number}") for number in range(1_000)}
    assert len(groups) == FINISH_GROUPS
    assert max(map(len, groups)) <= 128
    assert groups.isdisjoint(finish_group(ACME, f"c{number}") for number in range(1_000))
    assert finish_group(ACME, "c1") == finish_group(ACME, "c1")


def test_no_setting_is_no_queue_for_requests() -> None:
    with pytest.raises(SettingsInvalid, match="OMNIFORGE_RUN_QUEUE"):
        open_request_queue(None)
