"""The five journeys of the product's specification, message by message."""

from __future__ import annotations

from datetime import timedelta

from agent.workspace.agents import Kind
from agent.workspace.delivery_targets import Channel
from agent.workspace.runs import RunStatus
from intent.decision import ActionType, DecisionSource
from tests.fakes.data.chat_session import CONVERSATION, Talk, TalkReply

CHURN = (
    "I need to analyze our customer churn data and put together a presentation "
    "for the board meeting next week"
)


def test_a_pain_is_answered_with_what_is_still_open_and_an_answer_sets_it_up() -> None:
    talk = Talk()
    pain = (
        "Our team wastes hours every Monday compiling project updates from Notion. "
        "Can the platform help with that?"
    )

    offered = talk.classify_and_answer(pain)
    assert talk.agents() == []
    done = talk.classify_and_answer("At 9, by email")

    assert all(word in offered.text for word in ("project updates", "Notion", "Mondays", "what time"))
    assert done.tools == ("create_agent",)
    [agent] = talk.agents()
    assert (agent.sources, agent.brief) == (("notion",), pain)
    assert agent.schedule
    assert agent.schedule.cron == "0 9 * * 1"
    assert agent.delivery.channels == (Channel.EMAIL,)


def test_a_monitor_is_set_up_over_three_messages() -> None:
    talk = Talk(time_zone="Europe/Berlin")

    first = talk.classify_and_answer("Create an agent that monitors our Jira board for overdue tickets")
    second = talk.classify_and_answer("Slack alerts please")
    third = talk.classify_and_answer("Every morning at 9am")

    assert "When should it run, and where should I send the results: by e-mail, to Slack" in first.text
    assert second.text == "When should it run?"
    [agent] = talk.agents()
    assert (agent.name, agent.kind, agent.sources) == ("jira-overdue-monitor", Kind.MONITOR, ("jira",))
    assert agent.needs_connection == ("jira", "slack")
    assert agent.schedule
    assert (agent.schedule.cron, agent.schedule.time_zone) == ("0 9 * * *", "Europe/Berlin")
    assert "Before it can work: connect Jira." in third.text
    assert "“Incoming”" in third.text
    assert third.note.about
    assert third.note.about.id == agent.id
    assert third.note.draft is None


def test_a_setup_left_yesterday_goes_on_where_it_stopped() -> None:
    talk = Talk()
    talk.classify_and_answer("I want to create an agent for weekly financial reports")
    talk.classify_and_answer("Google Sheets")
    talk.clock.advance(timedelta(days=1).total_seconds())

    back = talk.classify_and_answer("Sorry, I had to step away. Where were we?")
    talk.classify_and_answer("Mondays at 9")
    talk.classify_and_answer("here in the chat")

    assert "financial reports" in back.text
    assert "Google Sheets" in back.text
    assert "When should it run" in back.text
    [agent] = talk.agents()
    assert agent.sources == ("google sheets",)
    assert agent.schedule
    assert agent.schedule.cron == "0 9 * * 1"


def test_the_first_of_a_list_is_started_and_the_reply_says_where_its_result_will_be() -> None:
    talk = Talk()
    talk.create("jira-overdue-monitor", summary="Daily overdue ticket alerts")
    notion = talk.create("a-notion-reporter", summary="Weekly Notion project summaries")

    listed = talk.classify_and_answer("List my agents")
    run = talk.classify_and_answer("Run the first one")

    assert "1. a-notion-reporter: Weekly Notion project summaries" in listed.text
    assert "2. jira-overdue-monitor: Daily overdue ticket alerts" in listed.text
    assert run.text == "Started a-notion-reporter. The result will appear here."
    [stored], _ = talk.store.runs.list(talk.caller, limit=10)
    assert (stored.agent_id, stored.status) == (notion.id, RunStatus.QUEUED)
    assert stored.conversation_id == CONVERSATION


def offered_the_nearest() -> tuple[Talk, TalkReply]:
    """A conversation in which a model finds no agent for a piece of work."""
    talk = Talk()
    talk.create("financial-analyzer", summary="Monthly financial analysis")
    talk.create("jira-bot", summary="Overdue tickets")
    work, other = ActionType.EXECUTE_TASK, ActionType.CREATE_AGENT
    offered = talk.say(CHURN, work, confidence=0.72, alternative=other, source=DecisionSource.MODEL)
    return talk, offered


def test_a_task_nobody_does_is_answered_with_the_nearest_agent_and_options() -> None:
    talk, offered = offered_the_nearest()
    picked = talk.classify_and_answer("2")

    assert "nothing about it mentions customer or churn" in offered.text
    assert all(f"\n{number}. " in offered.text for number in (1, 2, 3))
    assert not offered.effects
    assert picked.note.draft
    assert "customer churn" in str(picked.note.draft["job"])


def test_running_the_nearest_agent_anyway_is_one_of_the_options() -> None:
    talk, _ = offered_the_nearest()

    talk.classify_and_answer("the first option")

    [run], _ = talk.store.runs.list(talk.caller, limit=10)
    assert run.agent_name == "financial-analyzer"
