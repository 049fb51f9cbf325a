"""How far amounts are apart, and how many of a thing an amount of money is enough for."""

from __future__ import annotations

import pytest

from intent.sums.contrasts import budget_told, tells_side_by_side
from intent.sums.quantities import read_quantities
from intent.sums.reader import read_sum


def worked_out(text: str) -> str | None:
    found = read_sum(text)
    return None if found is None else found.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("two of them are in, 4,200 and 3,850. what's the difference?", "4,200 − 3,850 = 350"),
        ("we've got two offers, 12,400 and 11,750. how much is between them?", "12,400 − 11,750 = 650"),
        ("quotes came back at 980 and 1,145. what's the gap?", "1,145 − 980 = 165"),
        ("one wants 18,900, the other 17,250. how much do I save?", "18,900 − 17,250 = 1,650"),
        ("We've 2 bids, 780 and 815. how much higher is the second?", "815 − 780 = 35"),
        ("5,400 from Miller and 4,975 from Lutz, what's the difference?", "5,400 − 4,975 = 425"),
        ("bids: 900, 1,050 and 870. how far apart are the highest and the lowest?", "1,050 − 870 = 180"),
    ],
)  # fmt: skip
def test_how_far_amounts_are_apart(text: str, said: str) -> None:
    assert worked_out(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("how many guests can I invite for 600 at 45 each?", "600 ÷ 45 ≈ 13.33, so 13 guests"),
        ("I have 250 euros, how many tickets at 32 each is that?", "€250 ÷ €32 = 7.8125, so 7 tickets"),
        ("with 900 how many can we buy at 150 apiece?", "900 ÷ 150 = 6"),
        ("we sold 600 at 45 each, how many euros is that?", "600 × 45 = 27,000 euros"),
        ("I have 12 boxes with 30 pieces each. how many pieces?", "12 boxes × 30 pieces = 360 pieces"),
    ],
)
def test_how_many_things_money_is_enough_for(text: str, said: str) -> None:
    assert worked_out(text) == said


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Budget for the Q3 offsite is 18,500 dollars. Dana wants the rooftop, 240 a head.", "18,500"),
        ("We have 5,000 pounds for laptops.", "5,000"),
        ("budget's 3,000 for the course", "3,000"),
        ("is the budget 3,000?", None),
        ("the bus seats 48", None),
    ],
)
def test_the_money_that_a_text_says_there_is(text: str, told: str | None) -> None:
    found = budget_told(text)

    assert (None if found is None else found.text) == told


def test_amounts_told_side_by_side_ask_for_nothing() -> None:
    assert tells_side_by_side(read_quantities("got two offers for the boiler, 2,450 and 2,780"))
    assert not tells_side_by_side(read_quantities("2,450 and 2,780"))
    assert not tells_side_by_side(read_quantities("add the two offers up, 2,450 and 2,780"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the invoice was 240 net. add 20% vat", "240 + 20% = 288 (the 20% is 48)"),
        ("240 including 20% vat, what is that net?", "240 ÷ 1.2 = 200"),
        ("28 kids need a book at 6.40 and a pen at 1.20 each. what is that?", None),
    ],
)
def test_net_amounts_and_prices_of_several_things(text: str, said: str | None) -> None:
    assert worked_out(text) == said


def test_quarters_are_no_numbers() -> None:
    read = read_quantities("Q3 took 400, h1 took 900 and fy26 took 20")

    assert [one.text for one in read.numbers] == ["400", "900", "20"]
