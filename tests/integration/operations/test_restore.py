"""`make restore-drill`: a table is restored as of a moment, and conversations go on in the new one.

moto copies what a table holds when it is asked, so the moment is the present; nothing here ran on AWS.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import boto3
import pytest

from local.operations.restore import restore
from local.operations.stack import DeployedStack, OperationFailed
from local.operations.teardown import tear_down
from tests.fakes.aws.proxy_events import request
from tests.fakes.deployment import functions
from tests.integration.operations.conftest import TABLE


class Deployment:
    """Chat and conversations over one DynamoDB table."""

    def __init__(self, folder: Path, table: str) -> None:
        settings = {
            **functions.settings(folder, OMNIFORGE_TABLE=table),
            **functions.LONG_STORAGE_DEADLINE,
        }
        self._chat, self._conversations = (
            functions.load(name, settings) for name in ("chat", "conversations")
        )

    def say(self, text: str, conversation_id: str | None = None) -> str:
        body = {"message": text, **({"conversation_id": conversation_id} if conversation_id else {})}
        answer = functions.invoke(self._chat, request("POST", "/v1/chat", body=body))
        assert (answer.status, answer.json["metadata"]["persisted"]) == (200, True), answer.body
        return str(answer.json["conversation_id"])

    def said(self, conversation_id: str) -> list[str]:
        path = f"/v1/conversations/{conversation_id}/messages"
        answer = functions.invoke(self._conversations, request("GET", path))
        return [each["content"] for each in answer.json["items"] if each["role"] == "user"]

    def listed(self) -> list[str]:
        answer = functions.invoke(self._conversations, request("GET", "/v1/conversations"))
        return [each["id"] for each in answer.json["items"]]


def test_conversations_are_restored_as_of_a_moment_and_go_on(stack: DeployedStack, tmp_path: Path) -> None:
    client: Any = boto3.client("dynamodb")
    enabled = {"PointInTimeRecoveryEnabled": True}
    client.update_continuous_backups(TableName=TABLE, PointInTimeRecoverySpecification=enabled)
    old = Deployment(tmp_path, TABLE)
    kept = old.say("Hello")
    lines = list(restore(TABLE, "restored"))
    old.say("Said too late", kept)
    late = old.say("Begun too late")

    new = Deployment(tmp_path, "restored")
    assert new.said(kept) == ["Hello"]
    assert new.listed() == [kept]
    assert new.say("And now?", kept) == kept
    begun = new.say("Good morning")
    assert new.said(kept) == ["Hello", "And now?"]
    assert set(new.listed()) == {kept, begun}
    assert late not in new.listed()
    assert re.fullmatch(r"  ExistingTable=restored ExistingTableStreamLabel=\d{4}-\d\d-\d\dT\S+", lines[-1])
    described = client.describe_table(TableName="restored")["Table"]
    assert described["StreamSpecification"] == {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    assert described["DeletionProtectionEnabled"] is True
    ttl = client.describe_time_to_live(TableName="restored")["TimeToLiveDescription"]
    assert (ttl["TimeToLiveStatus"], ttl["AttributeName"]) == ("ENABLED", "expires_at")
    backups = client.describe_continuous_backups(TableName="restored")["ContinuousBackupsDescription"]
    assert backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED"


def test_a_moment_without_a_time_zone_is_refused() -> None:
    from datetime import datetime

    with pytest.raises(OperationFailed, match="time zone"):
        list(restore(TABLE, "restored", at=datetime(2026, 3, 2)))  # noqa: DTZ001


def test_a_teardown_empties_the_pages_bucket_and_says_what_stays(stack: DeployedStack) -> None:
    [(_, bucket)] = stack.of_type("AWS::S3::Bucket")
    s3: Any = boto3.client("s3")
    versioning = {"Status": "Enabled"}
    s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration=versioning)
    for body in (b"old", b"new"):
        s3.put_object(Bucket=bucket, Key="index.html", Body=body)
    lines = list(tear_down(stack))
    assert lines[:2] == [
        "PageBucket: 2 files deleted",
        "omniforge: deleted, with its queues, schedules and logs",
    ]
    assert any(f"the table {TABLE} with all conversations" in line for line in lines)
    assert f"To use it again: deploy with ExistingTable={TABLE}." in lines
    assert not any("user pool" in line for line in lines)
    assert s3.list_buckets()["Buckets"] == []
    tables: Any = boto3.client("dynamodb")
    assert tables.list_tables()["TableNames"] == [TABLE]


def test_a_teardown_names_the_user_pool_that_stays(stack: DeployedStack) -> None:
    pool = {"UserPool": ("AWS::Cognito::UserPool", "eu-west-1_1Abc")}
    lines = list(tear_down(stack._replace(resources={**stack.resources, **pool})))
    assert any("the user pool eu-west-1_1Abc with its users" in line for line in lines)
    assert any("aws cognito-idp delete-user-pool --user-pool-id eu-west-1_1Abc" in line for line in lines)
