"""The architecture page is true: packages, import rules, items, indexes, functions and triggers."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from samtranslator.yaml_helper import yaml_parse

from conversation.search import index_items
from storage import keys
from storage.keys import DUE_SHARDS, INDEXES, TenantId
from storage.table import Key

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")

EXAMPLES: Mapping[str, Any] = {
    "tenant": "acme",
    "user": "maya",
    "owner": "maya",
    "conversation_id": "CONVERSATION",
    "sequence": 7,
    "version": 2,
    "number": 3,
    "ulid": "TURN",
    "first": 1,
    "key_hash": "HASH",
    "state_hash": "HASH",
    "name": "NAME",
    "agent_id": "AGENT",
    "skill_id": "SKILL",
    "run_id": "RUN",
    "task_id": "TASK",
    "attachment_id": "FILE",
    "link_id": "LINK",
    "example_id": "EXAMPLE",
    "erasure_id": "ERASURE",
    "answer_id": "ANSWER",
    "lesson_id": "LESSON",
    "record_id": "RECORD",
    "shard": "SHARD",
    "day": date(2026, 11, 23),
}
"""What the page puts for each parameter of a key builder."""

ARROW = re.compile(r"\s(-->|-\.->|==>)(?:\|[^|]*\|)?\s")


def section(heading: str) -> str:
    """The text below a heading of the second level."""
    return PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def diagrams(heading: str) -> list[str]:
    """The Mermaid diagrams of a section."""
    return re.findall(r"```mermaid\n(.*?)```", section(heading), re.DOTALL)


def rows(heading: str) -> list[list[str]]:
    """The rows of a section's tables, header rows left out."""
    lines = re.findall(r"^\| (`.*) \|$", section(heading), re.MULTILINE)
    return [line.split(" | ") for line in lines]


def edges(diagram: str, kind: str) -> set[tuple[str, str]]:
    """The arrows of one kind in a flowchart, as pairs of node ids."""
    found = set()
    for line in diagram.splitlines():
        parts = ARROW.split(line)
        for source, arrow, target in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
            if arrow == kind:
                found |= {(start, end) for start in _nodes(source) for end in _nodes(target)}
    return found


def _nodes(text: str) -> list[str]:
    return [re.match(r"\s*(\w+)", node).group(1) for node in text.split(" & ")]  # type: ignore[union-attr]


# Packages


def packages() -> dict[str, str]:
    """Every package of the product and the sentence of its `__init__.py`."""
    found = {}
    for root in (*sorted((ROOT / "layers").glob("*/")), ROOT / "functions", ROOT / "local"):
        base = root.parent if root.parent == ROOT else root
        for file in root.rglob("__init__.py"):
            sentence = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
            found[".".join(file.parent.relative_to(base).parts)] = " ".join(sentence.split())
    return found


def test_the_page_lists_every_package_with_its_sentence() -> None:
    listed = {name.strip("`"): sentence for name, sentence in rows("Packages")}
    assert listed == packages()


# Import rules


def contracts() -> list[list[str]]:
    """The layers of each contract in `pyproject.toml` that has layers, top first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return [one["layers"] for one in project["tool"]["importlinter"]["contracts"] if one["type"] == "layers"]


def test_the_diagram_of_import_rules_has_the_layers_of_the_contract() -> None:
    [diagram] = diagrams("Import rules")
    labels = dict(re.findall(r'(\w+)\["(.*?)"\]', diagram))
    [order] = [line.split(" --> ") for line in diagram.splitlines() if " --> " in line]
    assert [labels[node.strip()] for node in order] == contracts()[0]


def test_the_blocks_below_have_the_layers_within_each_package() -> None:
    [blocks] = re.findall(r"```text\n(.*?)```", section("Import rules"), re.DOTALL)
    shown = []
    for block in blocks.strip().split("\n\n"):
        package, *_ = block.split()
        names = [line.removeprefix(package).strip() for line in block.splitlines()]
        shown.append([re.sub(r"(\w+)", rf"{package}.\1", line) for line in names])
    assert shown == contracts()[1:]


# Storage


def key_builders(module: ModuleType) -> Iterator[Key]:
    """The example key that each function of a module that returns a `Key` builds."""
    for _, function in inspect.getmembers(module, inspect.isfunction):
        signature = inspect.signature(function)
        if function.__module__ == module.__name__ and signature.return_annotation == "Key":
            yield function(*(EXAMPLES[name] for name in signature.parameters))


def test_the_storage_diagram_has_every_kind_of_item_in_its_partition() -> None:
    [diagram] = diagrams("Storage")
    shown = []
    for partition, items in re.findall(r'\["<b>(.*?)</b><br/>(.*?)"\]', diagram):
        shown += [(partition, item.split(": ")[0]) for item in items.split("<br/>")]
    assert sorted(shown) == sorted((*key_builders(keys), *key_builders(index_items)))


def test_the_storage_diagram_and_its_table_have_every_index() -> None:
    [diagram] = diagrams("Storage")
    drawn = {target for source, target in edges(diagram, "-->")}
    assert drawn == {index.name for index in INDEXES}
    acme = TenantId("acme")
    partitions = {
        "by_user": keys.by_user(acme, "maya"),
        "by_tenant": keys.by_tenant(acme),
        "due": keys.due_on(date(2026, 11, 23), 0),
    }
    for index, row in zip(INDEXES, rows("Storage"), strict=True):
        name, partition, sort, attributes, _ = row
        assert (name, sort) == (f"`{index.name}`", f"`{index.sort}`")
        assert partition.startswith(f"`{partitions[index.name]}`")
        assert tuple(re.findall(r"`(\w+)`", attributes)) == index.projected
    assert f"{DUE_SHARDS} partitions a day" in section("Storage")


# Deployment


@cache
def template() -> dict[str, Any]:
    """The template as it is written, before SAM translates it."""
    parsed: dict[str, Any] = yaml_parse((ROOT / "template.yaml").read_text("utf-8"))
    return parsed


def resources(kind: str) -> dict[str, dict[str, Any]]:
    """The properties of the template's resources of a type."""
    return {
        name: resource["Properties"]
        for name, resource in template()["Resources"].items()
        if resource["Type"] == kind
    }


def functions() -> dict[str, dict[str, Any]]:
    return resources("AWS::Serverless::Function")


def name_in(value: Any) -> str:
    """The resource that a `Ref` or `GetAtt` names; of a choice, the first one."""
    if "Fn::If" in value:
        return name_in(value["Fn::If"][1])
    named = value.get("Ref") or value["Fn::GetAtt"]
    return str(named[0] if isinstance(named, list) else named).partition(".")[0]


def triggers() -> set[tuple[str, str]]:
    """What invokes each function: routes, the authorizer's gateway, schedules, queues and the stream."""
    found = {
        (name_in(event["Properties"]["RestApiId"]) if event["Type"] == "Api" else event_name, function)
        for function, properties in functions().items()
        for event_name, event in properties.get("Events", {}).items()
    }
    for name, api in resources("AWS::Serverless::Api").items():
        authorizers = api["Auth"]["Authorizers"].values()
        found |= {(name, name_in(authorizer["FunctionArn"])) for authorizer in authorizers}
    for name, pool in resources("AWS::Cognito::UserPool").items():
        found |= {(name, name_in(each["LambdaArn"])) for each in pool["LambdaConfig"].values()}
    mappings = resources("AWS::Lambda::EventSourceMapping").values()
    return found | {(name_in(each["EventSourceArn"]), name_in(each["FunctionName"])) for each in mappings}


def statements(tree: Any) -> Iterator[dict[str, Any]]:
    """The policy statements in a tree of policies and conditions."""
    if isinstance(tree, dict):
        if "Action" in tree:
            yield tree
        tree = list(tree.values())
    if isinstance(tree, list):
        for branch in tree:
            yield from statements(branch)


def may_send(function: str) -> Iterator[str]:
    """The queues that the function may send to."""
    for statement in statements(functions()[function].get("Policies", [])):
        if "sqs:SendMessage" in statement["Action"]:
            yield name_in(statement["Resource"])


def variables(function: str) -> dict[str, Any]:
    found: dict[str, Any] = functions()[function]["Environment"]["Variables"]
    return found


def gives_up() -> set[tuple[str, str]]:
    """Where queues and event sources put what could not be handled."""
    found = {
        (name, name_in(queue["RedrivePolicy"]["deadLetterTargetArn"]))
        for name, queue in resources("AWS::SQS::Queue").items()
        if "RedrivePolicy" in queue
    }
    for mapping in resources("AWS::Lambda::EventSourceMapping").values():
        if "DestinationConfig" in mapping:
            target = name_in(mapping["DestinationConfig"]["OnFailure"]["Destination"])
            found.add((name_in(mapping["EventSourceArn"]), target))
    for properties in functions().values():
        for name, event in properties.get("Events", {}).items():
            if "DeadLetterConfig" in event["Properties"]:
                found.add((name, name_in(event["Properties"]["DeadLetterConfig"]["Arn"])))
    schedules = variables("ConsequencesFunction")
    group = name_in(schedules["OMNIFORGE_SCHEDULES"])
    return found | {(group, name_in(schedules["OMNIFORGE_SCHEDULE_DEAD_LETTERS_ARN"]))}


def test_the_deployment_diagram_has_what_triggers_each_function() -> None:
    [diagram] = diagrams("Deployment")
    assert edges(diagram, "-->") == triggers()
    assert {target for _, target in triggers()} == set(functions())


def test_the_deployment_diagram_has_who_sends_where() -> None:
    [diagram] = diagrams("Deployment")
    dead_letters = {target for _, target in gives_up()}
    sent = {(name, queue) for name in functions() for queue in may_send(name)} - {
        (name, queue) for name in functions() for queue in dead_letters
    }
    schedules = variables("ConsequencesFunction")
    group = name_in(schedules["OMNIFORGE_SCHEDULES"])
    sent |= {
        ("ConsequencesFunction", group),
        (group, name_in(schedules["OMNIFORGE_SCHEDULE_TARGET_ARN"])),
    }
    assert edges(diagram, "-.->") == sent


def test_the_deployment_diagram_has_where_failures_go() -> None:
    [diagram] = diagrams("Deployment")
    assert edges(diagram, "==>") == gives_up()


def test_the_deployment_table_has_each_functions_code_limits_and_layers() -> None:
    usual = template()["Globals"]["Function"]
    expected = [
        [
            f"`{name}`",
            f"`{properties['CodeUri']}`",
            f"{properties.get('Timeout', usual['Timeout'])} s",
            f"{properties.get('MemorySize', usual['MemorySize'])} MB",
            ", ".join(name_in(layer).removesuffix("Layer") for layer in properties["Layers"]),
        ]
        for name, properties in functions().items()
    ]
    assert rows("Deployment") == expected


@pytest.mark.parametrize("heading", ["Import rules", "A turn", "Storage", "Deployment"])
def test_no_diagram_uses_what_mermaid_takes_for_something_else(heading: str) -> None:
    for diagram in diagrams(heading):
        assert ";" not in diagram
        assert not (diagram.startswith("sequenceDiagram") and "#" in diagram)
