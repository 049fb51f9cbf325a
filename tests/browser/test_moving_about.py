"""Moving about the page: Back, the sidebar, panels, keys, the theme and notices."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.test_panels import made
from tests.fakes.deployment.browser_pages import PHONE, Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually

WATCH = {"name": "invoice-watch", "what": "late invoices", "sources": ["notion"], "kind": "report"}


@pytest.fixture
def pocket(browser: Browser, twin: Twin, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Somebody on a phone."""
    with Visitor.at(browser, twin, user=request.node.originalname, size=PHONE) as pocket:
        pocket.sign_in()
        yield pocket


def test_back_after_a_panel_was_closed_leads_to_what_was_before_it(visitor: Visitor) -> None:
    page = visitor.page
    agent = made(visitor, "/v1/agents", **WATCH)
    visitor.say("List my agents")
    first = page.url
    visitor.by_test_id("new-chat").first.click()
    visitor.say("What can you do?")
    second = page.url
    for close in ("panel", "top bar", "link"):
        visitor.by_test_id("open-agents").click()
        visitor.by_test_id("agent-open").filter(has_text=agent["name"]).click()
        visitor.by_test_id("open-tasks").click()
        closers = page.get_by_role("button", name="Close panel")
        (visitor.by_test_id("open-tasks") if close == "link" else closers.nth(int(close == "panel"))).click()
        expect(page.locator("aside h2")).to_have_count(0)
        expect(page).to_have_url(second)
    page.go_back()
    expect(page).to_have_url(first)
    expect(visitor.by_test_id("message-user")).to_have_text("List my agents")
    visitor.by_test_id("open-agents").click()
    visitor.by_test_id("conversation-item").filter(has_text="What can you do").click()
    page.get_by_role("button", name="Close panel").first.click()
    expect(page).to_have_url(second)


def test_what_is_deleted_in_a_dialog_is_not_gone_back_to(visitor: Visitor) -> None:
    page = visitor.page
    made(visitor, "/v1/agents", **WATCH)
    visitor.by_test_id("open-agents").click()
    visitor.by_test_id("agent-open").click()
    visitor.by_test_id("agent-menu").click()
    visitor.by_test_id("agent-delete").click()
    visitor.by_test_id("confirm").get_by_role("button", name="Delete agent").click()
    eventually(lambda: visitor.items("/v1/agents") == [])
    expect(visitor.by_test_id("agent-page")).to_have_count(0)
    page.get_by_role("button", name="Close panel").first.click()
    expect(page.locator("aside")).to_have_count(0)
    expect(visitor.by_test_id("composer")).to_be_visible()


def test_back_closes_the_menu_of_a_phone_and_nothing_else(pocket: Visitor) -> None:
    page = pocket.page
    pocket.say("List my agents")
    chat = page.url
    menu = page.get_by_role("dialog", name="Menu")
    page.get_by_label("Open sidebar").click()
    expect(menu).to_be_visible()
    page.go_back()
    expect(menu).to_have_count(0)
    expect(page).to_have_url(chat)
    page.get_by_label("Open sidebar").click()
    menu.get_by_role("button", name="Close sidebar").click()
    expect(menu).to_have_count(0)
    page.get_by_label("Open sidebar").click()
    page.locator("button[class*=scrim]").click(position={"x": 380, "y": 400})
    expect(menu).to_have_count(0)
    page.get_by_label("Open sidebar").click()
    pocket.by_test_id("new-chat").click()
    expect(menu).to_have_count(0)
    expect(page).to_have_url(re.compile("/new$"))
    page.go_back()
    expect(page).to_have_url(chat)
    page.get_by_label("Open sidebar").click()
    pocket.by_test_id("show-archived").click()
    pocket.by_test_id("show-active").click()
    pocket.by_test_id("conversation-menu").first.click()
    pocket.by_test_id("details").click()
    expect(pocket.by_test_id("conversation-details")).to_be_visible()
    page.go_back()
    expect(pocket.by_test_id("conversation-details")).to_have_count(0)
    expect(menu).to_be_visible()
    page.go_back()
    expect(menu).to_have_count(0)
    expect(pocket.by_test_id("message-user")).to_have_text("List my agents")


def test_a_run_on_a_phone_leads_to_its_conversation_and_back_to_the_run(pocket: Visitor) -> None:
    page = pocket.page
    agent = made(pocket, "/v1/agents", **WATCH)
    pocket.say("Run invoice-watch")
    page.goto(f"/new?panel=agents&at={agent['id']}")
    page.get_by_role("button", name="Open its conversation").click()
    expect(pocket.by_test_id("message-user").first).to_contain_text("Run invoice-watch")
    expect(page.locator("aside")).to_have_count(0)
    page.go_back()
    expect(pocket.by_test_id("run-item")).to_have_count(1)


def test_the_sidebar_is_closed_and_opened_and_keys_lead_to_search_and_a_new_chat(visitor: Visitor) -> None:
    page = visitor.page
    visitor.say("List my agents")
    page.get_by_role("button", name="Close sidebar").first.click()
    expect(visitor.by_test_id("search-input")).not_to_be_visible()
    page.get_by_role("button", name="Open sidebar").click()
    expect(visitor.by_test_id("search-input")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(visitor.by_test_id("search-input")).to_be_focused()
    page.keyboard.type("agents")
    expect(visitor.by_test_id("search-title").or_(visitor.by_test_id("search-hit")).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    expect(visitor.by_test_id("search-input")).to_be_focused()
    page.keyboard.press("Control+Shift+O")
    expect(page).to_have_url(re.compile("/new$"))
    page.keyboard.press("Tab")
    page.locator("body").evaluate("it => it.ownerDocument.activeElement.blur()")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the chat")
    skip.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_conversations_of_the_list_are_opened_renamed_and_deleted_by_keys(visitor: Visitor) -> None:
    visitor.say("List my agents")
    visitor.by_test_id("new-chat").first.click()
    visitor.by_test_id("conversation-item").get_by_role("link").click()
    expect(visitor.by_test_id("message-user")).to_have_text("List my agents")
    visitor.by_test_id("conversation-item").get_by_role("link").focus()
    visitor.page.keyboard.press("F2")
    visitor.by_test_id("rename-input").fill("Not this")
    visitor.page.keyboard.press("Escape")
    visitor.page.keyboard.press("F2")
    visitor.by_test_id("rename-input").fill("Monday")
    visitor.page.keyboard.press("Enter")
    eventually(lambda: [each["title"] for each in visitor.items("/v1/conversations")] == ["Monday"])
    menu = visitor.by_test_id("conversation-item").get_by_test_id("conversation-menu")
    menu.click()
    visitor.page.get_by_role("menuitem", name="Pin").click()
    eventually(lambda: visitor.items("/v1/conversations")[0]["pinned"])
    menu.click()
    visitor.page.get_by_role("menuitem", name="Unpin").click()
    eventually(lambda: not visitor.items("/v1/conversations")[0]["pinned"])
    visitor.by_test_id("conversation-item").get_by_role("link").focus()
    visitor.page.keyboard.press("Delete")
    eventually(lambda: visitor.items("/v1/conversations") == [])


def test_the_theme_is_chosen_and_stays(visitor: Visitor) -> None:
    root = visitor.page.locator("html")
    visitor.by_test_id("account").click()
    for theme in ("dark", "light"):
        visitor.by_test_id(f"theme-{theme}").click()
        expect(root).to_have_attribute("data-theme", theme)
        expect(visitor.by_test_id(f"theme-{theme}")).to_contain_text("chosen")
    visitor.page.reload()
    expect(root).to_have_attribute("data-theme", "light")
    visitor.by_test_id("account").click()
    visitor.by_test_id("theme-system").click()
    visitor.page.emulate_media(color_scheme="dark")
    expect(root).not_to_have_attribute("data-theme", "light")
    assert visitor.page.evaluate("getComputedStyle(document.body).colorScheme") != "light"


def test_an_empty_chat_answers_and_an_empty_panel_leads_to_the_chat(visitor: Visitor) -> None:
    question = visitor.by_test_id("first-questions").locator("details").first
    question.locator("summary").click()
    expect(question.locator("p")).to_be_visible()
    visitor.page.get_by_role("button", name="Open agents").click()
    visitor.page.get_by_role("button", name="Describe one in chat").click()
    expect(visitor.by_test_id("composer")).to_have_value("Create an agent that ")
    visitor.by_test_id("open-help").click()
    answer = visitor.by_test_id("help-answers").first.locator("details").first
    answer.locator("summary").click()
    expect(answer.locator("p").first).to_be_visible()


def test_usage_is_shown_for_the_days_that_are_chosen(visitor: Visitor) -> None:
    visitor.page.goto("/?panel=settings&at=usage")
    visitor.page.get_by_label("From").fill("2020-01-01")
    with visitor.page.expect_response(re.compile(r"/v1/usage\?.*from=2020-01-01&to=2020-01-02")) as answer:
        visitor.page.get_by_label("To", exact=True).fill("2020-01-02")
    assert answer.value.ok
    expect(visitor.by_test_id("usage-days").get_by_role("row")).to_have_count(2)
