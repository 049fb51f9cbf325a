"""What `python -m local doctor` says of a stack: a line for each planted fault, and none without it.

The stack's parameters, table, queues and alarms are the template's own, made in moto. The answers of
CloudFormation, Lambda and Bedrock, which moto here does not give, come from this module.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws
from moto.ses.models import ses_backends

from conversation.clock import SystemClock
from conversation.tenants.policy import Budget, TenantPolicy
from conversation.tenants.store import TenantStore
from local.__main__ import main
from local.data.local_table import create_from_template
from local.doctor import stack as doctor_stack
from local.doctor.checks import Needs, examine
from local.doctor.stack import WriteAttempted, read_only, read_stack
from local.template.sam_translation import read_template
from storage.dynamodb.table import DynamoTable
from storage.keys import parse_tenant
from storage.tenant_table import Tables
from tests.built.deployed_stack import deployed

pytestmark = pytest.mark.slow

REGION = "eu-west-1"
STACK = "omniforge"
CONFIG = '{"authority":"https://id.example"}'
MODEL = "anthropic.claude-haiku"
TEMPLATE = read_template(Path(__file__).parents[3] / "template.yaml")
METRIC: dict[str, Any] = {
    "Namespace": "AWS/SQS",
    "MetricName": "ApproximateNumberOfMessagesVisible",
    "Statistic": "Maximum",
    "Period": 60,
    "EvaluationPeriods": 1,
    "Threshold": 0.0,
    "ComparisonOperator": "GreaterThanThreshold",
}
ALARM = "RunDeadLettersAlarm"


class Answers:
    """What moto doesn't answer."""

    def __init__(self) -> None:
        self.limit = 1_000
        self.access = "AUTHORIZED"

    def get_account_settings(self) -> Any:
        return {"AccountLimit": {"ConcurrentExecutions": self.limit}}

    def get_foundation_model_availability(self, *, modelId: str) -> Any:  # noqa: N803
        assert modelId == MODEL
        available = {"entitlementAvailability": "AVAILABLE", "regionAvailability": "AVAILABLE"}
        return {"authorizationStatus": self.access, **available}


class World:
    """An account with a stack that lacks nothing; a fault is planted before or after it is deployed."""

    def __init__(self) -> None:
        self.answers = Answers()
        self._clients: dict[str, Any] = {}
        self.asked: list[str] = []
        self.status = "CREATE_COMPLETE"
        self.meta = SimpleNamespace(region_name=REGION)
        topic = self.client("sns").create_topic(Name="alarms")["TopicArn"]
        self.client("sns").subscribe(TopicArn=topic, Protocol="sms", Endpoint="+15005550006")
        secret = self.client("secretsmanager").create_secret(
            Name="providers", SecretString='{"openai": "sk-1"}'
        )
        self.client("sesv2").create_email_identity(EmailIdentity="example.com")
        # Moto has no way to follow the link or set the record that verifies an identity.
        ses_backends["123456789012"][REGION].email_identities[
            "example.com"
        ].verified_for_sending_status = True
        self.topic, self.secret = topic, secret["ARN"]
        self.parameters = {
            "Issuers": "https://id.example",
            "Audience": "chat",
            "Page": "yes",
            "PageAuthority": "https://id.example",
            "AlarmTopicArn": topic,
            "ProviderSecretArn": secret["ARN"],
            "BedrockModelArns": f"arn:aws:bedrock:{REGION}::foundation-model/{MODEL}",
            "MailSender": "reports@example.com",
        }
        self.template: Any = copy.deepcopy(dict(TEMPLATE))

    def client(self, service: str) -> Any:
        # Kept: making a client takes longer than all of its requests.
        if service not in self._clients:
            self._clients[service] = boto3.client(service, region_name=REGION)  # type: ignore[call-overload]
        return self._clients[service]

    def open_client(self, service: str, **options: Any) -> Any:
        if service == "cloudformation":
            return self
        if service in {"lambda", "bedrock"}:
            return self.answers
        client = read_only(service, **{"region_name": REGION, **options})
        client.meta.events.register("before-call", lambda model, **_: self.asked.append(model.name))
        return client

    def deploy(self) -> None:
        stack = deployed(self.template, self.parameters)
        table, bucket = f"{STACK}-table", f"{STACK}-page"
        self.outputs = {"TableName": table, "PageBucketName": bucket, "PageConfig": CONFIG}
        self.made = {"Api": "abc123"}
        self._make_table(table)
        for name, queue in stack.queues().items():
            is_fifo = queue.get("FifoQueue", False)
            self.made[name] = self.client("sqs").create_queue(
                QueueName=f"{name}.fifo" if is_fifo else name,
                Attributes={"FifoQueue": "true"} if is_fifo else {},
            )["QueueUrl"]
        for name in stack.of_type("AWS::CloudWatch::Alarm"):
            self.made[name] = f"{STACK}-{name}"
            self.client("cloudwatch").put_metric_alarm(**METRIC, AlarmName=self.made[name])
        self.kinds = {name: stack.resources[name]["Type"] for name in self.made if name != "Api"}
        place = {"LocationConstraint": REGION}
        self.client("s3").create_bucket(Bucket=bucket, CreateBucketConfiguration=place)
        self.publish(CONFIG)
        self.guard()
        self.register("acme", TenantPolicy(budget=Budget(usd_per_day=5)))

    def _make_table(self, name: str) -> None:
        """As CloudFormation would: what stands in the template, and nothing else."""
        client, wanted = self.client("dynamodb"), self.template["Resources"]["Table"]["Properties"]
        create_from_template(client, name, self.template)
        recovery = wanted.get("PointInTimeRecoverySpecification")
        if recovery:
            client.update_continuous_backups(TableName=name, PointInTimeRecoverySpecification=recovery)
        protected = wanted.get("DeletionProtectionEnabled", False)
        client.update_table(TableName=name, DeletionProtectionEnabled=protected)

    def describe_stacks(self, *, StackName: str) -> Any:  # noqa: N803
        if StackName != STACK:
            raise ClientError({"Error": {"Code": "ValidationError"}}, "DescribeStacks")
        declared = {name: str(each.get("Default", "")) for name, each in TEMPLATE["Parameters"].items()}
        parameters = {**declared, **self.parameters}
        listed = [{"ParameterKey": name, "ParameterValue": each} for name, each in parameters.items()]
        outputs = [{"OutputKey": name, "OutputValue": each} for name, each in self.outputs.items()]
        return {"Stacks": [{"StackStatus": self.status, "Parameters": listed, "Outputs": outputs}]}

    def get_paginator(self, operation: str) -> Any:
        assert operation == "list_stack_resources"
        return self

    def paginate(self, *, StackName: str) -> Any:  # noqa: N803
        assert StackName == STACK
        kinds = {**self.kinds, "Api": "AWS::ApiGateway::RestApi"}
        resources = [
            {"LogicalResourceId": name, "ResourceType": kinds[name], "PhysicalResourceId": each}
            for name, each in self.made.items()
        ]
        # Two pages, as for a large stack.
        return [{"StackResourceSummaries": resources[:5]}, {"StackResourceSummaries": resources[5:]}]

    def publish(self, config: str) -> None:
        bucket = self.outputs["PageBucketName"]
        for key, body in (("index.html", "<!doctype html>"), ("config.json", config)):
            self.client("s3").put_object(Bucket=bucket, Key=key, Body=body)

    def guard(self) -> None:
        waf = self.client("wafv2")
        visibility = {"SampledRequestsEnabled": False, "CloudWatchMetricsEnabled": False, "MetricName": "acl"}
        acl = waf.create_web_acl(
            Name="acl", Scope="REGIONAL", DefaultAction={"Allow": {}}, VisibilityConfig=visibility, Rules=[]
        )
        arn = f"arn:aws:apigateway:{REGION}::/restapis/{self.made['Api']}/stages/dev"
        waf.associate_web_acl(WebACLArn=acl["Summary"]["ARN"], ResourceArn=arn)

    def register(self, tenant: str, policy: TenantPolicy) -> None:
        table = DynamoTable(self.client("dynamodb"), self.outputs["TableName"])
        tenants = TenantStore(tables=Tables(table), clock=SystemClock())
        tenants.register(parse_tenant(tenant))
        tenants.save(parse_tenant(tenant), policy)

    def findings(self) -> list[str]:
        return list(examine(read_stack(STACK, self.open_client), Needs()))


Plant = Callable[[World], None]


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    with mock_aws():
        yield World()


def test_nothing_is_said_of_a_stack_that_lacks_nothing_and_all_is_only_read(world: World) -> None:
    world.deploy()

    assert world.findings() == []
    assert len(world.asked) > 10
    assert [name for name in world.asked if not name.startswith(("Describe", "Get", "List", "Scan"))] == []


def given(name: str, value: str) -> Plant:
    return lambda world: world.parameters.update({name: value})


def without(resource: str, name: str) -> Plant:
    return lambda world: world.template["Resources"][resource]["Properties"].pop(name)


def half_deployed(world: World) -> None:
    world.status = "UPDATE_ROLLBACK_FAILED"


def nobody_listens(world: World) -> None:
    world.parameters["AlarmTopicArn"] = world.client("sns").create_topic(Name="silent")["TopicArn"]


def secret_holds(text: str) -> Plant:
    def plant(world: World) -> None:
        world.client("secretsmanager").put_secret_value(SecretId="providers", SecretString=text)

    return plant


def secret_is_gone(world: World) -> None:
    world.client("secretsmanager").delete_secret(SecretId="providers", ForceDeleteWithoutRecovery=True)


def model_is_denied(world: World) -> None:
    world.answers.access = "NOT_AUTHORIZED"


def account_is_new(world: World) -> None:
    world.answers.limit = 10


def no_model(world: World) -> None:
    del world.parameters["ProviderSecretArn"], world.parameters["BedrockModelArns"]


BEFORE: dict[str, tuple[Plant, str]] = {
    "a deployment that failed": (half_deployed, "in the state UPDATE_ROLLBACK_FAILED"),
    "no topic": (given("AlarmTopicArn", ""), "Alarms tell nobody"),
    "a topic without subscribers": (nobody_listens, "Nobody has confirmed a subscription"),
    "open tenants": (given("Tenants", "open"), "Any tenant that a valid token names"),
    "no model": (no_model, "No model is configured"),
    "a secret that is gone": (secret_is_gone, "There is no secret"),
    "a secret of one key": (secret_holds("sk-1"), "is not a JSON object"),
    "a misspelt vendor": (secret_holds('{"open-ai": "sk-1"}'), "unknown names (open-ai)"),
    "an empty key": (secret_holds('{"openai": ""}'), "no key under openai"),
    "a model denied": (model_is_denied, f"Bedrock denies {MODEL}"),
    "a new account": (account_is_new, "at most 10 invocations"),
    "no point-in-time recovery": (
        without("Table", "PointInTimeRecoverySpecification"),
        "no point-in-time recovery",
    ),
    "no time to live": (without("Table", "TimeToLiveSpecification"), "never removes what has expired"),
    "no protection": (without("Table", "DeletionProtectionEnabled"), "not protected from deletion"),
    "an unknown sender": (given("MailSender", "a@elsewhere.example"), "SES has not verified"),
}


def alarm_rings(world: World) -> None:
    name = world.made[ALARM]
    world.client("cloudwatch").set_alarm_state(AlarmName=name, StateValue="ALARM", StateReason="planted")


def letter_is_dead(world: World) -> None:
    world.client("sqs").send_message(QueueUrl=world.made["RunDeadLetters"], MessageBody="{}")


def tenant_spends(world: World) -> None:
    world.register("globex", TenantPolicy())


def nobody_is_registered(world: World) -> None:
    table = world.outputs["TableName"]
    for item in world.client("dynamodb").scan(TableName=table)["Items"]:
        world.client("dynamodb").delete_item(TableName=table, Key={"pk": item["pk"], "sk": item["sk"]})


def page_is_missing(world: World) -> None:
    world.client("s3").delete_object(Bucket=world.outputs["PageBucketName"], Key="index.html")


def firewall_is_gone(world: World) -> None:
    arn = f"arn:aws:apigateway:{REGION}::/restapis/{world.made['Api']}/stages/dev"
    world.client("wafv2").disassociate_web_acl(ResourceArn=arn)


AFTER: dict[str, tuple[Plant, str]] = {
    "an alarm that rings": (alarm_rings, "rings: "),
    "dead letters": (letter_is_dead, "RunDeadLetters holds 1 messages"),
    "a tenant without a budget": (tenant_spends, "The tenant globex has no model budget"),
    "no tenant": (nobody_is_registered, "No tenant is registered"),
    "a page that is not there": (page_is_missing, "The page is not published"),
    "a page with old settings": (lambda world: world.publish("{}"), "settings of an earlier deployment"),
    "no firewall": (firewall_is_gone, "No web application firewall"),
}


@pytest.mark.parametrize("name", BEFORE)
def test_a_fault_of_the_deployment_is_said_and_nothing_else(name: str, world: World) -> None:
    plant, said = BEFORE[name]
    plant(world)
    world.deploy()

    [line] = world.findings()
    assert said in line


@pytest.mark.parametrize("name", AFTER)
def test_a_fault_of_a_running_stack_is_said_and_nothing_else(name: str, world: World) -> None:
    plant, said = AFTER[name]
    world.deploy()
    plant(world)

    [line] = world.findings()
    assert said in line


def test_a_secrets_keys_are_never_said(world: World) -> None:
    secret_holds('{"openai": "", "open-ai": "sk-never"}')(world)
    world.deploy()

    assert "sk-never" not in "\n".join(world.findings())


def test_what_may_not_be_read_is_a_finding_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Any:
        raise ClientError({"Error": {"Code": "AccessDeniedException"}}, "GetAccountSettings")

    world.deploy()
    monkeypatch.setattr(world.answers, "get_account_settings", refuse)

    [line] = world.findings()
    assert line.startswith("Lambda's concurrency could not be checked: GetAccountSettings")


def test_the_command_ends_with_1_when_something_is_lacking(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    world.deploy()
    monkeypatch.setattr(doctor_stack.read_stack, "__defaults__", (world.open_client,))

    assert main(["doctor", STACK]) == 0
    assert main(["doctor", STACK, "--concurrency", "5000"]) == 1
    assert main(["doctor", "another"]) == 2
    assert "5000 are wanted" in capsys.readouterr().out


def test_a_client_of_the_doctor_sends_nothing_that_writes(world: World) -> None:
    with pytest.raises(WriteAttempted):
        world.open_client("sns").create_topic(Name="written")
