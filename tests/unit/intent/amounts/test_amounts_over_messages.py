"""Amounts that are told over several messages, corrected and asked about on the way."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def last_reply(*messages: str) -> str:
    talk = Talk()
    for message in messages[:-1]:
        talk.say(message)
    return talk.say(messages[-1]).text


@pytest.mark.parametrize(
    ("messages", "total"),
    [
        (("taxi 640 and lunch 385", "hotel 3,200", "taxi again 710", "what's the total till now?"), "4,935"),
        (("monday 84.20", "weds 91, thursday 63.50", "sat was a big one 110.30", "whats that all up"), "349"),
        (("rent 950, internet 40", "and electricity 62", "how much altogether?"), "1,052"),
        (("petty cash, i took 20 for milk and 35.50 for the courier", "and 12 for stamps. total?"), "67.5"),
        (("flights 420, hotel 610", "oh, also parking 36", "what does that come to?"), "1,066"),
        (("paint 61.20, brushes 14", "tape was 6.80", "total so far?"), "82"),
    ],
)
def test_amounts_told_one_after_another_have_one_total(messages: tuple[str, ...], total: str) -> None:
    assert total in last_reply(*messages)


@pytest.mark.parametrize(
    ("correction", "total"),
    [
        ("sorry IT is 13, not 31", "58"),
        ("it should be HR 19 instead of 9", "86"),
        ("no wait, Marketing was 14", "66"),
        ("not 12 but 21 for Admin", "85"),
    ],
)
def test_a_corrected_amount_counts_as_corrected(correction: str, total: str) -> None:
    told = "add these for me, dept spends: Admin 12, IT 31, HR 9, Marketing 24"
    assert total in last_reply(told, correction, "so what is the revised total?")


def test_a_change_of_amounts_that_were_added_up_gives_the_new_total() -> None:
    claims = "Travel claims for Feb as below, what is the total?\nAnil 4,200\nRekha 3,150\nSameer 980"
    assert "8,330" in last_reply(claims)
    assert "9,600" in last_reply(claims, "add Divya also, 1,270")
    assert "8,230" in last_reply(claims, "sorry, Rekha is 3,050, not 3,150")


def test_items_at_a_price_each_count_with_all_of_them() -> None:
    told = "cable 318.40, 6 downlights at 22 each, switchboard 540"
    assert "990.4" in last_reply(told, "whats that come to")


def test_a_number_in_words_is_not_left_out_of_a_total() -> None:
    said = last_reply(
        "the tin had 412.60, the raffle did 285 and Merv chucked in a fifty. what's that all up?"
    )
    assert "747.6" in said


@pytest.mark.parametrize(
    "message",
    ["remind me at 5 to call Bob", "add a task to buy 12 eggs", "make an agent that runs at 9 daily"],
)
def test_a_request_after_amounts_is_no_further_amount(message: str) -> None:
    said = last_reply("taxi 640 and lunch 385", message)
    assert "1,0" not in said
    assert "Noted" not in said
