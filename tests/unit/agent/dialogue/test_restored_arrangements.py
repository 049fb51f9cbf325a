"""Requests to restore what an agent had before a change, and states that are no names."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk

_MONDAYS = Schedule(cron="0 8 * * 1", time_zone="UTC", text="as now")


def moved() -> Talk:
    talk = Talk()
    talk.create("climate-alerts", "readings", schedule=_MONDAYS)
    talk.classify_and_answer("move climate-alerts to Sundays at 6 pm")
    return talk


def cron(talk: Talk) -> str:
    [agent] = talk.agents()
    assert agent.schedule is not None
    return agent.schedule.cron


@pytest.mark.parametrize(
    "message",
    [
        "Our conservator objects. Would you be so good as to restore the arrangement we had before?",
        "please restore the previous schedule",
        "reinstate its original times please",
        "My boss would rather go back to the arrangement we had before",
        "let's get back to the old arrangement please",
        "bring back the time we had before",
    ],
)
def test_a_former_arrangement_is_restored(message: str) -> None:
    talk = moved()
    talk.classify_and_answer(message)
    assert cron(talk) == "0 8 * * 1"


@pytest.mark.parametrize(
    "message",
    ["I'm back. the previous schedule was fine too", "what was the previous schedule?", "restore the backup"],
)
def test_other_words_of_a_former_schedule_change_nothing(message: str) -> None:
    talk = moved()
    talk.classify_and_answer(message)
    assert cron(talk) == "0 18 * * 0"


def test_a_deleted_agent_comes_back_after_another_was_moved() -> None:
    talk = moved()
    talk.create("room-check", "rooms", schedule=_MONDAYS)
    talk.classify_and_answer("delete room-check")
    talk.classify_and_answer("yes")
    talk.classify_and_answer("move climate-alerts to 9")
    talk.classify_and_answer("restore room-check")
    assert {one.name for one in talk.agents()} == {"climate-alerts", "room-check"}


@pytest.mark.parametrize(
    "message",
    [
        "wait. access-review lists people by name, make that one private again",
        "access-review lists people by name, make it private again",
        "access-review shows names, so make that one private",
    ],
)
def test_an_agent_that_lists_by_name_keeps_its_own(message: str) -> None:
    talk = Talk()
    talk.create("access-review", "people with access", schedule=_MONDAYS)
    talk.classify_and_answer("share access-review with everybody")
    talk.classify_and_answer(message)
    [agent] = talk.agents()
    assert (agent.name, agent.shared) == ("access-review", False)


def test_a_name_behind_by_the_name_of_is_given() -> None:
    talk = Talk()
    talk.create("access-review", "people with access", schedule=_MONDAYS)
    talk.classify_and_answer("rename access-review, it goes by the name of Door Watch now")
    assert [one.name for one in talk.agents()] == ["door-watch"]
