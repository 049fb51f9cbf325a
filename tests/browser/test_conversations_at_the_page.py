"""What a user does with conversations and messages, at the page."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.fakes.data import sample_files
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


def test_a_file_goes_with_a_message_and_a_renamed_program_is_refused(visitor: Visitor) -> None:
    name, kind = "a dot.png", "image/png"
    chooser = visitor.by_test_id("attach-input")
    chooser.set_input_files({"name": name, "mimeType": kind, "buffer": sample_files.EXECUTABLE})
    expect(visitor.by_test_id("toast")).to_contain_text(name)
    expect(visitor.by_test_id("draft-file")).to_have_count(0)
    chooser.set_input_files({"name": name, "mimeType": kind, "buffer": sample_files.png()})
    expect(visitor.by_test_id("draft-file")).to_have_attribute("aria-busy", "false")
    visitor.say("List my agents")
    shown = visitor.by_test_id("message-file").get_by_role("img", name=name)
    expect(shown).to_have_js_property("naturalWidth", 1)
    [file] = visitor.items("/v1/attachments")
    assert file["sent"] is True


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
