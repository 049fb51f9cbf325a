"""Restore of the table: a new table with all items as of a moment, ready for a stack to adopt.

DynamoDB restores items and indexes. Time to live, point-in-time recovery, the stream and the protection from
deletion are not restored, and CloudFormation does not set them on a table that a stack adopts. So they are
set here.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import boto3

from local.operations.stack import OperationFailed

TIME_TO_LIVE = {"Enabled": True, "AttributeName": "expires_at"}
STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}


def restore(source: str, target: str, *, at: datetime | None = None) -> Iterator[str]:
    """Restore a table into a new one as of ``at`` (None: as late as possible); say what was done.

    Raises:
        OperationFailed: the moment names no time zone.
    """
    if at is not None and at.tzinfo is None:
        raise OperationFailed("the moment needs a time zone, as in 2026-03-02T08:00:00Z")
    client: Any = boto3.client("dynamodb")
    when = {"RestoreDateTime": at} if at is not None else {"UseLatestRestorableTime": True}
    client.restore_table_to_point_in_time(SourceTableName=source, TargetTableName=target, **when)
    client.get_waiter("table_exists").wait(TableName=target, WaiterConfig={"Delay": 20, "MaxAttempts": 540})
    yield f"{target}: restored from {source} as of {at.isoformat() if at else 'now'}"
    yield from prepare_adoption(target)


def prepare_adoption(table: str) -> Iterator[str]:
    """Give a table what CloudFormation would have given it; safe to repeat. Say how a stack adopts it."""
    client: Any = boto3.client("dynamodb")
    known = client.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
    if known.get("TimeToLiveStatus") not in {"ENABLED", "ENABLING"}:
        client.update_time_to_live(TableName=table, TimeToLiveSpecification=TIME_TO_LIVE)
    client.update_continuous_backups(
        TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )
    described = client.describe_table(TableName=table)["Table"]
    if not described.get("StreamSpecification", {}).get("StreamEnabled"):
        client.update_table(TableName=table, StreamSpecification=STREAM)
        client.get_waiter("table_exists").wait(TableName=table)
    if not described.get("DeletionProtectionEnabled"):
        client.update_table(TableName=table, DeletionProtectionEnabled=True)
        client.get_waiter("table_exists").wait(TableName=table)
    stream = client.describe_table(TableName=table)["Table"]["LatestStreamLabel"]
    yield f"{table}: time to live, point-in-time recovery, stream and deletion protection are on"
    yield "Deploy with these parameters, and the stack uses it:"
    yield f"  ExistingTable={table} ExistingTableStreamLabel={stream}"
