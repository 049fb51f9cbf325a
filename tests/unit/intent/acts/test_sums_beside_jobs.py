"""A job told with numbers, a time and an address is no sum."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    "message",
    [
        (
            "Hiya, can you help. Every Friday one of the girls writes out which animals are due a booster."
            " It's all in Provet. Could that come to reception@glenvet.ie on Fridays at 1pm, by itself?"
        ),
        "One of us copies the 3 new orders from Shopify. What if that came to bo@quay.example at 9?",
        "Two of the lads count what is left. It's in Airtable. Can that come to lee@dock.example at 7?",
        "1 of 4 people adds up the hours in Toggl. could the total go to pay@mill.example fridays at 5pm?",
    ],
)
def test_no_sum_is_worked_out(message: str) -> None:
    assert " = " not in Talk().classify_and_answer(message).text


def test_a_sum_is_still_one() -> None:
    assert "= 192.10" in Talk().classify_and_answer("48.20, 120, 17.90 and 6, what does that come to?").text
