"""Prices told in words: what comes back of a note, what several cost, what a period comes to, and taxes."""

from __future__ import annotations

import pytest

from intent.sums.headings import with_heading_behind
from intent.sums.reader import read_sum


def worked_out(text: str) -> str | None:
    found = read_sum(text)
    return None if found is None else found.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2 teas at 2.80 and 3 buns at 1.50. I pay with a 20 note, how much change?",
         "20 − (2 teas × 2.80 + 3 buns × 1.50) = 9.90"),
        ("The meal was 41.20 and I gave her 50. How much do I get back?", "50 − 41.20 = 8.80"),
        ("soap for 3.20 and bread for 2.40, how much change from a 10?", "10 − (3.20 + 2.40) = 4.40"),
        ("paying 50 for 3 tickets at 12.50, what's the change?", "50 − 3 tickets × 12.50 = 12.50"),
    ],
)  # fmt: skip
def test_change_of_what_was_handed_over(text: str, said: str) -> None:
    assert worked_out(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A lamp costs 80 and there's 15% off. how much for three of them?", "(80 − 15%) × 3 = 204"),
        ("A pass is 45 plus 10% tax. What do 4 come to?", "(45 + 10%) × 4 = 198"),
        ("The chair is 120. What would 5 of those cost?", "120 × 5 = 600"),
    ],
)
def test_several_at_a_price_told_before(text: str, said: str) -> None:
    assert worked_out(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the club is 25 a month, how much a year?", "25 × 12 months = 300"),
        ("water is 40 a month and power 95, what's that per year?", "(40 + 95) × 12 months = 1,620"),
        ("One seat is 12 a month. what's that for 9 people for a year?", "12 × 9 people × 12 months = 1,296"),
        ("what is £30 a week annually?", "£30 × 52 weeks = £1,560"),
        ("2,400 a year is how much a month?", "2,400 ÷ 12 months = 200"),
        ("how many weeks do 900 last if we use 150 a week?", "900 ÷ 150 = 6 weeks"),
    ],
)
def test_what_one_period_comes_to_over_another(text: str, said: str) -> None:
    assert worked_out(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The quote is £900 before VAT. With 20% VAT on top I'd pay what?",
         "£900 + 20% = £1,080 (the 20% is £180)"),
        ("500 ex tax, tax 10%, how much will it be?", "500 + 10% = 550 (the 10% is 50)"),
        ("240 incl. 20% VAT - what's it net?", "240 ÷ 1.2 = 200"),
        ("what is 238 excluding the 19% VAT", "238 ÷ 1.19 = 200"),
        ("The salary is 30,000. What's a 12% agency fee?", "12% of 30,000 = 3,600"),
        ("The bill is 80. What's it with a 20% tip?", "80 + 20% = 96 (the 20% is 16)"),
    ],
)  # fmt: skip
def test_a_percentage_is_added_taken_out_or_asked_for_alone(text: str, said: str) -> None:
    assert worked_out(text) == said


def test_what_is_left_after_payments_with_their_purpose() -> None:
    text = "budget 5,000, spent 1,200 on flights and 900 on hotels, what's left?"
    assert worked_out(text) == "5,000 − 1,200 − 900 = 2,900"


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("a dozen 22mm elbows at 1.35 each, what do i owe the merchant", "16.20"),
        ("six 15mm valves at 4.20 each", "25.20"),
        ("4 2 kg bags at 3 each", "12"),
    ],
)
def test_the_size_of_a_thing_is_no_number_of_the_sum(text: str, expression: str) -> None:
    found = read_sum(text)
    assert found is not None
    assert expression in found.text
    assert not found.text.endswith("each")


@pytest.mark.parametrize(
    ("message", "behind"),
    [
        (
            "total these and put 10% tip on: pizza 12, wine 22",
            "pizza 12, wine 22. total these and put 10% tip on",
        ),
        ("add this lot up, 20% vat on\na 95\nb 60", "a 95\nb 60\nadd this lot up, 20% vat on"),
    ],
)
def test_a_heading_with_a_percentage_stands_behind_its_list(message: str, behind: str) -> None:
    assert with_heading_behind(message) == behind


@pytest.mark.parametrize(
    "message", ["note: 20% of sales come from Bath", "add this: milk, eggs", "what is 20% of 95?"]
)
def test_any_other_message_stays_as_it_is(message: str) -> None:
    assert with_heading_behind(message) == message
