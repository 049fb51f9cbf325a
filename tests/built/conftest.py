"""The stack as `sam build` makes it, and the AWS services its functions talk to, on loopback."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import boto3
import pytest

from storage.dynamodb import create_table
from tests.built.building import (
    Build,
    Interpreter,
    emulator,
    host_platform,
    lambda_runtime,
    sam_build,
)
from tests.built.emulating import EmulatedFunction, emulated, merge_layers
from tests.built.permitting import allowed, as_role
from tests.fakes.dynamo import REGION, dynamo_client, ministack

# The emulator is a Linux program.
collect_ignore = [] if sys.platform == "linux" else ["test_built_functions.py"]

TABLE = "omniforge"
_FROM_LAMBDA = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_REGION": REGION,
    "AWS_DEFAULT_REGION": REGION,
}


class Services(NamedTuple):
    """A DynamoDB table and a FIFO queue."""

    endpoint: str
    queue_url: str


@pytest.fixture(scope="session")
def interpreter() -> Interpreter:
    return Interpreter.find()


@pytest.fixture(scope="session")
def build(interpreter: Interpreter) -> Build:
    return sam_build(host_platform(), interpreter.version)


@pytest.fixture(scope="session")
def services() -> Iterator[Services]:
    with ministack("dynamodb,sqs") as endpoint:
        create_table(dynamo_client(endpoint), TABLE)
        sqs = boto3.client(
            "sqs",
            endpoint_url=endpoint,
            region_name=REGION,
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )
        queue = sqs.create_queue(QueueName="finish.fifo", Attributes={"FifoQueue": "true"})
        yield Services(endpoint, queue["QueueUrl"])


@pytest.fixture
def start(
    build: Build, interpreter: Interpreter, services: Services, tmp_path: Path
) -> Iterator[Callable[..., EmulatedFunction]]:
    """Starts a function by its logical id, with its role's permissions and any further variables, until the
    test ends."""
    runtime = lambda_runtime(host_platform(), interpreter.version)
    shared = {
        **_FROM_LAMBDA,
        "OMNIFORGE_STAGE": "local",
        "OMNIFORGE_TABLE": TABLE,
        "OMNIFORGE_FINISH_QUEUE": services.queue_url,
        "OMNIFORGE_TENANTS": "open",
        "OMNIFORGE_INTENT_MODEL": "",
    }
    with ExitStack() as running:

        def start_function(name: str, **variables: str) -> EmulatedFunction:
            permissions = allowed(build.policies(name))
            endpoint = running.enter_context(as_role(services.endpoint, permissions))
            return running.enter_context(
                emulated(
                    emulator=emulator(),
                    python=interpreter.path,
                    runtime=runtime,
                    task=build.function(name),
                    opt=merge_layers(build.layers(name), tmp_path / name / "opt"),
                    variables={**build.variables(name), **shared, "AWS_ENDPOINT_URL": endpoint, **variables},
                    log=tmp_path / f"{name}.log",
                )
            )

        yield start_function
