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
