"""The resources of a deployed stack, by the template's logical ids; read from CloudFormation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import boto3


class OperationFailed(Exception):
    """The operation was not done; the message is one line."""


class DeployedStack(NamedTuple):
    """A stack's physical ids and outputs."""

    name: str
    resources: Mapping[str, tuple[str, str]]
    """The type and the physical id of each resource, by its logical id."""
    outputs: Mapping[str, str]

    @classmethod
    def find(cls, name: str) -> DeployedStack:
        """The stack with this name, in the region and the account of the shell's credentials."""
        client: Any = boto3.client("cloudformation")
        [described] = client.describe_stacks(StackName=name)["Stacks"]
        pages = client.get_paginator("list_stack_resources").paginate(StackName=name)
        resources = {
            each["LogicalResourceId"]: (each["ResourceType"], each["PhysicalResourceId"])
            for page in pages
            for each in page["StackResourceSummaries"]
            if each.get("PhysicalResourceId")
        }
        outputs = {each["OutputKey"]: each["OutputValue"] for each in described.get("Outputs", ())}
        return cls(name, resources, outputs)

    def of_type(self, kind: str) -> Iterator[tuple[str, str]]:
        """The logical and the physical id of each resource of a type."""
        for logical, (found, physical) in self.resources.items():
            if found == kind:
                yield logical, physical
