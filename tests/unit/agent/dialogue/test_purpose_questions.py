"""What the service is for, asked behind a greeting or a word about oneself."""

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
