"""A deployed stack as CloudFormation describes it, and AWS clients that only read.

`local.doctor.checks` says what the stack lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import boto3
from botocore.exceptions import BotoCoreError, ClientError

OpenClient: TypeAlias = Callable[..., Any]
"""Makes an AWS client as ``boto3.client`` does."""

READS = ("BatchGet", "Describe", "Get", "Head", "List", "Query", "Scan")


class StackMissing(Exception):
    """There is no such stack, or it can't be read; the message is one line."""


class WriteAttempted(Exception):
    """A request that would not only read was stopped before it was sent."""


@dataclass(frozen=True)
class DeployedStack:
    """A stack's status, parameters, outputs and resources (logical id to type and physical id)."""

    name: str
    status: str
    parameters: Mapping[str, str]
    outputs: Mapping[str, str]
    resources: Mapping[str, tuple[str, str]]
    open_client: OpenClient

    def parameter(self, name: str) -> str:
        """The parameter's value; empty when the deployed template has no such parameter."""
        return self.parameters.get(name, "")

    def of_type(self, kind: str) -> dict[str, str]:
        """The physical ids of the resources of a type, by their logical ids."""
        return {name: made for name, (its_kind, made) in self.resources.items() if its_kind == kind}

    @cached_property
    def region(self) -> str:
        """The region that the stack is read in."""
        return str(self.open_client("cloudformation").meta.region_name)


def read_only(service: str, **options: Any) -> Any:
    """An AWS client with the shell's credentials that refuses to send anything but reads."""
    client: Any = boto3.client(service, **options)  # type: ignore[call-overload]
    client.meta.events.register("before-parameter-build", _refuse_writes)
    return client


def _refuse_writes(model: Any, **_: object) -> None:
    if not model.name.startswith(READS):
        raise WriteAttempted(model.name)


def read_stack(name: str, open_client: OpenClient = read_only) -> DeployedStack:
    """Return the stack of that name.

    Raises:
        StackMissing: there is none, or CloudFormation can't be asked.
    """
    try:
        client = open_client("cloudformation")
        [found] = client.describe_stacks(StackName=name)["Stacks"]
        resources = {each["LogicalResourceId"]: _made(each) for each in _resources(client, name)}
    except (BotoCoreError, ClientError) as error:
        raise StackMissing(f"{name}: {error}") from None
    return DeployedStack(
        name,
        found["StackStatus"],
        {each["ParameterKey"]: each.get("ParameterValue", "") for each in found.get("Parameters", ())},
        {each["OutputKey"]: each["OutputValue"] for each in found.get("Outputs", ())},
        resources,
        open_client,
    )


def _resources(client: Any, name: str) -> Iterator[Mapping[str, str]]:
    for page in client.get_paginator("list_stack_resources").paginate(StackName=name):
        yield from page["StackResourceSummaries"]


def _made(resource: Mapping[str, str]) -> tuple[str, str]:
    return resource["ResourceType"], resource.get("PhysicalResourceId", "")
