"""Schedules that would have an agent work more often than it may: refused, and asked about in the chat."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentChange, AgentSpec, Schedule
from agent.workspace.errors import ScheduleTooFrequent
from tests.fakes.data.chat_session import Talk

SPEC = AgentSpec(what="new tickets", schedule=Schedule(cron="*/5 * * * *"))


@pytest.mark.parametrize("cron", ["* * * * *", "*/4 * * * *", "0-12 9 * * *"])
def test_an_agent_that_would_work_more_often_than_every_five_minutes_is_refused(cron: str) -> None:
    talk = Talk()
    with pytest.raises(ScheduleTooFrequent):
        talk.store.create(talk.caller, SPEC.model_copy(update={"schedule": Schedule(cron=cron)}))
    agent = talk.store.create(talk.caller, SPEC)
    with pytest.raises(ScheduleTooFrequent):
        talk.store.update(talk.caller, agent.id, AgentChange(schedule=Schedule(cron=cron)))


@pytest.mark.parametrize(
    "words", ["every minute", "every other minute", "every 2 minutes", "every 7 minutes"]
)
def test_a_change_to_a_schedule_that_is_too_frequent_is_answered_with_what_is_possible(words: str) -> None:
    talk = Talk()
    talk.store.create(talk.caller, SPEC.model_copy(update={"name": "ticket-watch"}))

    said = talk.classify_and_answer(f"make ticket-watch run {words}")
    assert "five minutes" in said.text
    assert not said.effects
    talk.classify_and_answer("every 10 minutes then")

    [agent] = talk.agents()
    assert agent.schedule
    assert agent.schedule.cron == "*/10 * * * *"


def test_a_run_every_second_is_no_run() -> None:
    talk = Talk()
    talk.store.create(talk.caller, SPEC.model_copy(update={"name": "ticket-watch"}))

    assert not talk.classify_and_answer("run ticket-watch every second").effects


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("every minute", "The most an agent can do is to run every five minutes. Would every 5 minutes do?"),
        ("every second", "A minute is the finest step. When should it run?"),
        ("Every 10 seconds!", "A minute is the finest step. When should it run?"),
    ],
)
def test_a_new_agent_takes_no_schedule_that_is_too_frequent_for_an_answer(words: str, said: str) -> None:
    talk = Talk()
    talk.classify_and_answer("Create an agent that summarizes new tickets in Jira and reports here")

    asked = talk.classify_and_answer(words)

    assert asked.text.startswith(said)
    assert not talk.agents()


def test_a_new_agent_that_would_work_too_often_is_answered_with_what_is_possible() -> None:
    said = Talk().classify_and_answer("Create an agent that checks my inbox every minute")

    assert "five minutes" in said.text
