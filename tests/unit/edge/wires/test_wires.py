"""The table of wires is sound: what it names exists, and no wire takes another one's paths."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from conversation.identity import Caller, conversation_id_for_client, new_conversation_id
from edge.http.problems import Problem
from edge.wires.table import WIRES, Wire, WireRoute
from edge.wires.wire import ConversationName
from storage.keys import TenantId
from tests.fakes.run.clocks import ManualClock

MAYA = Caller(TenantId("acme"), "maya")
NOAH = Caller(TenantId("acme"), "noah")


@pytest.mark.parametrize(
    "name", [each for wire in WIRES for each in (wire.problem_writer, *(r.operation for r in wire.routes))]
)
def test_what_the_table_names_is_there(name: str) -> None:
    module, _, function = name.partition(":")
    assert callable(getattr(import_module(module), function))


def test_every_wire_has_paths_of_its_own() -> None:
    paths = [(wire.prefix, route.path) for wire in WIRES for route in wire.routes if not route.is_public]
    for prefix, path in paths:
        assert [wire.prefix for wire in WIRES if path.startswith(wire.prefix)] == [prefix]


def test_an_id_of_ours_is_taken_as_such_only_if_it_is_the_callers() -> None:
    ours = new_conversation_id(MAYA, ManualClock().now())
    assert ConversationName.of(MAYA, "wire", ours) == (ours, False)
    assert ConversationName.of(NOAH, "wire", ours) == (conversation_id_for_client(NOAH, "wire", ours), True)


@pytest.mark.parametrize(("name", "code"), [("", "field_empty"), ("x" * 256, "field_too_long")])
def test_what_is_no_name_is_refused(name: str, code: str) -> None:
    with pytest.raises(Problem, match=code):
        ConversationName.of(MAYA, "wire", name)


# docs/wires.md

PAGE = (Path(__file__).parents[4] / "docs" / "wires.md").read_text()
CLIENTS = Path(__file__).parents[3] / "clients"
TOLD = (
    "wire",
    "base path",
    "streaming",
    "resume",
    "tools",
    "approvals",
    "attachments",
    "ids",
    "idempotency",
)


def rows() -> list[list[str]]:
    """The rows of the page's first table."""
    table = PAGE[PAGE.index("| wire | base path") :].partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_the_page_says_of_every_wire_what_it_can_do() -> None:
    columns, _, *wires = rows()
    assert tuple(columns) == TOLD
    assert all(len(row) == len(TOLD) and all(row) for row in wires)
    paths = {row[1].strip("`") for row in wires}
    for wire in WIRES:
        assert [path for path in paths if path.startswith(wire.prefix.rstrip("/"))], wire.prefix
    assert len(wires) == len(WIRES) + len(("our own API", "MCP"))


@pytest.mark.parametrize("route", [route for wire in WIRES for route in wire.routes], ids=lambda r: r.path)
def test_the_page_names_every_route(route: WireRoute) -> None:
    path = route.path.replace("<", "{").replace(">", "}")
    short = path.removeprefix("/openai/v1")
    shorter = re.sub(r"^/\w+(?=/)", "...", short)
    named = (f"`{route.method} {path}`", f"`{short}`", f"`{route.method} {shorter}`")
    assert any(each in PAGE for each in named), named


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.prefix)
def test_every_wire_is_tested_with_its_official_client(wire: Wire) -> None:
    named = wire.prefix.strip("/").replace("-", "_")
    assert (CLIENTS / f"test_{named}.py").is_file()
