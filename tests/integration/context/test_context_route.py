"""What a turn was answered with, as the API tells it."""

from __future__ import annotations

from pathlib import Path

from tests.fakes.aws.proxy_events import request
from tests.fakes.deployment import functions

MORE_THAN_GO_ALONG = 30


def test_messages_that_were_left_out_are_named_from_and_to(tmp_path: Path) -> None:
    settings = functions.settings(tmp_path)
    chat, conversations = functions.load("chat", settings), functions.load("conversations", settings)
    body = {"message": "Good morning!"}
    for _ in range(MORE_THAN_GO_ALONG):
        answered = functions.invoke(chat, request("POST", "/v1/chat", body=body)).json
        body["conversation_id"] = answered["conversation_id"]

    path = f"/v1/turns/{answered['metadata']['turn_id']}/context"
    told = functions.invoke(conversations, request("GET", path)).json

    [left_out] = told["left_out"]
    assert left_out == {"from": 1, "to": told["messages"][0]["sequence"] - 1, "why": "budget"}
