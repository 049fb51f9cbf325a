"""One life of a connection at the page: needed, made, used by a run, renewed, revoked, needed again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer
from tests.fakes.models.sign_in_server import SignInServer

pytestmark = pytest.mark.e2e
STRONG = "gpt-4o"


@pytest.fixture
def server() -> Iterator[SignInServer]:
    with SignInServer() as running:
        yield running


@pytest.fixture
def maya(browser: Browser, modelled: Twin) -> Iterator[Visitor]:
    with Visitor.at(browser, modelled, user="maya", tenant="connected") as visitor:
        visitor.sign_in()
        yield visitor


def reads_pages(model: ModelServer, *, sees: str) -> None:
    """The model of a run asks the notes for a page, and is content when it sees that text."""
    routed = Reply(decision={"model": STRONG, "tools": [], "can_answer": True, "think": False})
    call = Reply(tool_calls=[{"name": "notes__pages", "arguments": {"topic": "budget"}}])
    model.use(
        Script(
            [
                Rule("", routed, prompt="Pick who answers"),
                Rule("", call, prompt="You carry out one run"),
                Rule("", Reply(content="The page was read."), after=sees),
            ]
        )
    )


def test_a_sign_in_at_the_page_serves_runs_until_it_is_ended_there(
    maya: Visitor, modelled: Twin, model: ModelServer, server: SignInServer
) -> None:
    token = modelled.token("connected", "maya")

    def send(method: str, path: str, body: object = None) -> Any:
        response = modelled.request(method, path, token=token, json=body)
        assert response.is_success, response.text
        return response.json()

    def run() -> Any:
        begun = send("POST", f"/v1/agents/{agent['id']}/runs", {})

        def ended() -> Any:
            now = send("GET", f"/v1/runs/{begun['id']}")
            return now if now["status"] not in ("queued", "running") else None

        return eventually(ended, within_s=120)

    skill = {"name": "notes", "url": server.url, "serves": ["notion"], "sign_in": "user"}
    skill_id = send("POST", "/v1/skills", skill)["id"]
    fields = {"name": "note-reader", "what": "the notes", "sources": ["notion"], "skills": ["notes"]}
    agent = send("POST", "/v1/agents", fields)
    page = maya.page

    # Without a sign-in the run says what it needs.
    reads_pages(model, sees="unknown_tool")
    assert "Connect notes first" in run()["skill_notes"][0]

    page.goto(f"{modelled.url}/?panel=connections&connect=notes")
    item = maya.by_test_id("connection-notes")
    with page.expect_popup() as opened:
        item.get_by_role("button", name=re.compile("^Connect")).click()
    opened.value.get_by_role("link", name="Allow").click()
    expect(opened.value.get_by_role("heading", name="Connected")).to_be_visible()
    opened.value.close()
    expect(item).to_contain_text("Connected")
    eventually(lambda: send("GET", f"/v1/skills/{skill_id}")["health"]["status"] == "ok")

    reads_pages(model, sees="has a page about budget")
    assert run()["output"] == "The page was read."

    server.expire()
    assert run()["output"] == "The page was read."
    assert server.seen["refresh_token"] == 1
    assert server.callers == ["maya@notes.example"] * 2

    held = {*server.access, *server.refresh}
    item.get_by_role("button", name="Disconnect").click()
    expect(item.get_by_role("button", name=re.compile("^Connect"))).to_be_visible()
    eventually(lambda: held <= set(server.revoked))
    reads_pages(model, sees="unknown_tool")
    assert "Connect notes first" in run()["skill_notes"][0]
    assert server.callers == ["maya@notes.example"] * 2

    # The agent says so to its owner, with the way there.
    maya.say("Does note-reader already work?")
    link = page.locator("a[href*='panel=connections&connect=not']")
    expect(link.last).to_be_visible()
