"""What a user does with conversations and messages, at the page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Route, expect

from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.wait_until import eventually


def open_menu(visitor: Visitor) -> None:
    """The options of the conversation that is shown."""
    visitor.page.locator("header").get_by_test_id("conversation-menu").click()


def undo(visitor: Visitor, notice: str) -> None:
    """Take back what the notice tells; each deed has a notice of its own, an undone one too."""
    toast = visitor.by_test_id("toast").filter(has_text=notice)
    toast.get_by_role("button", name="Undo").click()


def test_a_conversation_is_renamed_archived_deleted_and_brought_back(visitor: Visitor) -> None:
    visitor.say("List my agents")
    open_menu(visitor)
    visitor.by_test_id("rename").click()
    visitor.by_test_id("rename-input").fill("Monday")
    visitor.page.keyboard.press("Enter")
    expect(visitor.by_test_id("conversation-item")).to_contain_text("Monday")
    open_menu(visitor)
    visitor.by_test_id("archive").click()
    eventually(lambda: visitor.items("/v1/conversations") == [])
    undo(visitor, "is archived")
    eventually(lambda: [each["title"] for each in visitor.items("/v1/conversations")] == ["Monday"])
    open_menu(visitor)
    visitor.by_test_id("delete").click()
    eventually(lambda: visitor.items("/v1/conversations") == [])
    undo(visitor, "was deleted")
    eventually(lambda: len(visitor.items("/v1/conversations")) == 1)


def test_what_was_said_is_found_again(visitor: Visitor) -> None:
    visitor.say("The aubergine supplier is Verdani")
    visitor.by_test_id("new-chat").first.click()
    visitor.say("List my agents")
    visitor.by_test_id("search-input").fill("aubergine")
    visitor.by_test_id("search-hit").first.click()
    expect(visitor.by_test_id("message-user").first).to_contain_text("Verdani")


def test_an_edited_message_is_answered_anew_and_the_first_version_stays(visitor: Visitor) -> None:
    visitor.say("List my agents")
    visitor.by_test_id("message-user").hover()
    visitor.by_test_id("edit").click()
    visitor.by_test_id("edit-composer").get_by_role("textbox").fill("What can you do?")
    visitor.by_test_id("edit-send").click()
    expect(visitor.by_test_id("message-user")).to_contain_text("What can you do?")
    visitor.until_answered()
    expect(visitor.by_test_id("versions").first).to_contain_text("2")
    visitor.by_test_id("regenerate").last.click()
    visitor.until_answered()
    [conversation] = visitor.items("/v1/conversations")
    eventually(lambda: len(visitor.items(f"/v1/conversations/{conversation['id']}/messages")) == 2)


def test_a_copy_goes_another_way_and_the_original_stays(visitor: Visitor) -> None:
    visitor.say("List my agents")
    visitor.say("Thank you")
    before = visitor.page.url
    visitor.by_test_id("message-assistant").first.hover()
    visitor.by_test_id("branch").first.click()
    visitor.page.wait_for_url(lambda url: url != before)
    expect(visitor.by_test_id("message-user")).to_have_count(1)
    eventually(lambda: len(visitor.items("/v1/conversations")) == 2)


def test_a_conversation_is_taken_along_as_a_file(visitor: Visitor, tmp_path: Path) -> None:
    visitor.say("The aubergine supplier is Verdani")
    for form in ("markdown", "json"):
        open_menu(visitor)
        with visitor.page.expect_download() as download:
            visitor.by_test_id(f"export-{form}").click()
        download.value.save_as(tmp_path / form)
        assert "Verdani" in (tmp_path / form).read_text()
    document = json.loads((tmp_path / "json").read_text().splitlines()[0])
    assert [message["role"] for message in document["messages"]] == ["user", "assistant"]


def test_an_answer_is_rated_and_corrected(visitor: Visitor) -> None:
    visitor.say("List my agents")
    visitor.by_test_id("thumb-down").click()
    visitor.by_test_id("correction").select_option("create_agent")
    visitor.by_test_id("feedback-send").click()
    [conversation] = visitor.items("/v1/conversations")
    reply = visitor.items(f"/v1/conversations/{conversation['id']}/messages")[-1]
    path = f"/v1/conversations/{conversation['id']}/messages/{reply['id']}/feedback"
    given = eventually(lambda: visitor.twin.get(path, token=visitor.token())["correction"])
    assert given == "create_agent"


def test_a_long_conversation_is_scrolled_through_and_little_of_it_drawn(visitor: Visitor) -> None:
    visitor.say("List my agents")
    [conversation] = visitor.items("/v1/conversations")
    exchange = visitor.items(f"/v1/conversations/{conversation['id']}/messages")
    said = [
        {**exchange[place % 2], "id": f"m{place}", "turn_id": f"t{place // 2}", "sequence": place + 1}
        for place in range(300)
    ]

    def answer(route: Route) -> None:
        asked = {name: int(value) for name, (value,) in parse_qs(urlsplit(route.request.url).query).items()}
        end = asked.get("before", len(said) + 1) - 1
        first = max(0, end - asked["limit"])
        route.fulfill(json={"items": said[first:end], "next_cursor": "more" if first else None})

    visitor.page.route(re.compile(r"/messages\?"), answer)
    visitor.page.reload()
    messages = visitor.page.get_by_role("log", name="Messages")
    expect(messages.locator("[data-turn-id=t149]").first).to_be_visible()
    first = messages.locator("[data-turn-id=t0]").first

    def at_the_beginning() -> bool:
        messages.evaluate("view => { view.scrollTop = 0 }")
        return first.is_visible()

    eventually(at_the_beginning)
    assert messages.locator("article").count() < 50
