"""Totals of numbers that stand in a sentence anyhow, and what the next messages make of them."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

TRAYS = "3 trays of lasagne, 5 trays of rice and 2 trays of salad, how many trays altogether?"
PARCELS = "parcels this morning 45 to Leeds, 30 to York and 12 to Hull. total?"
CLOSED = "calls per person last night: 88 91 79 and 94, add those up for me"
WEIGHTS = "Please work out the total weight: 1240 kg, 985 kg, 1102.5 kg and 760 kg."
BILLS = "Kindly total these bills: £1,240.00, £86.40 and £312.75."


def replies(*messages: str) -> list[str]:
    talk = Talk()
    return [talk.classify_and_answer(message).text for message in messages]


@pytest.mark.parametrize(
    ("message", "total"),
    [
        (TRAYS, "= 10 trays"),
        (PARCELS, "= 87"),
        (CLOSED, "= 352"),
        (WEIGHTS, "= 4,087.5 kg"),
        ("sold 31 buns 48 rolls 15 loaves and 7 cakes, how many pieces is that?", "= 101"),
        ("add up 19.90 12.40 and 7 pls", "= 39.30"),
        ("two invoices today, 120 and 340. what do they come to", "= 460"),
        ("12 adults, 7 kids and 3 babies are coming. how many people is that?", "= 22"),
        ("€12, 14.50 and 9 together?", "= €35.50"),
        ("I slept 6.5, 7 and 5 hours, how many hours is that", "= 18.5 hours"),
        ("Anna paid 20, Ben 35 and I paid 10. how much did we pay together?", "= 65"),
    ],
)
def test_the_total_of_numbers_in_a_sentence(message: str, total: str) -> None:
    assert total in replies(message)[-1]


@pytest.mark.parametrize(
    ("messages", "total"),
    [
        ((CLOSED, "plus 85 from Tomas, forgot him"), "= 437"),
        ((WEIGHTS, "Please add also one pallet of 310 kg."), "= 4,397.5 kg"),
        (("add these: 412.50, 380 and 295.75", "Oh, I forgot one of 60. How much is it now?"), "1,148.25"),
        (("add up 19.90 12.40 and 7 pls", "i missed one, 5.50"), "= 44.80"),
        (("we had 31 visitors on Monday, 28 on Tuesday and 40 on Friday. Total please?",
          "I left out Thursday, that was 22"), "= 121"),
        (("two invoices today, 120 and 340. what do they come to", "there's a third one of 55"), "= 515"),
        (("yesterday we took 412.50, 380 and 95. what's that together?",
          "the day before that it was 640. both days together?"), "= 1,527.50"),
        (("add up 12, 15 and 8.50", "Oh, I forgot two more, 15 and 12."), "= 62.50"),
        (("costs: taxi 22, hotel 180. total?", "also 12 for coffee and 9 for the bus"), "= 223"),
        (("add up 12, 15 and 8.50", "Sorry, the 8.50 should have been 10. What is the total then?"), "= 37"),
        (("sum up 20, 30 and 45", "the 30 was really 33"), "= 98"),
        ((PARCELS, "sorry, York was 33"), "= 90"),
        ((TRAYS, "make that 6 of rice"), "= 11 trays"),
        ((TRAYS, "ah no, it's 4 trays of salad, not 2"), "= 12 trays"),
    ],
)  # fmt: skip
def test_what_is_added_or_corrected_is_in_the_new_total(messages: tuple[str, ...], total: str) -> None:
    assert total in replies(*messages)[-1]


@pytest.mark.parametrize(
    ("messages", "answer"),
    [
        ((BILLS, "Thank you. What was the second figure I gave you?"), "£86.40"),
        ((PARCELS, "what was the first number?"), "45"),
        ((CLOSED, "which numbers did i give you?"), "91"),
        ((TRAYS, "how many trays of rice did I say?"), "5 trays"),
        (
            (WEIGHTS, "add one pallet of 310 kg", "Sorry, how much was the total before this pallet?"),
            "4,087.5",
        ),
        (("add up 19.90 12.40 and 7 pls", "i missed one, 5.50", "how much was it before that?"), "= 39.30"),
    ],
)
def test_what_was_told_and_worked_out_before_is_given_again(messages: tuple[str, ...], answer: str) -> None:
    assert answer in replies(*messages)[-1]


def test_a_task_that_names_what_was_counted_changes_no_number() -> None:
    told = "sold 36 croissants, 48 rolls and 7 cakes, how many pieces is that?"
    first, task, again = replies(
        told, "write down that i have to bake 20 more rolls tomorrow", "the total again?"
    )
    assert "= 91" in first
    assert "bake 20 more rolls" in task
    assert "= 91" in again


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("6 boxes at 4 euros each, total?", "= €24"),
        ("2 adults at 12 and 3 kids at 6, how much altogether", "= 42"),
        ("3 rooms for 2 nights at 80, what's the total", "= 480"),
        ("2 bags of 5 kg and 3 bags of 2 kg, how much altogether?", "= 16"),
        ("12 x 4 and 7 x 8 in total", "= 104"),
    ],
)
def test_rates_and_products_are_not_added_up(message: str, answer: str) -> None:
    assert answer in replies(message)[-1]


@pytest.mark.parametrize(
    "message",
    [
        "sold 14 blue, 9 oatmeal and 23 rose, how many bars is that? and remind me tomorrow to order soap",
        "add up 14, 9 and 23 and put order soap on my list",
        "takings 14 and 9 and 23, total? then add a task to order soap",
    ],
)
def test_a_request_beside_a_sum_is_done(message: str) -> None:
    said = replies(message)[-1]
    assert "= 46" in said
    assert "“order soap”" in said


def test_numbers_may_stand_behind_their_names() -> None:
    first, corrected, one = replies(
        "km today luis 62 ana 48 tariq 71 jo 55, total?", "wait ana was 58 not 48", "and luis?"
    )
    assert "= 236 km" in first
    assert "= 246 km" in corrected
    assert "luis: 62 km" in one
