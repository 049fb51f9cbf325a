"""Instructions of an agent that are put right, and told."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def _instructed(message: str = "and it should leave out anything under 10 pounds") -> Talk:
    talk = Talk()
    talk.create("orders-am", "new orders since yesterday")
    talk.classify_and_answer("what does orders-am do?")
    talk.classify_and_answer(message)
    return talk


def _instructions(talk: Talk) -> str:
    return talk.agents()[0].instructions


@pytest.mark.parametrize(
    "message",
    [
        "and it should leave out anything under 10 pounds",
        "oh and it should leave out anything under 10 pounds",
        "ok, but it should leave out anything under 10 pounds",
    ],
)
def test_an_instruction_is_kept_without_the_words_that_join_it(message: str) -> None:
    assert _instructions(_instructed(message)) == "it should leave out anything under 10 pounds"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("no, under 15", "it should leave out anything under 15 pounds"),
        ("sorry, 15", "it should leave out anything under 15 pounds"),
        ("actually under 15 pounds", "it should leave out anything under 15 pounds"),
        ("no wait, make that 20", "it should leave out anything under 20 pounds"),
        ("oops, I meant below 12.50", "it should leave out anything below 12.50 pounds"),
        ("hmm no, over 15", "it should leave out anything over 15 pounds"),
        ("make it under 15 rather", "it should leave out anything under 15 pounds"),
    ],
)
def test_another_number_replaces_the_one_just_told(message: str, expected: str) -> None:
    talk = _instructed()
    reply = talk.classify_and_answer(message)
    assert _instructions(talk) == expected
    assert expected in reply.text


@pytest.mark.parametrize("message", ["no, at 15:00", "no, mondays", "thanks", "also list the 3 oldest"])
def test_other_words_leave_the_instruction(message: str) -> None:
    talk = _instructed()
    talk.classify_and_answer(message)
    assert "it should leave out anything under 10 pounds" in _instructions(talk)


@pytest.mark.parametrize(
    "message",
    ["what does it do now, read it back to me", "what does orders-am do?", "show me orders-am"],
)
def test_what_an_agent_does_tells_its_instructions(message: str) -> None:
    talk = _instructed()
    talk.classify_and_answer("no, under 15")
    assert "leave out anything under 15 pounds" in talk.classify_and_answer(message).text


@pytest.mark.parametrize(
    "message",
    [
        "orders-am lists all orders, but what we need is only those over 100 pounds. Could you change that?",
        "orders-am shows all orders, but we only need the ones over 100 pounds. Can you change that please?",
        "right now orders-am reports it all, but I only want orders over 100 pounds. please change it",
    ],
)
def test_what_is_needed_instead_becomes_an_instruction(message: str) -> None:
    talk = Talk()
    talk.create("orders-am", "new orders since yesterday")
    reply = talk.classify_and_answer(message)
    assert "only" in _instructions(talk)
    assert "100 pounds" in _instructions(talk)
    assert "change" not in _instructions(talk)
    assert "now follows" in reply.text
