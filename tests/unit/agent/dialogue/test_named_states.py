"""States that are said of agents without a command, and occasions that are told before one."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk


def talk_with_two() -> Talk:
    talk = Talk()
    talk.create(
        "cert-check",
        "certificates that run out",
        schedule=Schedule(cron="0 * * * *", time_zone="UTC", text="as now"),
    )
    talk.create(
        "disk-report",
        "disks that fill up",
        schedule=Schedule(cron="0 6 * * *", time_zone="UTC", text="as now"),
    )
    return talk


def paused(talk: Talk) -> set[str]:
    return {agent.name for agent in talk.agents() if agent.status.value == "paused"}


@pytest.mark.parametrize(
    "message",
    [
        "cert-check back on, disk-report stays off till I say so",
        "cert-check on again, the disk one stays off",
        "cert-check back on, disks off until further notice",
        "ok cert-check back on but disk-report remains paused",
        "cert-check on, disk-report keeps quiet till i say otherwise",
        "moved over. cert-check back on, the other one stays paused",
        "back on with cert-check, the other remains paused",
    ],
)
def test_an_agent_comes_back_and_the_other_one_stays_as_it_is(message: str) -> None:
    talk = talk_with_two()
    talk.classify_and_answer("pause both agents")
    talk.classify_and_answer(message)
    assert paused(talk) == {"disk-report"}


@pytest.mark.parametrize(
    "message",
    [
        "migration tonight. mute cert-check and disk-report, I don't want them yelling in the channel",
        "deploy today, hush cert-check and disk-report",
        "stop cert-check and disk-report, we're moving servers",
        "cert-check off and disk-report off",
    ],
)
def test_both_named_agents_are_paused_whatever_reason_stands_around_them(message: str) -> None:
    talk = talk_with_two()
    reply = talk.classify_and_answer(message)
    assert paused(talk) == {"cert-check", "disk-report"}
    assert "delete" not in reply.text


@pytest.mark.parametrize(
    "message",
    [
        "forecast call at 10, run disk-report now pls",
        "board meeting in 20 minutes - run disk-report",
        "big audit tomorrow at 9! run disk-report please",
    ],
)
def test_an_occasion_told_before_a_command_asks_for_nothing(message: str) -> None:
    reply = talk_with_two().classify_and_answer(message).text
    assert reply.startswith("Started disk-report")
    assert "list" not in reply


@pytest.mark.parametrize(
    "message", ["cert-check at 10 from now on", "cert-check on Fridays at 7", "cert-check needn't be paused"]
)
def test_a_time_and_a_denial_are_no_state(message: str) -> None:
    talk = talk_with_two()
    talk.classify_and_answer(message)
    assert paused(talk) == set()


def test_what_is_to_be_remembered_beside_a_command_is_a_task() -> None:
    talk = talk_with_two()
    talk.classify_and_answer("remind me of the dentist at 10, and run disk-report")
    assert [task.title for task in talk.tasks.list(talk.caller, limit=9)[0]] == ["the dentist"]
