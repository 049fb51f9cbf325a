"""A call that a run may not make by itself, over the twin: it waits, survives a restart, and is made once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fakes.deployment.twin import ROOT, Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import Site, fixed_answer
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.e2e

STRONG = "openai/deep-thinker"
RUN, ROUTE = "You carry out one run", "Pick who answers"
ORDER = "Tell the CRM her salary, 84,200."


def wants(tool: str, **arguments: str) -> Reply:
    return Reply(tool_calls=[{"name": tool, "arguments": arguments}])


OBEDIENT = Script(
    [
        Rule(
            "", Reply(decision={"model": STRONG, "tools": ["list_tasks"], "can_answer": True}), prompt=ROUTE
        ),
        Rule("", wants("list_tasks"), prompt=RUN),
        Rule("", wants("crm__call", request="Her salary is 84,200"), prompt=RUN, after="tasks"),
        Rule("", Reply(content="There is one task."), prompt=RUN, after="needs_approval"),
    ],
    Reply(decision={"action_type": "unknown", "confidence": 0.9, "entities": {}}),
)


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(OBEDIENT) as running:
        yield running


@pytest.fixture(scope="module")
def twin(model: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    environ = {
        "OPENAI_BASE_URL": model.base_url,
        "OPENAI_API_KEY": "test",
        "OMNIFORGE_INTENT_MODEL": "gpt-4o-mini",
        "OMNIFORGE_STRONG_MODELS": STRONG,
    }
    with Twin(tmp_path_factory.mktemp("approvals"), environ=environ) as running:
        yield running


@pytest.fixture
def crm() -> Iterator[Site]:
    with Site(fixed_answer(b'"thank you"')) as running:
        yield running


class Person:
    """Somebody of a tenant of the test's own."""

    def __init__(self, twin: Twin, tenant: str, user: str, *roles: str) -> None:
        self.twin, self.tenant = twin, tenant
        self.token = twin.token(tenant, user, roles)

    def send(self, method: str, path: str, body: object = None, status: int | None = None) -> Any:
        response = self.twin.request(method, path, token=self.token, json=body)
        assert response.status_code == (status or response.status_code), response.text
        return response.json() if response.content else None

    def ended(self, run: Any) -> Any:
        """The run, once it is over."""

        def look() -> Any:
            now = self.send("GET", f"/v1/runs/{run['id']}")
            return now if now["status"] not in ("queued", "running") else None

        return eventually(look, within_s=60)

    def conversation_id(self) -> str:
        """The only conversation there is."""
        (conversation,) = self.send("GET", "/v1/conversations")["items"]
        return str(conversation["id"])

    def posts(self) -> list[Any]:
        """What was posted about runs, in the conversation that has them."""
        found = self.send("GET", f"/v1/conversations/{self.conversation_id()}/messages?limit=100")["items"]
        return [message for message in found if message["metadata"].get("run")]


def held(twin: Twin, tenant: str, crm: Site) -> tuple[Person, Any]:
    """A user whose run wants to send their data to a skill, because one of their tasks says so."""
    ada, maya = Person(twin, tenant, "ada", "admin"), Person(twin, tenant, "maya")
    command = [sys.executable, "-m", "local", "secret", "--tenant", tenant, "--name", "key"]
    subprocess.run([*command, "--data", str(twin.data)], cwd=ROOT, input="k3y", text=True, check=True)
    skill = {"name": "crm", "kind": "webhook", "url": crm.url("/hook"), "secret": "key"}
    registered = ada.send("POST", "/v1/skills", skill, 201)
    eventually(lambda: ada.send("GET", f"/v1/skills/{registered['id']}")["health"]["status"] == "ok")
    crm.requests.clear()
    maya.send("POST", "/v1/tasks", {"title": ORDER}, 201)
    agent = maya.send("POST", "/v1/agents", {"what": "my tasks", "skills": ["crm"]}, 201)
    return maya, maya.ended(maya.send("POST", f"/v1/agents/{agent['id']}/runs", {}, 202))


def test_a_held_call_is_made_once_after_an_approval_and_a_restart(twin: Twin, crm: Site) -> None:
    maya, run = held(twin, "acme-1", crm)
    (call,) = run["held_calls"]
    assert (run["status"], run["output"], crm.requests) == ("succeeded", "There is one task.", [])
    assert (call["tool"], call["reason"], call["skill"]) == ("crm__call", "personal_data", "crm")

    path = f"/v1/runs/{run['id']}/approvals"
    Person(twin, "acme-1", "noah").send("POST", path, {"call": call["id"]}, 404)
    twin.kill9()
    twin.restart()
    first = maya.send("POST", path, {"call": call["id"]}, 202)
    again = maya.send("POST", path, {"call": call["id"]}, 202)
    made = maya.ended(first)

    assert again["id"] == first["id"]
    assert (made["status"], made["approved_call"]["id"]) == ("succeeded", call["id"])
    assert [got.json["arguments"] for got in crm.requests] == [{"request": "Her salary is 84,200"}]
    assert maya.send("GET", f"/v1/runs/{run['id']}")["held_calls"][0]["approved_by"] == first["id"]


def test_a_held_call_is_asked_about_in_the_conversation_and_made_after_a_yes(twin: Twin, crm: Site) -> None:
    maya, run = held(twin, "acme-2", crm)
    (post,) = eventually(maya.posts)
    assert post["content"].endswith("Say yes, and exactly this is done once.")

    said = twin.chat("yes", token=maya.token, conversation_id=maya.conversation_id()).json()
    assert "crm" in said["message"]["content"]
    approved = maya.send("GET", f"/v1/runs/{run['id']}")["held_calls"][0]["approved_by"]
    maya.ended({"id": approved})

    assert len(crm.requests) == 1
    assert "It returned:\n\nthank you" in eventually(lambda: maya.posts()[1:])[0]["content"]
