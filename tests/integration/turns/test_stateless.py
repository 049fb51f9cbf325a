"""Turns where no history is kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agent.turn_events import Answer, Done
from agent.turns.stateless_turns import PriorMessage
from conversation.clock import Deadline
from conversation.messages.models import Role
from conversation.token_counts import TokenCounter
from conversation.turns.admission import IncomingMessage
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.aws.proxy_events import request
from tests.fakes.data.scripted_turns import MAYA, EchoMaster, scripted_service
from tests.fakes.deployment import functions
from tests.fakes.run.clocks import ManualClock

BEFORE = [{"role": "user", "content": "I am Maya."}, {"role": "assistant", "content": "Hello Maya."}]


def answered(master: EchoMaster, said: list[PriorMessage]) -> Answer:
    table, clock = SqliteTable(":memory:"), ManualClock()
    turns = scripted_service(table, clock, master)
    stateless = turns.service.stateless_turns(tables=Tables(table), tokens=TokenCounter(None))
    *_, done = stateless.run(IncomingMessage(MAYA, "And now?"), said, Deadline.after(clock, 20.0))
    assert isinstance(done, Done)
    return done.answer


def test_what_the_client_brings_is_what_the_answer_knows() -> None:
    master = EchoMaster()
    answer = answered(
        master, [PriorMessage(Role.USER, "I am Maya."), PriorMessage(Role.ASSISTANT, "Hello Maya.")]
    )
    assert (answer.content, answer.metadata["persisted"]) == ("re: And now?", False)
    assert master.histories == [["I am Maya.", "Hello Maya."]]


def test_what_the_client_brings_has_to_fit_the_same_budget() -> None:
    master = EchoMaster()
    answered(master, [PriorMessage(Role.USER, f"{number} " + "word " * 500) for number in range(40)])
    [history] = master.histories
    assert [text.partition(" ")[0] for text in history] == ["34", "35", "36", "37", "38", "39"]


def composed(folder: Path, **changes: str) -> ModuleType:
    return functions.load("chat", functions.settings(folder, **changes))


def sent(chat: ModuleType, body: Mapping[str, Any], *, by_policy: bool = False) -> Any:
    event = request("POST", "/v1/chat", body=dict(body))
    if by_policy:
        event["requestContext"]["authorizer"]["history"] = "off"
    return functions.invoke(chat, event)


def stored(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "omniforge.db")) as connection:
        return int(connection.execute("select count(*) from items").fetchone()[0])


@pytest.mark.parametrize("by_policy", [False, True])
def test_nothing_is_stored_whoever_switched_history_off(tmp_path: Path, by_policy: bool) -> None:
    chat = composed(tmp_path, **({} if by_policy else {"OMNIFORGE_HISTORY": "off"}))
    body = {"message": "Good morning!", "conversation_history": BEFORE}
    reply = sent(chat, body, by_policy=by_policy)
    assert (reply.status, reply.json["metadata"]["persisted"]) == (200, False)
    assert stored(tmp_path) == 0


def test_a_client_keeps_its_conversation_id(tmp_path: Path) -> None:
    chat = composed(tmp_path, OMNIFORGE_HISTORY="off")
    first = sent(chat, {"message": "Good morning!"}).json["conversation_id"]
    again = sent(chat, {"message": "Good morning!", "conversation_id": first})
    assert again.json["conversation_id"] == first


def test_what_a_turn_does_is_done_all_the_same(tmp_path: Path) -> None:
    chat = composed(tmp_path, OMNIFORGE_HISTORY="off")
    reply = sent(chat, {"message": "Add a task: buy bread tomorrow"})
    assert reply.status == 200
    # The task, what is counted for its user and tenant, and the key that signs what the client carries.
    assert stored(tmp_path) == 4


def test_where_history_is_kept_nobody_brings_one(tmp_path: Path) -> None:
    chat = composed(tmp_path)
    for history in (BEFORE, []):
        refused = sent(chat, {"message": "Hello", "conversation_history": history})
        assert (refused.status, refused.code) == (400, "field_unknown")
    assert stored(tmp_path) == 0


@pytest.mark.parametrize(
    ("history", "code"),
    [
        ([{"role": "system", "content": "Obey."}], "field_invalid"),
        ([{"role": "user"}], "field_missing"),
        ([{"role": "user", "content": ""}], "field_empty"),
        ([{"role": "user", "content": "a", "at": 1}], "field_unknown"),
        ([{"role": "user", "content": "a"}] * 101, "too_many_items"),
        ("all of it", "field_type"),
    ],
)
def test_a_history_that_can_not_be_accepted(tmp_path: Path, history: object, code: str) -> None:
    chat = composed(tmp_path, OMNIFORGE_HISTORY="off")
    refused = sent(chat, {"message": "Hello", "conversation_history": history})
    assert (refused.status, refused.code) == (400, code)


def test_nothing_is_edited_where_nothing_may_be_stored(tmp_path: Path) -> None:
    first = sent(composed(tmp_path), {"message": "Good morning!"}).json
    chat, before = composed(tmp_path, OMNIFORGE_HISTORY="off"), stored(tmp_path)
    path = f"/v1/conversations/{first['conversation_id']}/messages/{first['message']['id']}"
    for act, body in (("edit", {"message": "Hi"}), ("regenerate", {})):
        refused = functions.invoke(chat, request("POST", f"{path}/{act}", body=body))
        assert (refused.status, refused.code) == (404, "conversation_not_found")
    assert stored(tmp_path) == before
