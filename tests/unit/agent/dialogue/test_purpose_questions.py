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


@pytest.mark.parametrize(
    "message",
    ["I was told you could save me time. Convince me.", "Why should I bother with you?", "Sell it to me."],
)
def test_who_wants_to_be_won_over_is_told_what_it_does(message: str) -> None:
    assert Talk().classify_and_answer(message).text.startswith(_ANSWER)


@pytest.mark.parametrize("message", ["convince my boss", "sell my car", "why should I use an umbrella?"])
def test_who_is_to_win_others_over_is_not(message: str) -> None:
    assert _ANSWER not in Talk().classify_and_answer(message).text


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("roughly what will this set us back a month", "You aren't billed here."),
        ("any chance of using it from my phone", "The page works in the browser of a phone"),
        ("Suppose I don't like what it does, can I stop it again?", 'Say "pause" and its name'),
    ],
)
def test_a_roundabout_question_gets_the_written_answer(message: str, answer: str) -> None:
    assert Talk().classify_and_answer(message).text.startswith(answer)


@pytest.mark.parametrize("message", ["hello there", "what a lovely day", "how are you today"])
def test_small_talk_is_no_question_about_the_product(message: str) -> None:
    assert "agent" not in Talk().classify_and_answer(message).text


def test_a_question_while_an_agent_is_made_is_answered_and_the_question_goes_on() -> None:
    talk = Talk()
    talk.classify_and_answer("report open invoices from Xero every Monday at 9")

    said = talk.classify_and_answer("can that go to two people?").text

    assert "also by e-mail" in said
    assert said.endswith("by e-mail, to Slack or here?")


@pytest.mark.parametrize(
    ("message", "part"),
    [
        (
            (
                "Hello, I hope I'm not bothering you so late. Something a client asked me today and I could"
                " not answer: how long do you keep what I type here?"
            ),
            "kept for 30 days",
        ),
        ("One thing our works council brought up: can my manager see my tasks?", "can't open your chats"),
        ("And can I get everything out again if we stop using it?", "exported"),
        ("can I take it all with me if we leave?", "exported"),
        ("do you get to see my Xero password?", "never see a password"),
        ("Do I have to give you my Outlook password for this?", "never see a password"),
    ],
)
def test_a_question_is_answered_whatever_leads_in_to_it(message: str, part: str) -> None:
    assert part in Talk().classify_and_answer(message).text


def test_a_question_behind_another_keeps_its_own_subject() -> None:
    talk = Talk()
    talk.classify_and_answer("Before I put any customer names in here, who can read what I type?")
    assert "exported" in talk.classify_and_answer("And can I get everything out again?").text
