"""The journeys that need no model, typed into the page; `test_chatting` has the one that does."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.fakes.deployment.browser_pages import Visitor

PAIN = "Our team wastes hours every Monday compiling project updates from Notion"


def test_a_described_pain_becomes_a_stored_agent_that_is_there_after_a_refresh(
    visitor: Visitor, screenshots: Path
) -> None:
    visitor.say(PAIN)
    assert "notion" in visitor.reply().lower()
    visitor.page.screenshot(path=screenshots / "offer.png")
    visitor.say("At 9 am")
    visitor.say("Send it by e-mail")
    [agent] = visitor.items("/v1/agents")
    assert agent["name"] in visitor.reply()
    visitor.page.reload()
    expect(visitor.by_test_id("message-user").first).to_contain_text(PAIN)
    expect(visitor.by_test_id("message-assistant").last).to_contain_text(agent["name"])
    visitor.by_test_id("open-agents").first.click()
    expect(visitor.by_test_id("agent-item")).to_contain_text(agent["name"])
    visitor.page.screenshot(path=screenshots / "agents.png")


def test_answers_to_the_wizard_become_an_agent(visitor: Visitor) -> None:
    visitor.say("I need a bot that watches Jira for overdue tickets every morning at 9")
    visitor.say("Send the alerts to Slack")
    visitor.say("It's the PLATFORM project, and overdue means past the due date")
    [card] = visitor.items("/v1/agents")
    agent = visitor.twin.get(f"/v1/agents/{card['id']}", token=visitor.token())
    assert (agent["sources"], agent["schedule"]["cron"]) == (["jira"], "0 9 * * *")


def test_a_conversation_goes_on_where_it_stopped(visitor: Visitor) -> None:
    visitor.say("I want to create an agent for weekly financial reports")
    visitor.say("Google Sheets")
    visitor.page.goto("/")
    expect(visitor.by_test_id("message-assistant")).to_have_count(2)
    visitor.say("Sorry, I had to step away. Where were we?")
    assert "google sheets" in visitor.reply().lower()


def test_a_short_follow_up_means_what_was_listed(visitor: Visitor) -> None:
    for name in ("notion-reporter", "financial-analyzer"):
        made = {"name": name, "what": "numbers", "sources": ["notion"], "kind": "report"}
        assert visitor.twin.request("POST", "/v1/agents", token=visitor.token(), json=made).status_code == 201
    visitor.say("List my agents")
    listed = sorted(("notion-reporter", "financial-analyzer"), key=visitor.reply().index)
    visitor.say("Run the first one")
    [run] = visitor.items("/v1/runs")
    assert run["agent_name"] == listed[0]
    # Its result comes by itself.
    expect(visitor.by_test_id("message-assistant").last).to_contain_text(f"The run of {listed[0]}")


def test_a_task_gets_a_time_that_it_reminds_at(visitor: Visitor) -> None:
    visitor.page.goto("/?panel=tasks")
    visitor.by_test_id("task-add").click()
    visitor.by_test_id("task-title").fill("Call the bank")
    visitor.by_test_id("task-day").fill("2099-03-06")
    visitor.by_test_id("task-time").fill("15:00")
    visitor.by_test_id("task-save").click()
    expect(visitor.by_test_id("task-due")).to_contain_text("Due Mar 6, 2099 at 3:00 PM")
    expect(visitor.by_test_id("task-edit")).to_be_enabled()
    [task] = visitor.items("/v1/tasks")
    here = visitor.page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert (task["due_at"], task["time_zone"], task["remind"]) == ("2099-03-06T15:00", here, True)
    visitor.by_test_id("task-edit").click()
    expect(visitor.by_test_id("task-time").last).to_have_value("15:00")


def test_a_deleted_agent_and_a_deleted_task_come_back_and_a_brief_is_edited(
    visitor: Visitor, screenshots: Path
) -> None:
    token = visitor.token()
    for path, made in (
        ("agents", {"name": "bug-bot", "what": "bugs", "brief": "Tell me what broke."}),
        ("tasks", {"title": "call mom"}),
    ):
        assert visitor.twin.request("POST", f"/v1/{path}", token=token, json=made).status_code == 201
    visitor.by_test_id("open-agents").first.click()
    expect(visitor.by_test_id("agent-brief")).to_have_text("Tell me what broke.")
    visitor.by_test_id("agent-brief-edit").click()
    visitor.by_test_id("brief-text").fill("Tell me what broke, and why.")
    visitor.by_test_id("brief-save").click()
    expect(visitor.by_test_id("agent-brief")).to_have_text("Tell me what broke, and why.")
    visitor.by_test_id("agent-menu").click()
    visitor.by_test_id("agent-delete").click()
    visitor.page.get_by_role("button", name="Delete agent").click()
    expect(visitor.by_test_id("agent-item")).to_have_count(0)

    visitor.by_test_id("recently-deleted").locator("summary").click()
    visitor.page.screenshot(path=screenshots / "deleted.png")
    visitor.by_test_id("restore").click()
    expect(visitor.by_test_id("agent-item")).to_contain_text("Tell me what broke, and why.")
    expect(visitor.by_test_id("deleted-item")).to_have_count(0)

    visitor.by_test_id("open-tasks").first.click()
    visitor.by_test_id("task-delete").click()
    expect(visitor.by_test_id("task-item")).to_have_count(0)
    visitor.by_test_id("recently-deleted").locator("summary").click()
    visitor.by_test_id("restore").click()
    expect(visitor.by_test_id("task-item")).to_contain_text("call mom")
