"""The agent just talked of is asked to work at once, in the form of a question or a wish."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def talk_of_agent() -> Talk:
    talk = Talk()
    talk.create("school-mail", "what the kids need", schedule={"cron": "30 6 * * 1-5", "time_zone": "UTC"})
    talk.classify_and_answer("show school-mail")
    return talk


@pytest.mark.parametrize(
    "message",
    [
        "the teacher just sent another email ugh. can it go look again right now",
        "can it look again now?",
        "could it check once more right away",
        "have it go through my mails now",
        "And is possible to start it one time now, for I see how it stays?",
        "is it possible to run it once now so I can see how it looks?",
        "would it be possible to try it out right now?",
    ],
)
def test_it_is_run_where_it_is_to_work_at_once(message: str) -> None:
    said = talk_of_agent().classify_and_answer(message)

    assert said.text.startswith("Started school-mail")
    assert " for I" not in said.text


def test_it_is_paused_where_that_is_asked_for_as_something_possible() -> None:
    talk = talk_of_agent()

    talk.classify_and_answer("is it possible to pause it now?")

    assert talk.agents()[0].status.value == "paused"


@pytest.mark.parametrize(
    "message",
    [
        "is it possible to start it on demand?",
        "can it look at attachments?",
        "can it check again at 5pm?",
        "can it look at the new prices every hour now?",
        "does it run now?",
        "can it read slack now?",
    ],
)
def test_it_is_not_run_where_words_ask_what_it_can_do_or_for_other_times(message: str) -> None:
    said = talk_of_agent().classify_and_answer(message)

    assert not said.text.startswith("Started")
