"""Two questions in one sentence are both answered."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    ("say", "parts"),
    [
        ("is rota off, and when does bills run?", ("rota is active", "9:00 AM")),
        ("is bills paused and where does rota go?", ("bills is active", "rota")),
        ("what does bills do and who gets it?", ("open bills", "a@b.example")),
        ("is rota on, and when was i calling the plumber", ("rota is active", "call the plumber")),
    ],
)
def test_both_are_answered(say: str, parts: tuple[str, ...]) -> None:
    talk = Talk()
    mondays = {"cron": "0 9 * * 1", "text": "Mondays at 9:00 AM", "time_zone": "UTC"}
    mail = {"channels": ("email",), "recipients": ("a@b.example",)}
    talk.create("bills", "open bills", sources=["xero"], schedule=mondays, delivery=mail)
    talk.create("rota", "the shifts", sources=["deputy"])
    talk.classify_and_answer("remind me tomorrow at 10 to call the plumber")

    said = talk.classify_and_answer(say).text

    assert all(part in said for part in parts), said


def test_what_one_question_asks_of_two_things_is_no_second_question() -> None:
    talk = Talk()
    talk.create("bills", "open bills", sources=["xero"])
    said = talk.classify_and_answer("can you tell me what bills does and when it runs?").text
    assert "bills" in said
