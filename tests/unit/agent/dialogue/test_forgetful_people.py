"""People who forget things, or have too much to do: a reminder is offered, or a list is kept."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def titles(talk: Talk) -> list[str]:
    tasks, _ = talk.tasks.list(talk.caller, completed=None, limit=100)
    return sorted(task.title for task in tasks)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("I keep forgetting to descale the coffee machine", "descale the coffee machine"),
        ("we never remember to lock the shed", "lock the shed"),
        ("I'm forever forgetting to charge the scanner", "charge the scanner"),
        ("I forgot to feed the sourdough again", "feed the sourdough"),
    ],
)
def test_a_task_is_offered_for_what_is_forgotten_again_and_again(said: str, title: str) -> None:
    talk = Talk()
    assert f"“{title}”" in talk.classify_and_answer(said).text
    assert titles(talk) == []
    talk.classify_and_answer("yes please")
    assert titles(talk) == [title]


def test_a_yes_may_say_when() -> None:
    talk = Talk()
    talk.classify_and_answer("I keep forgetting to descale the coffee machine")
    assert "Mondays" in talk.classify_and_answer("yes please, every monday at 9").text
    assert titles(talk) == ["descale the coffee machine"]
    assert talk.agents() == []


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("not sure I'm right here. I must not forget to return the skates by friday", "return the skates"),
        ("don't know what to type, just can't miss the vet on monday at 4", "the vet"),
        ("i dont realy no how this works. mustn't forgett the choir concert sunday 6pm", "the choir concert"),
    ],
)
def test_what_must_not_be_forgotten_is_a_task(said: str, title: str) -> None:
    talk = Talk()
    talk.classify_and_answer(said)
    assert titles(talk) == [title]


@pytest.mark.parametrize(
    "said",
    [
        "I've got a thousand things in my head",
        "so much to do, I don't know where to start",
        "my head is like a sieve, I forget everything",
        "everything is on sticky notes and half of them get lost",
    ],
)
def test_people_with_too_much_to_do_are_asked_for_it(said: str) -> None:
    talk = Talk()
    assert "to-do list" in talk.classify_and_answer(said).text
    talk.classify_and_answer(
        "ring the optician, pay the gas bill, write to Mr Hahn. please keep these for me"
    )
    assert titles(talk) == ["pay the gas bill", "ring the optician", "write to Mr Hahn"]


def test_a_yes_to_the_question_for_tasks_is_no_task() -> None:
    talk = Talk()
    talk.classify_and_answer("everything is on sticky notes and half of them get lost")
    talk.classify_and_answer("yes")
    assert titles(talk) == []


def test_a_list_before_the_request_to_keep_it_is_added() -> None:
    talk = Talk()
    said = talk.classify_and_answer("book the hall, order the cake. can you write those down for me?")
    assert titles(talk) == ["book the hall", "order the cake"]
    assert "did not do" not in said.text


@pytest.mark.parametrize(
    "said",
    [
        "I never forget a face",
        "I must not forget that the office is closed on friday",
        "our team keeps forgetting to log their hours in Harvest",
    ],
)
def test_other_words_on_forgetting_add_and_offer_no_task(said: str) -> None:
    talk = Talk()
    assert "on your list" not in talk.classify_and_answer(said).text
    assert titles(talk) == []


def test_a_misspelt_request_to_remember_a_fact_keeps_it() -> None:
    talk = Talk()
    assert (
        "list"
        not in talk.classify_and_answer("fyi momo the cat is scared of hoovers, remeber that for me").text
    )
    assert "hoovers" in talk.classify_and_answer("what is momo scared of?").text


def test_can_you_remind_me_is_a_reminder_and_to_be_reminded_of_an_answer_is_not() -> None:
    talk = Talk()
    talk.classify_and_answer("can you remind me to take my drops every evening at 8?")
    assert titles(talk) == ["take my drops"]
    talk.classify_and_answer("remind me, what did I set up?")
    assert titles(talk) == ["take my drops"]
