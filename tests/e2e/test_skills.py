"""Skills over the twin: a real MCP server and a real webhook, registered, looked at, used by runs, and killed
in the middle of one.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from tests.fakes.deployment.twin import ROOT, Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import Site, fixed_answer
from tests.fakes.models.mcp_server import McpProcess
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.e2e

STRONG = "openai/deep-thinker"
_numbers = count(1)
RUN, ROUTE = "You carry out one run", "Pick who answers"


def wants(tool: str, **arguments: str) -> Rule:
    return Rule("", Reply(tool_calls=[{"name": tool, "arguments": arguments}]), prompt=RUN)


def script(first: Rule, *, after: str, says: str) -> Script:
    routed = Reply(decision={"model": STRONG, "tools": [], "can_answer": True, "think": False})
    return Script([Rule("", routed, prompt=ROUTE), first, Rule("", Reply(content=says), after=after)])


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(Script()) as running:
        yield running


@pytest.fixture(scope="module")
def twin(model: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    environ = {
        "OPENAI_BASE_URL": model.base_url,
        "OPENAI_API_KEY": "test",
        "OMNIFORGE_INTENT_MODEL": "gpt-4o-mini",
        "OMNIFORGE_STRONG_MODELS": STRONG,
    }
    with Twin(tmp_path_factory.mktemp("twin"), environ=environ) as running:
        yield running


@pytest.fixture
def server() -> Iterator[McpProcess]:
    with McpProcess() as running:
        yield running


@pytest.fixture
def acme() -> str:
    """A tenant of the test's own."""
    return f"acme-{next(_numbers)}"


class Person:
    """Somebody of a tenant, over REST."""

    def __init__(self, twin: Twin, tenant: str, user: str, *roles: str) -> None:
        self.twin = twin
        self.token = twin.token(tenant, user, roles)

    def send(self, method: str, path: str, body: object = None, status: int | None = None) -> Any:
        response = self.twin.request(method, path, token=self.token, json=body)
        assert response.status_code == (status or response.status_code), response.text
        return response.json() if response.content else None

    def healthy(self, skill: Any, status: str = "ok") -> Any:
        """The skill's health, once it was looked at with that outcome."""

        def look() -> Any:
            health = self.send("GET", f"/v1/skills/{skill['id']}")["health"]
            return health if health["status"] == status else None

        return eventually(look)

    def run(self, **fields: object) -> Any:
        """The run of a new agent, once it is over."""
        agent = self.send("POST", "/v1/agents", {"what": "what Notion knows", **fields}, 201)
        run = self.send("POST", f"/v1/agents/{agent['id']}/runs", {}, 202)

        def look() -> Any:
            now = self.send("GET", f"/v1/runs/{run['id']}")
            return now if now["status"] not in ("queued", "running") else None

        return eventually(look, within_s=60)


def keep_secret(twin: Twin, tenant: str, name: str, value: str) -> None:
    command = [sys.executable, "-m", "local", "secret", "--tenant", tenant, "--name", name]
    subprocess.run([*command, "--data", str(twin.data)], cwd=ROOT, input=value, text=True, check=True)


def test_a_registered_server_is_looked_at_and_its_tools_are_told(
    twin: Twin, acme: str, server: McpProcess
) -> None:
    maya = Person(twin, acme, "maya")
    skill = maya.send("POST", "/v1/skills", {"name": "notes", "url": server.url}, 201)

    assert "pages" in maya.healthy(skill)["tools"]

    server.kill()
    maya.send("POST", f"/v1/skills/{skill['id']}/check", status=202)
    assert maya.healthy(skill, "failing")["reason"] == "unreachable"


def test_a_run_uses_the_skill_that_serves_its_source(
    twin: Twin, acme: str, model: ModelServer, server: McpProcess
) -> None:
    ada, maya = Person(twin, acme, "ada", "admin"), Person(twin, acme, "maya")
    keep_secret(twin, acme, "notion-key", "s3cret")
    ada.send(
        "POST",
        "/v1/skills",
        {"name": "notes", "url": server.url, "secret": "notion-key", "serves": ["notion"]},
        201,
    )
    model.use(script(wants("notes__whoami"), after="Bearer s3cret", says="All pages were read."))

    run = maya.run(sources=["notion"])

    assert (run["status"], run["output"]) == ("succeeded", "All pages were read.")
    assert [(call["name"], call["ok"]) for call in run["tool_calls"]] == [("notes__whoami", True)]


def test_another_users_skill_is_not_there_for_a_run(
    twin: Twin, acme: str, model: ModelServer, server: McpProcess
) -> None:
    Person(twin, acme, "noah").send("POST", "/v1/skills", {"name": "notes", "url": server.url}, 201)
    model.use(script(wants("notes__pages", topic="x"), after="unknown_tool", says="I could not read it."))

    run = Person(twin, acme, "maya").run(skills=["notes"])

    assert (run["status"], run["outcome"]["code"]) == ("failed", "nothing_reached")
    assert [(call["name"], call["error_code"]) for call in run["tool_calls"]] == [
        ("notes__pages", "unknown_tool")
    ]


def test_a_server_killed_in_mid_call_gives_the_run_a_clear_end(
    twin: Twin, acme: str, model: ModelServer, server: McpProcess
) -> None:
    maya = Person(twin, acme, "maya")
    maya.send("POST", "/v1/skills", {"name": "notes", "url": server.url}, 201)
    model.use(script(wants("notes__die"), after="unreachable", says="The notes can't be reached."))

    run = maya.run(skills=["notes"])

    assert (run["status"], run["outcome"]["code"]) == ("failed", "nothing_reached")
    assert run["output"] == "The notes can't be reached."
    assert [(call["name"], call["error_code"]) for call in run["tool_calls"]] == [
        ("notes__die", "unreachable")
    ]


def test_a_webhook_is_pinged_and_called_signed(twin: Twin, acme: str, model: ModelServer) -> None:
    ada = Person(twin, acme, "ada", "admin")
    keep_secret(twin, acme, "crm-key", "k3y")
    model.use(script(wants("crm__call", request="open deals"), after="found", says="Two deals are open."))
    with Site(fixed_answer(b'{"found": 2}')) as receiver:
        body = {"name": "crm", "kind": "webhook", "url": receiver.url("/hook"), "secret": "crm-key"}
        ada.healthy(ada.send("POST", "/v1/skills", body, 201))
        run = ada.run(skills=["crm"])

    assert run["output"] == "Two deals are open."
    first, last = receiver.requests[0], receiver.requests[-1]
    assert (first.json["type"], last.json["type"]) == ("ping", "call")
    assert all(got.is_signed_with("k3y") for got in receiver.requests)


def test_a_run_that_could_reach_nothing_has_failed_and_sends_no_result(
    twin: Twin, acme: str, model: ModelServer, server: McpProcess
) -> None:
    maya = Person(twin, acme, "maya")
    model.use(Script([Rule("", Reply(content="There is nothing to report."), prompt=RUN)]))
    with Site(fixed_answer(b"ok")) as receiver:
        delivery = {"channels": ["webhook"], "recipients": [receiver.url("/hook")]}
        unconnected = maya.run(sources=["notion"], delivery=delivery)
        skill = maya.send("POST", "/v1/skills", {"name": "notes", "url": server.url}, 201)
        maya.healthy(skill)
        server.kill()
        unreachable = maya.run(skills=["notes"], delivery=delivery)
        sent_of_these = list(receiver.requests)
        by_itself = maya.run(delivery=delivery)

    for run in (unconnected, unreachable):
        assert (run["status"], run["outcome"]["code"]) == ("failed", "nothing_reached")
        assert run["output"] == "There is nothing to report."
    assert sent_of_these == []
    assert (by_itself["status"], len(receiver.requests)) == ("succeeded", 1)


def test_a_result_for_a_webhook_is_signed_with_the_tenants_secret(
    twin: Twin, acme: str, model: ModelServer
) -> None:
    maya = Person(twin, acme, "maya")
    model.use(Script([Rule("", Reply(content="All is well."), prompt=RUN)]))
    with Site(fixed_answer(b"ok")) as receiver:
        delivery = {"channels": ["webhook", "slack"], "recipients": [receiver.url("/hook")]}
        maya.run(delivery=delivery | {"channels": ["webhook"]})
        keep_secret(twin, acme, "results", "k3y")
        maya.run(delivery=delivery | {"channels": ["webhook"]})
        maya.run(delivery=delivery | {"channels": ["slack"]})

    unsigned, signed, slack = receiver.requests
    assert "x-omniforge-signature" not in unsigned.headers
    assert (signed.is_signed_with("k3y"), signed.is_signed_with("other")) == (True, False)
    assert signed.json["output"] == "All is well."
    assert "x-omniforge-signature" not in slack.headers


def test_an_agent_that_names_an_unknown_skill_says_so(twin: Twin, acme: str, server: McpProcess) -> None:
    maya, noah = Person(twin, acme, "maya"), Person(twin, acme, "noah")
    noah.send("POST", "/v1/skills", {"name": "private-notes", "url": server.url}, 201)
    body = {"what": "what Notion knows", "skills": ["notes", "private-notes"]}
    agent = maya.send("POST", "/v1/agents", body, 201)

    def unknown() -> list[str]:
        missing = maya.send("GET", f"/v1/agents/{agent['id']}")["missing"]
        return [each["name"] for each in missing if each["kind"] == "skill"]

    assert unknown() == ["notes", "private-notes"]
    maya.send("POST", "/v1/skills", {"name": "notes", "url": server.url}, 201)
    assert unknown() == ["private-notes"]
    changed = maya.send("PATCH", f"/v1/agents/{agent['id']}", {"skills": ["nots"]})
    assert ("skill", "nots") in {(one["kind"], one["name"]) for one in changed["missing"]}


def test_a_skill_is_connected_by_talking(twin: Twin, acme: str, server: McpProcess) -> None:
    maya = Person(twin, acme, "maya")
    asked = maya.send("POST", "/v1/chat", {"message": f"Connect the MCP server {server.url} as notes"}, 200)
    assert "Shall I connect" in asked["message"]["content"]
    again = {"message": "yes", "conversation_id": asked["conversation_id"]}
    maya.send("POST", "/v1/chat", again, 200)

    [card] = maya.send("GET", "/v1/skills")["items"]
    assert card["name"] == "notes"
    maya.healthy(card)
    again["message"] = "is the notes skill working?"
    told = maya.send("POST", "/v1/chat", again, 200)["message"]["content"]
    assert "notes worked when it was last looked at" in told
