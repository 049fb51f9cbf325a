"""Facts that were told are found again beside tasks of the same people and things."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

_TOLD = [
    ("Ms Alvarez is out until the 12th and Mr Dunn is subbing for her",
     "add a task for me: send Dunn the bell schedule tomorrow"),
    ("Petra is away until Monday and Jonas covers the phones",
     "remind me friday to call Jonas about the phones"),
    ("The plumber comes on Tuesday at 9, his name is Brandt",
     "put on my list: clear the sink before the plumber comes"),
]  # fmt: skip


def said(talk: Talk, *messages: str) -> str:
    return [talk.classify_and_answer(message) for message in messages][-1].text


@pytest.mark.parametrize(
    ("told", "task", "question"),
    [
        (*_TOLD[0], "who did I say is out?"),
        (*_TOLD[0], "who is out again?"),
        (*_TOLD[0], "and who did I tell you was out?"),
        (*_TOLD[0], "who did I say is subbing?"),
        (*_TOLD[1], "who's away?"),
        (*_TOLD[1], "who did I say is away"),
        (*_TOLD[1], "who covers the phones?"),
        (*_TOLD[2], "when did I say the plumber comes?"),
        (*_TOLD[2], "by when did I say the plumber comes?"),
    ],
)
def test_what_was_told_answers_and_no_command(told: str, task: str, question: str) -> None:
    assert said(Talk(), told, task, question) == f"You told me today: “{told}”"


@pytest.mark.parametrize(
    ("told", "task", "first", "second"),
    [
        (*_TOLD[0], "who did I say is out?", "and until when?"),
        (*_TOLD[0], "who is out again?", "till when was that?"),
        (*_TOLD[0], "who did I say is subbing?", "for how long?"),
        (*_TOLD[1], "who covers the phones?", "since when?"),
        (*_TOLD[1], "who did I say is away", "until when is that?"),
        (*_TOLD[2], "when did I say the plumber comes?", "and what's his name?"),
    ],
)
def test_a_question_behind_what_was_quoted_goes_on_with_it(
    told: str, task: str, first: str, second: str
) -> None:
    assert said(Talk(), told, task, first, second) == f"You told me that, too: “{told}”"


def test_a_question_behind_a_quoted_task_is_about_the_task() -> None:
    reply = said(
        Talk(), "remind me tomorrow at 10 to ring the surveyor", "what did I tell you about the surveyor?",
        "and for what time was that?",
    )  # fmt: skip
    assert "tomorrow at 10:00 AM" in reply


def test_a_third_question_about_a_fact_is_not_answered_in_the_same_words() -> None:
    talk = Talk()
    said(talk, "the gym is shut from Friday till the 20th", "what did I say is shut?", "from when?")
    assert said(talk, "and till when?") == "You told me today: “the gym is shut from Friday till the 20th”"
