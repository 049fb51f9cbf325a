"""What people say when they come back: a paused agent goes on, questions are answered, nothing is made."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Agent, AgentStatus
from tests.fakes.data.chat_session import Talk

DAILY = {"cron": "0 8 * * *", "text": "Daily at 8:00 AM", "time_zone": "UTC"}
ACTIVE, PAUSED = AgentStatus.ACTIVE, AgentStatus.PAUSED


def talk_with(*names: str) -> Talk:
    talk = Talk()
    for name in names:
        talk.create(name, f"what {name.partition('-')[0]} is about", sources=["deputy"], schedule=DAILY)
    return talk


def told(talk: Talk, *messages: str) -> str:
    """Return the last reply to several messages."""
    return [talk.classify_and_answer(message) for message in messages][-1].text


def agents(talk: Talk) -> dict[str, Agent]:
    return {agent.name: agent for agent in talk.agents()}


@pytest.mark.parametrize(
    "words",
    [
        "ok im back.. start it agian",
        "turn it on again",
        "Good morning again. Please set shift-gaps going once more.",
        "start shift-gaps again please",
        "switch it back on",
        "the holidays are over. Can it go again?",
        "could it run again please",
        "get shift-gaps going again",
    ],
)
def test_the_paused_agent_goes_on_and_starts_no_run(words: str) -> None:
    talk = talk_with("shift-gaps", "missed-visits")
    told(talk, "pause shift-gaps", "is missed-visits still on?")
    if "shift-gaps" not in words and "it" in words.split() and "again?" in words:
        told(talk, "show me shift-gaps")
    assert "Started" not in told(talk, words)
    assert agents(talk)["shift-gaps"].status is ACTIVE


def test_it_is_the_agent_asked_about_while_that_is_paused_itself() -> None:
    talk = talk_with("shift-gaps", "missed-visits", "leads")
    told(talk, "pause shift-gaps", "pause leads", "is leads off?", "start it again")
    assert agents(talk)["leads"].status is ACTIVE
    assert agents(talk)["shift-gaps"].status is PAUSED


@pytest.mark.parametrize(
    "words",
    [
        "no hold on payroll still needs leads-old put that one back",
        "hold on, shift-gaps is used by payroll",
        "oh hold on a sec",
        "wait, hang on, what does shift-gaps read?",
        "Hold on, the door",
    ],
)
def test_hold_on_pauses_nothing(words: str) -> None:
    talk = talk_with("shift-gaps", "leads-old")
    told(talk, "delete leads-old", "yes", words)
    assert agents(talk)["shift-gaps"].status is ACTIVE


@pytest.mark.parametrize(
    "words", ["put shift-gaps on hold", "hold off on shift-gaps", "put shift-gaps on ice"]
)
def test_on_hold_pauses(words: str) -> None:
    talk = talk_with("shift-gaps", "leads")
    told(talk, words)
    assert agents(talk)["shift-gaps"].status is PAUSED


@pytest.mark.parametrize(
    "words", ["same time though right", "still the same time, right?", "at the same time as before, yeah?"]
)
def test_making_sure_of_a_part_says_it_and_makes_nothing(words: str) -> None:
    talk = talk_with("shift-gaps", "leads")
    assert "8:00 AM" in told(talk, "make shift-gaps run on Mondays", words)
    assert len(agents(talk)) == 2


@pytest.mark.parametrize(
    "words",
    [
        "from now on mention the postcode too",
        "please always put the oldest at the top",
        "skip the ones from France",
        "it should also show the names",
        "only the critical issues, not all of them",
    ],
)
def test_what_is_said_as_an_instruction_is_one(words: str) -> None:
    talk = talk_with("shift-gaps", "leads")
    told(talk, "show shift-gaps", words)
    assert agents(talk)["shift-gaps"].instructions == words.removeprefix("please ")


@pytest.mark.parametrize(
    "words",
    [
        "shift-gaps deserves a better name. Let it be gaps. With an s, I should say.",
        "The agent called shift-gaps is a bit much for the heating man.",
        "shift-gaps is a thing of its own, I think",
        "the shift-gaps one, with a hyphen",
        "only the new one, the old one's dead",
    ],
)
def test_what_is_not_understood_of_an_agent_never_becomes_its_instruction(words: str) -> None:
    talk = talk_with("shift-gaps", "leads")
    told(talk, "show shift-gaps", words, "Yes, by all means")
    assert [agent.instructions for agent in talk.agents()] == ["", ""]
