"""Measures in other units, and percentages off one of several amounts."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what is 5 km in miles?", "5 km ≈ 3.11 miles"),
        ("convert 30 degrees celsius to fahrenheit", "30 celsius = 86 °F"),
        ("convert 100 lbs to kg", "100 lbs = 45.359237 kg"),
        ("how far is 26 miles in km", "26 miles = 41.842944 km"),
    ],
)
def test_a_measure_is_told_in_the_unit_asked_for(question: str, answer: str) -> None:
    assert Talk().classify_and_answer(question).text.startswith(answer)


def test_a_result_is_told_in_another_unit() -> None:
    talk = Talk()
    talk.classify_and_answer("18 kegs at 50 litres and 42 at 30. how much beer is that altogether")
    assert "3,801.07 pints" in talk.classify_and_answer("in pints? proper ones, uk").text


@pytest.mark.parametrize("message", ["what's due in 2 days?", "how many agents run in 3 days?"])
def test_a_time_to_come_is_no_measure(message: str) -> None:
    talk = Talk()
    talk.create("parcels", "late parcels")
    assert " = " not in talk.classify_and_answer(message).text


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (
            "add this lot up for me and stick 20% vat on\nboiler 95\nhot water cylinder 1240\ncall out 75",
            "what if i knock 10% off the cylinder only",
            "hot water cylinder: 1,240 − 10% = 1,116. In all: (95 + 1,116 + 75) + 20% = 1,543.2",
        ),
        (
            "pizza 12, pasta 14.50, wine 22. what's that in total?",
            "and with 50% off the wine?",
            "wine: 22 − 50% = 11. In all: 12 + 14.50 + 11 = 37.50",
        ),
        (
            "pizza 12, pasta 14.50, wine 22. what's that in total?",
            "and 10% off the bill",
            "48.50 − 10% = 43.65",
        ),
    ],
)
def test_a_percentage_goes_off_what_is_named(told: str, question: str, answer: str) -> None:
    talk = Talk()
    talk.classify_and_answer(told)
    assert talk.classify_and_answer(question).text.startswith(answer)


@pytest.mark.parametrize(
    ("first", "then", "answer"),
    [
        ("what's 120 plus 30", "split that three ways", "150 ÷ 3 ways = 50"),
        ("what's 120 plus 30", "the boys are pitching in so cut that in 3", "150 ÷ 3 = 50"),
        ("what's 18.4 times 0.1?", "and if it's 22 instead of the 18.4? (she's grown)", "22 × 0.1 = 2.2"),
        ("what's 18.4 times 0.1?", "22, not 18.4", "22 × 0.1 = 2.2"),
    ],
)
def test_a_sum_goes_on_from_the_one_before(first: str, then: str, answer: str) -> None:
    talk = Talk()
    talk.classify_and_answer(first)
    assert talk.classify_and_answer(then).text.startswith(answer)


def test_a_percentile_is_no_price() -> None:
    said = Talk().classify_and_answer("p95 latencies in ms, mon-fri: 212, 198, 240. average?").text
    assert "£" not in said


def test_a_price_is_reckoned_with_as_it_was_put_right() -> None:
    talk = Talk()
    for told in ("milk is 1.20 a litre, remember that", "sorry, it's 1.30"):
        talk.classify_and_answer(told)
    assert talk.classify_and_answer("40 litres of it, how much is that?").text == "40 litres × 1.30 = 52.00"
