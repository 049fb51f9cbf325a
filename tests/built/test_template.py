"""What the template promises without being deployed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from samtranslator.yaml_helper import yaml_parse

from storage.keys import INDEXES
from tests.built.building import ROOT

TEMPLATE: Mapping[str, Any] = yaml_parse((ROOT / "template.yaml").read_text(encoding="utf-8"))
RESOURCES: Mapping[str, Any] = TEMPLATE["Resources"]


def test_the_table_has_the_indexes_the_code_reads() -> None:
    declared = {
        index["IndexName"]: (
            [key["AttributeName"] for key in index["KeySchema"]],
            index["Projection"].get("NonKeyAttributes", []),
        )
        for index in RESOURCES["Table"]["Properties"]["GlobalSecondaryIndexes"]
    }
    assert declared == {
        index.name: ([index.partition, index.sort], list(index.projected)) for index in INDEXES
    }


def test_no_function_may_scan_and_every_permission_is_spelt_out() -> None:
    actions = {action for statement in statements() for action in listed(statement["Action"])}
    assert not [action for action in actions if action.endswith(("Scan", "*"))]


def test_only_what_is_named_may_be_touched() -> None:
    assert "*" not in [resource for statement in statements() for resource in listed(statement["Resource"])]


def test_the_finish_queue_hides_a_message_for_six_runs_of_its_function() -> None:
    timeout_s = RESOURCES["FinishFunction"]["Properties"]["Timeout"]
    assert RESOURCES["FinishQueue"]["Properties"]["VisibilityTimeout"] >= 6 * timeout_s


def test_only_what_the_api_says_of_itself_is_open_to_anybody() -> None:
    events = [
        event["Properties"] for function in functions() for event in function.get("Events", {}).values()
    ]
    open_to_all = {event["Path"] for event in events if event.get("Auth") == {"Authorizer": "NONE"}}
    assert open_to_all == {"/health", "/openapi.json", "/docs"}


@pytest.mark.parametrize(
    ("parameter", "refused"),
    [
        ("Stage", "prod;rm"),
        ("Stage", "local"),
        ("Issuers", "http://issuer.example"),
        ("JwksUrls", "http://issuer.example/jwks.json"),
        ("AllowedOrigins", "https://app.example/path"),
        ("AllowedOrigins", "*,https://app.example"),
        ("ProviderSecretArn", "my-secret"),
        ("IntentModel", "a model"),
    ],
)
def test_a_parameter_nothing_can_run_with_stops_the_deployment(parameter: str, refused: str) -> None:
    assert not re.fullmatch(TEMPLATE["Parameters"][parameter]["AllowedPattern"], refused)


def functions() -> Iterator[Mapping[str, Any]]:
    for resource in RESOURCES.values():
        if resource["Type"] == "AWS::Serverless::Function":
            yield resource["Properties"]


def statements() -> Iterator[Mapping[str, Any]]:
    """All policy statements, those under a condition included."""
    for function in functions():
        for policy in function["Policies"]:
            yield from (policy["Fn::If"][1] if "Fn::If" in policy else policy)["Statement"]


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
