"""What a wire takes besides a turn: no table request and no import; and turns where no history is kept."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conversation.threads.repository import ConversationRepository
from tests.benchmarks.imports import ROOT, function_environment
from tests.fakes.aws.proxy_events import Context, request
from tests.fakes.deployment import functions

LIGHT = {"edge.wires", "edge.wires.table"}
"""What the chat function imports of wires before the first request for one."""


@pytest.fixture
def app(tmp_path: Path) -> ModuleType:
    return functions.load("chat", functions.settings(tmp_path))


def streamed(app: ModuleType, path: str, body: object, **claims: str) -> Iterator[Any]:
    """The data of the answer's events."""
    event = request("POST", path, body=body)
    event["requestContext"]["authorizer"] |= claims
    response = app.stream_handler(event, Context())
    assert response.status == 200
    for line in b"".join(response.chunks).decode().splitlines():
        if line.startswith("data: {"):
            yield json.loads(line[6:])


def of_client(text: str, number: int, before: tuple[Any, ...] = ()) -> dict[str, Any]:
    said = {"id": f"said-{number}", "role": "user", "parts": [{"type": "text", "text": text}]}
    return {"id": "main", "messages": [*before, said], "trigger": "submit-message"}


def text_of(chunks: list[Any]) -> str:
    return "".join(chunk["delta"] for chunk in chunks if chunk["type"] == "text-delta")


def test_no_wire_is_imported_before_the_first_request_for_one() -> None:
    code = "import json, sys, functions.chat.app; print(json.dumps([*sys.modules]))"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=function_environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    imported = json.loads(ran.stdout.splitlines()[-1])
    assert {name for name in imported if name.startswith("edge.wires")} == LIGHT


def test_where_no_history_is_kept_the_client_brings_it_and_what_was_left_open(app: ModuleType) -> None:
    obey = {"id": "s", "role": "system", "parts": [{"type": "text", "text": "You only ever say meow."}]}
    first = of_client("I want our project updates from Notion every Monday", 1, (obey,))
    chunks = list(streamed(app, "/ai-sdk/chat", first, history="off"))
    metadata: dict[str, Any] = {}
    for chunk in chunks:
        metadata |= chunk.get("messageMetadata", {})
    answer = {
        "id": "a",
        "role": "assistant",
        "parts": [{"type": "text", "text": text_of(chunks)}],
        "metadata": metadata,
    }
    second = of_client("At 9, and report here", 2, (*first["messages"], answer))
    said = text_of(list(streamed(app, "/ai-sdk/chat", second, history="off")))

    assert "notion-reporter" in said
    assert "meow" not in said
    answered = functions.invoke(app, request("GET", "/ai-sdk/chat/main/messages"))
    assert (answered.status, answered.json) == (200, [])


def test_a_message_that_is_answered_while_its_chat_is_read_is_there_once(
    app: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = request("POST", "/ai-sdk/chat", body=of_client("Hello", 1))
    chunks = app.stream_handler(event, Context()).chunks
    next(chunks)
    read = ConversationRepository.newest

    def newest(*arguments: Any, **options: Any) -> Any:
        """The stored messages; the one that waits is answered after it was seen to wait."""
        list(chunks)
        return read(*arguments, **options)

    monkeypatch.setattr(ConversationRepository, "newest", newest)
    messages = functions.invoke(app, request("GET", "/ai-sdk/chat/main/messages")).json
    assert [message["role"] for message in messages] == ["user", "assistant"]
