"""Messages with a structure: quoted requests, lists in answer to a question, times to choose from."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

QUOTED = (
    'Got this from Ada: "Hi, please set up a list of unpaid invoices from Xero every Thursday,'
    ' by mail to desk@halden.example. A."'
)
UNDECIDED = (
    "Mail me overdue tickets from Zendesk to kai@orb.example, either a) Mondays at 8 or b) every weekday at 8"
)


def talking() -> Talk:
    return Talk(time_zone="America/Chicago")


def say(talk: Talk, *messages: str) -> str:
    """Say the messages and return the last reply."""
    return [talk.classify_and_answer(message).text for message in messages][-1]


def titles(talk: Talk) -> list[str]:
    return [task.title for task in talk.tasks.list(talk.caller, completed=False, limit=5)[0]]


def test_a_quoted_request_is_set_up_once_own_words_ask_for_it() -> None:
    talk = talking()
    reply = say(talk, f"{QUOTED} Can you do that? 7:30 is good")

    (agent,) = talk.agents()
    assert agent.sources == ("xero",)
    assert "Thursdays at 7:30 AM and mails desk@halden.example" in reply


def test_what_a_quoted_request_leaves_open_is_asked_and_nothing_is_saved_yet() -> None:
    talk = talking()
    reply = say(talk, f"{QUOTED} Can you do that?")

    assert talk.agents() == []
    assert reply.endswith("At what time?")


@pytest.mark.parametrize("words", ["Funny, isn't it?", "Don't do that.", "What would you answer?"])
def test_a_quoted_request_alone_does_nothing(words: str) -> None:
    talk = talking()
    say(talk, f"{QUOTED} {words}")

    assert talk.agents() == []
    assert titles(talk) == []


def test_a_quoted_request_goes_on_the_list_with_its_day() -> None:
    talk = talking()
    reply = say(talk, 'Ada wrote: "Could you return the drill by 19 June? Best, Ada". On my list please.')

    assert titles(talk) == ["return the drill"]
    assert "June 19" in reply


def test_the_question_for_a_task_takes_a_list_of_them() -> None:
    talk = talking()
    say(talk, "can you add two tasks for me", "- wash the van\n- invoice Mr. Lee, Friday")

    assert sorted(titles(talk)) == ["invoice Mr. Lee", "wash the van"]


@pytest.mark.parametrize(("answer", "when"), [("a please", "Mondays"), ("the second one", "weekdays")])
def test_times_to_choose_from_are_asked_about_and_picked(answer: str, when: str) -> None:
    talk = talking()
    asked = say(talk, UNDECIDED)
    assert "a) Mondays at 8 or b) every weekday at 8?" in asked
    assert talk.agents() == []

    assert f"runs {when} at 8:00 AM" in say(talk, answer)
