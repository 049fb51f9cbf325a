"""Somebody is called or paid at a time: that is a task, and changes neither an agent nor another task."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk


def titles(talk: Talk) -> dict[str, str | None]:
    tasks, _ = talk.tasks.list(talk.caller, limit=20)
    return {one.title: one.due_date.isoformat() if one.due_date else None for one in tasks}


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("call Ann at 10", "call Ann"),
        ("call Ann", "call Ann"),
        ("ok call Ann tomorrow morning", "call Ann"),
        ("call the plumber on Friday at 10", "call the plumber"),
        ("order flour for Thursday", "order flour"),
    ],
)
def test_a_deed_on_something_else_than_the_agent_talked_about_is_a_task(message: str, title: str) -> None:
    talk = Talk()
    talk.create("rota", "shifts", schedule=Schedule(cron="0 6 * * *", time_zone="UTC", text="as now"))
    talk.classify_and_answer("show rota")
    talk.classify_and_answer(message)
    assert list(titles(talk)) == [title]
    [rota] = talk.agents()
    assert (rota.name, rota.schedule and rota.schedule.cron) == ("rota", "0 6 * * *")


def test_another_call_moves_no_call_that_is_on_the_list() -> None:
    talk = Talk()
    talk.classify_and_answer("call the vet tomorrow")
    talk.classify_and_answer("call the plumber on Friday at 10")
    assert titles(talk) == {"call the vet": "2026-01-31", "call the plumber": "2026-02-06"}


def test_the_same_call_at_another_time_is_moved() -> None:
    talk = Talk()
    talk.classify_and_answer("call the vet tomorrow")
    talk.classify_and_answer("call the vet on Monday")
    assert titles(talk) == {"call the vet": "2026-02-02"}


@pytest.mark.parametrize("message", ["call it late-shifts", "call the agent late-shifts"])
def test_what_is_called_by_a_name_gets_that_name(message: str) -> None:
    talk = Talk()
    talk.create("rota", "shifts")
    talk.classify_and_answer("show rota")
    talk.classify_and_answer(message)
    assert [agent.name for agent in talk.agents()] == ["late-shifts"]
    assert titles(talk) == {}
