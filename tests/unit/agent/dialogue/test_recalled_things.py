"""What people ask of earlier conversations: what they had set up and when, what they told and corrected."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

_DAY_S = 86_400
_SALES = (
    "Every Monday at 7:30 please email last week's ticket sales from Eventbrite to nora@brightlights.events"
)


def _later(*messages: str, days: int = 6) -> Talk:
    """Return a talk in a new conversation, days after the messages were said in another one."""
    talk = Talk()
    for message in messages:
        talk.classify_and_answer(message)
    talk.history.clear()
    talk.clock.advance(days * _DAY_S)
    return talk


@pytest.mark.parametrize(
    "question",
    [
        "Hi again! What did I have you set up last week?", "what did I get you to do the other day?",
        "what did you set up for me last week", "what was it you set up for me on that last time?",
    ],
)  # fmt: skip
def test_what_somebody_had_set_up_is_named(question: str) -> None:
    assert "eventbrite" in _later(_SALES).classify_and_answer(question).text.lower()


@pytest.mark.parametrize(
    "question",
    ["what day did I do that?", "when did I set that up?", "and when was that made?", "when did we make it?"],
)
def test_the_day_on_which_it_was_made_is_told(question: str) -> None:
    talk = _later(_SALES)
    talk.classify_and_answer("what did I have you set up last week?")

    assert "on Friday, January 30" in talk.classify_and_answer(question).text


@pytest.mark.parametrize(
    "thanks", ["Thank you, that will save me an hour", "cheers, that'll spare us a lot of trouble",
               "great, this is going to help my team", "thanks! that saves me the whole morning"],
)  # fmt: skip
def test_what_good_it_does_asks_for_nothing(thanks: str) -> None:
    talk = Talk()
    talk.classify_and_answer(_SALES)

    answer = talk.classify_and_answer(thanks)

    assert not answer.note.question
    assert "?" not in answer.text


@pytest.mark.parametrize(
    ("told", "corrected", "question", "part"),
    [
        ("The budget for the Easter party is 450 euros", "No wait, 520. Petra gave us a bit more",
         "What budget did I tell you for the party?", "520"),
        ("the plumber charges 60 an hour", "sorry, 65. he put it up in January",
         "what does the plumber charge?", "65"),
        ("Our meeting room is booked for 12 people", "hmm actually 14, two more are coming",
         "how many people is the meeting room booked for?", "14"),
        ("my locker is number 31", "oops, it's 13. I mixed them up", "which number is my locker?", "13"),
    ],
)  # fmt: skip
def test_a_fact_is_told_with_its_correction_whatever_else_was_said(
    told: str, corrected: str, question: str, part: str
) -> None:
    talk = Talk()
    for message in (told, corrected, "please remind me on 30 March to buy the eggs"):
        talk.classify_and_answer(message)

    assert part in talk.classify_and_answer(question).text


@pytest.mark.parametrize(
    ("more", "part"),
    [
        ("and where does it get the numbers from?", "Stripe"), ("and when does it run?", "8:00 AM"),
        ("where does that go?", "here"), ("is it paused?", "active"),
    ],
)  # fmt: skip
def test_a_question_goes_on_from_the_agent_that_was_recalled(more: str, part: str) -> None:
    talk = Talk()
    talk.create("stock", "low stock")
    talk.classify_and_answer(
        "Make an agent named refund-radar: refunds over 200 dollars from Stripe, daily at 8am, show me here"
    )
    talk.classify_and_answer("cool cool")
    talk.classify_and_answer("add a task: call Bea")
    assert "refund-radar" in talk.classify_and_answer("what did i call the thing i made for refunds?").text

    assert part in talk.classify_and_answer(more).text


@pytest.mark.parametrize(
    "question", ["which flat are the Okafors in, did I tell you?", "what floor did I say the Okafors are on?"]
)
def test_a_request_is_no_fact_about_something_else(question: str) -> None:
    talk = Talk()
    talk.classify_and_answer("put ring Mrs Okafor about the keys on my list for tomorrow")

    answer = talk.classify_and_answer(question).text

    assert not answer.startswith("You told me")
    assert "don't find" in answer or "n't told me" in answer


def test_a_fact_is_found_by_what_it_says_once_it_was_told() -> None:
    talk = Talk()
    talk.classify_and_answer("put ring Mrs Okafor about the keys on my list for tomorrow")
    talk.classify_and_answer("which flat are the Okafors in, did I tell you?")
    talk.classify_and_answer("right. it's flat 3C, third floor")

    assert "3C" in talk.classify_and_answer("what flat was it again for the Okafors?").text


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("what was the name of that agent I made for the sales?", "eventbrite-sales"),
        ("which address did I give for it?", "nora@brightlights.events"),
        ("did I say Mondays or every day?", "Mondays"),
        ("what time did I pick again?", "7:30 AM"),
    ],
)
def test_what_is_not_found_in_earlier_words_is_read_off_the_agent(question: str, part: str) -> None:
    assert part in _later(_SALES).classify_and_answer(question).text


@pytest.mark.parametrize(
    ("said", "question", "part"),
    [
        (_SALES, "what did you say it still needs?", "connect Eventbrite"),
        ("I parked on level 4, bay 212", "what did I just say?", "I parked on level 4"),
        (
            "add buy milk, call Ana and book the van to my list",
            "what did I put on my list just now?",
            "call Ana",
        ),
    ],
)
def test_what_was_just_said_is_repeated(said: str, question: str, part: str) -> None:
    talk = Talk()
    talk.classify_and_answer(said)

    assert part in talk.classify_and_answer(question).text


def test_what_the_user_did_is_told_from_what_is_stored() -> None:
    talk = Talk()
    talk.create("rent", "late rent")
    for message in ("add buy milk and call Ana to my list", "tick off the milk", "rename rent to late-rent"):
        talk.classify_and_answer(message)
    talk.clock.advance(_DAY_S)

    assert talk.classify_and_answer("what did I tick off?").text == "You ticked off “buy milk”."
    assert "Yesterday I changed rent" in talk.classify_and_answer("what did I change yesterday?").text
    assert talk.classify_and_answer("when did I rename it?").text == "You changed late-rent yesterday."
    talk.classify_and_answer("delete late-rent")
    talk.classify_and_answer("yes")
    assert "You deleted late-rent." in talk.classify_and_answer("which one did I delete?").text


def test_changes_of_tasks_are_told_with_what_they_made() -> None:
    talk = Talk()
    for message in ("add call Ana for tomorrow", "move it to tuesday", "move it to wednesday"):
        talk.classify_and_answer(message)

    last = talk.classify_and_answer("what did I just change?").text
    of_today = talk.classify_and_answer("what did I change today?").text

    assert last == "Today I changed the task “call Ana”: now due Wednesday, February 4."
    assert of_today == f"Today I changed the task “call Ana”: now due Tuesday, February 3.\n{last}"


@pytest.mark.parametrize(
    "question",
    [
        "Hi, last week I let you make something but honestly I forgot what exactly. What was it?",
        "what did I have you set up last week?",
    ],
)
def test_what_was_set_up_is_told_with_its_job(question: str) -> None:
    said = _later(_SALES).classify_and_answer(question).text

    assert "eventbrite" in said.lower()
    assert "ticket sales" in said
