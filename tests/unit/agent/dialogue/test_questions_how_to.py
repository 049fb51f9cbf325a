"""Questions how something is done here, and whether it can be, get the written answer to just that."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

_TICKING_OFF = 'Say "I\'ve done it", or name the task'
_WATCHING = "Yes, any public web address that you give me"
_FILES_TAKEN = "Yes, PNG, JPEG, GIF"


@pytest.mark.parametrize(
    "question",
    [
        "Lovely. And how do I let you know once I've done it?",
        "how do I tell you that I've finished it?",
        "what do I say when it's done?",
        "how do I mark something as done?",
        "What should I write once it's finished?",
        "and when I've done it, what then?",
        "do I have to tell you when I'm done with it?",
        "and how do I cross it off?",
        "how will you know that I've done it?",
        "when the order is out, how do I tick it off?",
        "where can I mark it as completed?",
        "once it's ordered, how do I tell you?",
        "how can I report that a job's been taken care of?",
        "will you notice when I did it or must I say so?",
        "how do I take it off the list when it's done?",
        "and if I've done it before then?",
    ],
)
def test_how_to_tick_off_is_told_behind_a_new_task(question: str) -> None:
    talk = Talk()
    talk.classify_and_answer("Remind me to order liquid nitrogen on Wednesday then, please")
    assert talk.classify_and_answer(question).text.startswith(_TICKING_OFF)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("can you look at a website for me? the one with the food recalls", _WATCHING),
        ("do you look at websites?", _WATCHING),
        ("are you able to check a site for changes?", _WATCHING),
        ("can you read what's on a web page?", _WATCHING),
        ("is it possible that you watch a page on the internet for me?", _WATCHING),
        ("Could you go to a web site and see if there's anything new?", _WATCHING),
        ("can I give you a link to look at?", _WATCHING),
        ("can u read a website", _WATCHING),
        ("can you look at my spreadsheet?", _FILES_TAKEN),
        ("could you look at this picture", _FILES_TAKEN),
    ],
)
def test_a_web_page_can_be_looked_at_and_a_file_cannot(question: str, answer: str) -> None:
    assert Talk().classify_and_answer(question).text.startswith(answer)


@pytest.mark.parametrize(
    "question",
    [
        "do the results come by email or only in here",
        "do my reports arrive in the inbox or here",
        "are the results mailed or shown in the chat?",
        "does that go to slack or by mail",
        "is it sent to me by mail or do I look here",
    ],
)
@pytest.mark.parametrize("first", ["hello", "our manager told me to try this. not sure what it's for?"])
def test_how_results_come_is_no_wish_for_an_agent(first: str, question: str) -> None:
    talk = Talk()
    talk.classify_and_answer(first)
    assert talk.classify_and_answer(question).text.startswith("Into the conversation where the agent was")


def test_who_sees_a_list_is_asked_of_the_product_though_there_are_tasks() -> None:
    talk = Talk()
    talk.classify_and_answer("add call Ola tomorrow to my list")

    assert "can't open your chats or your tasks" in talk.classify_and_answer("who can see my list?").text
    assert "call Ola" in talk.classify_and_answer("what is on my list?").text


@pytest.mark.parametrize(
    "question", ["difference between pausing and deleting an agent?", "is pausing the same as deleting?"]
)
def test_pausing_and_deleting_are_told_apart(question: str) -> None:
    assert "A paused agent keeps everything" in Talk().classify_and_answer(question).text
