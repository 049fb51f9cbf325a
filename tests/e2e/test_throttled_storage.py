"""Conversations while DynamoDB throttles requests, below boto3: who is waited for tries a few
times, and goes on without.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from storage.dynamodb.table import DynamoTable, create_table
from storage.dynamodb.timeouts import RequestTimeouts
from storage.table import Table
from tests.fakes.aws.dynamodb import dynamo_client, error_answer, ministack, without_retry_delays
from tests.fakes.aws.outages import Deployment
from tests.fakes.aws.tables import ObservedTable
from tests.fakes.run.clocks import ManualClock

MESSAGES = 20
MOST_TRIES = 8
THROTTLED = ("ProvisionedThroughputExceededException", "ThrottlingException")


class Throttling:
    """Refuses a share of what a client sends, and counts the tries of each request to a table."""

    def __init__(self, draw: Random, share: float) -> None:
        self._draw = draw
        self.share = share
        self.tries: list[int] = []

    def request(self, name: str, when: str) -> None:
        """As an observer of a table."""
        if when == "before":
            self.tries.append(0)

    def send(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse | None:
        """As a hook of a client."""
        self.tries[-1] += 1
        if self._draw.random() >= self.share:
            return None
        return error_answer(self._draw.choice(THROTTLED))(request)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with ministack() as endpoint:
        yield endpoint


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_however_many_requests_are_throttled_every_message_is_answered_and_none_lost(
    endpoint: str, tmp_path: Path, share: float
) -> None:
    throttling, waiting = Throttling(Random(0), share), ManualClock()
    with closing(dynamo_client(endpoint)) as plain, without_retry_delays():
        create_table(plain, name := f"throttled-{share}")

        def open_table(_: str, patience: RequestTimeouts) -> Table:
            client = dynamo_client(endpoint, patience)
            hook: Any = throttling.send
            client.meta.events.register_first("before-send.dynamodb.*", hook)
            table = DynamoTable(
                client,
                name,
                retry_for_s=patience.retry_for_s,
                sleep=waiting.sleep,
                monotonic=waiting.monotonic,
            )
            return ObservedTable(table, throttling.request)

        deployment = Deployment(tmp_path, open_table=open_table)
        deployment.table = DynamoTable(plain, name)
        begun: dict[int, str] = {}
        told = [said(deployment, number, begun) for number in range(MESSAGES)]
        throttling.share = 0.0
        deployment.clock.advance(60)
        deployment.drain()
        assert max(throttling.tries) <= MOST_TRIES
        stored = [is_stored for *_, is_stored in told]
        assert all(stored) if share == 0.5 else {True, False} == set(stored)
        for conversation in {conversation for conversation, *_ in told}:
            texts = [each.content for each in deployment.stored(conversation) if each.role == "user"]
            assert sorted(texts) == sorted(text for named, text, _ in told if named == conversation)


def said(deployment: Deployment, number: int, begun: dict[int, str]) -> tuple[str, str, bool]:
    """A message to one of four conversations, and whether its answer is stored at once."""
    text, place = f"What is {number} * 7?", number % 4
    answer = deployment.send(text, begun.get(place), key=f"key {number}")
    assert answer.status in (200, 202), answer.body
    begun[place] = answer.json["conversation_id"]
    metadata = answer.json.get("metadata", {"persisted": False, "stored_later": True})
    assert metadata["persisted"] or metadata["stored_later"]
    return begun[place], text, bool(metadata["persisted"])
