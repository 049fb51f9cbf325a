"""What asks for nothing is acknowledged; the offer of a task is made for what could be one."""

from __future__ import annotations

import pytest

from agent.dialogue.talk import texts
from intent.acts.act import ActKind
from tests.fakes.data.act_session import ActTalk
from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    "remark",
    [
        "man this traffic is unbelievable",
        "One moment, the postman rings.",
        "not bad for the rain we had",
        "the kettle is broken again",
        "my tea was cold by the time",
        "phones ringing here, dog barking",
        "this chair isn't mine",
        "they were late as always",
    ],
)
def test_a_remark_is_acknowledged_and_a_yes_to_it_adds_nothing(remark: str) -> None:
    talk = ActTalk()
    reply = talk.act_in_full(remark, ActKind.NONE)
    assert reply.note.question is None
    assert "on your list" not in reply.text
    talk.act("yes", ActKind.YES)
    assert talk.tasks.list(talk.caller, completed=None)[0] == ()


@pytest.mark.parametrize(
    "words", ["three seperate ones", "the whole team", "the printer jammed again", "new cups for Tom"]
)
def test_words_without_a_deed_are_asked_about_and_offered_no_task(words: str) -> None:
    talk = ActTalk()
    reply = talk.act_in_full(words, ActKind.NONE)
    assert reply.text == texts.unclear_whole(words)
    assert reply.note.question is None


@pytest.mark.parametrize(
    "words", ["fix the printer in the hall", "call the plumber tomorrow", "the plumber at 10"]
)
def test_what_could_be_done_is_offered_as_a_task(words: str) -> None:
    reply = ActTalk().act_in_full(words, ActKind.NONE)
    assert "Should it go on your list" in reply.text


@pytest.mark.parametrize("greeting", ["hi", "hey", "hello", "hiya"])
def test_a_short_greeting_in_the_middle_is_returned(greeting: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add order shampoo to my list")

    assert "Hello" in talk.classify_and_answer(greeting).text


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ("Good morning!! Horrible rain here, my shoes are soaked", "Oh no"),
        ("my train was late again, typical", "Oh no"),
        ("Morning. Slept badly, my neighbours had a party", "Oh no"),
        ("my back hurts from all that sitting", "Oh no"),
        ("Hi! What a lovely sunny day, finally", "Lovely"),
        ("just had the best lunch ever", "Lovely"),
    ],
)
def test_a_remark_about_everyday_life_gets_a_word_of_sympathy_or_gladness(message: str, part: str) -> None:
    assert Talk().classify_and_answer(message).text.startswith(part)


def test_a_trouble_with_the_work_is_no_remark_about_everyday_life() -> None:
    said = Talk().classify_and_answer("the printer keeps losing orders from the shop").text
    assert not said.startswith(("Oh no", "Good to know"))
