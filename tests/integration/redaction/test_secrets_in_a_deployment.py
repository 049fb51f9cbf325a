"""One deployment, two tenants: one has secrets marked, the other has them taken out.

Where they end up after all that follows a turn, and that no log line, queue or prompt holds what was said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from storage import keys
from tests.isolation.deployment import Answered, Deployment, deployed

KEY = "ntn_k9Qx7Lm2Vt4Rb8Zp1Wn6Hd3Jc5Gf0Sa7Yu2Ie4Oq"
PASSWORD = "Gurkensalat-77!"
SECRETS = (KEY, PASSWORD)
SAID = "zwetschgenkuchen"
"""A word of the messages that is no secret: logs hold it no more than those."""

MESSAGES = (
    f"My Notion token is {KEY}, create an agent that reports {SAID} pages every Monday at 9",
    f"My password is {PASSWORD}",
    f"add a task to rotate {KEY}",
    f"run the {SAID} agent with password {PASSWORD}",
    f"What is the capital of {SAID}? By the way, PIN 4921 and {KEY}",
    f"no, I meant the agent about {SAID}, whose password is {PASSWORD}",
    f"connect the MCP server https://maya:{PASSWORD}@mcp.example.com/mcp as {SAID}",
)


class Said(NamedTuple):
    """A tenant whose user said all of it."""

    tenant: str
    conversation: str
    messages: list[dict[str, Any]]


class Talked(NamedTuple):
    """What is left when all is done and followed."""

    deployment: Deployment
    marking: Said
    storing: Said


class Person:
    """Maya of a tenant."""

    def __init__(self, deployment: Deployment, tenant: str) -> None:
        self.tenant, self._deployment = tenant, deployment
        changes = {"tenant": tenant, "sub": "maya", "roles": ["admin"]}
        self.token = deployment.issuer.token(datetime.now(UTC), changes=changes)

    def call(self, method: str, path: str, body: object = None, query: str = "") -> Answered:
        return self._deployment.call(method, path, token=self.token, body=body, query=query)

    def says_all(self) -> Said:
        conversation = None
        for place, message in enumerate(MESSAGES):
            stream = "/stream" if place % 2 else ""
            body = {"message": message} | ({"conversation_id": conversation} if conversation else {})
            answered = self.call("POST", f"/v1/chat{stream}", body)
            assert answered.status == 200, answered.body
            conversation = conversation or answered.json["conversation_id"]
        assert conversation is not None
        self._does_more(conversation)
        self._deployment.settle()
        listed = self.call("GET", f"/v1/conversations/{conversation}/messages").json["items"]
        return Said(self.tenant, conversation, listed)

    def _does_more(self, conversation: str) -> None:
        """All that may take up what was said, and all that may fail on it."""
        path = f"/v1/conversations/{conversation}"
        first, *_, last = self.call("GET", f"{path}/messages").json["items"]
        fields = {"what": SAID, "instructions": f"Use {KEY}", "summary": f"pin is 4921, {KEY}"}
        agent = self.call("POST", "/v1/agents", fields).json["id"]
        done = (
            self.call("POST", f"{path}/messages/{first['id']}/pin"),
            self.call("PUT", f"{path}/messages/{last['id']}/feedback", {"rating": "down", "comment": KEY}),
            self.call("POST", f"{path}/messages/{last['id']}/regenerate", {}),
            self.call("POST", f"{path}/fork", {}),
            self.call("PATCH", path, {"title": f"About {KEY}"}),
            self.call("GET", "/v1/search", query=f"q={SAID}"),
            self.call("POST", f"/v1/agents/{agent}/runs", {"parameters": {"extra": f"password: {PASSWORD}"}}),
        )
        assert [each.status for each in done if each.status >= 300] == []
        refused = (
            self.call("POST", "/v1/chat", {"message": f"{KEY} {SAID}", "conversation_id": f"{KEY}{SAID}"}),
            self.call("POST", "/v1/chat", {"message": "x" * 9_000 + KEY + SAID}),
            self.call("POST", "/v1/chat", {KEY: SAID}),
            self.call("GET", f"/v1/turns/{KEY}"),
        )
        assert all(400 <= each.status < 500 for each in refused)


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talked]:
    folder: Path = tmp_path_factory.mktemp("secrets")
    with deployed(folder) as deployment:
        marking, storing = Person(deployment, "marking"), Person(deployment, "storing")
        assert storing.call("PUT", "/v1/tenant/policy", {"redaction": "store"}).status == 200
        yield Talked(deployment, marking.says_all(), storing.says_all())


def holding(talked: Talked, tenant: str, *secrets: str) -> list[tuple[str, str, str]]:
    prefix = f"T#{tenant}#"
    rows = ((pk, sk, body) for pk, sk, body in talked.deployment.items() if pk.startswith(prefix))
    return [row for row in rows if any(secret in "".join(row) for secret in secrets)]


def test_a_tenant_that_has_them_marked_keeps_secrets_in_messages_alone(talked: Talked) -> None:
    rows = holding(talked, "marking", *SECRETS)
    assert rows
    for _, sk, body in rows:
        assert sk.startswith((keys.MESSAGE_PREFIX,)), sk
        item = json.loads(body)
        rest = {name: value for name, value in item.items() if name not in ("text", "tools")}
        assert not any(secret in json.dumps(rest) for secret in SECRETS), rest
        assert item["has"]


def test_a_tenant_that_stores_none_has_secrets_nowhere(talked: Talked) -> None:
    assert holding(talked, "storing", *SECRETS) == []
    assert holding(talked, "storing", SAID)


def test_messages_say_what_they_held_whether_or_not_they_still_do(talked: Talked) -> None:
    expected = [["api_key"], ["password"], ["api_key"], ["password"]]
    for said in (talked.marking, talked.storing):
        users = [each["contains"] for each in said.messages if each["role"] == "user"]
        assert users[:4] == expected


def test_no_model_is_told_a_secret_where_none_is_stored(talked: Talked) -> None:
    prompts = [prompt for prompt in talked.deployment.models.prompts if "storing" in prompt]
    assert any(SAID in prompt for prompt in prompts)
    assert not [prompt for prompt in prompts if any(secret in prompt for secret in SECRETS)]


def test_no_queue_holds_a_secret_or_what_was_said(talked: Talked) -> None:
    assert talked.deployment.queued
    for queue, body in talked.deployment.queued:
        assert not any(canary in body for canary in (*SECRETS, SAID)), queue


def test_no_log_line_holds_a_secret_a_message_or_a_token_even_at_debug(talked: Talked) -> None:
    lines = talked.deployment.log.getvalue().splitlines()
    assert any('"level":"DEBUG"' in line for line in lines)
    for canary in (*SECRETS, SAID, "I heard", "eyJ"):
        assert not [line for line in lines if canary in line], canary
    # Ids of requests and traces may have these four digits somewhere.
    assert not [line for line in lines if re.search(r"(?<![\w:.])4921(?!\w)", line)]
