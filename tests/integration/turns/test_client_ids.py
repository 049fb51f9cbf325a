"""Conversations that their clients name: nothing is stored of the name, and nobody shares one."""

from __future__ import annotations

import json
from itertools import product
from types import ModuleType
from typing import NamedTuple

import pytest

from conversation.identity import (
    Caller,
    conversation_id_for_client,
    is_own_id,
    new_conversation_id,
    new_id,
)
from storage.keys import TenantId
from tests.fakes.aws import proxy_events
from tests.fakes.aws.proxy_events import Answer
from tests.fakes.data.scripted_turns import MAYA
from tests.fakes.deployment import functions
from tests.fakes.run.clocks import ManualClock

PEOPLE = tuple(Caller(TenantId(t), u) for t, u in product(("acme", "globex"), ("maya", "noah")))
NAMED = conversation_id_for_client(MAYA, "wire", "chat-1")


class Apps(NamedTuple):
    """The functions that take a client's id."""

    chat: ModuleType
    conversations: ModuleType

    def post(self, path: str, body: object, caller: Caller = MAYA) -> Answer:
        app = self.chat if path.startswith("/v1/chat") else self.conversations
        sent = proxy_events.request(
            "POST", path, body=json.dumps(body), tenant=caller.tenant, user=caller.user
        )
        return functions.invoke(app, sent)


@pytest.fixture(scope="module")
def apps(tmp_path_factory: pytest.TempPathFactory) -> Apps:
    settings = functions.settings(tmp_path_factory.mktemp("data"))
    return Apps(functions.load("chat", settings), functions.load("conversations", settings))


def test_one_name_of_four_people_and_of_two_wires_is_a_conversation_each() -> None:
    made = {conversation_id_for_client(who, wire, "a") for who in PEOPLE for wire in ("ai-sdk", "openai")}
    assert len(made) == 8
    assert conversation_id_for_client(MAYA, "ai-sdk", "a") in made


def test_our_own_ids_are_known_for_what_they_are() -> None:
    made = (NAMED, new_conversation_id(MAYA, ManualClock().now()))
    assert all(is_own_id(each, MAYA) for each in made)
    assert not any(is_own_id(each, other) for each in made for other in PEOPLE if other != MAYA)
    assert not any(is_own_id(text, MAYA) for text in (new_id(), "chat-1", ""))


def test_four_people_chat_under_one_name_and_nobody_reads_another(apps: Apps) -> None:
    answers = [
        apps.post("/v1/chat", {"message": f"Remember {who}", "client_id": "one"}, who) for who in PEOPLE
    ]
    again = [apps.post("/v1/chat", {"message": "Go on", "client_id": "one"}, who) for who in PEOPLE]

    ids = [answer.json["conversation_id"] for answer in answers]
    assert len(set(ids)) == 4
    assert [answer.json["conversation_id"] for answer in again] == ids


def test_a_named_conversation_is_created_once_and_a_chat_goes_on_in_it(apps: Apps) -> None:
    body = {"title": "Plans", "client_id": "created"}
    first, second = (apps.post("/v1/conversations", body) for _ in range(2))
    chat = apps.post("/v1/chat", {"message": "Hello", "client_id": "created"})

    assert (first.status, second.status, chat.status) == (201, 201, 200)
    assert first.json["id"] == second.json["id"] == chat.json["conversation_id"]
    assert "idempotency-replayed" not in first.headers
    assert second.headers["idempotency-replayed"] == "true"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"client_id": ""}, "field_empty"),
        ({"client_id": "x" * 10_000}, "field_too_long"),
        ({"client_id": 7}, "field_type"),
        ({"client_id": "one", "conversation_id": NAMED}, "field_invalid"),
    ],
)
def test_names_that_are_none_are_refused(apps: Apps, body: dict[str, object], code: str) -> None:
    refused = apps.post("/v1/chat", {"message": "Hello", **body})
    assert (refused.status, refused.code) == (400, code)
