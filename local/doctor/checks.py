"""The checks of a deployed stack. Each yields a line for everything that it lacks, with what to do about it.

`local.doctor.stack` reads the stack.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from botocore.exceptions import BotoCoreError, ClientError

from conversation.tenants.policy import Grant, TenantPolicy, TenantStatus
from llm.catalogue import Vendor
from local.doctor.stack import DeployedStack
from storage.keys import POLICY, tenant_of

SCANNED_PAGES = 5
"""The pages of the table, of 1 MB each, that are looked through for tenants."""
LEAST_CONCURRENCY = 100
_KEY_NAMES = frozenset({*(vendor.value for vendor in Vendor), "tavily"})
_FINISHED = ("CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "IMPORT_COMPLETE")


class Needs(NamedTuple):
    """What the person who asks expects of the account."""

    concurrency: int = LEAST_CONCURRENCY


def examine(stack: DeployedStack, needs: Needs) -> Iterator[str]:
    """Yield one line for everything that the stack lacks, and for every check that AWS did not allow."""
    for check in CHECKS:
        try:
            yield from check(stack, needs)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "unknown")
            yield f"{_subject(check)} could not be checked: {error.operation_name} answered {code}."
        except BotoCoreError as error:
            yield f"{_subject(check)} could not be checked: {error}."


def _status(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """The stack's state"""
    if stack.status not in _FINISHED:
        yield f"The stack is in the state {stack.status}: finish or repeat the deployment."


def _alarm_topic(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """The alarm topic"""
    topic = stack.parameter("AlarmTopicArn")
    if not topic:
        yield "Alarms tell nobody: deploy with AlarmTopicArn, an SNS topic with your mail address."
        return
    client = stack.open_client("sns", region_name=topic.split(":")[3])
    listed = client.list_subscriptions_by_topic(TopicArn=topic)["Subscriptions"]
    if not any(each["SubscriptionArn"].startswith("arn:") for each in listed):
        yield f"Nobody has confirmed a subscription of {topic}: subscribe, then follow the link in the mail."


def _alarms(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """The alarms"""
    names = list(stack.of_type("AWS::CloudWatch::Alarm").values())
    client = stack.open_client("cloudwatch")
    for start in range(0, len(names), 100):
        for alarm in client.describe_alarms(AlarmNames=names[start : start + 100])["MetricAlarms"]:
            if alarm["StateValue"] == "ALARM":
                reason = alarm.get("AlarmDescription", "it has no description")
                yield f"The alarm {alarm['AlarmName']} rings: {reason}."


def _dead_letters(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """The dead letters"""
    client = stack.open_client("sqs")
    for name, url in stack.of_type("AWS::SQS::Queue").items():
        if name.endswith("DeadLetters"):
            asked = client.get_queue_attributes(QueueUrl=url, AttributeNames=["ApproximateNumberOfMessages"])
            count = int(asked["Attributes"]["ApproximateNumberOfMessages"])
            if count:
                yield f"{name} holds {count} messages that failed: find the cause, then redrive them."


def _tenant_mode(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """Who may be a tenant"""
    if stack.parameter("Tenants") == "open":
        yield "Any tenant that a valid token names is served: deploy with Tenants=registered."


def _tenants(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """The tenants and their budgets"""
    client = stack.open_client("dynamodb")
    items, is_whole = _policies(client, stack.outputs["TableName"])
    if stack.parameter("Tenants") != "open" and is_whole and not items:
        yield "No tenant is registered: an operator sends PUT /v1/tenants/{tenant_id}."
    for item in items:
        tenant = tenant_of(item["pk"]["S"])
        budget = TenantPolicy.model_validate_json(item["policy"]["S"]).budget
        granted = Grant.model_validate_json(item.get("grant", {}).get("S", "{}")).usd_per_day
        is_active = item["status"]["S"] == TenantStatus.ACTIVE
        if _has_model(stack) and is_active and not budget.limits_all and granted is None:
            cap = stack.parameter("TenantUsdPerDay")
            yield (
                f"The tenant {tenant} has no model budget and may spend {cap} USD a day: an administrator"
                " sets budget.usd_per_day in PATCH /v1/tenant/policy."
            )
    if not is_whole:
        yield f"Tenants beyond the table's first {SCANNED_PAGES} MB were not looked at."


def _policies(client: Any, table: str) -> tuple[list[Any], bool]:
    """The tenants' records in the first pages of the table, and whether these were all."""
    request: dict[str, Any] = {
        "TableName": table,
        "FilterExpression": "sk = :policy",
        "ExpressionAttributeValues": {":policy": {"S": POLICY}},
    }
    items: list[Any] = []
    for _ in range(SCANNED_PAGES):
        page = client.scan(**request)
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items, True
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
    return items, False


def _has_model(stack: DeployedStack) -> bool:
    has_access = stack.parameter("ProviderSecretArn") or stack.parameter("BedrockModelArns")
    return bool(has_access) and stack.parameter("IntentModel") != "offline"


def _model(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """The model"""
    if not _has_model(stack):
        yield (
            "No model is configured, so replies come from the offline tier alone: deploy with"
            " ProviderSecretArn or BedrockModelArns."
        )


def _secret(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """The secret with the providers' keys"""
    arn = stack.parameter("ProviderSecretArn")
    if not arn:
        return
    client = stack.open_client("secretsmanager", region_name=arn.split(":")[3])
    try:
        text = client.get_secret_value(SecretId=arn).get("SecretString", "")
    except client.exceptions.ResourceNotFoundException:
        yield f"There is no secret {arn}: create it, or correct ProviderSecretArn."
        return
    try:
        held = json.loads(text)
    except ValueError:
        held = None
    if not isinstance(held, dict) or not held:
        yield 'The providers\' secret is not a JSON object of keys, such as {"openai": "..."}: replace it.'
        return
    unknown = sorted(set(held) - _KEY_NAMES)
    if unknown:
        known = ", ".join(sorted(_KEY_NAMES))
        yield f"The providers' secret has unknown names ({', '.join(unknown)}); known are {known}."
    if empty := sorted(name for name, key in held.items() if not key):
        yield f"The providers' secret has no key under {', '.join(empty)}: put it in."


def _bedrock(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """The Bedrock models"""
    for arn in filter(None, stack.parameter("BedrockModelArns").split(",")):
        region, resource = arn.split(":")[3], arn.split(":", 5)[5]
        kind, _, model = resource.partition("/")
        client = stack.open_client("bedrock", region_name=region or stack.region)
        if kind == "foundation-model":
            told = client.get_foundation_model_availability(modelId=model)
            if told["authorizationStatus"] != "AUTHORIZED" or told["entitlementAvailability"] != "AVAILABLE":
                yield f"Bedrock denies {model} to this account: request access under Model access."
            elif told["regionAvailability"] != "AVAILABLE":
                yield f"Bedrock does not offer {model} in {region}: name another region or model."
        elif kind.endswith("inference-profile"):
            profile = client.get_inference_profile(inferenceProfileIdentifier=arn)
            if profile["status"] != "ACTIVE":
                yield f"The inference profile {model} is {profile['status']}: name another one."


def _firewall(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """The web application firewall"""
    [api] = stack.of_type("AWS::ApiGateway::RestApi").values()
    client, stage = stack.open_client("wafv2"), stack.parameter("Stage")
    arn = f"arn:{client.meta.partition}:apigateway:{stack.region}::/restapis/{api}/stages/{stage}"
    if not client.get_web_acl_for_resource(ResourceArn=arn).get("WebACL"):
        yield "No web application firewall stands before the API: deploy with WebAclArn, a regional web ACL."


def _concurrency(stack: DeployedStack, needs: Needs) -> Iterator[str]:
    """Lambda's concurrency"""
    limit = stack.open_client("lambda").get_account_settings()["AccountLimit"]["ConcurrentExecutions"]
    if limit < needs.concurrency:
        yield (
            f"Lambda runs at most {limit} invocations at once in this account and region, and"
            f" {needs.concurrency} are wanted: request a higher quota under Service Quotas."
        )


def _table(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """The table"""
    client, name = stack.open_client("dynamodb"), stack.outputs["TableName"]
    backups = client.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    recovery = backups.get("PointInTimeRecoveryDescription", {})
    if recovery.get("PointInTimeRecoveryStatus") != "ENABLED":
        yield f"The table {name} has no point-in-time recovery: deploy again, or switch it on."
    expiry = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    if expiry.get("TimeToLiveStatus") not in {"ENABLED", "ENABLING"}:
        yield f"The table {name} never removes what has expired: switch time to live on for expires_at."
    if not client.describe_table(TableName=name)["Table"].get("DeletionProtectionEnabled"):
        yield f"The table {name} is not protected from deletion: switch deletion protection on."


def _page(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """The page"""
    bucket = stack.outputs.get("PageBucketName")
    if bucket is None:
        return
    client = stack.open_client("s3")
    listed = client.list_objects_v2(Bucket=bucket, Prefix="index.html", MaxKeys=1)
    if not listed.get("KeyCount"):
        yield f"The page is not published: make publish-page STACK={stack.name}."
        return
    published = client.get_object(Bucket=bucket, Key="config.json")["Body"].read().decode()
    if published != stack.outputs.get("PageConfig"):
        yield f"The page has settings of an earlier deployment: make publish-page STACK={stack.name}."


def _mail(stack: DeployedStack, _needs: Needs) -> Iterator[str]:
    """The mail sender"""
    sender = stack.parameter("MailSender")
    if not sender:
        return
    client = stack.open_client("sesv2")
    for identity in (sender, sender.partition("@")[2]):
        try:
            if client.get_email_identity(EmailIdentity=identity)["VerifiedForSendingStatus"]:
                return
        except client.exceptions.NotFoundException:
            continue
    yield f"SES has not verified {sender} or its domain: verify one of them, or results are not mailed."


Check = Callable[[DeployedStack, Needs], Iterator[str]]

CHECKS: tuple[Check, ...] = (
    _status,
    _alarm_topic,
    _alarms,
    _dead_letters,
    _tenant_mode,
    _tenants,
    _model,
    _secret,
    _bedrock,
    _firewall,
    _concurrency,
    _table,
    _page,
    _mail,
)


def _subject(check: Check) -> str:
    return (check.__doc__ or "").strip()
