"""The five journeys of the product's specification, decision by decision."""

from __future__ import annotations

from datetime import timedelta

from agent.workspace.agents import Kind
from agent.workspace.delivery_targets import Channel
from agent.workspace.runs import RunStatus
from intent.decision import ActionType
from tests.fakes.data.chat_session import CONVERSATION, Talk

CREATE, RUN, ASK = ActionType.CREATE_AGENT, ActionType.EXECUTE_TASK, ActionType.QUERY_INFO


def test_a_pain_is_answered_with_a_proposal_and_a_yes_sets_it_up() -> None:
    talk = Talk()
    pain = (
        "Our team wastes hours every Monday compiling project updates from Notion. "
        "Can the platform help with that?"
    )

    proposal = talk.say(pain, CREATE, confidence=0.88)
    question = talk.say("Yes please", CREATE, reply="yes")
    done = talk.say("By email", CREATE)

    assert "project updates from Notion" in proposal.text
    assert "Monday" in proposal.text
    assert proposal.text.endswith("Want me to set that up?")
    assert proposal.note.pending
    assert question.note.asking == "delivery"
    assert done.tools == ("create_agent",)
    [agent] = talk.agents()
    assert (agent.name, agent.sources, agent.what) == ("notion-reporter", ("notion",), "project updates")
    assert agent.schedule
    assert agent.schedule.cron == "0 9 * * 1"
    assert agent.delivery.channels == (Channel.EMAIL,)


def test_a_monitor_is_set_up_over_three_messages() -> None:
    talk = Talk(time_zone="Europe/Berlin")

    first = talk.say("Create an agent that monitors our Jira board for overdue tickets", CREATE)
    second = talk.say("The PLATFORM project, past due date, and Slack alerts", CREATE)
    third = talk.say("Every morning at 9am", CREATE)

    assert first.note.asking == "scope, condition, delivery"
    assert all(f"{number}. " in first.text for number in (1, 2, 3))
    assert second.note.asking == "schedule"
    assert all(word in second.text for word in ("PLATFORM", "past due date", "Slack"))
    [agent] = talk.agents()
    assert (agent.name, agent.kind) == ("jira-overdue-monitor", Kind.MONITOR)
    assert (agent.scope, agent.condition) == ("PLATFORM", "past due date")
    assert agent.needs_connection == ("jira", "slack")
    assert "Daily at 9:00 AM (Europe/Berlin)" in third.text
    assert "Before it can work: connect Jira." in third.text
    assert "“Incoming”" in third.text
    assert third.note.about
    assert third.note.about.id == agent.id
    assert third.note.draft is None


def test_a_setup_left_yesterday_goes_on_where_it_stopped() -> None:
    talk = Talk()
    talk.say("I want to create an agent for weekly financial reports", CREATE)
    talk.say("Google Sheets", CREATE)
    talk.clock.advance(timedelta(days=1).total_seconds())

    back = talk.say("Sorry, I had to step away. Where were we?", ASK, operation="resume_conversation")
    talk.say("revenue and costs by department", CREATE)
    talk.say("here in the chat", CREATE)

    assert "weekly financial report" in back.text
    assert "Source: Google Sheets" in back.text
    assert "What specific data should the report include from your spreadsheet?" in back.text
    [agent] = talk.agents()
    assert agent.instructions == "Include revenue and costs by department"
    assert agent.sources == ("google sheets",)


def test_the_first_of_a_list_is_started_and_the_reply_says_where_its_result_will_be() -> None:
    talk = Talk()
    talk.create("jira-overdue-monitor", summary="Daily overdue ticket alerts")
    notion = talk.create("a-notion-reporter", summary="Weekly Notion project summaries")

    listed = talk.say("List my agents", ASK, operation="list_agents")
    run = talk.say("Run the first one", RUN, ordinal=1)

    assert "1. a-notion-reporter - Weekly Notion project summaries" in listed.text
    assert "2. jira-overdue-monitor - Daily overdue ticket alerts" in listed.text
    assert "a-notion-reporter" in run.text
    assert "will appear in this conversation" in run.text
    [stored], _ = talk.store.runs.list(talk.caller, limit=10)
    assert (stored.agent_id, stored.status) == (notion.id, RunStatus.QUEUED)
    assert stored.conversation_id == CONVERSATION


def test_a_task_nobody_does_is_answered_with_the_nearest_agent_and_options() -> None:
    talk = Talk()
    nearest = talk.create("financial-analyzer", summary="Monthly financial analysis")
    talk.create("jira-bot", summary="Overdue tickets")
    wish = (
        "I need to analyze our customer churn data and put together a presentation "
        "for the board meeting next week"
    )

    options = talk.say(wish, RUN, confidence=0.72, alternative=CREATE)
    picked = talk.say("2", CREATE, choice=2)

    assert "financial-analyzer" in options.text
    assert "nothing about it mentions customer or churn" in options.text
    assert [choice.action for choice in options.note.choices] == [
        "execute_task",
        "create_agent",
        "query_info",
    ]
    assert options.note.choices[0].entities["agent_id"] == nearest.id
    assert not options.effects
    assert picked.note.draft
    assert picked.note.draft["what"] == "customer churn data"
    assert picked.note.draft["format"] == "presentation"


def test_running_the_nearest_agent_anyway_is_one_of_the_options() -> None:
    talk = Talk()
    nearest = talk.create("financial-analyzer", summary="Monthly financial analysis")
    talk.say("Analyze our customer churn", RUN, confidence=0.6)

    talk.say("the first option", RUN, choice=1)

    [run], _ = talk.store.runs.list(talk.caller, limit=10)
    assert run.agent_id == nearest.id
