"""What the service is for and who sees what is in it, however it is asked."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

_ANSWER = "Set up agents that watch, report and take chores off your hands"


@pytest.mark.parametrize(
    "message",
    [
        "hiya, i run a little flower shop. what is it you actually do?",
        "Nephew set this up. What's it good for?",
        "Hello! My boss told me to log in here. What do you actually do?",
        "we are three people in a garage. so what exactly do you do?",
        "my daughter installed this for me. What is it for?",
        "Good morning. I'm new. What is this good for?",
        "hey. what is it that you do?",
        "hi there, bakery here. what can you do for me?",
        "what is it you do?",
        "Someone in IT gave me this link. What are you for?",
        "ok I'm in. what do I use this for?",
    ],
)
def test_the_sentence_that_asks_decides(message: str) -> None:
    assert Talk().classify_and_answer(message).text.startswith(_ANSWER)


@pytest.mark.parametrize(
    "message",
    [
        "I have a headache. What is ibuprofen good for?",
        "my neighbour sells bikes. what is a derailleur for?",
        "what does a notary do?",
    ],
)
def test_a_thing_of_the_world_is_none_of_ours(message: str) -> None:
    assert _ANSWER not in Talk().classify_and_answer(message).text


def test_what_an_agent_is_for_is_asked_of_the_agent() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "Set up an agent tide-watch that reads the tide tables from Notion daily at 8 am and tells me here"
    )
    assert "tide-watch" in talk.classify_and_answer("what does it do?").text


@pytest.mark.parametrize(
    "message",
    ["who can see my tasks?", "can my boss see my to-do list?", "do colleagues see what is on my list"],
)
def test_who_else_sees_a_list_is_no_request_for_the_list(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add call Ana")

    answer = talk.classify_and_answer(message).text

    assert answer.startswith("Colleagues and your boss can't open your chats or your tasks.")


@pytest.mark.parametrize("message", ["can I see my tasks?", "are there open tasks?"])
def test_what_the_user_wants_to_see_is_listed(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add call Ana")
    assert "call Ana" in talk.classify_and_answer(message).text


def test_what_happens_without_a_connection_is_answered_and_the_agent_goes_on() -> None:
    talk = Talk()
    talk.classify_and_answer("set up an agent that chases unpaid invoices in Xero every monday at 9")

    answer = talk.classify_and_answer("hmm what happens if nobody connects xero?").text

    assert answer.startswith("The agent is saved and keeps its schedule")
    assert answer.endswith("Where should I send the results: by e-mail, to Slack or here?")
