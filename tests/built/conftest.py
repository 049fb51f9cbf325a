"""The stack as `sam build` makes it, and the AWS services its functions talk to, on loopback."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal, NamedTuple

import boto3
import pytest

from storage.dynamodb.table import create_table
from tests.built.build import Build, Interpreter, built_once, emulator, host_platform, lambda_runtime
from tests.built.emulator import EmulatedFunction, emulated, merge_layers
from tests.built.iam_enforcement import ROLES, allowed, as_role
from tests.fakes.aws.dynamodb import REGION, dynamo_client, ministack
from tests.fakes.deployment.functions import LONG_STORAGE_DEADLINE

# The emulator is a Linux program.
collect_ignore = [] if sys.platform == "linux" else ["test_built_functions.py"]

TABLE = "omniforge"
SCHEDULE_GROUP = "schedules"
_FROM_LAMBDA = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_REGION": REGION,
    "AWS_DEFAULT_REGION": REGION,
}


class Services(NamedTuple):
    """A DynamoDB table, a FIFO queue, two standard queues, and a group for schedules."""

    endpoint: str
    queue_url: str
    run_queue_url: str
    retention_queue_url: str

    def client(self, service: Literal["scheduler", "sesv2", "sqs"]) -> Any:
        """Somebody who may do everything."""
        return boto3.client(
            service,
            endpoint_url=self.endpoint,
            region_name=REGION,
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )


@pytest.fixture(scope="session")
def interpreter() -> Interpreter:
    return Interpreter.find()


@pytest.fixture(scope="session")
def build(interpreter: Interpreter) -> Build:
    return built_once(host_platform(), interpreter.version)


@pytest.fixture(scope="session")
def services() -> Iterator[Services]:
    with ministack("dynamodb,scheduler,ses,sqs") as endpoint:
        create_table(dynamo_client(endpoint), TABLE)
        services = Services(endpoint, "", "", "")
        sqs = services.client("sqs")
        queue = sqs.create_queue(QueueName="finish.fifo", Attributes={"FifoQueue": "true"})
        runs = sqs.create_queue(QueueName="runs")
        retention = sqs.create_queue(QueueName="retention")
        services.client("scheduler").create_schedule_group(Name=SCHEDULE_GROUP)
        yield services._replace(
            queue_url=queue["QueueUrl"],
            run_queue_url=runs["QueueUrl"],
            retention_queue_url=retention["QueueUrl"],
        )


@pytest.fixture
def start(
    build: Build, interpreter: Interpreter, services: Services, tmp_path: Path
) -> Iterator[Callable[..., EmulatedFunction]]:
    """Starts a function by its logical id, with its role's permissions (where ``conditions`` of the template
    hold) and any further variables, until the test ends."""
    runtime = lambda_runtime(host_platform(), interpreter.version)
    shared = {
        **_FROM_LAMBDA,
        "OMNIFORGE_STAGE": "local",
        "OMNIFORGE_TABLE": TABLE,
        **LONG_STORAGE_DEADLINE,
        "OMNIFORGE_FINISH_QUEUE": services.queue_url,
        "OMNIFORGE_RUN_QUEUE": services.run_queue_url,
        "OMNIFORGE_RETENTION_QUEUE": services.retention_queue_url,
        "OMNIFORGE_SCHEDULES": SCHEDULE_GROUP,
        "OMNIFORGE_SCHEDULE_TARGET_ARN": f"arn:aws:sqs:{REGION}:000000000000:runs",
        "OMNIFORGE_SCHEDULE_ROLE_ARN": next(iter(ROLES)),
        "OMNIFORGE_TENANTS": "open",
        "OMNIFORGE_INTENT_MODEL": "",
    }
    with ExitStack() as running:

        def start_function(
            name: str, *, conditions: Collection[str] = (), **variables: str
        ) -> EmulatedFunction:
            permissions = allowed(build.policies(name), conditions)
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
                    handler=build.handler(name),
                )
            )

        yield start_function
