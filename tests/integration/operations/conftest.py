"""AWS as moto imitates it, with a stack of ours in it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

import boto3
import pytest
from moto import mock_aws

from local.operations.stack import DeployedStack
from storage.dynamodb.table import create_table
from tests.fakes.aws.dynamodb import REGION
from tests.fakes.aws.proxy_events import Context

QUEUES: Mapping[str, Mapping[str, str]] = {
    "FinishQueue": {"FifoQueue": "true"},
    "FinishDeadLetters": {"FifoQueue": "true"},
    "RunQueue": {},
    "RunDeadLetters": {},
    "RetentionQueue": {},
    "RetentionDeadLetters": {},
    "ConsequencesDeadLetters": {},
}
TABLE = "omniforge"


class CloudFormation:
    """A stack with queues and a page's bucket; moto's needs more than our tests do."""

    def __init__(self, resources: dict[str, tuple[str, str]]) -> None:
        self.resources = resources
        self.deleted: list[str] = []

    def describe_stacks(self, **_: str) -> dict[str, Any]:
        return {"Stacks": [{"Outputs": [{"OutputKey": "TableName", "OutputValue": TABLE}]}]}

    def get_paginator(self, _: str) -> CloudFormation:
        return self

    def paginate(self, **_: str) -> list[dict[str, Any]]:
        # A resource that is not made yet has no physical id.
        pending = {"LogicalResourceId": "Pending", "ResourceType": "AWS::SQS::Queue"}
        made = [
            {"LogicalResourceId": name, "ResourceType": kind, "PhysicalResourceId": physical}
            for name, (kind, physical) in self.resources.items()
        ]
        return [{"StackResourceSummaries": [pending, *made[:3]]}, {"StackResourceSummaries": made[3:]}]

    def delete_stack(self, **asked: str) -> None:
        """Delete the bucket, which AWS refuses to while there is anything in it."""
        s3: Any = boto3.client("s3")
        for kind, physical in self.resources.values():
            if kind == "AWS::S3::Bucket":
                s3.delete_bucket(Bucket=physical)
        self.deleted.append(asked["StackName"])

    def get_waiter(self, _: str) -> CloudFormation:
        return self

    def wait(self, **asked: str) -> None:
        assert asked["StackName"] in self.deleted


class Lambda:
    """Lambda with one function, which runs in this process, and its mapping."""

    arn = f"arn:aws:lambda:{REGION}:123456789012:function:stack-Consequences"

    def __init__(self, handler: Any, filters: list[dict[str, str]]) -> None:
        self._handler = handler
        self._filters = filters
        self.payloads: list[Any] = []

    def get_event_source_mapping(self, **_: str) -> dict[str, Any]:
        return {"FunctionArn": self.arn, "FilterCriteria": {"Filters": self._filters}}

    def invoke(self, **asked: Any) -> dict[str, Any]:
        assert asked["FunctionName"].startswith(self.arn)
        payload = json.loads(asked["Payload"])
        self.payloads.append(payload)
        try:
            result = self._handler(payload, Context())
        except Exception as error:  # noqa: BLE001 - as Lambda does
            return {"FunctionError": "Unhandled", "Payload": io.BytesIO(json.dumps(str(error)).encode())}
        return {"Payload": io.BytesIO(json.dumps(result).encode())}


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    monkeypatch.setenv("AWS_ACCOUNT_ID_ENDPOINT_MODE", "disabled")
    with mock_aws():
        yield


@pytest.fixture
def stack(aws: None, monkeypatch: pytest.MonkeyPatch) -> DeployedStack:
    sqs: Any = boto3.client("sqs")
    resources = {name: ("AWS::SQS::Queue", _queue(sqs, name)) for name in QUEUES}
    for kind in ("Finish", "Run", "Retention"):
        dead = resources[f"{kind}DeadLetters"][1]
        arn = sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        policy = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": 3})
        sqs.set_queue_attributes(QueueUrl=resources[f"{kind}Queue"][1], Attributes={"RedrivePolicy": policy})
    boto3.client("s3").create_bucket(Bucket="page")
    create_table(boto3.client("dynamodb"), TABLE)
    streamed = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    dynamodb: Any = boto3.client("dynamodb")
    dynamodb.update_table(TableName=TABLE, StreamSpecification=streamed)
    made: Any = boto3.client
    formation = CloudFormation({**resources, "PageBucket": ("AWS::S3::Bucket", "page")})

    def client(service: str, **more: Any) -> Any:
        return formation if service == "cloudformation" else made(service, **more)

    monkeypatch.setattr(boto3, "client", client)
    return DeployedStack.find("omniforge")


def _queue(sqs: Any, name: str) -> str:
    fifo = QUEUES[name]
    return str(sqs.create_queue(QueueName=f"{name}.fifo" if fifo else name, Attributes=fifo)["QueueUrl"])
