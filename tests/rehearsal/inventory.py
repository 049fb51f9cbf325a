"""What a deployment has to bring, as facts in words, read off the translated template.

`inventory.txt` beside this module holds the facts that are expected. A fact that is gone is an error until
somebody accepts it, so that nothing leaves the template unnoticed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

EXPECTED = Path(__file__).with_name("inventory.txt")

Resources = Mapping[str, Mapping[str, Any]]


class Difference(NamedTuple):
    """Facts that were expected and are gone, and facts that are not recorded yet."""

    gone: Sequence[str]
    new: Sequence[str]


def compare(translated: Mapping[str, Any]) -> Difference:
    """Return how the template's facts differ from those expected."""
    expected = EXPECTED.read_text(encoding="utf-8").splitlines()
    found = facts(translated)
    known = set(expected)
    return Difference(
        [fact for fact in expected if fact not in set(found)], [fact for fact in found if fact not in known]
    )


def facts(translated: Mapping[str, Any]) -> list[str]:
    """Return the facts of a translated template, in order and without repeats."""
    resources: Resources = translated["Resources"]
    return sorted({*_tables(resources), *_queues(resources), *_functions(resources), *_feeds(resources),
                   *_alarms(resources), *_kept(resources)})  # fmt: skip


def _of_type(resources: Resources, kind: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, resource in resources.items():
        if resource["Type"] == kind:
            yield name, resource.get("Properties", {})


def _tables(resources: Resources) -> Iterator[str]:
    for name, table in _of_type(resources, "AWS::DynamoDB::Table"):
        if (expiry := table.get("TimeToLiveSpecification")) and expiry.get("Enabled"):
            yield f"{name}: time to live on {expiry['AttributeName']}"
        if table.get("PointInTimeRecoverySpecification", {}).get("PointInTimeRecoveryEnabled"):
            yield f"{name}: point-in-time recovery"
        if table.get("SSESpecification"):
            yield f"{name}: encryption"
        if table.get("DeletionProtectionEnabled"):
            yield f"{name}: protection from deletion"
        if view := table.get("StreamSpecification", {}).get("StreamViewType"):
            yield f"{name}: stream of {view}"
        for index in table.get("GlobalSecondaryIndexes", ()):
            yield f"{name}: index {index['IndexName']}"


def _kept(resources: Resources) -> Iterator[str]:
    for name, resource in resources.items():
        if resource["Type"] in {"AWS::Lambda::Version", "AWS::Lambda::LayerVersion"}:
            continue  # named after their content
        if policy := resource.get("DeletionPolicy"):
            yield f"{name}: {policy} when the stack is deleted"
        if resource.get("Properties", {}).get("DeletionProtection") == "ACTIVE":
            yield f"{name}: protection from deletion"


def _queues(resources: Resources) -> Iterator[str]:
    for name, queue in _of_type(resources, "AWS::SQS::Queue"):
        yield f"{name}: queue"
        if policy := queue.get("RedrivePolicy"):
            yield f"{name}: dead letters to {_named(policy['deadLetterTargetArn'])}"


def _functions(resources: Resources) -> Iterator[str]:
    for name, function in _of_type(resources, "AWS::Lambda::Function"):
        for variable in function.get("Environment", {}).get("Variables", {}):
            yield f"{name}: variable {variable}"
        if letters := function.get("DeadLetterConfig", {}).get("TargetArn"):
            yield f"{name}: dead letters to {_named(letters)}"
    for name, alias in _of_type(resources, "AWS::Lambda::Alias"):
        way = (
            " moved by CodeDeploy"
            if "CodeDeployLambdaAliasUpdate" in resources[name].get("UpdatePolicy", {})
            else ""
        )
        yield f"{_named(alias['FunctionName'])}: alias {alias['Name']}{way}"
    for _, invocation in _of_type(resources, "AWS::Lambda::EventInvokeConfig"):
        if failure := invocation.get("DestinationConfig", {}).get("OnFailure"):
            yield f"{_named(invocation['FunctionName'])}: failed events to {_named(failure['Destination'])}"


def _feeds(resources: Resources) -> Iterator[str]:
    for _, feed in _of_type(resources, "AWS::Lambda::EventSourceMapping"):
        function = _named(feed["FunctionName"]).removesuffix("Aliaslive")
        yield f"{function}: fed by {_named(feed['EventSourceArn'])}"
        if failure := feed.get("DestinationConfig", {}).get("OnFailure"):
            yield f"{function}: writes given up go to {_named(failure['Destination'])}"
        for one in feed.get("FilterCriteria", {}).get("Filters", ()):
            yield f"{function}: filter {json.dumps(json.loads(one['Pattern']), sort_keys=True)}"


def _alarms(resources: Resources) -> Iterator[str]:
    for name, _ in _of_type(resources, "AWS::CloudWatch::Alarm"):
        yield f"{name}: alarm"
    for name, _ in _of_type(resources, "AWS::CloudWatch::Dashboard"):
        yield f"{name}: dashboard"
    for name, _ in _of_type(resources, "AWS::Logs::QueryDefinition"):
        yield f"{name}: saved query"


def _named(reference: Any) -> str:
    """Return the resource that a reference, however deep, names first."""
    if isinstance(reference, str):
        return reference
    if isinstance(reference, Mapping):
        if "Ref" in reference:
            return str(reference["Ref"])
        if "Fn::GetAtt" in reference:
            found = reference["Fn::GetAtt"]
            return str(found if isinstance(found, str) else found[0])
        return next((name for each in reference.values() if (name := _named(each))), "")
    if isinstance(reference, Sequence):
        names = [name for each in reference if not isinstance(each, str) and (name := _named(each))]
        return names[0] if names else str(reference[0]) if reference else ""
    return ""
