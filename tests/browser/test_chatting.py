"""What happens between a key press and an answer, when all is well and when it is not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Gate, Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

CHURN = "I need to analyze our customer churn data and put together a presentation for the board"
QUESTION = "How do tides work?"
SAID = [f"piece{number} " for number in range(1, 9)]
STREAM = re.compile(r"/v1/chat/stream$")


@pytest.fixture
def talker(browser: Browser, modelled: Twin, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Somebody at the page of a twin whose model is asked."""
    with Visitor.at(browser, modelled, user=request.node.originalname) as talker:
        eventually(modelled.is_model_ready, within_s=300, every_s=0.5)
        talker.sign_in()
        yield talker


def telling(model: ModelServer, gate: Gate | None = None) -> None:
    """Have the model answer the question in pieces, each when the gate opens."""
    understood = {"action_type": "query_info", "confidence": 0.95, "entities": {}, "reasoning": "A question."}
    routed = {"model": "gpt-4o", "tools": [], "can_answer": True, "think": False, "reason": "general"}
    model.use(
        Script(
            [
                Rule("tides", Reply(decision=routed), prompt="Pick who answers"),
                Rule("tides", Reply(decision=understood), model="gpt-4o-mini"),
                Rule("tides", Reply(content="".join(SAID).strip(), pieces=SAID, gate=gate), model="gpt-4o"),
            ],
            default=Reply(decision=understood),
        )
    )


def test_pieces_of_an_answer_appear_one_by_one(talker: Visitor, model: ModelServer) -> None:
    gate = Gate()
    telling(model, gate)
    talker.type(QUESTION)
    talker.page.keyboard.press("Enter")
    answer = talker.by_test_id("message-assistant").last
    for number in range(1, 4):
        gate.release(1)
        expect(answer).to_contain_text(f"piece{number}")
        assert f"piece{number + 1}" not in answer.inner_text()
    gate.release(len(SAID))
    talker.until_answered()
    assert "piece8" in talker.reply()


def test_a_refresh_in_the_middle_loses_nothing_and_asks_no_model_again(
    talker: Visitor, model: ModelServer
) -> None:
    gate = Gate()
    telling(model, gate)
    talker.type(QUESTION)
    talker.page.keyboard.press("Enter")
    gate.release(2)
    expect(talker.by_test_id("message-assistant").last).to_contain_text("piece2")
    asked = len(model.log().requests)
    talker.page.reload()
    expect(talker.by_test_id("message-user").last).to_contain_text(QUESTION)
    gate.release(len(SAID))
    talker.until_answered()
    assert re.findall(r"piece\d", talker.reply()) == [piece.strip() for piece in SAID]
    assert len(model.log().requests) == asked


def test_stop_keeps_what_was_said_and_says_so(talker: Visitor, model: ModelServer, screenshots: Path) -> None:
    gate = Gate()
    telling(model, gate)
    talker.type(QUESTION)
    talker.page.keyboard.press("Enter")
    gate.release(2)
    expect(talker.by_test_id("message-assistant").last).to_contain_text("piece2")
    talker.by_test_id("stop").click()
    expect(talker.by_test_id("composer")).to_be_focused()
    expect(talker.by_test_id("thinking")).to_contain_text("Stopping")
    # The model says nothing more, and is not waited for.
    expect(talker.by_test_id("partial")).to_be_visible()
    talker.page.screenshot(path=screenshots / "stopped.png")
    assert re.findall(r"piece\d", talker.reply()) == ["piece1", "piece2"]


def test_two_readings_are_buttons_and_a_click_is_an_answer(
    talker: Visitor, model: ModelServer, screenshots: Path
) -> None:
    decision = {
        "action_type": "execute_task",
        "confidence": 0.72,
        "entities": {"what": "churn data", "output": "presentation", "agent_name": "financial-analyzer"},
        "reasoning": "An existing agent covers it in part.",
        "is_ambiguous": True,
        "alternative_action": "create_agent",
    }
    model.use(Script(default=Reply(decision=decision)))
    made = {"name": "financial-analyzer", "what": "revenue", "sources": ["sheets"], "kind": "report"}
    assert talker.twin.request("POST", "/v1/agents", token=talker.token(), json=made).status_code == 201
    talker.say(CHURN)
    expect(talker.by_test_id("option").first).to_contain_text("financial-analyzer")
    talker.page.screenshot(path=screenshots / "options.png")
    title = talker.by_test_id("option").first.locator("b").inner_text()
    talker.by_test_id("option").first.click()
    expect(talker.by_test_id("message-user").last).to_have_text(title)
    eventually(lambda: talker.items("/v1/runs") != [])
    [conversation] = talker.items("/v1/conversations")
    stored = talker.items(f"/v1/conversations/{conversation['id']}/messages")
    assert [each["content"] for each in stored if each["role"] == "user"] == [CHURN, title]


def test_what_is_said_in_one_tab_is_in_the_other(visitor: Visitor) -> None:
    visitor.say("List my agents")
    other = visitor.page.context.new_page()
    other.goto(visitor.page.url)
    expect(other.get_by_test_id("message-user")).to_contain_text("List my agents")
    visitor.say("Thank you")
    expect(other.get_by_test_id("message-user")).to_have_count(2)


def test_an_answer_that_got_lost_on_the_way_is_not_asked_for_twice(visitor: Visitor) -> None:
    lost: list[str] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(str(route.fetch().status))
            route.abort("connectionreset")

    visitor.page.route(STREAM, lose)
    visitor.type("Keep our chats for 90 days")
    visitor.page.keyboard.press("Enter")
    visitor.until_answered()
    assert lost == ["200"]
    [conversation] = visitor.items("/v1/conversations")
    assert conversation["message_count"] == 2


def test_no_message_and_no_form_is_lost_when_the_session_ends(
    browser: Browser, tmp_path: Path, screenshots: Path
) -> None:
    began = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    with Twin(tmp_path, clock=began) as twin, Visitor.at(browser, twin, user="maya") as visitor:
        visitor.sign_in()
        visitor.say("List my agents")
        visitor.page.goto(f"{visitor.page.url}?panel=agents&at=new")
        visitor.by_test_id("field-what").fill("late invoices")
        twin.set_clock(began + timedelta(days=2))
        visitor.by_test_id("form-save").click()
        again = visitor.by_test_id("sign-in-again").get_by_role("button", name="Sign in")
        expect(again).to_be_focused()
        visitor.page.screenshot(path=screenshots / "session-ended.png")
        visitor.page.get_by_role("button", name="Not now").click()
        visitor.type("Thank you")
        visitor.page.keyboard.press("Enter")
        expect(visitor.by_test_id("message-user").last).to_contain_text("Thank you")
        visitor.by_test_id("session-ended").get_by_role("button", name="Sign in").click()
        visitor.fill_in_form("maya")
        expect(visitor.by_test_id("message-user").last).to_contain_text("Thank you")
        visitor.until_answered()
        assert len(visitor.items("/v1/conversations")) == 1
        visitor.page.goto(f"{visitor.page.url.partition('?')[0]}?panel=agents&at=new")
        expect(visitor.by_test_id("field-what")).to_have_value("late invoices")
        visitor.by_test_id("form-save").click()
        eventually(lambda: len(visitor.items("/v1/agents")) == 1)


PASTE = """([text, names]) => {
  const input = document.querySelector("[data-testid=composer]");
  const data = new DataTransfer();
  if (text) data.setData("text", text);
  for (const name of names) data.items.add(new File(["Notes"], name, { type: "text/plain" }));
  const type = names.length > 0 ? "drop" : "paste";
  const told = names.length > 0 ? { dataTransfer: data } : { clipboardData: data };
  const event = names.length > 0 ? new DragEvent(type, { ...told, bubbles: true })
                                 : new ClipboardEvent(type, { ...told, bubbles: true, cancelable: true });
  (names.length > 0 ? input.form : input).dispatchEvent(event);
}"""


def test_a_message_may_have_as_many_files_as_the_deployment_allows(visitor: Visitor) -> None:
    def allowing_ten(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "attachments_per_message": 10})

    visitor.page.route("**/v1/tenant/policy", allowing_ten)
    with visitor.page.expect_response("**/v1/tenant/policy"):
        visitor.page.reload()
    expect(visitor.by_test_id("composer")).to_be_visible()
    visitor.page.evaluate(PASTE, ["", [f"notes {number}.txt" for number in range(12)]])
    expect(visitor.by_test_id("toast").filter(has_text="2 of these were left out")).to_be_visible()
    expect(visitor.by_test_id("draft-file")).to_have_count(10)


def test_what_is_too_much_is_refused_before_it_is_sent(visitor: Visitor) -> None:
    sent: list[str] = []
    visitor.page.on(
        "request", lambda request: sent.append(request.url) if STREAM.search(request.url) else None
    )
    for text in ("a" * 8_001, "ب" * 50_000):
        visitor.type(text)
        expect(visitor.by_test_id("counter")).to_be_visible()
        expect(visitor.by_test_id("send")).to_be_disabled()
    visitor.page.keyboard.press("Enter")
    visitor.type("")
    visitor.page.evaluate(PASTE, ["a" * 200_000, []])
    expect(visitor.by_test_id("toast")).to_contain_text("200,000 characters")
    visitor.page.evaluate(PASTE, ["", [f"notes {number}.txt" for number in range(30)]])
    expect(visitor.by_test_id("toast").filter(has_text="25 of these were left out")).to_be_visible()
    expect(visitor.by_test_id("draft-file")).to_have_count(5)
    visitor.type("a" * 8_000)
    expect(visitor.by_test_id("send")).to_be_enabled()
    assert sent == []
