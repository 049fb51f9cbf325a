"""What users correct counts for the next messages of their tenant, over the API of the deployed functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment import functions

CHIT = "write me a chit for the oxygen cylinders"
"""A task by the wording of this tenant; without lessons it is taken for a text to write."""
CENSUS = {"name": "ward-census", "what": "beds taken on each ward"}
NO_TASK = "No, I wanted to run an agent"


@dataclass
class Ward:
    """The functions of a deployment, and a user's conversation with them."""

    load: Callable[[str], ModuleType]
    user: str = "maya"
    tenant: str = "acme"
    conversation: str | None = None
    last: dict[str, Any] = field(default_factory=dict)

    def call(self, function: str, method: str, path: str, body: Any = None, roles: str = "") -> Answer:
        event = request(method, path, body=body, tenant=self.tenant, user=self.user, roles=roles)
        return functions.invoke(self.load(function), event)

    def say(self, message: str) -> list[str]:
        """Say something and return the kinds of acts that it was understood as."""
        body = {"message": message}
        if self.conversation:
            body["conversation_id"] = self.conversation
        answer = self.call("chat", "POST", "/v1/chat", body)
        assert answer.status == 200, answer.json
        self.conversation, self.last = answer.json["conversation_id"], answer.json
        return [act["kind"] for act in self.last["metadata"]["decision"]["acts"]]

    def anew(self, **changes: Any) -> Ward:
        """Return another conversation, of another user or tenant where ``changes`` say so."""
        return Ward(self.load, **{"user": self.user, "tenant": self.tenant, **changes})

    def tasks(self) -> list[str]:
        return [task["title"] for task in self.call("workspace", "GET", "/v1/tasks").json["items"]]

    def allow_reading(self) -> None:
        """Let administrators read what users said."""
        body = {"admin_content_access": True}
        assert self.call("workspace", "PATCH", "/v1/tenant/policy", body, roles="admin").status == 200

    def corrections(self) -> list[dict[str, Any]]:
        """Return the list that an administrator gets who is somebody else."""
        found = self.anew(user="ada").call("tenants", "GET", "/v1/tenant/corrections", roles="admin")
        assert found.status == 200
        return list(found.json["items"])


@pytest.fixture
def ward(tmp_path: Path) -> Ward:
    loaded: dict[str, ModuleType] = {}

    def load(name: str) -> ModuleType:
        return loaded.setdefault(name, functions.load(name, functions.settings(tmp_path)))

    return Ward(load)


def test_a_correction_does_the_former_message_as_what_was_meant(ward: Ward) -> None:
    assert ward.say(CHIT) != ["task.add"]
    assert ward.say("That was meant as a task") == ["task.add"]
    assert len(ward.tasks()) == 1
    assert "oxygen cylinders" in ward.tasks()[0]
    assert "oxygen cylinders" in ward.last["message"]["content"]


def test_a_correction_runs_the_agent_that_the_former_message_named_and_takes_back_what_it_did(
    ward: Ward,
) -> None:
    ward.call("workspace", "POST", "/v1/agents", CENSUS)
    assert ward.say("Add a task: give ward-census a bleep") == ["task.add"]
    assert ward.say(NO_TASK) == ["agent.run"]
    assert ward.tasks() == []
    runs = ward.call("workspace", "GET", "/v1/runs").json["items"]
    assert [run["agent_name"] for run in runs] == ["ward-census"]


def test_a_correction_ends_the_agent_that_the_former_message_began(ward: Ward) -> None:
    ward.say("I want something that tells me about ward-census every Monday")
    assert ward.say("No, I wanted to add a task") == ["task.add"]
    assert len(ward.tasks()) == 1
    assert ward.say("List my tasks") == ["task.list"]


def test_a_correction_counts_for_other_sentences_in_the_same_wording_and_for_colleagues(ward: Ward) -> None:
    other = "chit for the porter's trolley, wheel's gone"
    assert ward.anew().say(other) != ["task.add"]
    ward.say(CHIT)
    ward.say("That was meant as a task")
    assert ward.anew().say(other) == ["task.add"]
    assert ward.anew(user="derek").say(other) == ["task.add"]


def test_a_correction_never_counts_in_another_tenant(ward: Ward) -> None:
    abroad = ward.anew(tenant="globex")
    before = abroad.say(CHIT)
    ward.say(CHIT)
    ward.say("That was meant as a task")
    assert ward.anew().say(CHIT) == ["task.add"]
    assert abroad.anew().say(CHIT) == before
    assert abroad.corrections() == []


def test_the_same_sentence_corrected_twice_is_right_the_third_time(ward: Ward) -> None:
    """Even a command in plain words: it takes two corrections, because one may be the user's own slip."""
    ward.call("workspace", "POST", "/v1/agents", CENSUS)
    command = "pause ward-census"
    for said in (1, 2):
        assert ward.say(command) == ["agent.pause"]
        assert ward.say("No, I wanted to see the result") == ["run.result"]
        assert [one["times"] for one in ward.corrections()] == [said]
    assert ward.say(command) == ["run.result"]
    # What one user says of plain words changes nothing for a colleague.
    assert ward.anew(user="derek").say("List my agents") == ["agent.list"]


def test_administrators_read_the_words_of_others_only_where_they_may_and_that_is_recorded(ward: Ward) -> None:
    ward.say(CHIT)
    ward.say("That was meant as a task")
    assert [(one["wording"], one["act"]) for one in ward.corrections()] == [(None, "task.add")]

    def reads() -> list[tuple[str, str]]:
        log = ward.call("tenants", "GET", "/v1/audit", roles="admin").json["items"]
        return [(one["actor"], one["subject"]) for one in log if one["act"] == "content_read"]

    assert reads() == []
    own = ward.call("tenants", "GET", "/v1/tenant/corrections", roles="admin").json["items"]
    assert [one["wording"] for one in own] == [CHIT]
    ward.allow_reading()
    assert [one["wording"] for one in ward.corrections()] == [CHIT]
    assert reads() == [("ada", "corrections")]


def test_administrators_list_and_remove_corrections(ward: Ward) -> None:
    ward.say(CHIT)
    ward.say("That was meant as a task")
    ward.allow_reading()
    [kept] = ward.corrections()
    assert kept["wording"] == CHIT
    assert (kept["act"], kept["user"], kept["times"]) == ("task.add", "maya", 1)
    path = f"/v1/tenant/corrections/{kept['id']}"
    assert ward.call("tenants", "DELETE", path).status == 403
    assert ward.anew(tenant="globex").call("tenants", "DELETE", path, roles="admin").status == 404
    assert ward.call("tenants", "DELETE", path, roles="admin").status == 204
    assert ward.corrections() == []
    assert ward.call("tenants", "DELETE", path, roles="admin").json["code"] == "correction_not_found"
