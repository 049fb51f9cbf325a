"""People who introduce themselves get an acknowledgement with an offer."""

from __future__ import annotations

import pytest

from intent.acts.introductions import introduces
from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    "say",
    [
        "Good morning. I am responsible for the invoices at a machine builder in Stuttgart.",
        "I work in a hospital kitchen",
        "hi, I'm a nurse on a children's ward",
        "we run a small hostel near the station",
        "I teach maths at a secondary school",
    ],
)
def test_an_introduction_is_answered_with_an_offer(say: str) -> None:
    talk = Talk()
    reply = talk.classify_and_answer(say)
    assert introduces(say)
    assert "tell me" in reply.text.lower()
    assert "search engine" not in reply.text


@pytest.mark.parametrize(
    "say",
    [
        "I'm tired of copying orders",
        "I am looking for the invoices of March",
        "I need a list of the open jobs",
        "what do you know about hostels?",
        "I am not sure about this",
        "we want the open tickets every day at 9",
    ],
)
def test_other_statements_are_no_introductions(say: str) -> None:
    assert not introduces(say)


@pytest.mark.parametrize(
    "say",
    [
        "I'm Jens, controller at Nordlys Ferries. We have the tolls in a Google sheet",
        "My name is Oleg, I look after the fleet at TransBalt. Bookings come in through Outlook",
        "Hi, I'm Anna and I run the office at a small law firm. Our deadlines are in a spreadsheet",
    ],
)
def test_who_they_are_and_where_things_are_kept_begins_no_agent(say: str) -> None:
    reply = Talk().classify_and_answer(say)

    assert reply.note.draft is None
    assert reply.note.question is None
    assert "When should it run" not in reply.text


def test_a_request_behind_an_introduction_is_one() -> None:
    talk = Talk()
    talk.classify_and_answer("I'm Jens. Every Monday at 8 list the tolls in Google Sheets, here")

    assert len(talk.agents()) == 1
