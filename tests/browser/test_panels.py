"""Every action of the panels, by forms and buttons: agents, connections, and settings for each role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.test_looks import require_accessible
from tests.fakes.data import sample_files
from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.sign_in_server import SignInServer


@pytest.fixture
def admin(browser: Browser, twin: Twin, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """An administrator of a workspace of their own."""
    tenant = "t" + str(abs(hash(request.node.name)) % 10**8)
    with Visitor.at(browser, twin, user="ada", tenant=tenant) as admin:
        admin.sign_in(role="admin")
        yield admin


@pytest.fixture(scope="module")
def server() -> Iterator[SignInServer]:
    with SignInServer() as running:
        yield running


def made(visitor: Visitor, path: str, **body: Any) -> dict[str, Any]:
    token = visitor.twin.token(visitor.tenant, visitor.user, roles=["admin"])
    answer = visitor.twin.request("POST", path, token=token, json=body)
    assert answer.status_code < 300, answer.text
    return dict(answer.json())


def fill(visitor: Visitor, **fields: str) -> None:
    for name, value in fields.items():
        field = visitor.by_test_id(f"field-{name}")
        if field.evaluate("it => it.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


def save(visitor: Visitor) -> None:
    visitor.by_test_id("form-save").click()


def test_an_agent_is_made_changed_and_taken_back_by_form(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/?panel=agents")
    visitor.by_test_id("agent-new").click()
    fill(visitor, what="overdue tickets", brief="Tell me what is late", kind="monitor", sources="notion")
    visitor.by_test_id("form-save").dblclick()
    expect(visitor.by_test_id("agent-page")).to_contain_text("Tell me what is late")
    [card] = visitor.items("/v1/agents")
    expect(
        visitor.by_test_id("agent-lacks-connection").or_(visitor.by_test_id("agent-lacks-skill"))
    ).to_be_visible()

    visitor.by_test_id("agent-edit").click()
    fill(visitor, what="late invoices", name="invoice-watch")
    visitor.by_test_id("field-shared").check()
    save(visitor)
    expect(visitor.by_test_id("agent-page").get_by_role("heading", name="invoice-watch")).to_be_visible()

    visitor.by_test_id("agent-pause").or_(visitor.by_test_id("agent-schedule")).first.click()
    page.get_by_label("Daily").check(force=True)
    visitor.by_test_id("schedule-save").click()
    visitor.by_test_id("agent-pause").click()
    expect(visitor.by_test_id("agent-status")).to_have_text("Paused")

    visitor.by_test_id("agent-run").click()
    expect(visitor.by_test_id("run-item")).to_have_count(1)
    expect(visitor.by_test_id("agent-cost")).to_contain_text("1 run")

    visitor.by_test_id("agent-changes").locator("summary").click()
    undo = visitor.by_test_id("change-undo")
    expect(undo).to_have_count(3)
    undo.last.click()
    agent = eventually(
        lambda: (
            (it := visitor.twin.get(f"/v1/agents/{card['id']}", token=visitor.token()))["version"] == 5 and it
        )
    )
    assert (agent["what"], agent["shared"], agent["schedule"], agent["status"]) == (
        "overdue tickets", False, None, "active",
    )  # fmt: skip

    visitor.by_test_id("agent-menu").click()
    visitor.by_test_id("agent-delete").click()
    page.go_back()
    expect(visitor.by_test_id("confirm")).to_have_count(0)
    expect(visitor.by_test_id("agent-page")).to_be_visible()
    visitor.by_test_id("agent-menu").click()
    visitor.by_test_id("agent-delete").click()
    visitor.by_test_id("confirm").get_by_role("button", name="Delete agent").click()
    eventually(lambda: visitor.items("/v1/agents") == [])
    visitor.by_test_id("recently-deleted").locator("summary").click()
    visitor.by_test_id("restore").click()
    eventually(lambda: len(visitor.items("/v1/agents")) == 1)


def test_a_form_is_as_it_was_after_the_panel_was_closed_and_the_page_loaded_anew(visitor: Visitor) -> None:
    visitor.page.goto("/?panel=agents&at=new")
    fill(visitor, what="مراجعة التقارير", instructions="x" * 4_000)
    visitor.by_test_id("open-tasks").click()
    visitor.page.go_back()
    visitor.page.goto("/?panel=agents&at=new")
    expect(visitor.by_test_id("form-restored")).to_be_visible()
    expect(visitor.by_test_id("field-what")).to_have_value("مراجعة التقارير")
    assert visitor.items("/v1/agents") == []


def test_a_server_is_connected_checked_changed_and_removed_by_form(
    admin: Visitor, server: SignInServer
) -> None:
    admin.page.goto("/?panel=connections")
    admin.by_test_id("skill-new").click()
    fill(admin, kind="mcp", name="ticket-hook", url=server.url, description="Tickets")
    save(admin)
    expect(admin.by_test_id("skill-page")).to_contain_text("ticket-hook")
    admin.by_test_id("skill-check").click()
    admin.by_test_id("skill-edit").click()
    fill(admin, description="All tickets", status="disabled")
    save(admin)
    expect(admin.by_test_id("skill-page")).to_contain_text("Switched off")
    [card] = admin.items("/v1/skills")
    assert (card["description"], card["status"]) == ("All tickets", "disabled")
    admin.by_test_id("skill-remove").click()
    admin.by_test_id("confirm").get_by_role("button", name="Remove").click()
    eventually(lambda: admin.items("/v1/skills") == [])


def test_a_user_takes_all_along_and_deletes_all_with_a_receipt(visitor: Visitor, tmp_path: Path) -> None:
    visitor.say("The aubergine supplier is Verdani")
    visitor.by_test_id("open-settings").click()
    visitor.by_test_id("time-zone").select_option("Asia/Tokyo")
    visitor.say("Add a task to call the bank tomorrow at 9")
    visitor.by_test_id("settings-usage").click()
    expect(visitor.by_test_id("usage-days")).to_contain_text("Total")
    visitor.by_test_id("settings-models").click()
    visitor.by_test_id("settings-data").click()
    with visitor.page.expect_download() as download:
        visitor.by_test_id("export-all-json").click()
    download.value.save_as(tmp_path / "all")
    assert "Verdani" in (tmp_path / "all").read_text()
    visitor.by_test_id("delete-my-data").click()
    expect(visitor.by_test_id("erase-confirm")).to_be_disabled()
    visitor.by_test_id("erase-name").fill(visitor.user)
    visitor.by_test_id("erase-confirm").click()
    expect(visitor.by_test_id("erasure-receipt")).to_contain_text("conversations")
    assert visitor.by_test_id("settings-policy").count() == 0


def test_an_administrator_sets_the_workspace_and_sees_what_a_colleague_changed_meanwhile(
    admin: Visitor,
) -> None:
    boss = admin.twin.token(admin.tenant, "boss", roles=["admin"])
    admin.page.goto("/?panel=settings&at=policy")
    fill(admin, tone="formal", assistant_name="Forge")
    save(admin)
    policy = eventually(
        lambda: (it := admin.twin.get("/v1/tenant/policy", token=boss))["tone"] == "formal" and it
    )
    assert policy["assistant_name"] == "Forge"

    changed = {"tone": "brief", "language": "de"}
    assert admin.twin.request("PATCH", "/v1/tenant/policy", token=boss, json=changed).status_code == 200
    fill(admin, tone="friendly")
    save(admin)
    expect(admin.by_test_id("form-problem")).to_contain_text("Somebody else")
    expect(admin.by_test_id("form-policy")).to_contain_text("Set meanwhile to: brief")
    expect(admin.by_test_id("field-language")).to_have_value("de")
    assert admin.twin.get("/v1/tenant/policy", token=boss)["tone"] == "brief"
    save(admin)
    eventually(lambda: admin.twin.get("/v1/tenant/policy", token=boss)["tone"] == "friendly")

    fill(admin, retention_days="10")
    save(admin)
    confirm = admin.by_test_id("confirm")
    expect(confirm).to_contain_text("0 conversations are removed")
    admin.page.go_back()
    expect(admin.by_test_id("form-problem")).to_contain_text("Nothing was saved")
    save(admin)
    confirm.get_by_role("button", name="Shorten it").click()
    eventually(lambda: admin.twin.get("/v1/tenant/policy", token=boss)["retention_days"] == 10)
    admin.by_test_id("settings-audit").click()
    expect(admin.by_test_id("list-row").first).to_contain_text("Policy changed")


def test_an_administrator_writes_answers_oversees_holds_and_erases(admin: Visitor) -> None:
    admin.say("List my agents")
    admin.page.goto("/?panel=settings&at=answers")
    admin.by_test_id("answer-add").click()
    fill(admin, title="Support hours", questions="When is support there?", text="From 9 to 5.")
    admin.by_test_id("answer-id").fill("support-hours")
    save(admin)
    expect(admin.by_test_id("list-row")).to_contain_text("From 9 to 5.")
    admin.by_test_id("answer-edit").click()
    fill(admin, text="From 8 to 4.")
    save(admin)
    expect(admin.by_test_id("list-row")).to_contain_text("From 8 to 4.")
    admin.by_test_id("answer-remove").click()
    admin.by_test_id("confirm").get_by_role("button", name="Remove").click()
    expect(admin.by_test_id("list-row")).to_have_count(0)

    admin.by_test_id("settings-conversations").click()
    admin.by_test_id("oversee-hold").click()
    expect(admin.by_test_id("list-row")).to_contain_text("On hold")
    admin.by_test_id("oversee-hold").click()
    expect(admin.by_test_id("list-row")).not_to_contain_text("On hold")
    admin.by_test_id("oversee-open").click()
    expect(admin.by_test_id("list-row").first).to_contain_text("User")
    admin.page.go_back()
    admin.by_test_id("oversee-erase").click()
    admin.by_test_id("erase-name").fill("ada")
    admin.by_test_id("erase-confirm").click()
    expect(admin.by_test_id("erasure-receipt")).to_be_visible()
    admin.by_test_id("settings-usage").click()
    admin.by_test_id("usage-scope").select_option("tenant")
    expect(admin.by_test_id("usage-users")).to_be_visible()
    admin.by_test_id("settings-erasures").click()
    admin.by_test_id("erase-user").fill("noah")
    admin.page.get_by_role("button", name="Erase…").click()
    admin.by_test_id("erase-name").fill("noah")
    admin.by_test_id("erase-confirm").click()
    expect(admin.by_test_id("erasure-receipt")).to_contain_text("noah")


def test_an_operator_registers_limits_shuts_out_and_erases_a_tenant(browser: Browser, twin: Twin) -> None:
    with Visitor.at(browser, twin, user="olga", tenant="ops") as olga:
        olga.sign_in(role="operator")
        olga.page.goto("/?panel=settings&at=tenants")
        olga.by_test_id("tenant-id").fill("globex")
        olga.by_test_id("tenant-open").click()
        fill(olga, name="Globex")
        save(olga)
        expect(olga.by_test_id("tenant-status")).to_have_text("active")
        require_accessible(olga)
        grant = {"agents": 5, "per_user_per_day": {"runs": 3}}
        token = twin.token("ops", "otto", roles=["operator"])
        twin.request("PATCH", "/v1/tenants/globex", token=token, json={"limits": grant})
        olga.page.get_by_text("What it may have").click()
        olga.by_test_id("field-limits.usd_per_day").fill("2.5")
        save(olga)
        limits = eventually(
            lambda: (it := twin.get("/v1/tenants/globex", token=token)["limits"])["usd_per_day"] and it
        )
        # What a colleague set meanwhile stays.
        assert (limits["agents"], limits["per_user_per_day"]["runs"]) == (5, 3)
        olga.by_test_id("tenant-suspend").click()
        expect(olga.by_test_id("tenant-status")).to_have_text("suspended")
        olga.by_test_id("tenant-suspend").click()
        expect(olga.by_test_id("tenant-status")).to_have_text("active")
        olga.by_test_id("tenant-erase").click()
        olga.by_test_id("erase-name").fill("globex")
        olga.by_test_id("erase-confirm").click()
        expect(olga.by_test_id("erasure-receipt")).to_contain_text("globex")


def test_a_deleted_conversation_is_restored_or_erased_long_after_its_notice_is_gone(visitor: Visitor) -> None:
    visitor.say("List my agents")
    menu = visitor.page.locator("header").get_by_test_id("conversation-menu")
    menu.click()
    visitor.by_test_id("details").click()
    expect(visitor.by_test_id("expires")).to_contain_text("unless something is said")
    visitor.page.go_back()
    expect(visitor.by_test_id("conversation-details")).to_have_count(0)
    menu.click()
    visitor.by_test_id("delete").click()
    eventually(lambda: visitor.items("/v1/conversations") == [])
    visitor.page.reload()
    visitor.by_test_id("show-deleted").click()
    visitor.by_test_id("restore-conversation").click()
    [conversation] = eventually(lambda: visitor.items("/v1/conversations"))
    path = f"/v1/conversations/{conversation['id']}"
    assert visitor.twin.request("DELETE", path, token=visitor.token()).status_code == 204
    visitor.page.reload()
    visitor.by_test_id("show-deleted").click()
    visitor.by_test_id("erase-conversation").click()
    visitor.by_test_id("erase-name").fill("erase")
    visitor.by_test_id("erase-confirm").click()
    eventually(lambda: visitor.items("/v1/conversations?deleted=true") == [])


def test_old_pinned_and_titled_conversations_are_found_and_news_is_marked_in_every_tab(
    visitor: Visitor,
) -> None:
    pinned = made(visitor, "/v1/conversations", title="Zebra budget")["id"]
    path, change = f"/v1/conversations/{pinned}", {"pinned": True}
    assert visitor.twin.request("PATCH", path, token=visitor.token(), json=change).status_code == 200
    for number in range(55):
        made(visitor, "/v1/conversations", title=f"{number} {'تقرير المبيعات الأسبوعي '.ljust(77, 'x')}")
    visitor.page.reload()
    expect(visitor.by_test_id("conversation-item").first).to_contain_text("Zebra budget")
    other = visitor.page.context.new_page()
    other.goto("/new")
    expect(other.get_by_test_id("conversation-item").first).to_contain_text("Zebra budget")
    visitor.twin.chat("List my agents", token=visitor.token())
    for page in (visitor.page, other):
        expect(page.get_by_test_id("unseen").first).to_be_visible()
        expect(page).to_have_title(re.compile(r"^\(1\)"))
    other.get_by_test_id("search-input").fill("zebra")
    expect(other.get_by_text("Zebra budget").first).to_be_visible()


def test_five_hundred_conversations_with_long_titles_are_a_few_rows(visitor: Visitor) -> None:
    [template] = [made(visitor, "/v1/conversations", title="One")]
    titles = (f"{number} {'a title that is long ' if number % 2 else 'عنوان طويل '}" for number in range(500))
    many = [
        {**template, "id": f"{at:032x}", "title": title.ljust(80, "x")} for at, title in enumerate(titles)
    ]
    listed = {"items": many, "next_cursor": None}
    visitor.page.route(
        re.compile(r"/v1/conversations\?(?!.*(pinned|deleted)=true)"), lambda it: it.fulfill(json=listed)
    )
    visitor.page.goto("/new")
    expect(visitor.by_test_id("conversation-item").first).to_contain_text("0 عنوان")
    assert visitor.by_test_id("conversation-item").count() <= 60
    for _ in visitor.looks():
        assert visitor.sideways() <= 0


def test_a_workspace_looks_as_its_administrator_wants(
    browser: Browser, admin: Visitor, screenshots: Path
) -> None:
    admin.page.goto("/new?panel=settings&at=policy")
    fill(admin, assistant_name="Robin", **{"brand.color": "#ffe600", "brand.greeting": "كيف نساعدك؟"})
    admin.by_test_id("field-brand.logo").set_input_files(
        {"name": "logo.png", "mimeType": "image/png", "buffer": sample_files.png()}
    )
    expect(admin.page.locator("aside img")).to_be_visible()
    save(admin)
    expect(admin.by_test_id("brand-logo")).to_be_visible()
    expect(admin.page.get_by_text("Robin can be wrong")).to_be_visible()
    with Visitor.at(browser, admin.twin, user="kim", tenant=admin.tenant) as kim:
        kim.sign_in()
        expect(kim.by_test_id("empty-state")).to_contain_text("كيف نساعدك؟")
        expect(kim.by_test_id("brand-logo")).to_have_attribute("src", re.compile("^data:image/"))
        expect(kim.page).to_have_title("Robin")
        accent = "getComputedStyle(document.documentElement).getPropertyValue('--on-accent')"
        assert kim.page.evaluate(accent).strip() == "#000000"
        kim.by_test_id("starter").first.click()
        kim.until_answered()
        expect(kim.page.get_by_role("article", name="Robin said")).to_contain_text("call the bank")
        assert [task["title"] for task in kim.items("/v1/tasks")] == ["call the bank"]
        for look in kim.looks():
            require_accessible(kim)
            kim.page.screenshot(path=screenshots / f"brand-{look}.png")
        assert kim.complaints == []
