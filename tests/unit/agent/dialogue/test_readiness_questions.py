"""Questions whether an agent works, why it is paused and when it runs next are answered from what is so."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

REQUEST = "every day at 9 list new orders from Shopify here"


def talk_with_agent() -> Talk:
    talk = Talk()
    talk.classify_and_answer(REQUEST)
    return talk


@pytest.mark.parametrize(
    "say",
    [
        "what does it need before it works?",
        "what's missing for it to work?",
        "what does it still need to start?",
        "does that already work now?",
        "is it ready?",
        "does it work yet?",
        "is it working already?",
        "what do I have to do before it works?",
    ],
)
def test_what_it_lacks_is_said(say: str) -> None:
    reply = talk_with_agent().classify_and_answer(say)
    assert "connect Shopify" in reply.text


@pytest.mark.parametrize("say", ["does it run on Sundays?", "what does it read?", "is it paused?"])
def test_other_questions_are_answered_as_before(say: str) -> None:
    reply = talk_with_agent().classify_and_answer(say)
    assert "connect Shopify" not in reply.text


@pytest.mark.parametrize(
    "say", ["why is it paused?", "why is the Shopify one off?", "why's it not active, is it stopped?"]
)
def test_who_paused_it_is_told(say: str) -> None:
    talk = talk_with_agent()
    talk.classify_and_answer("pause it, we close for a week")
    reply = talk.classify_and_answer(say)
    assert "You paused" in reply.text
    assert "we close for a week" in reply.text


def test_an_active_agent_is_not_explained_as_paused() -> None:
    reply = talk_with_agent().classify_and_answer("why is it paused?")
    assert "isn't paused" in reply.text


@pytest.mark.parametrize("say", ["when does it run next?", "and when will it run next", "when will it run?"])
def test_without_agents_there_is_none_to_run(say: str) -> None:
    reply = Talk().classify_and_answer(say)
    assert "You don't have any agents yet" in reply.text


def test_the_next_time_is_said() -> None:
    reply = talk_with_agent().classify_and_answer("when does it run next?")
    assert "next runs" in reply.text


@pytest.mark.parametrize(
    "say",
    [
        "pause it from tomorrow until Friday",
        "pause it starting next Monday",
        "please pause it as of Thursday",
    ],
)
def test_a_pause_that_begins_later_is_not_done_at_once(say: str) -> None:
    talk = talk_with_agent()
    reply = talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.status == "active"
    assert "Shall I pause it now" in reply.text
    talk.classify_and_answer("yes")
    [agent] = talk.agents()
    assert agent.status == "paused"


@pytest.mark.parametrize("say", ["pause it until Friday", "pause it from now until Friday", "pause it"])
def test_a_pause_that_begins_now_is_done(say: str) -> None:
    talk = talk_with_agent()
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.status == "paused"
