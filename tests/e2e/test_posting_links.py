"""Links that can be posted to, given in the chat and over REST: they work, and nobody can read them again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import Site, fixed_answer

pytestmark = pytest.mark.e2e

LINK = "https://hooks.slack.com/services/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"
SECRET = "DZQepQqzyQvuDPDRRyX8RkXi"
WANTED = "To post to Slack I need the link"
AGENT = "Create an agent that reports overdue pages from Notion every day at 8 and posts to Slack {room}"


class Talker:
    """Maya, in one conversation."""

    def __init__(self, twin: Twin) -> None:
        self.twin = twin
        self.token = twin.token("acme", "maya")
        self.conversation: str | None = None

    def say(self, message: str) -> str:
        named = {"conversation_id": self.conversation} if self.conversation else {}
        answer = self.twin.request("POST", "/v1/chat", token=self.token, json={"message": message, **named})
        assert answer.status_code == 200, answer.text
        self.conversation = answer.json()["conversation_id"]
        return str(answer.json()["message"]["content"])

    def read(self, path: str) -> Any:
        return self.twin.get(path, token=self.token)

    def agents(self) -> list[Any]:
        return [self.read(f"/v1/agents/{card['id']}") for card in self.read("/v1/agents")["items"]]


@pytest.fixture
def talker(tmp_path: Path) -> Iterator[Talker]:
    with Twin(tmp_path) as twin:
        yield Talker(twin)


def holders(folder: Path, text: str) -> list[str]:
    """The files below the folder that contain the text."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in files if text.encode() in path.read_bytes()]


@pytest.mark.parametrize("said", ["{}", "here is the link: {}", "The Slack link is {}, thanks!"])
def test_a_pasted_link_of_slack_is_taken_and_read_by_nobody(
    talker: Talker, said: str, tmp_path: Path
) -> None:
    assert WANTED in talker.say(AGENT.format(room="#ops"))
    reply = talker.say(said.format(LINK))
    assert "posts to Slack (#ops)" in reply
    assert "sealed" in reply
    [agent] = talker.agents()
    assert [one for one in agent["missing"] if one["kind"] == "address"] == []
    messages = talker.read(f"/v1/conversations/{talker.conversation}/messages")["items"]
    assert messages[2]["contains"] == ["webhook"]
    [act] = messages[3]["metadata"]["decision"]["acts"]
    assert (act["kind"], act["things"]) == ("agent.change", [agent["name"]])
    admin = talker.twin.token("acme", "ada", roles=["admin"])
    read = [
        reply, messages, agent,
        talker.read(f"/v1/agents/{agent['id']}/changes"), talker.read("/v1/export"),
        talker.read(f"/v1/conversations/{talker.conversation}/export"),
        talker.twin.get("/v1/audit", token=admin),
    ]  # fmt: skip
    assert SECRET not in json.dumps(read)
    assert holders(tmp_path, SECRET) == []


def test_the_link_is_asked_for_once_for_all_agents_of_a_reply(talker: Talker) -> None:
    jira = "Create an agent that reports late tickets from Jira every Monday at 9 and posts to Slack #dev"
    both = talker.say(f"{AGENT.format(room='#ops')}. {jira}.")
    assert both.count("Saved: ") == 2, both
    assert both.count(WANTED) == 1, both
    assert "Which one" in talker.say(LINK)
    first = talker.agents()[0]["name"]
    assert f"{first} now posts to Slack" in talker.say(first)
    assert len([agent for agent in talker.agents() if "slack" in str(agent["missing"])]) == 1


def test_a_result_reaches_the_link_and_its_run_does_not_tell_it(talker: Talker, tmp_path: Path) -> None:
    with Site(fixed_answer(b"ok")) as receiver, Site(fixed_answer(b"in stock")) as shop:
        secret = "q7Xv2LmTz9RkWc4HyBn8JdPfGs3AeQtUo1Vi"
        body = {
            "what": "the shop",
            "check": {"url": shop.url("/")},
            "delivery": {
                "channels": ["webhook"],
                "recipients": [receiver.url(f"/api/webhooks/1234567890/{secret}")],
            },
        }
        made = talker.twin.request("POST", "/v1/agents", token=talker.token, json=body)
        assert made.status_code == 201, made.text
        path = f"/v1/agents/{made.json()['id']}/runs"
        started = talker.twin.request("POST", path, token=talker.token, json={})
        assert started.status_code == 202, started.text
        run = eventually(lambda: (it := talker.read(f"/v1/runs/{started.json()['id']}"))["deliveries"] and it)
        assert run["deliveries"][0]["status"] == "delivered", run
        assert secret in receiver.requests[-1].path
    assert secret not in made.text + json.dumps(run)
    assert holders(tmp_path, secret) == []


def test_an_agents_link_is_replaced_by_the_one_it_is_given(talker: Talker) -> None:
    talker.say(AGENT.format(room="#ops"))
    talker.say(LINK)
    [before] = talker.agents()
    path = f"/v1/agents/{before['id']}"
    other = LINK.replace("BW8DE91RSWK", "BW8DE91RSWL")
    change = {"delivery": {"channels": ["slack"], "recipients": ["#ops", other]}}
    changed = talker.twin.request("PATCH", path, token=talker.token, json=change)
    assert changed.status_code == 200, changed.text
    assert SECRET not in changed.text
    assert changed.json()["delivery"]["recipients"] != before["delivery"]["recipients"]
    same = talker.twin.request("PATCH", path, token=talker.token, json={"delivery": before["delivery"]})
    assert same.json()["delivery"] == before["delivery"]
