"""Sums that the next message takes a number out of, exchanges one in, or goes on with."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

BARE = "Could you add these up please: 1,240.50, 318.20, 96.75 and 2,004.00"
PLAIN = "add 12, 14 and 20"
LABELLED = "petty cash: milk 48.20, cleaner 120, parking 6. whats that come to"
TABLE = "takings this week, what is it together?\nMon 412\nTue 388\nWed 501"
HOURS = "I worked 7.5 on Monday, 8 on Tuesday and 6.25 on Wednesday"


def last_reply(*messages: str) -> str:
    talk = Talk()
    return [talk.classify_and_answer(message) for message in messages][-1].text


@pytest.mark.parametrize(
    ("told", "message", "total"),
    [
        (BARE, "And without the 96.75? That one turns out to be a duplicate.", "3,562.70"),
        (BARE, "leave out the 318.20 please", "3,341.25"),
        (BARE, "what if I drop the 96.75?", "3,562.70"),
        (PLAIN, "without the 14?", "= 32"),
        (PLAIN, "take the 20 out", "= 26"),
        (PLAIN, "the 14 is a duplicate", "= 32"),
        ("what is 10 + 20 + 30?", "and excluding the 20?", "= 40"),
        (LABELLED, "and without the 6?", "168.20"),
        (LABELLED, "not counting the 120", "54.20"),
        ("what is 120 + 20%?", "without the 20%?", "120."),
    ],
)
def test_a_number_is_taken_out_of_the_sum(told: str, message: str, total: str) -> None:
    assert total in last_reply(told, message)


@pytest.mark.parametrize(
    ("told", "message"), [(PLAIN, "without the 15?"), (BARE, "and without the 97.75? that's a duplicate")]
)
def test_a_number_that_is_not_in_the_sum_is_not_taken_out(told: str, message: str) -> None:
    assert "=" not in last_reply(told, message)


@pytest.mark.parametrize("told", [PLAIN, LABELLED])
@pytest.mark.parametrize("number", ["14", "120"])
def test_a_request_with_such_a_number_is_no_sum(told: str, number: str) -> None:
    assert "Added to your list" in last_reply(told, f"remind me to drop the {number} at the bank tomorrow")


@pytest.mark.parametrize(
    ("messages", "total"),
    [
        ((PLAIN, "the 14 was really 15"), "= 47"),
        ((PLAIN, "no, make the 12 a 13"), "= 47"),
        ((PLAIN, "sorry, it's 24, not 14"), "= 56"),
        ((LABELLED, "oh forgot 25 for the window guy", "no wait he was 35"), "209.2"),
        ((LABELLED, "oh forgot 25 for the window guy", "sorry, they were 35"), "209.2"),
        ((TABLE, "and if Wednesday was really 500?"), "1,300"),
        ((f"{HOURS}. how many hours is that?", "and if Wednesday was really 7?"), "22.5"),
    ],
)
def test_a_number_is_exchanged(messages: tuple[str, ...], total: str) -> None:
    assert total in last_reply(*messages)


@pytest.mark.parametrize(
    ("messages", "total"),
    [
        ((TABLE, "today was 280, forgot that we were open"), "1,581"),
        ((TABLE, "oh and today was 280"), "1,581"),
        (
            (
                "petty cash this week was 23.40, 17.85 and 6.20. What is that together?",
                "And last week it was 51.30, so how much is it for both weeks?",
            ),
            "98.75",
        ),
        ((HOURS, "how many hours is that"), "21.75"),
        ((HOURS, "how many hours is that", "and if Wednesday was really 7?"), "22.5"),
    ],
)
def test_a_sum_goes_on(messages: tuple[str, ...], total: str) -> None:
    assert total in last_reply(*messages)


def test_a_percentage_added_to_a_number_is_one_of_it() -> None:
    assert "= 144" in last_reply("what is 120 + 20%?")
    assert "= 96" in last_reply("120 - 20%?")
