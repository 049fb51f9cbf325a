"""Teardown of a deployed stack: empties the page's bucket, deletes the stack, and says what stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3

from local.operations.stack import DeployedStack

BUCKET = "AWS::S3::Bucket"
TABLE = "AWS::DynamoDB::Table"
USER_POOL = "AWS::Cognito::UserPool"


def tear_down(stack: DeployedStack, *, wait: bool = True) -> Iterator[str]:
    """Delete the stack, but neither its table nor its user pool; say what was done and what stays."""
    for name, bucket in stack.of_type(BUCKET):
        yield f"{name}: {_empty(bucket)} files deleted"
    client: Any = boto3.client("cloudformation")
    client.delete_stack(StackName=stack.name)
    if wait:
        client.get_waiter("stack_delete_complete").wait(StackName=stack.name)
    yield f"{stack.name}: {'deleted' if wait else 'is being deleted'}, with its queues, schedules and logs"
    yield from _what_stays(stack)


def _what_stays(stack: DeployedStack) -> Iterator[str]:
    table = stack.outputs.get("TableName")
    is_own = any(physical == table for _, physical in stack.of_type(TABLE))
    kept = "it is protected from deletion" if is_own else "the stack had adopted it"
    yield f"What stays: the table {table} with all conversations ({kept}), and its backups."
    yield f"To use it again: deploy with ExistingTable={table}."
    yield (
        f"To delete it for good: aws dynamodb update-table --table-name {table} "
        f"--no-deletion-protection-enabled, then aws dynamodb delete-table --table-name {table}"
    )
    for _, pool in stack.of_type(USER_POOL):
        yield f"What stays, too: the user pool {pool} with its users (it is protected from deletion)."
        yield (
            f"To delete it for good: aws cognito-idp update-user-pool --user-pool-id {pool} "
            f"--deletion-protection INACTIVE, then aws cognito-idp delete-user-pool --user-pool-id {pool}"
        )
    yield "What you gave the stack stays, too: the issuer, the provider's secret, the key, the topic."


def _empty(bucket: str) -> int:
    client: Any = boto3.client("s3")
    count = 0
    for page in client.get_paginator("list_object_versions").paginate(Bucket=bucket):
        found = [
            {"Key": each["Key"], "VersionId": each["VersionId"]}
            for kind in ("Versions", "DeleteMarkers")
            for each in page.get(kind, ())
        ]
        if found:
            client.delete_objects(Bucket=bucket, Delete={"Objects": found, "Quiet": True})
            count += len(found)
    return count
