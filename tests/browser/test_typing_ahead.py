"""Messages that are typed faster than they are answered, without a network, and while the service is down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from conversation.turns.admission import LEASE_DURATION
from tests.browser.conftest import with_model
from tests.browser.test_looks import require_accessible
from tests.fakes.deployment.browser_pages import PATIENCE_MS, PHONE, Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Gate, Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

FIRST = "How do tides work?"
UNDERSTOOD = {"action_type": "query_info", "confidence": 0.95, "entities": {}, "reasoning": "A question."}
ROUTED = {"model": "gpt-4o", "tools": [], "can_answer": True, "think": False, "reason": "general"}


NUMBERS = ("one", "two", "three", "four", "five")
ROUNDS = 5
LONG_MS = 4 * PATIENCE_MS
"""For what starts a server anew first."""


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory, model: ModelServer) -> Iterator[Twin]:
    """A twin to be killed, with a clock that is set forward while it is down: leases are over at once."""
    folder = tmp_path_factory.mktemp("mortal")
    with Twin(folder, environ=with_model(model), clock=datetime.now(UTC)) as twin:
        yield twin


@pytest.fixture
def gate(model: ModelServer) -> Gate:
    """The answer to the first message is held back until it opens."""
    return hold_the_first(model)


def hold_the_first(model: ModelServer) -> Gate:
    """Hold back the answer to the first message until the gate opens."""
    gate = Gate()
    model.use(
        Script(
            [
                Rule("tides", Reply(decision=ROUTED), prompt="Pick who answers"),
                Rule("tides", Reply(decision=UNDERSTOOD), model="gpt-4o-mini"),
                Rule("tides", Reply(pieces=["They ", "turn."], gate=gate), model="gpt-4o"),
            ],
            default=Reply(decision=UNDERSTOOD, content="Well."),
        )
    )
    return gate


@pytest.fixture
def talker(browser: Browser, modelled: Twin, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    with Visitor.at(browser, modelled, user=request.node.originalname) as talker:
        eventually(modelled.is_model_ready, within_s=300, every_s=0.5)
        talker.sign_in()
        yield talker


def send(visitor: Visitor, *messages: str) -> None:
    for message in messages:
        visitor.type(message)
        visitor.page.keyboard.press("Enter")


def said(visitor: Visitor, *, newest: bool = False) -> list[str]:
    """What the service stored of the visitor's only conversation, or of the newest."""
    conversations = visitor.items("/v1/conversations")
    assert newest or len(conversations) == 1, conversations
    messages = visitor.items(f"/v1/conversations/{conversations[0]['id']}/messages")
    return [message["content"] for message in messages if message["role"] == "user"]


def until_all_answered(visitor: Visitor, count: int, *, within_ms: int = PATIENCE_MS) -> None:
    answered = visitor.page.locator("[data-testid=message-assistant][data-status=done]")
    expect(answered).to_have_count(count, timeout=within_ms)
    expect(visitor.by_test_id("message-assistant")).to_have_count(count)


def test_what_is_typed_during_an_answer_waits_and_is_sent_in_order(
    talker: Visitor, gate: Gate, screenshots: Path
) -> None:
    send(talker, FIRST)
    gate.release(1)
    expect(talker.by_test_id("message-assistant").last).to_contain_text("They")
    send(talker, "two", "three", "four", "five", "six")
    expect(talker.by_test_id("waiting")).to_have_count(5)
    expect(talker.by_test_id("composer")).to_have_value("")
    talker.page.screenshot(path=screenshots / "waiting.png")
    require_accessible(talker)

    talker.page.get_by_role("article", name="You said").filter(has_text="three").get_by_role(
        "button", name="Edit"
    ).click()
    talker.page.get_by_label("Edit your message").fill("three, but better")
    talker.page.keyboard.press("Enter")
    talker.page.get_by_role("article", name="You said").filter(has_text="five").get_by_role(
        "button", name="Remove"
    ).click()
    expect(talker.by_test_id("waiting")).to_have_count(4)
    # A draft is no message.
    talker.type("not yet")
    gate.release(9)
    until_all_answered(talker, 5)
    assert said(talker) == [FIRST, "two", "three, but better", "four", "six"]
    expect(talker.by_test_id("composer")).to_have_value("not yet")


def test_what_waits_survives_a_reload(talker: Visitor, gate: Gate) -> None:
    send(talker, FIRST)
    gate.release(1)
    expect(talker.by_test_id("message-assistant").last).to_contain_text("They")
    send(talker, "two", "three")
    talker.type("a draft")
    talker.page.reload()
    expect(talker.by_test_id("message-user")).to_have_count(3)
    expect(talker.by_test_id("composer")).to_have_value("a draft")
    gate.release(9)
    until_all_answered(talker, 3)
    assert said(talker) == [FIRST, "two", "three"]


def test_what_was_typed_offline_goes_out_in_order(visitor: Visitor) -> None:
    visitor.say("List my agents")
    visitor.page.context.set_offline(True)
    send(visitor, "one", "two", "three", "four", "five", "six")
    expect(visitor.by_test_id("message-user")).to_have_count(7)
    expect(visitor.by_test_id("offline-banner")).to_be_visible()
    visitor.page.context.set_offline(False)
    until_all_answered(visitor, 7)
    assert said(visitor) == ["List my agents", "one", "two", "three", "four", "five", "six"]


def test_what_was_typed_while_the_service_was_down_is_marked_and_goes_out(visitor: Visitor) -> None:
    send(visitor, "List my agents")
    visitor.until_answered()
    visitor.twin.kill9()
    send(visitor, "one", "two", "three")
    expect(visitor.by_test_id("turn-problem")).to_contain_text("Not sent")
    visitor.twin.restart()
    until_all_answered(visitor, 4, within_ms=LONG_MS)
    assert said(visitor) == ["List my agents", "one", "two", "three"]


def test_six_messages_in_a_row_go_out_in_order_in_every_round(talker: Visitor, model: ModelServer) -> None:
    for _ in range(ROUNDS):
        gate = hold_the_first(model)
        talker.by_test_id("new-chat").first.click()
        expect(talker.by_test_id("message-user")).to_have_count(0)
        send(talker, FIRST, *NUMBERS)
        talker.type("a draft")
        expect(talker.by_test_id("waiting")).to_have_count(len(NUMBERS))
        gate.release(9)
        until_all_answered(talker, 1 + len(NUMBERS))
        assert said(talker, newest=True) == [FIRST, *NUMBERS]
        expect(talker.by_test_id("composer")).to_have_value("a draft")
    assert len(talker.items("/v1/conversations")) == ROUNDS


def test_six_messages_typed_offline_go_out_in_order_in_every_round(visitor: Visitor) -> None:
    for _ in range(ROUNDS):
        visitor.by_test_id("new-chat").first.click()
        expect(visitor.by_test_id("message-user")).to_have_count(0)
        visitor.page.context.set_offline(True)
        send(visitor, "zero", *NUMBERS)
        visitor.type("a draft")
        visitor.page.context.set_offline(False)
        until_all_answered(visitor, 1 + len(NUMBERS))
        assert said(visitor, newest=True) == ["zero", *NUMBERS]
        expect(visitor.by_test_id("composer")).to_have_value("a draft")
    assert len(visitor.items("/v1/conversations")) == ROUNDS


@pytest.mark.parametrize("at", range(ROUNDS))
def test_what_waits_when_the_server_is_killed_during_an_answer_goes_out_in_order(
    browser: Browser, mortal: Twin, model: ModelServer, at: int
) -> None:
    """Each round kills it during the answer to another one of six messages."""
    before, after = NUMBERS[:at], NUMBERS[at:]
    gate = hold_the_first(model)
    with Visitor.at(browser, mortal, user=f"round-{at}") as talker:
        eventually(mortal.is_model_ready, within_s=300, every_s=0.5)
        talker.sign_in()
        send(talker, *before, FIRST, *after)
        talker.type("a draft")
        gate.release(1)
        expect(talker.by_test_id("message-assistant").last).to_contain_text("They", timeout=LONG_MS)
        expect(talker.by_test_id("waiting")).to_have_count(len(after))
        mortal.kill9()
        gate.release(9)
        mortal.pass_time(LEASE_DURATION)
        mortal.restart()
        until_all_answered(talker, 1 + len(NUMBERS), within_ms=LONG_MS)
        assert said(talker) == [*before, FIRST, *after]
        expect(talker.by_test_id("composer")).to_have_value("a draft")


@pytest.mark.parametrize("at", range(ROUNDS))
def test_what_was_typed_offline_and_while_the_service_was_down_goes_out_in_order(
    visitor: Visitor, at: int
) -> None:
    visitor.say("zero")
    visitor.page.context.set_offline(True)
    send(visitor, *NUMBERS[:at])
    visitor.twin.kill9()
    visitor.page.context.set_offline(False)
    send(visitor, *NUMBERS[at:])
    visitor.type("a draft")
    visitor.twin.restart()
    until_all_answered(visitor, 1 + len(NUMBERS), within_ms=LONG_MS)
    assert said(visitor, newest=True) == ["zero", *NUMBERS]
    expect(visitor.by_test_id("composer")).to_have_value("a draft")


def test_enter_twice_sends_a_message_once(visitor: Visitor) -> None:
    visitor.type("List my agents")
    visitor.page.evaluate(
        """() => { const form = document.querySelector("[data-testid=composer]").form;
                   form.requestSubmit(); form.requestSubmit(); }"""
    )
    visitor.until_answered()
    assert said(visitor) == ["List my agents"]


def test_a_phone_breaks_lines_with_enter(browser: Browser, twin: Twin, screenshots: Path) -> None:
    context = browser.new_context(
        base_url=twin.url, viewport=PHONE, color_scheme="dark", has_touch=True, is_mobile=True
    )
    try:
        visitor = Visitor(context.new_page(), twin, "phone", "acme")
        visitor.sign_in()
        visitor.type("List my agents")
        visitor.page.keyboard.press("Enter")
        expect(visitor.by_test_id("composer")).to_have_value(re.compile(r"agents\n$"))
        context.set_offline(True)
        visitor.by_test_id("send").click()
        visitor.type("قائمة وكلائي")
        visitor.by_test_id("send").click()
        expect(visitor.by_test_id("waiting")).to_have_count(1)
        require_accessible(visitor)
        visitor.page.screenshot(path=screenshots / "waiting-phone.png")
    finally:
        context.close()
