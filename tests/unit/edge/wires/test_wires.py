"""The table of wires is sound: what it names exists, and no wire takes another one's paths."""

from __future__ import annotations

from importlib import import_module

import pytest

from conversation.identity import Caller, conversation_id_for_client, new_conversation_id
from edge.http.problems import Problem
from edge.wires.table import WIRES
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
    paths = [(wire.prefix, route.path) for wire in WIRES for route in wire.routes]
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
