"""Facts told with words that only ask to keep them: listed, forgotten by name, asked back in other words."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def said(*messages: str) -> list[str]:
    talk = Talk()
    return [talk.classify_and_answer(message).text for message in messages]


@pytest.mark.parametrize(
    "told",
    [
        "Ravi works late on Mondays, make a mental note",
        "The staff meeting is on the first Tuesday of each month at 10. Nothing to set up, just so you know.",
        "You don't need to do anything with this: the fee is due on the 5th of each month",
        "Can you hold on to this for me? The policy number is TT-4410",
        "no reminder needed, the bins go out on Thursdays",
        "Grandpa is allergic to shellfish, don't forget",
        "The pool shuts at 8 on Sundays. I don't need a task, just keep it in mind.",
    ],
)
def test_a_fact_with_words_to_keep_it_is_noted_and_nothing_else_is_done(told: str) -> None:
    talk = Talk()
    reply = talk.classify_and_answer(told)

    assert reply.text.startswith("Noted")
    assert not reply.effects


@pytest.mark.parametrize(
    "asked", ["call the vet tomorrow, don't forget", "remind me to call Tom, keep that in mind"]
)
def test_what_is_to_be_done_is_no_fact(asked: str) -> None:
    assert said(asked)[0].startswith("Added to your list")


@pytest.mark.parametrize(
    "question",
    [
        "show me everything you've remembered for me",
        "list all the things you're keeping in mind",
        "what have you noted so far?",
        "which things did I ask you to remember?",
        "can you show me the notes you've taken?",
    ],
)
def test_all_that_was_to_be_kept_is_listed(question: str) -> None:
    listed = said("Remember that the boiler is a Vella", "also remember the filter is a B12", question)[-1]

    assert "Vella" in listed
    assert "B12" in listed


def test_a_question_for_noted_tasks_is_no_question_for_facts() -> None:
    assert "Vella" not in said("Remember that the boiler is a Vella", "show me the tasks you've noted")[-1]


@pytest.mark.parametrize("request_", ["forget the gate code", "you can forget about my gate code"])
def test_a_fact_is_forgotten_by_its_name(request_: str) -> None:
    _, asked, again = said("remember the gate code is 2580", request_, "what's the gate code?")

    assert "can't forget one sentence" in asked
    assert "2580" not in again


def test_a_task_is_not_mistaken_for_a_fact_to_forget() -> None:
    assert "can't forget one sentence" not in said("add a task buy paint", "forget the buy paint task")[-1]


@pytest.mark.parametrize(
    ("told", "question", "part"),
    [
        ("My nephew Iven is allergic to walnuts. Make a mental note.", "what is Iven not allowed to eat?",
         "walnuts"),
        ("keep in mind that Priya is vegetarian", "does Priya eat meat?", "vegetarian"),
        ("We decided to go with the blue tiles. Remember that.", "which tiles did we pick?", "blue"),
        ("add 'buy stamps' to my list and remember that the post office shuts at 5",
         "when does the post office close?", "shuts at 5"),
        ("The wifi password is tulip-44. Save that for me.", "wifi password?", "tulip-44"),
        ("remember the code for the bins is C45", "bins code pls", "C45"),
        ("my locker is number 212, remember that", "which locker is mine?", "212"),
        ("My blood group is 0 negative, keep it for me", "what blood type am I?", "negative"),
        ("Just so you know: I'm off every Friday", "which day am I off?", "Friday"),
    ],
)  # fmt: skip
def test_a_fact_is_found_by_other_words(told: str, question: str, part: str) -> None:
    assert part in said(told, question)[-1]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("our printer is a Canon", "who won the match yesterday?"),
        ("keep in mind that Priya is vegetarian", "is tofu vegetarian?"),
        ("remember the gate code is 2580", "what is the capital of Peru?"),
    ],
)
def test_a_question_on_something_else_quotes_no_fact(told: str, question: str) -> None:
    assert "You told me" not in said(told, question)[-1]


@pytest.mark.parametrize(
    ("told", "question", "part"),
    [
        ("fyi I charge 45 an hour", "so 6.5 hours would be?", "6.5 hours × 45 = 292.5"),
        ("the room costs 95 a night, remember that", "how much would 3 nights be?", "3 nights × 95 = 285"),
        ("hosting is 23 a month, remember that", "so how much a year?", "23 × 12 months = 276"),
        ("my rate is 0.11 per word", "900 words at 0.11, how much is it?", "900 words × 0.11 = 99.00"),
    ],
)
def test_a_price_told_before_is_reckoned_with(told: str, question: str, part: str) -> None:
    assert said(told, question)[-1] == part


@pytest.mark.parametrize(
    ("told", "correction", "question", "part"),
    [
        (
            "can you remember the alarm company's number is 0114 496 0412", "soz, got it wrong, it ends 0421",
            "what was the number of the alarm company again?", "0114 496 0421",
        ),
        ("remember the gate code is 4471", "I got that wrong, it's 4417", "what's the gate code?", "4417"),
        ("remember Ana's birthday is 12 May", "my mistake, it's the 21st", "when is Ana's birthday?", "21st"),
    ],
)  # fmt: skip
def test_a_fact_is_told_as_it_was_put_right(told: str, correction: str, question: str, part: str) -> None:
    talk = Talk()
    talk.classify_and_answer(told)
    talk.classify_and_answer(correction)
    assert part in talk.classify_and_answer(question).text
