"""Redrive of a deployed stack's dead letters: everything that was given up is tried once more.

A message of a queue goes back to its queue. A failed invocation is invoked again. Of a write that could not
be followed, the dead letter only says where in the table's stream it stands: it is read from there, as long
as the stream keeps it (24 hours). A dead letter is deleted only after that was done, so a redrive may be
repeated.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import boto3
from botocore.exceptions import ClientError

from edge.adapters.event_batches import REDRIVE
from local.operations.stack import DeployedStack
from local.template.event_filters import matches

QUEUE = "AWS::SQS::Queue"
MAPPING = "AWS::Lambda::EventSourceMapping"
STREAM_BATCH = "DDBStreamBatchInfo"
"""What Lambda says in a dead letter about the batch that it gave up.

Source: "Retaining discarded batches for a DynamoDB event source" in the Lambda developer guide.
"""

HIDDEN_S = 60


class _Cannot(Exception):
    """A dead letter stays where it is; the message says why."""


class _Queues(NamedTuple):
    """The stack's queues: addresses by logical id, and which of them gives up into which."""

    urls: Mapping[str, str]
    sources: Mapping[str, str]


class Redrive:
    """Redrives the dead letters of one stack."""

    def __init__(self, stack: DeployedStack) -> None:
        self._stack = stack
        self._sqs: Any = boto3.client("sqs")
        self._lambda: Any = boto3.client("lambda")
        self._streams: Any = boto3.client("dynamodbstreams")
        self._queues = self._find_queues()

    def run(self) -> Iterator[str]:
        """Redrive all dead letters; say of each queue of dead letters, in a line, what was moved."""
        for name, url in self._queues.urls.items():
            if name.endswith("DeadLetters"):
                yield from self._redrive(name, url)

    def _redrive(self, name: str, url: str) -> Iterator[str]:
        moved: dict[str, int] = {}
        left: dict[str, int] = {}
        for letter in self._letters(url):
            try:
                done = self._redrive_letter(name, letter)
            except _Cannot as refusal:
                left[str(refusal)] = left.get(str(refusal), 0) + 1
                continue
            self._sqs.delete_message(QueueUrl=url, ReceiptHandle=letter["ReceiptHandle"])
            moved[done] = moved.get(done, 0) + 1
        if not moved and not left:
            yield f"{name}: empty"
        for done, count in moved.items():
            yield f"{name}: {count} {'letter' if count == 1 else 'letters'} {done}"
        for reason, count in left.items():
            yield f"{name}: {count} left, {reason}"

    def _letters(self, url: str) -> Iterator[Mapping[str, Any]]:
        """Every dead letter once; what is left becomes visible again after a minute."""
        seen: set[str] = set()
        while True:
            found = self._sqs.receive_message(
                QueueUrl=url,
                MaxNumberOfMessages=1,  # of a group of a FIFO queue, none follows before this one is gone
                VisibilityTimeout=HIDDEN_S,
                AttributeNames=["All"],
                MessageAttributeNames=["All"],
            ).get("Messages", ())
            if not found or found[0]["MessageId"] in seen:
                return
            seen.add(found[0]["MessageId"])
            yield found[0]

    def _redrive_letter(self, name: str, letter: Mapping[str, Any]) -> str:
        body = _parsed(letter["Body"])
        if STREAM_BATCH in body:
            return self._follow(body)
        if "requestPayload" in body:
            return self._invoke_again(str(body["requestContext"]["functionArn"]), body["requestPayload"])
        if "detail-type" in body:
            return self._invoke_again(self._physical("RetentionFunction"), body)
        source = self._queues.sources.get(name)
        if source is None:
            raise _Cannot("of a kind that is not known")
        return self._send_back(source, letter)

    def _send_back(self, source: str, letter: Mapping[str, Any]) -> str:
        order = letter.get("Attributes", {})
        is_fifo = "MessageGroupId" in order and self._queues.urls[source].endswith(".fifo")
        self._sqs.send_message(
            QueueUrl=self._queues.urls[source],
            MessageBody=letter["Body"],
            **({"MessageGroupId": order["MessageGroupId"]} if "MessageGroupId" in order else {}),
            # A new one: within five minutes the queue would drop one that it has had.
            **({"MessageDeduplicationId": letter["MessageId"]} if is_fifo else {}),
        )
        return f"sent back to {source}"

    def _invoke_again(self, function: str, payload: Any) -> str:
        answer = self._lambda.invoke(FunctionName=function, Payload=json.dumps(payload).encode())
        if answer.get("FunctionError"):
            raise _Cannot("the function failed again")
        return f"handled by {_name_of(function)}"

    def _follow(self, body: Mapping[str, Any]) -> str:
        batch, function = body[STREAM_BATCH], str(body["requestContext"]["functionArn"])
        mapping = self._mapping_of(function)
        patterns = [
            json.loads(each["Pattern"]) for each in mapping.get("FilterCriteria", {}).get("Filters", ())
        ]
        records = [
            each for each in self._records(batch) if not patterns or any(matches(p, each) for p in patterns)
        ]
        for record in records:
            self._handle_record(function, record)
        return f"read from the stream again and handled by {_name_of(function)}"

    def _handle_record(self, function: str, record: Mapping[str, Any]) -> None:
        payload = {"Records": [record], REDRIVE: True}
        answer = self._lambda.invoke(FunctionName=function, Payload=json.dumps(payload).encode())
        result = json.loads(answer["Payload"].read() or b"{}")
        if answer.get("FunctionError") or (result or {}).get("batchItemFailures"):
            raise _Cannot("a write can still not be followed")

    def _records(self, batch: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The records of the given-up range, as Lambda would give them to a function."""
        arn, last = batch["streamArn"], int(batch["endSequenceNumber"])
        try:
            iterator = self._streams.get_shard_iterator(
                StreamArn=arn,
                ShardId=batch["shardId"],
                ShardIteratorType="AT_SEQUENCE_NUMBER",
                SequenceNumber=batch["startSequenceNumber"],
            )["ShardIterator"]
            while iterator:
                page = self._streams.get_records(ShardIterator=iterator)
                for record in page["Records"]:
                    if int(record["dynamodb"]["SequenceNumber"]) > last:
                        return
                    yield _as_event(record, arn)
                    if int(record["dynamodb"]["SequenceNumber"]) == last:
                        return
                iterator = page.get("NextShardIterator") if page["Records"] else None
        except ClientError as error:
            if error.response["Error"]["Code"] in {"TrimmedDataAccessException", "ResourceNotFoundException"}:
                raise _Cannot("older than what the stream keeps (24 hours)") from None
            raise

    def _mapping_of(self, function: str) -> Mapping[str, Any]:
        for _, uuid in self._stack.of_type(MAPPING):
            mapping: Mapping[str, Any] = self._lambda.get_event_source_mapping(UUID=uuid)
            if _name_of(mapping["FunctionArn"]) == _name_of(function):
                return mapping
        raise _Cannot(f"nothing feeds {_name_of(function)} any more")

    def _physical(self, logical: str) -> str:
        return self._stack.resources[logical][1]

    def _find_queues(self) -> _Queues:
        urls = dict(self._stack.of_type(QUEUE))
        arns: dict[str, str] = {}
        policies: dict[str, str] = {}
        for name, url in urls.items():
            attributes = self._sqs.get_queue_attributes(
                QueueUrl=url, AttributeNames=["QueueArn", "RedrivePolicy"]
            )["Attributes"]
            arns[attributes["QueueArn"]] = name
            if "RedrivePolicy" in attributes:
                policies[name] = json.loads(attributes["RedrivePolicy"])["deadLetterTargetArn"]
        return _Queues(urls, {arns[target]: name for name, target in policies.items() if target in arns})


def _parsed(body: str) -> Mapping[str, Any]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, Mapping) else {}


def _as_event(record: Mapping[str, Any], arn: str) -> dict[str, Any]:
    change = dict(record["dynamodb"])
    created = change.get("ApproximateCreationDateTime")
    if isinstance(created, datetime):
        change["ApproximateCreationDateTime"] = created.timestamp()
    return {**record, "dynamodb": change, "eventSourceARN": arn}


def _name_of(function: str) -> str:
    """The name of a function in its ARN, with or without a qualifier."""
    parts: Sequence[str] = function.split(":")
    return parts[6] if len(parts) > 6 else function
