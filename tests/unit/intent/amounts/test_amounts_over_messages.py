"""Amounts that are told over several messages, corrected and asked about on the way."""

from __future__ import annotations

import pytest

from intent.amounts.dealings import read_dealing
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


@pytest.mark.parametrize(
    ("addition", "total"),
    [
        ("chuck another 120 on for the tea urn. don't ask", "1,555.5"),
        ("stick 40 on for parking", "1,475.5"),
        ("bung in another 22.50 for cake", "1,458"),
        ("pop 15 on top for stamps", "1,450.5"),
        ("throw another 90 in for fuel please", "1,525.5"),
    ],
)
def test_an_amount_put_on_top_gives_the_new_total(addition: str, total: str) -> None:
    told = "van hire 480, genny 315.50, honeywagon 640 - what's that come to?"
    assert total in last_reply(told, addition)
    assert total in last_reply(told, addition, "total?")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("And if I leave out the open day, which was exceptional on account of the brass band?", "68"),
        ("and leaving out the open day, since it poured all morning?", "68"),
        ("what is it without Sunday, when half the road was closed?", "104"),
        ("take Saturday out, which nobody counted properly", "90"),
        ("Which of the three days had the fewest?", "Sunday, 27"),
        ("which day was the quietest?", "Sunday, 27"),
        ("Which of these days had the most?", "open day, 63"),
        ("and the open day?", "open day: 63"),
        ("and of these, which was the highest?", "open day, 63"),
    ],
)
def test_a_question_finds_its_row_among_words_told_beside_it(question: str, answer: str) -> None:
    assert answer in last_reply("Footfall: Saturday 41, Sunday 27, open day 63. The total?", question)


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("Pls compute po my hours: Karen 12.5, Doug 8.25, Mr. Lim 6", "26.75"),
        ("Compute my expenses: fuel 40.20, lunch 12, tolls 7", "59.2"),
        ("Calculate the hours: Ann 6, Ben 7.5, Cy 4", "17.5"),
        ("compute the average of my bills: gas 40, water 20", "= 30"),
    ],
)
def test_a_heading_that_asks_to_compute_is_answered(message: str, answer: str) -> None:
    assert answer in last_reply(message)


def test_a_heading_that_asks_for_something_else_gets_no_total() -> None:
    assert "990" not in last_reply("please calculate the VAT: rent 950, gas 40")


@pytest.mark.parametrize(
    ("messages", "answer"),
    [
        (
            (
                "Market day! First a lad with red hair bought a kite, 24.50 that was.",
                "Then an old lady who knew my mother took a puzzle for 13.",
                "and a spinning top, 8.75, to a tourist who'd no English at all",
                "what have I taken so far?",
            ),
            "46.25",
        ),
        (
            (
                "For my taxes: today I have spent 34.90 for a dictionary",
                "And 12.00 for the train to Linz",
                "Good morning! Yesterday evening there came 8.40 for a lunch to it. How much is it now?",
            ),
            "55.3",
        ),
        (("We sold a rug to a couple for 140.", "then someone bought two mugs for 18", "total?"), "158"),
        (("I've paid 18.20 for ink today", "and 9 for envelopes", "what have I spent till now?"), "27.2"),
        (("today I have spent 34.90 for a dictionary", "12 for the train to Linz", "and the train?"), "12"),
    ],
)  # fmt: skip
def test_amounts_told_in_stories_are_added_up(messages: tuple[str, ...], answer: str) -> None:
    assert answer in last_reply(*messages)


@pytest.mark.parametrize(
    "sentence",
    [
        "The plumber took the day off at 5",
        "He took the tour for 30 minutes",
        "We bought it in 2019",
        "She paid it for 20",
        "I took 3 of the 5 boxes for 12",
        "Who bought the kite for 24.50?",
        "The course ordered for 9 am",
    ],
)
def test_a_sentence_without_one_thing_and_its_price_tells_no_amount(sentence: str) -> None:
    assert read_dealing(sentence) is None
