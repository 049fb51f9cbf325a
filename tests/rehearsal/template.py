"""What the stand-in cannot take of the template, left out by an explicit list, and what it drops, filled in.

Whatever stands here is checked on the translated template by the inventory instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from samtranslator.yaml_helper import yaml_parse

Template = dict[str, Any]


class Omission(NamedTuple):
    """Something that is left out, and why; ``leave_out`` changes a template and returns what it took."""

    what: str
    why: str
    leave_out: Callable[[Template], list[str]]


def _metric_math(template: Template) -> list[str]:
    return _drop(template, "AWS::CloudWatch::Alarm", lambda alarm: "Metrics" in alarm)


def _saved_queries(template: Template) -> list[str]:
    return _drop(template, "AWS::Logs::QueryDefinition", lambda _: True)


def _gradual_updates(template: Template) -> list[str]:
    removed = template["Globals"]["Function"].pop("DeploymentPreference", None)
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"].pop("DeploymentPreference", None)
    return ["DeploymentPreference"] if removed else []


def _drop(template: Template, kind: str, applies: Callable[[Mapping[str, Any]], bool]) -> list[str]:
    resources = template["Resources"]
    names = [
        name
        for name, each in resources.items()
        if each["Type"] == kind and applies(each.get("Properties", {}))
    ]
    for name in names:
        del resources[name]
    return names


def _streams(template: Template) -> list[str]:
    """Return the functions that stream; they stay in the template, and the day does not use them."""
    functions = [
        (name, each)
        for name, each in template["Resources"].items()
        if each["Type"] == "AWS::Serverless::Function"
    ]
    return [name for name, each in functions if "RESPONSE_STREAM" in json.dumps(each)]


OMISSIONS = (
    Omission("alarms over several metrics", "ministack knows alarms of one metric only", _metric_math),
    Omission("saved queries", "ministack has no AWS::Logs::QueryDefinition", _saved_queries),
    Omission("gradual updates", "ministack has no CodeDeploy", _gradual_updates),
    Omission("streamed answers", "ministack invokes no function that streams", _streams),
)


def read_built(build: Path) -> Template:
    """Return the template that `sam build` wrote."""
    template: Template = yaml_parse((build / "template.yaml").read_text(encoding="utf-8"))
    return template


def deployable(template: Template, release: str) -> tuple[str, list[str]]:
    """Return the text of a template of one release that the stand-in takes, and what was left out."""
    draft: Template = json.loads(json.dumps(template, default=str))
    left_out = [
        f"{each.what} ({each.why}): {', '.join(taken)}"
        for each in OMISSIONS
        if (taken := each.leave_out(draft))
    ]
    draft["Globals"]["Function"]["Environment"]["Variables"]["RELEASE"] = release
    return json.dumps(draft), left_out


def fill_in_table(client: Any, table: str, described: Mapping[str, Any]) -> list[str]:
    """Give a table what ministack dropped of its description; return what that was."""
    filled = []
    expiry = client.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
    if expiry["TimeToLiveStatus"] == "DISABLED":
        client.update_time_to_live(
            TableName=table, TimeToLiveSpecification=described["TimeToLiveSpecification"]
        )
        filled.append("time to live")
    backups = client.describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
    if backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "DISABLED":
        client.update_continuous_backups(
            TableName=table,
            PointInTimeRecoverySpecification=described["PointInTimeRecoverySpecification"],
        )
        filled.append("point-in-time recovery")
    return filled


def fill_in_queues(client: Any, urls: Mapping[str, str], translated: Mapping[str, Any]) -> list[str]:
    """Give the queues their dead letters, which ministack drops; return whose. ``urls`` are by logical id."""
    filled = []
    for name, url in urls.items():
        policy = translated["Resources"][name]["Properties"].get("RedrivePolicy")
        if policy is None:
            continue
        letters = urls[policy["deadLetterTargetArn"]["Fn::GetAtt"][0]]
        arn = client.get_queue_attributes(QueueUrl=letters, AttributeNames=["QueueArn"])["Attributes"][
            "QueueArn"
        ]
        whole = {"deadLetterTargetArn": arn, "maxReceiveCount": policy["maxReceiveCount"]}
        client.set_queue_attributes(QueueUrl=url, Attributes={"RedrivePolicy": json.dumps(whole)})
        filled.append(name)
    return filled


def fill_in_authorizer(client: Any, api: str, function_arn: str, translated: Mapping[str, Any]) -> int:
    """Put the authorizer before the API's methods, which ministack leaves open; return before how many."""
    body = next(
        each["Properties"]["Body"]
        for each in translated["Resources"].values()
        if each["Type"] == "AWS::ApiGateway::RestApi"
    )
    [(name, definition)] = [
        (name, each["x-amazon-apigateway-authorizer"])
        for name, each in body["components"]["securitySchemes"].items()
        if "x-amazon-apigateway-authorizer" in each
    ]
    authorizer = client.create_authorizer(
        restApiId=api,
        name=name,
        type="TOKEN",
        authorizerUri=f"arn:aws:apigateway:{client.meta.region_name}:lambda:path/2015-03-31/functions/{function_arn}/invocations",
        identitySource="method.request.header.Authorization",
        identityValidationExpression=definition["identityValidationExpression"],
        authorizerResultTtlInSeconds=definition["authorizerResultTtlInSeconds"],
    )
    resources = client.get_resources(restApiId=api, limit=500, embed=["methods"])["items"]
    made = {
        (each["path"], method): each["id"] for each in resources for method in each.get("resourceMethods", {})
    }
    guarded = [
        (made[path, method.upper()], method.upper())
        for path, methods in body["paths"].items()
        for method, operation in methods.items()
        if (path, method.upper()) in made and any(name in each for each in operation.get("security", ()))
    ]
    operations = [
        {"op": "replace", "path": "/authorizationType", "value": "CUSTOM"},
        {"op": "replace", "path": "/authorizerId", "value": authorizer["id"]},
    ]
    for resource, method in guarded:
        client.update_method(
            restApiId=api, resourceId=resource, httpMethod=method, patchOperations=operations
        )
    return len(guarded)


def fill_in_aliases(client: Any, functions: Mapping[str, str], translated: Mapping[str, Any]) -> list[str]:
    """Make the aliases again that ministack loses in an update; return whose.

    ``functions`` are the names by logical id.
    """
    filled = []
    for alias in _aliases(translated):
        name = functions.get(alias["FunctionName"]["Ref"])
        if name is None or client.list_aliases(FunctionName=name)["Aliases"]:
            continue
        version = client.publish_version(FunctionName=name)["Version"]
        client.create_alias(FunctionName=name, Name=alias["Name"], FunctionVersion=version)
        filled.append(alias["FunctionName"]["Ref"])
    return filled


def _aliases(translated: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    kind = "AWS::Lambda::Alias"
    return [each["Properties"] for each in translated["Resources"].values() if each["Type"] == kind]


def fill_in_pool(client: Any, pool: str) -> str:
    """Return a user pool in place of one that ministack deleted with its stack, whatever its policy says."""
    there = client.list_user_pools(MaxResults=10)["UserPools"]
    if any(each["Id"] == pool for each in there):
        return pool
    return str(client.create_user_pool(PoolName=pool, DeletionProtection="ACTIVE")["UserPool"]["Id"])


def copy_table(client: Any, source: str, target: str) -> int:
    """Make a table with the schema and the items of another, as a restore does; return how many items.

    ministack refuses to restore a table with indexes.
    """
    described = client.describe_table(TableName=source)["Table"]
    indexes = [
        {key: each[key] for key in ("IndexName", "KeySchema", "Projection")}
        for each in described["GlobalSecondaryIndexes"]
    ]
    client.create_table(
        TableName=target,
        AttributeDefinitions=described["AttributeDefinitions"],
        KeySchema=described["KeySchema"],
        GlobalSecondaryIndexes=indexes,
        BillingMode="PAY_PER_REQUEST",
    )
    items = [
        item
        for page in client.get_paginator("scan").paginate(TableName=source, ConsistentRead=True)
        for item in page["Items"]
    ]
    for item in items:
        client.put_item(TableName=target, Item=item)
    return len(items)
