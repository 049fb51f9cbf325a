"""What was told is found by a question in other words, and a fact or a remark is acknowledged."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def replies(*messages: str) -> list[str]:
    talk = Talk()
    return [talk.classify_and_answer(message).text for message in messages]


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("The printer upstairs is called Mabel and the one in the basement is Otto. Please remember both.",
         "What's the name of the basement printer?", "Otto"),
        ("Hi, I'm Deniz by the way and I run the night shift", "do you remember which shift I run?", "night"),
        ("Would you kindly memorise that our vegan guests sit at table nine?",
         "Thank you. At which table are the vegans sitting?", "“our vegan guests sit at table nine”"),
        ("I look after the greenhouse on Fridays", "which building do I look after?", "greenhouse"),
        ("Our oven's a Rational, model SCC 61", "which model is our oven?", "SCC 61"),
        ("The spare fuses are in the tin on the top shelf", "where are the spare fuses?", "tin"),
        ("My daughter Elif is allergic to walnuts. Make a mental note.", "what is Elif not allowed to eat?",
         "walnuts"),
    ],
)  # fmt: skip
def test_a_question_in_other_words_finds_what_was_told(told: str, asked: str, answer: str) -> None:
    assert answer in replies(told, asked)[-1]


def test_the_corrected_number_is_told_and_the_wrong_one_is_not() -> None:
    *_, said = replies(
        "our parkng space is number 48, remember", "oops no, it's 84", "which parking space is ours?"
    )
    assert "84" in said
    assert "48" not in said


@pytest.mark.parametrize(
    ("told", "asked", "quoted"),
    [
        ("the boiler was serviced by Halvorsen", "what is a boiler?", "Halvorsen"),
        ("I run the night shift", "do you work at night?", "night shift"),
        ("our vegan guests sit at table nine", "how many vegans are there in Germany?", "table nine"),
        ("our parking space is number 48", "what's on my list?", "48"),
        ("Our hall seats 220 people", "how many people can use this workspace?", "220"),
        ("Our cleaner comes on Wednesdays", "what's the weather on Wednesday?", "cleaner"),
    ],
)
def test_a_question_about_something_else_quotes_nothing(told: str, asked: str, quoted: str) -> None:
    assert quoted not in replies(told, asked)[-1]


@pytest.mark.parametrize(
    "said",
    [
        "would it be possible for you to memorize that table 4 wobbles?",
        "is it ok if you keep in your head that Sam's on holiday till the 9th?",
        "The goats are in the upper field now",
        "the boss is generous this year",
        "haha the singer is my brother in law, that's why it's so cheap",
    ],
)
def test_what_asks_for_nothing_is_acknowledged(said: str) -> None:
    reply = replies("12 + 30", said)[-1]
    assert not any(
        words in reply for words in ("done nothing", "what to check", "search engine", "don't find")
    )
