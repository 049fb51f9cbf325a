from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.wizard.nearest_schedule import nearest_supported
from agent.wizard.schedule_parsing import schedule_values
from agent.workspace.agents import AgentChange, AgentSpec, Schedule
from agent.workspace.errors import ScheduleTooFrequent
from intent.decision import ActionType
from tests.fakes.data.chat_session import Talk

NOW = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)
SPEC = AgentSpec(what="new tickets", schedule=Schedule(cron="*/5 * * * *"))


@pytest.mark.parametrize("cron", ["* * * * *", "*/4 * * * *", "0-12 9 * * *"])
def test_an_agent_that_would_work_more_often_than_every_five_minutes_is_refused(cron: str) -> None:
    talk = Talk()
    with pytest.raises(ScheduleTooFrequent):
        talk.store.create(talk.caller, SPEC.model_copy(update={"schedule": Schedule(cron=cron)}))
    agent = talk.store.create(talk.caller, SPEC)
    with pytest.raises(ScheduleTooFrequent):
        talk.store.update(talk.caller, agent.id, AgentChange(schedule=Schedule(cron=cron)))


@pytest.mark.parametrize("words", ["every minute", "every 2 minutes", "every second", "each 30 seconds."])
def test_words_for_a_schedule_that_is_too_frequent_are_understood_and_can_not_be_kept(words: str) -> None:
    values = schedule_values(words, "UTC", now=NOW)
    assert values["schedule"] is None
    assert values["unfit"]


@pytest.mark.parametrize("words", ["every 5 minutes", "every 20 minutes", "every hour"])
def test_words_for_a_slower_schedule_are_kept(words: str) -> None:
    assert schedule_values(words, "UTC", now=NOW)["schedule"]


def test_a_wish_for_an_agent_that_works_too_often_is_answered_with_what_is_possible() -> None:
    talk = Talk()
    said = talk.say("Create an agent that checks my inbox every minute", ActionType.CREATE_AGENT)
    assert "five or more" in said.text
    assert not talk.agents()


@pytest.mark.parametrize("words", ["every second", "Every 10 seconds!"])
def test_the_wizard_takes_no_schedule_that_is_too_frequent_for_an_answer(words: str) -> None:
    talk = Talk()
    talk.say("Create an agent that summarizes new tickets in Jira", ActionType.CREATE_AGENT)
    said = talk.say(words)
    assert "five or more" in said.text
    assert not talk.agents()


@pytest.mark.parametrize("words", ["every minute", "every second"])
def test_a_change_to_a_schedule_that_is_too_frequent_is_answered_with_what_is_possible(words: str) -> None:
    talk = Talk()
    talk.store.create(talk.caller, SPEC.model_copy(update={"name": "ticket-watch"}))
    said = talk.say(f"run ticket-watch {words}", ActionType.UPDATE_AGENT, agent_name="ticket-watch")
    assert "five or more" in said.text


@pytest.mark.parametrize(
    ("words", "near"),
    [
        ("every 7 minutes", "*/5 * * * *"),
        ("every minute", "*/5 * * * *"),
        ("in real time", "*/5 * * * *"),
        ("every second", "*/5 * * * *"),
    ],
)
def test_the_nearest_to_a_schedule_that_can_not_be_kept_can_be_kept(words: str, near: str) -> None:
    nearby = nearest_supported(str(schedule_values(words, "UTC", now=NOW)["unfit"]))
    assert nearby
    schedule = schedule_values(nearby, "UTC", now=NOW)["schedule"]
    assert isinstance(schedule, Schedule)
    assert schedule.cron == near


def test_nothing_comes_near_to_what_is_no_schedule() -> None:
    assert nearest_supported("whenever it suits") is None


def test_a_yes_takes_the_nearest_schedule_that_was_offered() -> None:
    talk = Talk()
    said = talk.classify_and_answer(
        "make an agent that works every 7 minutes and summarises our GitHub issues"
    )
    assert "But my schedules can't do \"every 7 minutes" in said.text
    assert "Shall it run every 5 minutes?" in said.text
    talk.classify_and_answer("yes please")
    talk.classify_and_answer("here is fine")
    [agent] = talk.agents()
    assert agent.schedule
    assert (agent.schedule.cron, agent.what, agent.name) == ("*/5 * * * *", "issues", "github-reporter")
