"""The built retention function, with its role's permissions only, over a DynamoDB table."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from conversation.clock import SystemClock
from conversation.erasure.requests import Erasures, Progress
from conversation.identity import Caller
from storage import keys
from storage.dynamodb.table import DynamoTable
from storage.keys import TenantId
from storage.table import Put, Query
from storage.tenant_table import Tables
from tests.built.build import ROOT
from tests.built.conftest import TABLE, Services
from tests.built.emulator import EmulatedFunction, sample
from tests.fakes.aws.dynamodb import dynamo_client
from tests.fakes.data.old_conversations import write_conversation

pytestmark = pytest.mark.built

EVENTS = ROOT / "events" / "retention"
ERIN = Caller(TenantId("hooli"), "erin")


def test_the_built_retention_removes_what_is_past_its_time(
    start: Callable[..., EmulatedFunction], services: Services
) -> None:
    table, now = DynamoTable(dynamo_client(services.endpoint), TABLE), datetime.now(UTC)
    swept_on = (now - timedelta(days=2)).date().isoformat()
    table.put(Put({"pk": keys.SWEEP.partition, "sk": keys.SWEEP.sort, "day": swept_on}))
    conversation = write_conversation(table, ERIN, "old", begun=now - timedelta(days=31), exchanges=20)
    function = start("RetentionFunction")
    expected = {"looked_at": 1, "removed": 1, "messages": 40, "moved": 0, "held": 0, "busy": 0}
    for event in ("dry_run", "schedule"):
        done = function.invoke(sample(EVENTS / f"{event}.json"))
        assert done == {**expected, "finished": True}
    left = table.query(Query(keys.conversation(ERIN.tenant, conversation), limit=100)).items
    assert [item["sk"] for item in left] == [keys.HEAD]


def test_the_built_retention_gives_earlier_days_when_it_is_asked_to(
    start: Callable[..., EmulatedFunction],
) -> None:
    answer = start("RetentionFunction").invoke(sample(EVENTS / "redate.json"))
    assert answer == {"batchItemFailures": []}


def test_the_built_retention_erases_whom_it_is_asked_to(
    start: Callable[..., EmulatedFunction], services: Services
) -> None:
    table = DynamoTable(dynamo_client(services.endpoint), TABLE)
    write_conversation(table, ERIN, "of theirs", begun=datetime.now(UTC), exchanges=60)
    asked = Erasures(tables=Tables(table), clock=SystemClock()).request_for_user(ERIN, ERIN.user)
    event = sample(EVENTS / "erase.json")
    body = json.loads(event["Records"][0]["body"])
    event["Records"][0]["body"] = json.dumps({**body, "erasure": asked.id})
    assert start("RetentionFunction").invoke(event) == {"batchItemFailures": []}
    done = Erasures(tables=Tables(table), clock=SystemClock()).find(ERIN.tenant, asked.id)
    assert done is not None
    assert done.progress is Progress.SETTLING
    assert done.removed["messages"] == 120
