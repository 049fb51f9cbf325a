"""A deployment's own server that speaks OpenAI's protocol gets any model name, over real HTTP."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.fakes.aws.proxy_events import request
from tests.fakes.deployment import functions
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

UNDERSTOOD = Reply(decision={"action_type": "query_info", "confidence": 0.95, "entities": {}})
ROUTED = Reply(decision={"model": "x", "tools": [], "can_answer": True, "think": False, "reason": ""})
NAMES = ("my-finetune", "Qwen/Qwen3-8B", "claude-tuned-by-us", "gpt-99")


def chat_function(
    folder: Path, server: ModelServer, patch: pytest.MonkeyPatch, **settings: str
) -> ModuleType:
    patch.setenv("OPENAI_BASE_URL", server.base_url)
    patch.setenv("AWS_ACCESS_KEY_ID", "a-developers")
    patch.setenv("AWS_SECRET_ACCESS_KEY", "a-developers")
    return functions.load("chat", functions.settings(folder, OMNIFORGE_INTENT_DEADLINE_MS="5000", **settings))


def said(function: ModuleType, message: str, **body: str) -> dict[str, Any]:
    answered = functions.invoke(function, request("POST", "/v1/chat", body={"message": message, **body}))
    assert answered.status == 200, answered.body
    reply: dict[str, Any] = answered.json
    return reply


@pytest.mark.parametrize("name", NAMES)
def test_the_intent_model_may_have_any_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = Rule("", Reply(content="Herman Melville wrote it."), prompt="Answer the user's last message")
    with ModelServer(Script([Rule("", ROUTED, prompt="Pick who answers"), answer], UNDERSTOOD)) as server:
        function = chat_function(tmp_path, server, monkeypatch, OMNIFORGE_INTENT_MODEL=name)
        reply = said(function, "Who wrote Moby-Dick?")
        asked = {request.body["model"] for request in server.log().requests}
    assert asked == {name}
    assert reply["metadata"]["decision"]["source"] == "model"
    assert reply["message"]["content"] == "Herman Melville wrote it."


@pytest.mark.parametrize("name", NAMES)
def test_a_message_may_name_any_model(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(Script(default=UNDERSTOOD)) as server:
        function = chat_function(tmp_path, server, monkeypatch, OMNIFORGE_INTENT_MODEL="house-model")
        reply = said(function, "List my agents", model=name)
        assert server.log().requests[0].body["model"] == name
    assert reply["metadata"]["decision"]["source"] == "model"


def test_aws_keys_in_the_shell_bring_no_models_of_bedrock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a-developers")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a-developers")
    environ = functions.settings(tmp_path)
    del environ["OMNIFORGE_INTENT_MODEL"]
    workspace = functions.load("workspace", environ)
    assert functions.invoke(workspace, request("GET", "/v1/models")).json["items"] == []
