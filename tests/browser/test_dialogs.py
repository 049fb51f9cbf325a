"""Going back closes every dialog and changes nothing, and the smaller buttons do what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from tests.browser.test_panels import fill, made, save
from tests.fakes.deployment.browser_pages import PHONE, Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import Site, fixed_answer

WATCH = {"name": "invoice-watch", "what": "late invoices", "sources": ["notion"], "kind": "report"}
COPIED = "navigator.clipboard.readText()"


@pytest.fixture
def admin(browser: Browser, twin: Twin, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """An administrator, alone in a workspace."""
    tenant = "d" + str(abs(hash(request.node.name)) % 10**8)
    with Visitor.at(browser, twin, user="ada", tenant=tenant) as admin:
        admin.sign_in(role="admin")
        admin.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=twin.url)
        yield admin


def goes_back_from(visitor: Visitor, opener: Locator) -> None:
    """A click opens a dialog; the browser's back button closes it, and the panel stays."""
    expect(opener).to_be_visible()
    heading = visitor.page.locator("aside h2")
    has_panel = heading.count()
    opener.click()
    dialog = visitor.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    visitor.page.go_back()
    expect(dialog).to_have_count(0)
    expect(heading).to_have_count(has_panel)


def test_going_back_closes_every_dialog_and_changes_nothing(admin: Visitor) -> None:
    agent = made(admin, "/v1/agents", **WATCH)
    with Site(fixed_answer(b"{}")) as site:
        skill = made(admin, "/v1/skills", kind="mcp", name="ticket-hook", url=site.url("/mcp"))
    token = admin.twin.token(admin.tenant, admin.user, roles=["admin"])
    for path, body in (
        ("answers/hours", {"title": "Hours", "questions": ["When are you there?"], "text": "From 9."}),
        ("secrets/results-key", {"value": "tok-91d5e0a4c7"}),
    ):
        assert admin.twin.request("PUT", f"/v1/tenant/{path}", token=token, json=body).status_code < 300
    admin.say("List my agents")
    goes_back_from(admin, admin.by_test_id("thumb-down"))
    goes_back_from(admin, admin.by_test_id("take-back"))
    by_place = {
        "agents": ["agent-brief-edit", "agent-schedule"],
        f"agents&at={agent['id']}": ["agent-brief-edit", "agent-schedule"],
        f"connections&at={skill['id']}": ["skill-remove"],
        "settings&at=answers": ["answer-remove"],
        "settings&at=secrets": ["secret-remove"],
        "settings&at=data": ["delete-my-data"],
        "settings&at=conversations": ["oversee-erase"],
    }
    for place, openers in by_place.items():
        admin.page.goto(f"/?panel={place}")
        for opener in openers:
            goes_back_from(admin, admin.by_test_id(opener).first)
    assert len(admin.items("/v1/agents")) == len(admin.items("/v1/skills")) == 1
    assert len(admin.items("/v1/conversations")) == 1
    for name in ("answers", "secrets"):
        assert len(admin.twin.get(f"/v1/tenant/{name}", token=token)["items"]) == 1


def test_answers_and_results_are_copied_and_a_run_leads_to_its_conversation(admin: Visitor) -> None:
    page = admin.page
    agent = made(admin, "/v1/agents", **WATCH)
    admin.say("Run invoice-watch")
    admin.say("What can you do?")
    # The result of the run may come before the answer or behind it.
    answer = admin.by_test_id("message-assistant").filter(has_text="Set up agents")
    answer.get_by_role("button", name="Copy").first.click()
    assert eventually(lambda: page.evaluate(COPIED)).startswith("Set up agents")
    page.goto(f"/new?panel=agents&at={agent['id']}")
    run = admin.by_test_id("run-item").first
    expect(run).to_have_attribute("data-status", "failed")
    run.get_by_role("button", expanded=True).click()
    expect(run.get_by_role("button", name="Open its conversation")).to_have_count(0)
    run.get_by_role("button", expanded=False).click()
    run.get_by_role("button", name="Open its conversation").click()
    expect(admin.by_test_id("message-assistant").first).to_be_visible()


def test_an_unsent_message_is_taken_back_for_editing_and_a_search_cleared(admin: Visitor) -> None:
    page = admin.page
    admin.say("List my agents")
    page.route("**/v1/chat/stream", lambda route: route.abort())
    admin.type("What can you do?")
    page.keyboard.press("Enter")
    admin.by_test_id("discard").click()
    expect(admin.by_test_id("composer")).to_have_value("What can you do?")
    expect(admin.by_test_id("message-user")).to_have_count(1)
    admin.by_test_id("search-input").fill("agents")
    page.get_by_role("button", name="Clear the search").click()
    expect(admin.by_test_id("search-input")).to_have_value("")
    expect(admin.by_test_id("conversation-item")).to_have_count(1)


def test_a_proposal_is_taken_by_its_button(admin: Visitor) -> None:
    made(admin, "/v1/agents", **WATCH)
    admin.say("Delete invoice-watch")
    admin.by_test_id("yes").click()
    eventually(lambda: admin.items("/v1/agents") == [])
    made(admin, "/v1/agents", **{**WATCH, "name": "late-watch"})
    admin.say("Delete late-watch")
    admin.by_test_id("no").click()
    expect(admin.by_test_id("message-assistant")).to_have_count(4)
    admin.until_answered()
    assert [card["name"] for card in admin.items("/v1/agents")] == ["late-watch"]


def test_a_task_is_edited_and_a_restored_form_discarded(admin: Visitor) -> None:
    made(admin, "/v1/tasks", title="Call the bank")
    admin.page.goto("/?panel=tasks")
    admin.by_test_id("task-edit").click()
    admin.by_test_id("task-title").fill("Call the roofer")
    admin.by_test_id("task-save").click()
    eventually(lambda: [task["title"] for task in admin.items("/v1/tasks")] == ["Call the roofer"])
    admin.page.goto("/?panel=agents&at=new")
    fill(admin, what="late invoices")
    admin.page.reload()
    expect(admin.by_test_id("form-restored")).to_be_visible()
    admin.by_test_id("form-restored").get_by_role("button").click()
    expect(admin.by_test_id("field-what")).to_have_value("")
    assert admin.items("/v1/agents") == []


def test_a_receipt_is_saved_and_a_logo_taken_away(admin: Visitor) -> None:
    page = admin.page
    page.goto("/?panel=settings&at=erasures")
    admin.by_test_id("erase-user").fill("noah")
    page.get_by_role("button", name="Erase…").click()
    admin.by_test_id("erase-name").fill("noah")
    admin.by_test_id("erase-confirm").click()
    with page.expect_download() as download:
        admin.by_test_id("erasure-receipt").get_by_role("button").click()
    assert "noah" in download.value.path().read_text()
    token = admin.twin.token(admin.tenant, admin.user, roles=["admin"])
    brand = {"brand": {"color": "#0f766e"}}
    assert admin.twin.request("PATCH", "/v1/tenant/policy", token=token, json=brand).status_code == 200
    page.goto("/?panel=settings&at=policy")
    page.get_by_role("button", name=re.compile("^No .*colou?r")).click()
    save(admin)
    eventually(lambda: admin.twin.get("/v1/tenant/policy", token=token)["brand"]["color"] in (None, ""))


def test_going_back_closes_a_panel_that_covers_a_phone(browser: Browser, twin: Twin) -> None:
    with Visitor.at(browser, twin, user="pocket", size=PHONE) as visitor:
        visitor.sign_in()
        visitor.page.get_by_label("Open sidebar").click()
        visitor.by_test_id("open-agents").click()
        expect(visitor.page.locator("aside h2")).to_have_text("Agents")
        visitor.by_test_id("agent-new").click()
        visitor.page.go_back()
        expect(visitor.by_test_id("agent-new")).to_be_visible()
        visitor.page.go_back()
        expect(visitor.by_test_id("composer")).to_be_visible()
        expect(visitor.by_test_id("agent-new")).to_have_count(0)


def test_an_administrator_connects_a_service_for_the_whole_workspace(admin: Visitor) -> None:
    asked: list[Any] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.post_data_json)
        route.fulfill(status=503, json={"code": "unavailable", "title": "Unavailable", "status": 503})

    admin.page.route("**/v1/connections/sign-ins", refuse)
    admin.page.goto("/?panel=connections")
    admin.by_test_id("connect-for-all").check()
    with admin.page.expect_popup() as opened:
        admin.by_test_id("connection-linear").get_by_role("button", name="Connect").click()
    admin.until(lambda: [body["scope"] for body in asked] == ["workspace"])
    expect(admin.by_test_id("toast")).to_be_visible()
    # Its window goes away where there is nowhere to sign in.
    if not opened.value.is_closed():
        opened.value.wait_for_event("close")
