"""Connecting a service at the page: a sign-in in a second window, what the panel says, and disconnecting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.sign_in_server import SignInServer

pytestmark = pytest.mark.e2e


@pytest.fixture
def server() -> Iterator[SignInServer]:
    with SignInServer() as running:
        yield running


def registered(twin: Twin, visitor: Visitor, server: SignInServer, name: str = "notes") -> Any:
    body = {"name": name, "url": server.url, "serves": ["notion"], "sign_in": "user"}
    token = twin.token("acme", visitor.user)
    return twin.request("POST", "/v1/skills", token=token, json=body).json()


def test_a_user_connects_a_service_at_the_page_and_disconnects_it(
    visitor: Visitor, twin: Twin, server: SignInServer, screenshots: Path
) -> None:
    registered(twin, visitor, server)
    page = visitor.page

    # Asked by talking, the assistant says where; the link leads to the panel.
    visitor.say("Please connect Notion")
    link = visitor.by_test_id("message-assistant").get_by_role("link", name="Connect Notion")
    expect(link).to_have_attribute("href", f"{twin.url}/?panel=connections&connect=notion")
    page.goto(f"{twin.url}/?panel=connections&connect=notion")

    expect(visitor.by_test_id("connection-atlassian")).to_contain_text("Jira")
    expect(visitor.by_test_id("connection-github")).to_contain_text("Needs an administrator first")
    first = page.get_by_role("list", name="Services").get_by_role("listitem").first
    expect(first).to_contain_text("notes")
    page.screenshot(path=screenshots / "connections.png")
    with page.expect_popup() as opened:
        first.get_by_role("button", name=re.compile("^Connect")).click()
    window = opened.value
    window.get_by_role("link", name="Allow").click()
    expect(window.get_by_role("heading", name="Connected")).to_be_visible()
    assert window.evaluate("window.opener") is None
    window.close()

    item = visitor.by_test_id("connection-notes")
    expect(item).to_contain_text("Connected")
    item.get_by_role("button", name="Disconnect").click()
    expect(item.get_by_role("button", name=re.compile("^Connect"))).to_be_visible()
    eventually(lambda: len(server.revoked) == 2)


def test_a_user_who_refuses_is_not_connected(visitor: Visitor, twin: Twin, server: SignInServer) -> None:
    registered(twin, visitor, server, "memos")
    page = visitor.page
    page.goto(f"{twin.url}/?panel=connections")

    item = visitor.by_test_id("connection-memos")
    with page.expect_popup() as opened:
        item.get_by_role("button", name=re.compile("^Connect")).click()
    window = opened.value
    window.get_by_role("link", name="Allow").wait_for()
    state = window.evaluate("new URL(location.href).searchParams.get('state')")
    window.goto(f"{twin.url}/v1/connections/callback?error=access_denied&state={state}")

    expect(window.get_by_role("heading", name="Not connected")).to_be_visible()
    expect(item.get_by_role("button", name=re.compile("^Connect"))).to_be_visible()
