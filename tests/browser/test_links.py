"""Links and smaller buttons of the panels: each leads where it says, or does what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.test_panels import made, save
from tests.fakes.data import sample_files
from tests.fakes.deployment.browser_pages import PHONE, Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import Site, fixed_answer
from tests.fakes.models.sign_in_server import SignInServer

WATCH = {"name": "invoice-watch", "what": "late invoices", "sources": ["notion"], "kind": "report"}
SECTIONS = {
    "account": "Account",
    "usage": "Usage and cost",
    "models": "Models",
    "data": "Your data",
    "files": "Files",
    "policy": "Workspace",
    "answers": "Own answers",
    "secrets": "Secrets",
    "corrections": "Corrections",
    "conversations": "All conversations",
    "erasures": "Erase a user",
    "audit": "Audit log",
    "tenants": "Tenants",
}


@pytest.fixture
def admin(browser: Browser, twin: Twin, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """An administrator, alone in a workspace."""
    tenant = "l" + str(abs(hash(request.node.name)) % 10**8)
    with Visitor.at(browser, twin, user="ada", tenant=tenant) as admin:
        admin.sign_in(role="admin")
        yield admin


def test_every_panel_and_every_section_of_the_settings_is_opened_by_its_link(
    browser: Browser, twin: Twin
) -> None:
    with Visitor.at(browser, twin, user="olga", tenant="linked") as olga:
        olga.sign_in(role="admin")
        for panel in ("agents", "tasks", "connections", "help", "settings"):
            olga.by_test_id(f"open-{panel}").click()
            expect(olga.page.locator("aside h2")).to_have_text(panel.capitalize())
            expect(olga.by_test_id(f"open-{panel}")).to_have_attribute("aria-pressed", "true")
        heading = olga.page.locator("#settings-heading")
        for section, name in SECTIONS.items():
            if section == "tenants":
                continue
            olga.by_test_id(f"settings-{section}").click()
            expect(heading).to_have_text(name)
    with Visitor.at(browser, twin, user="otto", tenant="linked") as otto:
        otto.sign_in(role="operator")
        otto.page.goto("/?panel=settings")
        otto.by_test_id("settings-tenants").click()
        expect(otto.by_test_id("tenant-id")).to_be_visible()


def test_what_uses_a_connection_is_linked_and_lists_are_gone_back_to(admin: Visitor) -> None:
    page = admin.page
    agent = made(admin, "/v1/agents", **WATCH)
    with Site(fixed_answer(b"{}")) as site:
        made(admin, "/v1/skills", name="pages", url=site.url("/mcp"), serves=["notion"])
        page.goto("/?panel=connections")
        admin.by_test_id("skill-open-pages").click()
        admin.by_test_id("skill-page").get_by_role("button", name=agent["name"]).click()
        expect(admin.by_test_id("agent-page")).to_contain_text("late invoices")
        page.go_back()
        page.get_by_role("button", name="All connections").click()
        expect(admin.by_test_id("skill-open-pages")).to_be_visible()
    admin.say("List my agents")
    page.goto("/?panel=settings&at=conversations")
    admin.by_test_id("oversee-open").click()
    page.get_by_role("button", name="Back to all conversations").click()
    expect(admin.by_test_id("oversee-open")).to_have_count(1)
    page.goto("/?panel=tasks")
    made(admin, "/v1/tasks", title="Call the bank")
    admin.by_test_id("tasks-done").check(force=True)
    expect(page.get_by_text("Nothing done yet")).to_be_visible()
    admin.by_test_id("tasks-open").check(force=True)
    expect(admin.by_test_id("task-item")).to_contain_text("Call the bank")


def test_a_schedule_of_weekdays_is_set_day_by_day_and_taken_away(admin: Visitor) -> None:
    agent = made(admin, "/v1/agents", **WATCH)
    admin.page.goto(f"/?panel=agents&at={agent['id']}")
    dialog = admin.by_test_id("schedule-dialog")

    def scheduled(frequency: str, *days: str) -> Any:
        admin.by_test_id("agent-schedule").click()
        dialog.get_by_label(frequency, exact=True).check(force=True)
        for day in days:
            dialog.get_by_label(day).click(force=True)
        admin.by_test_id("schedule-save").click()
        expect(dialog).to_have_count(0)
        return admin.twin.get(f"/v1/agents/{agent['id']}", token=admin.token())["schedule"]

    assert scheduled("Weekdays")["cron"].endswith("* * 1-5")
    assert scheduled("Daily")["cron"].endswith("* * *")
    weekend = scheduled(
        "Weekly", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Monday"
    )
    before = set(weekend["cron"].split()[-1].split(","))
    after = set(scheduled("Weekly", "Monday", "Saturday", "Sunday")["cron"].split()[-1].split(","))
    assert before ^ after == {"1", "6", "0"}
    assert scheduled("Only when asked") is None


def test_a_logo_is_taken_away_and_what_is_folded_is_opened(admin: Visitor) -> None:
    page = admin.page
    token = admin.twin.token(admin.tenant, admin.user, roles=["admin"])
    page.goto("/?panel=settings&at=policy")
    admin.by_test_id("field-brand.logo").set_input_files(
        {"name": "logo.png", "mimeType": "image/png", "buffer": sample_files.png()}
    )
    page.get_by_role("button", name="No logo").click()
    expect(page.locator("aside img")).to_have_count(0)
    admin.by_test_id("field-brand.logo").set_input_files(
        {"name": "logo.png", "mimeType": "image/png", "buffer": sample_files.png()}
    )
    expect(page.locator("aside img")).to_be_visible()
    save(admin)
    eventually(lambda: admin.twin.get("/v1/tenant/policy", token=token)["brand"]["logo"])
    page.get_by_role("button", name="No logo").click()
    save(admin)
    eventually(lambda: not admin.twin.get("/v1/tenant/policy", token=token)["brand"]["logo"])
    page.get_by_text("Limits", exact=True).click()
    expect(admin.by_test_id("field-limits.agents")).to_be_visible()
    page.goto("/?panel=agents&at=new")
    page.get_by_text("Check of a web address").click()
    expect(admin.by_test_id("field-check.url")).to_be_visible()


def test_a_client_that_is_asked_for_is_not_entered_by_cancel(admin: Visitor) -> None:
    with SignInServer(registers=False) as server:
        made(admin, "/v1/skills", name="notes", url=server.url, sign_in="user", shared=True)
        admin.page.goto("/?panel=connections")
        item = admin.by_test_id("connection-notes")
        item.get_by_role("button", name="Connect").click()
        admin.by_test_id("client-id").fill("cancelled")
        admin.by_test_id("client-form").get_by_role("button", name="Cancel").click()
        expect(admin.by_test_id("client-form")).to_have_count(0)
    token = admin.twin.token(admin.tenant, "ada", roles=["admin"])
    assert admin.twin.get("/v1/tenant/secrets", token=token)["items"] == []


def test_every_service_of_the_catalogue_is_asked_for_a_sign_in(admin: Visitor) -> None:
    asked: list[str] = []

    def refuse(route: Route) -> None:
        body: Any = route.request.post_data_json
        asked.append(body.get("service") or body.get("skill"))
        route.fulfill(status=503, json={"code": "unavailable", "title": "Unavailable", "status": 503})

    admin.page.route("**/v1/connections/sign-ins", refuse)
    admin.page.goto("/?panel=connections")
    services = [each["service"] for each in admin.items("/v1/connections")]
    for service in services:
        with admin.page.expect_popup() as opened:
            admin.by_test_id(f"connection-{service}").get_by_role("button", name="Connect").click()
        if not opened.value.is_closed():
            opened.value.wait_for_event("close")
    assert asked == services


def test_the_tools_of_an_answer_and_the_result_of_a_run_are_looked_at(admin: Visitor) -> None:
    page = admin.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=admin.twin.url)
    agent = made(admin, "/v1/agents", **WATCH)
    admin.say("List my agents")
    tools = admin.by_test_id("tool-calls")
    tools.locator("summary").click()
    expect(tools.get_by_text("list_agents")).to_be_visible()
    run = made(admin, f"/v1/agents/{agent['id']}/runs")
    done = {**run, "status": "succeeded", "output": "Three invoices are late."}
    page.route(re.compile(r"/v1/runs\?"), lambda it: it.fulfill(json={"items": [done], "next_cursor": None}))
    page.route(re.compile(r"/v1/runs/"), lambda it: it.fulfill(json=done))
    page.goto(f"/?panel=agents&at={agent['id']}")
    admin.by_test_id("run-output").get_by_role("button", name="Copy result").click()
    eventually(lambda: page.evaluate("navigator.clipboard.readText()") == "Three invoices are late.")


def test_the_details_of_a_conversation_are_closed_and_say_what_was_taken_back(admin: Visitor) -> None:
    admin.say("List my agents")
    menu = admin.page.locator("header").get_by_test_id("conversation-menu")
    menu.click()
    admin.by_test_id("details").click()
    details = admin.by_test_id("conversation-details")
    details.locator("summary").click()
    admin.page.set_viewport_size(PHONE)
    assert details.evaluate("it => it.scrollWidth - it.clientWidth") == 0
    row = admin.by_test_id("details-message").last
    row.get_by_test_id("message-take-back").click()
    expect(row).to_have_text("Taken back.")
    details.get_by_role("button", name="Close").click()
    expect(details).to_have_count(0)
    expect(admin.page.get_by_text("You took this message back.")).to_be_visible()


def test_whoever_deleted_their_data_clears_the_browser_by_signing_out(visitor: Visitor) -> None:
    visitor.say("The aubergine supplier is Verdani")
    visitor.page.goto("/?panel=settings&at=data")
    visitor.by_test_id("delete-my-data").click()
    visitor.by_test_id("erase-name").fill(visitor.user)
    visitor.by_test_id("erase-confirm").click()
    visitor.page.get_by_role("button", name="Sign out and clear this browser").click()
    expect(visitor.by_test_id("sign-in")).to_be_visible()
    assert "Verdani" not in visitor.page.evaluate("JSON.stringify({...localStorage})")


def test_a_message_that_met_an_ended_session_is_sent_by_signing_in_beside_it(
    browser: Browser, tmp_path: Path
) -> None:
    began = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    with Twin(tmp_path, clock=began) as twin, Visitor.at(browser, twin, user="maya") as visitor:
        visitor.sign_in()
        visitor.say("List my agents")
        twin.set_clock(began + timedelta(days=2))
        visitor.type("Thank you")
        visitor.page.keyboard.press("Enter")
        visitor.page.get_by_role("button", name="Not now").click()
        visitor.by_test_id("turn-problem").get_by_role("button", name="Sign in").click()
        visitor.fill_in_form("maya")
        expect(visitor.by_test_id("message-user").last).to_contain_text("Thank you")
        visitor.until_answered()
        [conversation] = visitor.items("/v1/conversations")
        assert conversation["message_count"] == 4


def test_a_page_whose_settings_could_not_be_read_asks_for_them_again(browser: Browser, twin: Twin) -> None:
    with Visitor.at(browser, twin, user="early") as visitor:
        visitor.page.route("**/config.json", lambda route: route.fulfill(status=503))
        visitor.page.goto("/")
        expect(visitor.page.get_by_role("alert")).to_contain_text("does not answer")
        visitor.page.unroute("**/config.json")
        visitor.page.get_by_role("button", name="Try again").click()
        expect(visitor.by_test_id("sign-in")).to_be_visible()
