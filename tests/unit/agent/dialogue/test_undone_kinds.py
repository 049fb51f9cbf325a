"""Undo that names a kind of change takes back that change and nothing else."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Agent
from tests.fakes.data.chat_session import Talk

WEEKDAYS = {"cron": "0 8 * * 1-5", "text": "Weekdays at 8:00 AM", "time_zone": "UTC"}


def talk_with_two() -> Talk:
    talk = Talk()
    for name in ("thanks", "rota"):
        talk.create(name, f"what {name} is about", sources=["deputy"], schedule=WEEKDAYS)
    return talk


def state(talk: Talk) -> dict[str, tuple[str, str]]:
    return {agent.name: (agent.status.value, _cron(agent)) for agent in talk.agents()}


def _cron(agent: Agent) -> str:
    return agent.schedule.cron if agent.schedule else ""


@pytest.mark.parametrize(
    "undo",
    [
        "hang on, undo the pause, we still have the august camp",
        "take back the pause please, the time is right",
        "wait, revert the pausing",
        "undo that pause",
        "undo that but keep the new time",
    ],
)
@pytest.mark.parametrize(
    "deeds", ["move thanks to 10am and pause rota", "pause rota and move thanks to 10am"]
)
def test_a_pause_is_undone_and_the_other_change_of_the_message_stays(deeds: str, undo: str) -> None:
    talk = talk_with_two()
    talk.classify_and_answer(deeds)

    said = talk.classify_and_answer(undo)

    assert state(talk) == {"thanks": ("active", "0 10 * * 1-5"), "rota": ("active", "0 8 * * 1-5")}
    assert said.text == "Undone: rota is active again."


def test_the_time_is_undone_and_the_pause_stays() -> None:
    talk = talk_with_two()
    talk.classify_and_answer("pause rota and move thanks to 10am")

    talk.classify_and_answer("undo the time change please")

    assert state(talk) == {"thanks": ("active", "0 8 * * 1-5"), "rota": ("paused", "0 8 * * 1-5")}


def test_a_pause_of_an_earlier_message_is_undone_beside_a_later_change_of_the_same_agent() -> None:
    talk = talk_with_two()
    talk.classify_and_answer("pause rota")
    talk.classify_and_answer("move rota to 10am")

    talk.classify_and_answer("undo the pause")

    assert state(talk)["rota"] == ("active", "0 10 * * 1-5")


def test_sharing_is_undone_alone() -> None:
    talk = talk_with_two()
    talk.classify_and_answer("pause rota and share thanks")

    talk.classify_and_answer("no wait, undo the sharing, she is new here")

    assert state(talk)["rota"][0] == "paused"
    assert not any(agent.shared for agent in talk.agents())


def test_without_such_a_change_nothing_is_undone() -> None:
    talk = talk_with_two()
    talk.classify_and_answer("move thanks to 10am")

    said = talk.classify_and_answer("undo the pause")

    assert said.text == "I find no pause to take back here. To undo the last change, say “undo”."
    assert state(talk)["thanks"] == ("active", "0 10 * * 1-5")


def test_undo_alone_takes_back_all_of_the_message() -> None:
    talk = talk_with_two()
    talk.classify_and_answer("move thanks to 10am and pause rota")

    talk.classify_and_answer("undo that please")

    assert set(state(talk).values()) == {("active", "0 8 * * 1-5")}


@pytest.mark.parametrize(
    "undo", ["undo the task", "undo the reminder, not the time", "undo it, but keep the new time"]
)
def test_a_task_is_undone_and_the_time_of_an_agent_stays(undo: str) -> None:
    talk = talk_with_two()
    talk.classify_and_answer("move thanks to 10am and add a task to ring Bo")

    said = talk.classify_and_answer(undo)

    assert said.text == "Undone: “ring Bo” is removed."
    assert state(talk)["thanks"] == ("active", "0 10 * * 1-5")


def test_a_new_name_is_undone_alone() -> None:
    talk = talk_with_two()
    talk.classify_and_answer("rename rota to shifts, and thanks should go out at 9")

    talk.classify_and_answer("undo the rename")

    assert state(talk) == {"thanks": ("active", "0 9 * * 1-5"), "rota": ("active", "0 8 * * 1-5")}


def test_what_is_kept_beside_an_undo_is_no_request_of_its_own() -> None:
    talk = talk_with_two()
    talk.classify_and_answer("pause rota and run thanks at 7 from now on")

    assert talk.classify_and_answer("undo the pause, keep 7").text == "Undone: rota is active again."


@pytest.mark.parametrize(
    "words",
    [
        "On second thought please undo the rename",
        "undo the rename, everyone knows it by the old name only",
        "hm, undo that renaming, the old one was clearer",
    ],
)
def test_a_kind_of_change_is_undone_later_and_whatever_the_reason(words: str) -> None:
    talk = Talk()
    for name in ("churn-watch", "nps-digest"):
        talk.create(name)
    for message in ("pause churn-watch and rename nps-digest to nps-weekly", "show me my agents"):
        talk.classify_and_answer(message)
    assert talk.classify_and_answer(words).text == "Undone: the agent is called nps-digest again."
    assert {agent.name: agent.status.value for agent in talk.agents()} == {
        "churn-watch": "paused",
        "nps-digest": "active",
    }
