"""A redrive tries again whatever a deployed stack gave up, and says what it moved."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boto3
import pytest

from local.operations.redrive import Redrive
from local.operations.stack import DeployedStack
from storage.dynamodb.table import DynamoTable
from storage.table import Put
from tests.built.build import ROOT
from tests.fakes.aws.dynamodb import REGION
from tests.fakes.deployment import functions
from tests.integration.operations.conftest import QUEUES, TABLE, Lambda

RUN = {"pk": "T#acme#U#maya#RUNS", "sk": "R#1", "status": "queued", "agent_id": "1"}
QUEUED = {
    "eventName": ["INSERT"],
    "dynamodb": {"Keys": {"sk": {"S": [{"prefix": "R#"}]}}, "NewImage": {"status": {"S": ["queued"]}}},
}
FILTERS = [{"Pattern": json.dumps(QUEUED)}, {"Pattern": '{"dynamodb": {"Keys": {"sk": {"S": ["AGENT"]}}}}'}]


def url(stack: DeployedStack, name: str) -> str:
    return stack.resources[name][1]


def send(stack: DeployedStack, name: str, body: str, **more: str) -> None:
    client: Any = boto3.client("sqs")
    client.send_message(QueueUrl=url(stack, name), MessageBody=body, **more)


def waiting(stack: DeployedStack, name: str) -> list[str]:
    """What lies in a queue; it is taken out."""
    client: Any = boto3.client("sqs")
    found = client.receive_message(QueueUrl=url(stack, name), MaxNumberOfMessages=10)
    return [each["Body"] for each in found.get("Messages", ())]


@pytest.fixture
def redriven(
    stack: DeployedStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[list[str], Lambda]]:
    """Redrives the stack, with the real function behind the stream; gives the lines and Lambda."""
    variables = functions.settings(
        tmp_path,
        OMNIFORGE_TABLE=TABLE,
        OMNIFORGE_RUN_QUEUE=f"sqlite:///{tmp_path}/runs.db",
        OMNIFORGE_RETENTION_QUEUE=f"sqlite:///{tmp_path}/retention.db",
        OMNIFORGE_SCHEDULES=f"sqlite:///{tmp_path}/schedules.db",
    )
    app = functions.load("consequences", variables)
    lambda_ = Lambda(app.handler, FILTERS)
    made: Any = boto3.client

    def client(service: str, **more: Any) -> Any:
        return lambda_ if service == "lambda" else made(service, **more)

    monkeypatch.setattr(boto3, "client", client)
    mapped = stack._replace(
        resources={
            **stack.resources,
            "ConsequencesFunctionWrites": ("AWS::Lambda::EventSourceMapping", "1"),
            "RetentionFunction": ("AWS::Lambda::Function", Lambda.arn),
        }
    )
    return lambda: (list(Redrive(mapped).run()), lambda_)


def give_up(stack: DeployedStack, *, alias: str = "") -> None:
    """Write a run that was not started between two other writes, and its dead letter, as Lambda leaves it."""
    table: Any = boto3.client("dynamodb")
    streams: Any = boto3.client("dynamodbstreams")
    arn = table.describe_table(TableName=TABLE)["Table"]["LatestStreamArn"]
    [shard] = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
    conversation = {"pk": "T#acme#C#1"}
    for item in ({**conversation, "sk": "HEAD"}, RUN, {**conversation, "sk": "M#1"}, {**RUN, "sk": "R#2"}):
        DynamoTable(table, TABLE).put(Put(dict(item)))
    iterator = streams.get_shard_iterator(
        StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
    )["ShardIterator"]
    numbers = [
        each["dynamodb"]["SequenceNumber"] for each in streams.get_records(ShardIterator=iterator)["Records"]
    ]
    batch = {
        "streamArn": arn,
        "shardId": shard["ShardId"],
        "startSequenceNumber": numbers[1],
        "endSequenceNumber": numbers[2],
        "batchSize": 2,
    }
    context = {"functionArn": Lambda.arn + alias, "condition": "RetryAttemptsExhausted"}
    send(
        stack,
        "ConsequencesDeadLetters",
        json.dumps({"requestContext": context, "DDBStreamBatchInfo": batch, "version": "1.0"}),
    )


@pytest.mark.parametrize("alias", ["", ":live"])
def test_writes_that_were_given_up_are_read_from_the_stream_again_and_followed(
    stack: DeployedStack, redriven: Callable[..., tuple[list[str], Lambda]], tmp_path: Path, alias: str
) -> None:
    give_up(stack, alias=alias)
    lines, lambda_ = redriven()
    done = "1 letter read from the stream again and handled by stack-Consequences"
    assert f"ConsequencesDeadLetters: {done}" in lines
    [payload] = lambda_.payloads
    [record] = payload["Records"]
    assert (record["dynamodb"]["Keys"]["sk"], payload["redrive"]) == ({"S": "R#1"}, True)
    assert waiting(stack, "ConsequencesDeadLetters") == []
    assert "ConsequencesDeadLetters: empty" in redriven()[0]


def test_what_can_still_not_be_followed_stays_among_the_dead_letters(
    stack: DeployedStack, redriven: Callable[..., tuple[list[str], Lambda]], monkeypatch: pytest.MonkeyPatch
) -> None:
    give_up(stack)
    failure = {"FunctionError": "Unhandled", "Payload": io.BytesIO(b"")}
    monkeypatch.setattr(Lambda, "invoke", lambda *_, **__: failure)
    lines, _ = redriven()
    assert "ConsequencesDeadLetters: 1 left, a write can still not be followed" in lines


def test_messages_go_back_to_their_queues_and_keep_their_groups(
    stack: DeployedStack, redriven: Callable[..., tuple[list[str], Lambda]]
) -> None:
    send(stack, "RunDeadLetters", '{"run_id": "1"}')
    send(stack, "RunDeadLetters", "not even JSON")
    for number in range(2):
        order = {"MessageGroupId": "acme.1", "MessageDeduplicationId": str(number)}
        send(stack, "FinishDeadLetters", f'{{"turn": {number}}}', **order)
    lines, _ = redriven()
    assert "RunDeadLetters: 2 letters sent back to RunQueue" in lines
    assert "FinishDeadLetters: 2 letters sent back to FinishQueue" in lines
    assert sorted(waiting(stack, "RunQueue")) == ["not even JSON", '{"run_id": "1"}']
    assert waiting(stack, "FinishQueue") == ['{"turn": 0}', '{"turn": 1}']
    assert [name for name in QUEUES if name.endswith("DeadLetters") and waiting(stack, name)] == []


def test_a_sweep_that_failed_is_invoked_again(
    stack: DeployedStack, redriven: Callable[..., tuple[list[str], Lambda]], monkeypatch: pytest.MonkeyPatch
) -> None:
    event = json.loads((ROOT / "events" / "retention" / "schedule.json").read_text())
    context = {"functionArn": Lambda.arn, "condition": "RetriesExhausted"}
    send(stack, "RetentionDeadLetters", json.dumps({"requestContext": context, "requestPayload": event}))
    send(stack, "RetentionDeadLetters", json.dumps({**event, "detail-type": "Scheduled Event"}))
    asked: list[Any] = []

    def invoke(_: Lambda, **given: Any) -> dict[str, Any]:
        asked.append(json.loads(given["Payload"]))
        return {}

    monkeypatch.setattr(Lambda, "invoke", invoke)
    lines, _ = redriven()
    assert "RetentionDeadLetters: 2 letters handled by stack-Consequences" in lines
    assert asked[0] == event


def test_the_stream_of_the_template_has_the_region_of_these_tests() -> None:
    assert REGION in Lambda.arn
