"""A roll-back: what the next version stored is read, finished, indexed and erased by what this one built."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from conversation.clock import SystemClock
from conversation.erasure.requests import Erasures, Progress
from conversation.identity import Caller
from conversation.turns.admission import IncomingMessage, admit
from edge.adapters.queues import QueuedTurn
from storage import keys
from storage.dynamodb.attribute_values import to_wire
from storage.dynamodb.table import DynamoTable
from storage.keys import TenantId
from storage.table import SCHEMA_VERSION, Item, Put, Query
from storage.tenant_table import Tables
from tests.built.build import ROOT
from tests.built.conftest import TABLE, Services
from tests.built.emulator import EmulatedFunction, sample
from tests.fakes.aws.dynamodb import dynamo_client
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.deployment.next_version import LATER, next_version

pytestmark = pytest.mark.built

EVENTS = ROOT / "events"
ZOE = Caller(TenantId("acme"), "zoe")
DONE: dict[str, Any] = {"batchItemFailures": []}
Start = Callable[..., EmulatedFunction]


@pytest.fixture
def table(services: Services) -> DynamoTable:
    return DynamoTable(dynamo_client(services.endpoint), TABLE)


@pytest.fixture
def conversation_id(table: DynamoTable) -> str:
    """A conversation of the next version, with a message that nobody answers and an item of a new kind."""
    long_ago = datetime.now(UTC) - timedelta(minutes=5)
    with next_version():
        conversation_id = write_conversation(table, ZOE, "flamingo", begun=long_ago, exchanges=13)
        unanswered = IncomingMessage(ZOE, "left alone", conversation_id)
        admit(table, unanswered, owner="dead", now=long_ago, caller_until=long_ago, retention_days=30)
        table.put(Put({"pk": keys.conversation(ZOE.tenant, conversation_id), "sk": "Y#1", "kind": "new"}))
    return conversation_id


def items_of(table: DynamoTable, conversation_id: str) -> tuple[Item, ...]:
    return table.query(Query(keys.conversation(ZOE.tenant, conversation_id), limit=1_000)).items


def records_of(items: tuple[Item, ...]) -> Iterator[dict[str, Any]]:
    """The stream's records of new messages."""
    for number, item in enumerate(items):
        if str(item["sk"]).startswith(keys.MESSAGE_PREFIX):
            key = to_wire({name: item[name] for name in ("pk", "sk")})
            change = {"Keys": key, "NewImage": to_wire(item), "SequenceNumber": f"{number:021}"}
            yield {"eventName": "INSERT", "dynamodb": change}


def read_messages(start: Start, conversation_id: str) -> list[Any]:
    event = sample(EVENTS / "conversations" / "messages.json")
    event["pathParameters"] = {"conversation_id": conversation_id}
    event["path"] = f"/v1/conversations/{conversation_id}/messages"
    event["requestContext"]["authorizer"] |= {"tenant": ZOE.tenant, "user": ZOE.user}
    answer = start("ConversationsFunction").invoke(event)
    assert answer["statusCode"] == 200, answer
    return list(json.loads(answer["body"])["items"])


def test_what_the_next_version_stored_is_read_finished_indexed_and_erased_by_this_one(
    start: Start, table: DynamoTable, conversation_id: str
) -> None:
    stored = items_of(table, conversation_id)
    assert {item["v"] for item in stored} == {SCHEMA_VERSION + 1}
    assert read_messages(start, conversation_id)

    body = QueuedTurn(ZOE.tenant, conversation_id).to_body()
    record = {"messageId": "1", "body": body, "attributes": {"MessageGroupId": "1"}, "eventSource": "aws:sqs"}
    assert start("FinishFunction").invoke({"Records": [record]}) == DONE
    answered = items_of(table, conversation_id)
    [head] = [item for item in answered if item["sk"] == keys.HEAD]
    assert (head["count"], head.get("inbox"), head["v"]) == (28, [], SCHEMA_VERSION + 1)
    assert head["later"] == LATER["later"]

    events = [*records_of(answered)]
    assert start("EnrichmentFunction").invoke({"Records": events}) == DONE
    index = table.query(Query(keys.search(ZOE.tenant, ZOE.user), limit=1_000)).items
    assert any(str(item["sk"]).startswith("0#") for item in index)  # a segment
    assert start("ConsequencesFunction").invoke({"Records": events}) == DONE
    assert table.get(keys.member(ZOE.tenant, ZOE.user)) is not None

    erasures = Erasures(tables=Tables(table), clock=SystemClock())
    erasure = erasures.request_for_user(ZOE, ZOE.user)
    event = sample(EVENTS / "retention" / "erase.json")
    given = json.loads(event["Records"][0]["body"])
    event["Records"][0]["body"] = json.dumps({**given, "tenant": ZOE.tenant, "erasure": erasure.id})
    assert start("RetentionFunction").invoke(event) == DONE
    found = erasures.find(ZOE.tenant, erasure.id)
    assert found is not None
    assert found.progress is Progress.SETTLING
    assert [item["sk"] for item in items_of(table, conversation_id) if item["sk"] != keys.HEAD] == []
