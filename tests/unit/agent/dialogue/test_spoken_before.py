"""Commands on "it" behind a sentence that describes an agent, and questions about all the others."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk


def talk_with_three() -> Talk:
    talk = Talk()
    for name, cron in (
        ("inbox-recap", "0 7 * * *"),
        ("invoice-chaser", "0 9 * * 1"),
        ("kpi-digest", "0 5 * * *"),
    ):
        talk.create(
            name, name.replace("-", " "), schedule=Schedule(cron=cron, time_zone="UTC", text="as now")
        )
    return talk


def paused(talk: Talk) -> list[str]:
    return [one.name for one in talk.agents() if one.status.value == "paused"]


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (
            "FIVE IN THE MORNING and that damn kpi thing again. pause it, I've a newborn in the house",
            "kpi-digest",
        ),
        ("the invoice chaser keeps mailing people who paid already. stop it", "invoice-chaser"),
        ("the kpi report was in my mail again! turn it off", "kpi-digest"),
    ],
)
def test_the_agent_that_is_described_before_a_command_gets_it(message: str, name: str) -> None:
    talk = talk_with_three()
    talk.classify_and_answer("show inbox-recap")
    talk.classify_and_answer(message)
    assert paused(talk) == [name]


@pytest.mark.parametrize("message", ["our kpis are bad this week. pause it", "ok, pause it"])
def test_it_is_the_agent_talked_about_where_no_other_is_described(message: str) -> None:
    talk = talk_with_three()
    talk.classify_and_answer("show inbox-recap")
    talk.classify_and_answer(message)
    assert paused(talk) == ["inbox-recap"]


def test_what_only_shares_a_word_with_a_name_is_asked_about() -> None:
    talk = talk_with_three()
    assert talk.classify_and_answer("Tom's invoice came again. pause it").text.startswith("Which one")
    assert paused(talk) == []


@pytest.mark.parametrize(
    "question",
    ["are the other two still on?", "do the others still run?", "when do the other two run?",
     "the other two still run, yes?"],
)  # fmt: skip
def test_a_question_about_the_others_is_answered_for_all_of_them(question: str) -> None:
    talk = talk_with_three()
    talk.classify_and_answer("pause kpi-digest")
    reply = talk.classify_and_answer(question).text
    assert "inbox-recap" in reply
    assert "invoice-chaser" in reply
    assert "Which one" not in reply


def test_the_other_one_of_several_is_asked_about() -> None:
    talk = talk_with_three()
    talk.classify_and_answer("pause kpi-digest")
    assert talk.classify_and_answer("show me the other one").text.startswith("Which one")


@pytest.mark.parametrize(
    "message",
    [
        "kpi-digest stopped working",
        "kpi-digest stopped by itself yesterday",
        "the kpi report woke me up again!",
        "kpi-digest ran twice",
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_paused", [True, False])
def test_what_is_told_of_an_agents_past_is_done_to_none(message: str, is_paused: bool) -> None:
    talk = talk_with_three()
    talk.classify_and_answer("pause kpi-digest" if is_paused else "show kpi-digest")
    talk.classify_and_answer(message)
    assert paused(talk) == ["kpi-digest"] * is_paused


def test_a_command_behind_what_is_told_is_carried_out() -> None:
    talk = talk_with_three()
    reply = talk.classify_and_answer("the kpi one ran without data, run it again").text
    assert reply.startswith("Started kpi-digest")
