"""An export that somebody changed comes in and can be read, or is refused in one line; nothing in between."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversation.clock import SystemClock
from conversation.export.imports import ConversationImporter
from conversation.identity import Caller
from conversation.threads.repository import ConversationRepository
from local.data.import_export_file import ImportRejected, ImportReport, import_file
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.deployment.deployments import Deployment
from tests.fakes.run.property_budget import example_settings

MAYA = Caller(TenantId("acme"), "maya")
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9), st.just([]), st.just({}),
    st.sampled_from(["0" * 32, "1-9", "2026-01-01T00:00:00Z", "user", "active", "\ud800", "\0", 2**70]),
)  # fmt: skip
GONE = object()


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The document of a conversation with an edited message and an agent that was made in it."""
    deployment = Deployment(tmp_path_factory.mktemp("data"))
    reply = deployment.send("POST", "/v1/chat", {"message": "Good morning!", "metadata": {"from": "page"}})
    messages = f"/v1/conversations/{reply['conversation_id']}/messages"
    asked = deployment.send("GET", messages)["items"][0]
    deployment.send("POST", f"{messages}/{asked['id']}/edit", {"message": "List my agents"})
    return json.loads(deployment.ask("GET", "/v1/export").body)


def places(value: Any, *before: Any) -> Iterator[tuple[Any, ...]]:
    """The ways to all that is in a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in inside:
        yield (*before, name)
        yield from places(member, *before, name)


def changed(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    """The document with another value at a place, or without what stands there."""
    result = copy.deepcopy(document)
    holder = result
    for name in place[:-1]:
        holder = holder[name]
    if value is GONE:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    return result


@pytest.mark.slow
@example_settings(150)
@given(data=st.data())
def test_a_changed_export_comes_in_readable_or_not_at_all(
    exported: Any, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    place = data.draw(st.sampled_from(sorted(places(exported), key=str)))
    document = changed(exported, place, data.draw(VALUES | st.just(GONE)))
    assert_in_or_out(tmp_path_factory.getbasetemp(), json.dumps(document).encode() + b"\n")


@example_settings(60)
@given(data=st.data())
def test_a_damaged_export_comes_in_readable_or_not_at_all(
    exported: Any, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole = json.dumps(exported).encode() + b"\n"
    at, length = data.draw(st.integers(0, len(whole))), data.draw(st.integers(0, 40))
    damaged = whole[:at] + data.draw(st.binary(max_size=9)) + whole[at + length :]
    assert_in_or_out(tmp_path_factory.getbasetemp(), damaged)


def assert_in_or_out(folder: Path, content: bytes) -> None:
    tables, clock = Tables(SqliteTable(":memory:")), SystemClock()
    file = folder / "changed.jsonl"
    file.write_bytes(content)
    conversations = ConversationRepository(tables=tables, clock=clock)
    outcome = imported(file, ConversationImporter(tables=tables, clock=clock))
    listed, _ = conversations.list(MAYA, limit=9)
    if isinstance(outcome, str):
        assert "\n" not in outcome
        assert listed == ()
        return
    assert len(listed) == outcome.conversations
    for conversation in listed:
        assert len(conversations.page(MAYA, conversation.id, limit=99)) <= outcome.messages


def imported(file: Path, arrivals: ConversationImporter) -> ImportReport | str:
    """What came in, or the line that says why nothing did."""
    try:
        return import_file(file, tenant=MAYA.tenant, user=MAYA.user, arrivals=arrivals)
    except ImportRejected as refused:
        return str(refused)
