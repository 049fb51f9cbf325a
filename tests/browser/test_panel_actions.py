"""The less common actions of the panels and of conversations: each has its effect at the service."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.test_looks import require_accessible
from tests.browser.test_panels import fill, made, save
from tests.fakes.data import sample_files
from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import Site, fixed_answer

WATCH = {"name": "invoice-watch", "what": "late invoices", "sources": ["notion"], "kind": "report"}


@pytest.fixture
def visitor(browser: Browser, twin: Twin, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """The only user of a workspace, so that no colleague shares anything with them."""
    tenant = "a" + str(abs(hash(request.node.name)) % 10**8)
    with Visitor.at(browser, twin, user="maya", tenant=tenant) as visitor:
        visitor.sign_in()
        yield visitor


def agent_of(visitor: Visitor) -> dict[str, Any]:
    [card] = visitor.items("/v1/agents")
    agent: dict[str, Any] = visitor.twin.get(f"/v1/agents/{card['id']}", token=visitor.token())
    return agent


def test_an_agent_of_the_list_is_shared_asked_about_mended_and_opened(visitor: Visitor) -> None:
    made(visitor, "/v1/agents", **WATCH)
    page = visitor.page
    page.goto("/?panel=agents")
    visitor.by_test_id("agent-menu").click()
    visitor.by_test_id("agent-share").click()
    eventually(lambda: agent_of(visitor)["shared"])
    expect(visitor.by_test_id("agent-item")).to_contain_text("Shared")
    visitor.by_test_id("agent-menu").click()
    visitor.by_test_id("agent-ask").click()
    expect(visitor.by_test_id("composer")).to_have_value(re.compile("What does invoice-watch do"))
    expect(visitor.by_test_id("composer")).to_be_focused()
    expect(visitor.by_test_id("agent-missing")).to_contain_text("Notion")
    visitor.by_test_id("agent-connect").click()
    expect(page.get_by_role("list", name="Services")).to_contain_text("Notion")
    page.goto("/?panel=agents")
    visitor.by_test_id("agent-open").click()
    visitor.by_test_id("agent-mend").first.click()
    expect(visitor.by_test_id("agent-page")).to_have_count(0)
    page.go_back()
    visitor.by_test_id("agent-back").click()
    expect(visitor.by_test_id("agent-item")).to_have_count(1)


def test_every_kind_of_schedule_is_set_and_a_wrong_one_is_refused(visitor: Visitor) -> None:
    agent = made(visitor, "/v1/agents", **WATCH)
    page = visitor.page
    page.goto(f"/?panel=agents&at={agent['id']}")

    def schedule_as(frequency: str) -> None:
        visitor.by_test_id("agent-schedule").click()
        page.get_by_test_id("schedule-dialog").get_by_label(frequency, exact=True).check(force=True)

    schedule_as("Weekly")
    page.get_by_label("Friday").check(force=True)
    visitor.by_test_id("schedule-time").fill("16:30")
    visitor.by_test_id("schedule-zone").select_option("Asia/Tokyo")
    require_accessible(visitor)
    visitor.by_test_id("schedule-save").click()
    weekly = eventually(lambda: agent_of(visitor)["schedule"])
    assert (weekly["cron"].split()[:2], weekly["time_zone"]) == (["30", "16"], "Asia/Tokyo")
    schedule_as("Monthly")
    visitor.by_test_id("schedule-day").fill("15")
    visitor.by_test_id("schedule-save").click()
    eventually(lambda: agent_of(visitor)["schedule"]["cron"].split()[2] == "15")
    schedule_as("Custom")
    visitor.by_test_id("schedule-cron").fill("61 * * * *")
    visitor.by_test_id("schedule-save").click()
    expect(visitor.by_test_id("schedule-problem")).to_be_visible()
    page.go_back()
    expect(visitor.by_test_id("schedule-dialog")).to_have_count(0)
    assert agent_of(visitor)["schedule"]["cron"].split()[2] == "15"


def test_a_run_is_cancelled_its_held_call_approved_and_a_recipient_confirmed(visitor: Visitor) -> None:
    delivery = {"channels": ["email"], "recipients": ["zoe@partner.example"]}
    agent = made(visitor, "/v1/agents", **WATCH, delivery=delivery)
    run = made(visitor, f"/v1/agents/{agent['id']}/runs")
    held = {
        "id": "5f0c", "tool": "crm__add_note", "arguments": '{"text": "Hello"}', "reason": "personal_data",
        "skill": "crm", "host": "crm.example.com", "about": "", "approved_by": None,
    }  # fmt: skip
    states = [{**run, "status": "running"}, {**run, "status": "succeeded", "held_calls": [held]}]
    sent: list[tuple[str, Any]] = []

    def runs(route: Route) -> None:
        is_list = "/v1/runs?" in route.request.url or route.request.url.endswith("/v1/runs")
        route.fulfill(json={"items": [states[0]], "next_cursor": None} if is_list else states[0])

    def act(route: Route) -> None:
        sent.append((route.request.url.rpartition("/")[2], route.request.post_data_json))
        route.fulfill(status=202, json=states[0])

    def recipients(route: Route) -> None:
        if route.request.method == "POST":
            act(route)
            return
        waiting = {"address": "zoe@partner.example", "status": "pending", "asked_at": run["created_at"]}
        route.fulfill(json={"items": [waiting], "next_cursor": None})

    page = visitor.page
    page.route(re.compile(r"/v1/runs(\?.*|/[^/]+)?$"), runs)
    page.route(re.compile(r"/v1/runs/.*/(cancel|approvals)$"), act)
    page.route(re.compile(r"/v1/mail-recipients"), recipients)
    page.goto(f"/?panel=agents&at={agent['id']}")
    visitor.by_test_id("run-cancel").click()
    visitor.until(lambda: [name for name, _ in sent] == ["cancel"])
    states.pop(0)
    page.reload()
    visitor.by_test_id("run-held-call").get_by_role("button", name="Look at it").click()
    expect(visitor.by_test_id("confirm")).to_contain_text('{"text": "Hello"}')
    require_accessible(visitor)
    page.go_back()
    expect(visitor.by_test_id("confirm")).to_have_count(0)
    visitor.by_test_id("run-held-call").get_by_role("button", name="Look at it").click()
    visitor.by_test_id("confirm").get_by_role("button", name="Call it").click()
    visitor.until(lambda: sent[-1] == ("approvals", {"call": "5f0c"}))
    page.goto("/?panel=agents")
    visitor.by_test_id("agent-recipient-code").fill("40617238")
    visitor.by_test_id("agent-recipient-confirm").click()
    visitor.until(lambda: sent[-1] == ("verify", {"address": "zoe@partner.example", "code": "40617238"}))


def test_a_task_is_described_completed_and_reopened(visitor: Visitor) -> None:
    visitor.page.goto("/?panel=tasks")
    visitor.by_test_id("task-add").click()
    visitor.by_test_id("task-title").fill("Call the bank")
    visitor.by_test_id("task-description").fill("Ask for Ms. Noor")
    visitor.by_test_id("task-save").dblclick()
    expect(visitor.by_test_id("task-item")).to_contain_text("Ask for Ms. Noor")
    visitor.by_test_id("task-complete").click()
    eventually(lambda: [task["completed"] for task in visitor.items("/v1/tasks?completed=true")] == [True])
    visitor.by_test_id("tasks-done").click()
    visitor.by_test_id("task-complete").click()
    eventually(lambda: [task["title"] for task in visitor.items("/v1/tasks?completed=false")])


def test_a_conversation_is_looked_into_pinned_from_archived_and_found_by_its_title(visitor: Visitor) -> None:
    visitor.say("The aubergine supplier is Verdani")
    page = visitor.page
    menu = page.locator("header").get_by_test_id("conversation-menu")
    menu.click()
    visitor.by_test_id("details").click()
    visitor.by_test_id("conversation-details").locator("summary").click()
    row = visitor.by_test_id("details-message").last
    row.get_by_test_id("message-pin").click()
    expect(row.get_by_test_id("message-pin")).to_have_text("Kept in mind")
    row.get_by_test_id("message-unpin").click()
    expect(row.get_by_test_id("message-pin")).to_have_text("Keep in mind")
    require_accessible(visitor)
    row.get_by_test_id("message-take-back").click()
    [conversation] = visitor.items("/v1/conversations")
    path = f"/v1/conversations/{conversation['id']}/messages"
    eventually(lambda: visitor.items(path)[0]["deleted"])
    page.go_back()

    visitor.by_test_id("thumb-up").click()
    expect(visitor.by_test_id("toast").filter(has_text="Thank you")).to_be_visible()
    menu.click()
    visitor.by_test_id("archive").click()
    visitor.by_test_id("show-archived").click()
    expect(visitor.by_test_id("conversation-item")).to_have_count(1)
    visitor.by_test_id("show-active").click()
    made(visitor, "/v1/conversations", title="Zebra budget")
    visitor.by_test_id("search-input").fill("zebra")
    visitor.by_test_id("search-title").filter(has_text="Zebra budget").first.click()
    expect(page.get_by_role("heading", name="Zebra budget")).to_be_visible()
    visitor.by_test_id("search-input").fill("nothing of that kind")
    expect(visitor.by_test_id("nothing-found")).to_be_visible()


def test_files_are_taken_back_and_all_is_taken_along(visitor: Visitor) -> None:
    visitor.by_test_id("attach-input").set_input_files(
        {"name": "a dot.png", "mimeType": "image/png", "buffer": sample_files.png()}
    )
    expect(visitor.by_test_id("draft-file")).to_have_attribute("aria-busy", "false")
    visitor.page.goto("/?panel=settings&at=files")
    # A picture is shown, so it must not take the page's place.
    with visitor.page.expect_popup() as opened:
        visitor.by_test_id("file-download").click()
    opened.value.close()
    visitor.by_test_id("file-remove").click()
    eventually(lambda: visitor.items("/v1/attachments") == [])
    visitor.by_test_id("settings-data").click()
    with visitor.page.expect_download():
        visitor.by_test_id("export-all-markdown").click()


def test_notifications_the_theme_the_help_and_signing_out(visitor: Visitor) -> None:
    page = visitor.page
    page.context.grant_permissions(["notifications"], origin=visitor.twin.url)
    page.goto("/?panel=settings")
    visitor.by_test_id("notify").click()
    expect(visitor.by_test_id("notify")).to_be_checked()
    visitor.by_test_id("account").click()
    visitor.by_test_id("theme-dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("Escape")
    page.goto("/?panel=help")
    visitor.by_test_id("help-search").fill("pause")
    expect(visitor.by_test_id("help-answers").first).to_contain_text("ause")
    visitor.by_test_id("help-search").fill("zzzzqqqq")
    expect(page.get_by_text("No answer fits")).to_be_visible()
    page.goto("/?panel=settings")
    visitor.by_test_id("settings-sign-out").click()
    expect(visitor.by_test_id("sign-in").first).to_be_visible()


def test_changed_tools_are_accepted_and_a_key_entered_later(browser: Browser, twin: Twin) -> None:
    with Site(fixed_answer(b"{}")) as server, Visitor.at(browser, twin, user="ada", tenant="later") as ada:
        ada.sign_in(role="admin")
        skill = made(ada, "/v1/skills", kind="mcp", name="crm", url=server.url("/mcp"))
        accepted: list[Any] = []

        def with_new_tool(route: Route) -> None:
            if route.request.method != "GET":
                route.continue_()
                return
            answer = route.fetch()
            view = answer.json()
            tool = {"name": "add_note", "hash": "ab12", "description": "Adds a note."}
            view["health"] = {**view["health"], "new_tools": [] if accepted else [tool]}
            route.fulfill(response=answer, json=view)

        def accept(route: Route) -> None:
            accepted.append(route.request.post_data_json)
            route.fulfill(json=skill)

        ada.page.route(re.compile(rf"/v1/skills/{skill['id']}$"), with_new_tool)
        ada.page.route(re.compile(r"/accept$"), accept)
        ada.page.goto(f"/?panel=connections&at={skill['id']}")
        expect(ada.page.get_by_text("Adds a note.")).to_be_visible()
        require_accessible(ada)
        ada.by_test_id("skill-accept").click()
        ada.until(lambda: "ab12" in str(accepted))
        ada.by_test_id("secret-enter").click()
        ada.by_test_id("secret-value").fill("tok-91d5e0a4c7")
        ada.by_test_id("secret-save").click()
        token = twin.token("later", "ada", roles=["admin"])
        eventually(lambda: [one["name"] for one in twin.get("/v1/tenant/secrets", token=token)["items"]])


def test_what_users_corrected_is_removed_by_an_administrator(browser: Browser, twin: Twin) -> None:
    with Visitor.at(browser, twin, user="ada", tenant="taught") as ada:
        ada.sign_in(role="admin")
        taught = {
            "id": "c" * 32, "user": "maya", "wording": "the usual", "act": "agent.run", "times": 2,
            "created_at": "2026-03-02T09:00:00Z", "updated_at": "2026-03-02T09:00:00Z",
        }  # fmt: skip
        removed: list[str] = []

        def corrections(route: Route) -> None:
            if route.request.method == "DELETE":
                removed.append(route.request.url)
                route.fulfill(status=204)
                return
            route.fulfill(json={"items": [] if removed else [taught], "next_cursor": None})

        ada.page.route(re.compile(r"/v1/tenant/corrections"), corrections)
        ada.page.goto("/?panel=settings&at=corrections")
        expect(ada.by_test_id("list-row")).to_contain_text("the usual")
        require_accessible(ada)
        ada.by_test_id("correction-remove").click()
        expect(ada.page.get_by_text("Nobody has corrected anything yet.")).to_be_visible()


def test_a_shorter_form_of_the_policy_is_not_saved_when_its_administrator_goes_back(
    browser: Browser, twin: Twin
) -> None:
    with Visitor.at(browser, twin, user="ada", tenant="careful") as ada:
        ada.sign_in(role="admin")
        ada.page.goto("/?panel=settings&at=policy")
        fill(ada, retention_days="5")
        save(ada)
        expect(ada.by_test_id("confirm")).to_be_visible()
        ada.page.keyboard.press("Escape")
        expect(ada.by_test_id("confirm")).to_have_count(0)
        token = twin.token("careful", "ada", roles=["admin"])
        assert twin.get("/v1/tenant/policy", token=token)["retention_days"] != 5
