"""What can be done with a message that is written, waits, failed or was answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.test_typing_ahead import hold_the_first, said, send, until_all_answered
from tests.fakes.data import sample_files
from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.long_thread import CONVERSATION, serve_long_thread
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Gate
from tests.fakes.models.model_server import ModelServer

FIRST = "How do tides work?"
SLACK = "https://hooks.slack.com/services/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"
STREAM = re.compile(r"/(chat|edit|regenerate)/stream$")


@pytest.fixture
def gate(model: ModelServer) -> Gate:
    """The answer to the first message is held back until it opens."""
    return hold_the_first(model)


@pytest.fixture
def talker(browser: Browser, modelled: Twin, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    with Visitor.at(browser, modelled, user=request.node.originalname) as talker:
        eventually(modelled.is_model_ready, within_s=300, every_s=0.5)
        talker.sign_in()
        yield talker


def refuse(route: Route) -> None:
    problem = {"code": "message_rejected", "title": "Rejected", "detail": "Not like this.", "status": 422}
    route.fulfill(status=422, json=problem)


def test_a_waiting_message_is_left_as_it_is_changed_and_removed_by_its_buttons(
    talker: Visitor, gate: Gate
) -> None:
    send(talker, FIRST)
    gate.release(1)
    expect(talker.by_test_id("message-assistant").last).to_contain_text("They")
    send(talker, "two", "three", "four")
    editor = talker.by_test_id("edit-composer")
    talker.by_test_id("edit-waiting").first.click()
    editor.get_by_role("textbox").fill("not this")
    editor.get_by_role("button", name="Cancel").click()
    talker.by_test_id("edit-waiting").first.click()
    expect(editor.get_by_role("textbox")).to_have_value("two")
    editor.get_by_role("textbox").fill("two, but better")
    talker.by_test_id("edit-send").click()
    talker.by_test_id("remove-waiting").nth(1).click()
    expect(talker.by_test_id("waiting")).to_have_count(2)
    gate.release(9)
    until_all_answered(talker, 3)
    assert said(talker) == [FIRST, "two, but better", "four"]


def test_earlier_and_later_versions_of_an_answer_are_gone_on_from(visitor: Visitor) -> None:
    visitor.say("List my agents")
    visitor.by_test_id("edit").click()
    visitor.by_test_id("edit-composer").get_by_role("button", name="Cancel").click()
    expect(visitor.by_test_id("message-user")).to_have_text("List my agents")
    visitor.by_test_id("edit").click()
    visitor.by_test_id("edit-composer").get_by_role("textbox").fill("What can you do?")
    visitor.by_test_id("edit-send").click()
    visitor.until_answered()
    versions = visitor.by_test_id("versions")
    for button, place, message in (
        ("Earlier version", "1/2", "List my agents"),
        ("Later version", "2/2", "What can you do?"),
    ):
        versions.get_by_role("button", name=button).click()
        expect(versions).to_contain_text(place)
        expect(versions.get_by_role("button", name=button)).to_be_disabled()
        expect(visitor.by_test_id("message-user")).to_have_text(message)
        assert said(visitor) == [message]


def test_a_message_that_failed_is_sent_again_or_written_anew(visitor: Visitor) -> None:
    page = visitor.page
    visitor.say("List my agents")
    page.route(STREAM, refuse)
    send(visitor, "What can you do?")
    expect(visitor.by_test_id("turn-problem")).to_contain_text("Not like this.")
    page.unroute(STREAM)
    visitor.by_test_id("turn-problem").get_by_test_id("retry").click()
    visitor.until_answered()
    page.route(STREAM, refuse)
    visitor.by_test_id("regenerate").last.click()
    visitor.by_test_id("discard").click()
    expect(visitor.by_test_id("turn-problem")).to_have_count(0)
    expect(visitor.by_test_id("composer")).to_have_value("")
    send(visitor, "Thank you")
    visitor.by_test_id("discard").click()
    expect(visitor.by_test_id("composer")).to_have_value("Thank you")
    page.unroute(STREAM)
    page.keyboard.press("Enter")
    until_all_answered(visitor, 3)
    assert said(visitor) == ["List my agents", "What can you do?", "Thank you"]


def test_a_conversation_that_could_not_be_read_is_asked_for_again(visitor: Visitor) -> None:
    page = visitor.page
    serve_long_thread(page, 4)
    messages = re.compile(rf"/v1/conversations/{CONVERSATION}/messages\?")
    problem = {"code": "storage_unavailable", "title": "Storage is out of reach", "status": 503}
    page.route(messages, lambda route: route.fulfill(status=503, json=problem))
    page.goto(f"/c/{CONVERSATION}")
    expect(visitor.by_test_id("not-readable")).to_contain_text("can't be read right now")
    page.unroute(messages)
    serve_long_thread(page, 4)
    visitor.by_test_id("not-readable").get_by_test_id("retry").click()
    expect(visitor.by_test_id("message-assistant").first).to_be_visible()
    page.goto("/c/" + "d" * 32)
    page.get_by_role("link", name="Start a new chat").click()
    expect(visitor.by_test_id("empty-state")).to_be_visible()


def test_a_long_conversation_is_scrolled_up_and_back_to_its_end(visitor: Visitor) -> None:
    serve_long_thread(visitor.page, 400)
    visitor.page.goto(f"/c/{CONVERSATION}")
    expect(visitor.by_test_id("message-assistant").last).to_be_visible()
    at_end = visitor.by_test_id("message-assistant").last.inner_text()
    log = visitor.page.get_by_role("log")
    expect(visitor.by_test_id("scroll-down")).to_have_attribute("aria-hidden", "true")
    with visitor.page.expect_response(re.compile(r"/messages\?")):
        log.evaluate("it => it.scrollTo(0, 0)")
    visitor.by_test_id("scroll-down").click()
    expect(visitor.by_test_id("scroll-down")).to_have_attribute("aria-hidden", "true")
    expect(visitor.by_test_id("message-assistant").last).to_have_text(at_end)
    expect(visitor.by_test_id("message-assistant").last).to_be_in_viewport()


def test_a_file_is_chosen_removed_chosen_again_and_opened_from_its_message(visitor: Visitor) -> None:
    page = visitor.page
    for is_kept in (False, True):
        with page.expect_file_chooser() as chooser:
            visitor.by_test_id("attach").click()
        chooser.value.set_files({"name": "a dot.png", "mimeType": "image/png", "buffer": sample_files.png()})
        expect(visitor.by_test_id("draft-file")).to_have_attribute("aria-busy", "false")
        if not is_kept:
            page.get_by_role("button", name="Remove a dot.png").click()
            expect(visitor.by_test_id("draft-file")).to_have_count(0)
    visitor.say("List my agents")
    [conversation] = visitor.items("/v1/conversations")
    stored = visitor.items(f"/v1/conversations/{conversation['id']}/messages")
    assert [file["name"] for file in stored[0]["attachments"]] == ["a dot.png"]
    with page.expect_popup() as opened:
        visitor.by_test_id("message-file").get_by_role("link").click()
    assert opened.value.evaluate("document.images.length") == 1
    opened.value.close()


def test_a_correction_says_what_should_have_been_done_instead(visitor: Visitor) -> None:
    visitor.say("List my agents")
    visitor.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=visitor.twin.url)
    visitor.by_test_id("message-user").get_by_role("button", name="Copy").click()
    assert visitor.page.evaluate("navigator.clipboard.readText()") == "List my agents"
    visitor.by_test_id("copy").click()
    eventually(lambda: "any agents yet" in visitor.page.evaluate("navigator.clipboard.readText()"))
    visitor.by_test_id("thumb-down").click()
    visitor.by_test_id("correction").select_option("other")
    visitor.page.get_by_label("Namely").fill("Listed those of my team")
    visitor.page.get_by_label("Anything else?").fill("Thank you")
    visitor.by_test_id("feedback-send").click()
    [conversation] = visitor.items("/v1/conversations")
    reply = visitor.items(f"/v1/conversations/{conversation['id']}/messages")[-1]
    path = f"/v1/conversations/{conversation['id']}/messages/{reply['id']}/feedback"
    given: Any = eventually(lambda: visitor.twin.get(path, token=visitor.token()))
    assert (given["correction"], given["comment"]) == ("Listed those of my team", "Thank you")


def test_a_pin_is_taken_back_by_its_notice_and_the_notice_is_dismissed(visitor: Visitor) -> None:
    visitor.say("List my agents")
    pinned: list[str] = []
    visitor.page.on("request", lambda it: pinned.append(it.method) if it.url.endswith("/pin") else None)
    visitor.by_test_id("message-user").get_by_test_id("pin").click()
    notice = visitor.by_test_id("toast")
    with visitor.page.expect_response(re.compile("/pin$")):
        notice.get_by_role("button", name="Undo").click()
    assert pinned == ["POST", "DELETE"]
    visitor.by_test_id("message-user").get_by_test_id("pin").click()
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_have_count(0)
    assert pinned == ["POST", "DELETE", "POST"]


def test_a_link_that_can_be_posted_to_is_shown_by_nobody_and_edited_by_its_writer(visitor: Visitor) -> None:
    visitor.say("List my agents")
    visitor.page.context.set_offline(True)
    send(visitor, "one", f"Post the results to {SLACK}")
    bubble = visitor.by_test_id("message-user").last
    expect(bubble).to_contain_text("Post the results to https://hooks.slack.com/sealed/")
    assert SLACK not in visitor.page.get_by_role("log").inner_text()
    bubble.get_by_test_id("edit-waiting").click()
    expect(visitor.by_test_id("edit-composer").get_by_role("textbox")).to_have_value(re.compile(SLACK))
    visitor.by_test_id("edit-composer").get_by_role("button", name="Cancel").click()
    visitor.page.context.set_offline(False)
    until_all_answered(visitor, 3)
    expect(bubble).to_contain_text(re.compile(r"https://hooks\.slack\.com/sealed/[0-9a-f]{8}"))
    assert SLACK not in visitor.page.get_by_role("log").inner_text()


def test_the_badge_names_the_only_act_once_and_several_one_by_one(visitor: Visitor) -> None:
    visitor.say("List my agents")
    visitor.by_test_id("decision-badge").click()
    details = visitor.by_test_id("decision-details")
    expect(details.get_by_text("List agents")).to_have_count(1)
    expect(visitor.by_test_id("acts")).to_contain_text("List my agents")
    visitor.page.keyboard.press("Escape")
    expect(details).to_have_count(0)
    visitor.say("List my agents and add a task to call Anna")
    visitor.by_test_id("decision-badge").last.click()
    expect(details.get_by_role("heading").first).to_have_text("List agents, then add a task")
    expect(visitor.by_test_id("acts").get_by_role("listitem")).to_have_count(2)
    expect(visitor.by_test_id("acts")).to_contain_text("Add a task")
