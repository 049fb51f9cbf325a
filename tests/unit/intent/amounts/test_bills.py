"""Items told one after another, some of them so many at a price each, and what they come to."""

from __future__ import annotations

import pytest

from intent.amounts.reader import read_series
from intent.amounts.results import work_out
from intent.amounts.told import find_question


def answer(text: str) -> str | None:
    found = find_question(text, list)
    worked_out = None if found is None else work_out(found.question, found.series, found.words)
    return None if worked_out is None else worked_out.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("call 60, 2 hours at 55, a tap for 38.50. what's it come to?", "60 + 2 × 55 + 38.50 = 208.50."),
        ("at 18 Park Lane. 1.5 hours at 70, filter 22.40. what do I bill?", "1.5 × 70 + 22.40 = 127.40."),
        ("plot 14, Station Road: fence 480, 12 posts at 9.50. total?", "480 + 12 × 9.50 = 594.00."),
        ("tent 900, entry is 31 children at 9.50 each. altogether?", "900 + 31 × 9.50 = 1,194.50."),
        ("I need the total: 6 chairs at 45, table 210, delivery 30", "6 × 45 + 210 + 30 = 510."),
        ("invoice please: 2 days at 340 a day, travel 64. what does it come to", "2 × 340 + 64 = 744."),
        ("hall 60 an hour for 4 hours, food 8 a head for 30 people. total?", "4 × 60 + 30 × 8 = 480."),
        ("how much is a tent for 150, 8 tables at 15 each and a stage 400?", "150 + 8 × 15 + 400 = 670."),
        ("left flat 12, 40 Park Road. callout 50 and a lock for 65. what's that?", "50 + 65 = 115."),
        ("cleaning 2.5 hours at £14, windows £30. total?", "2.5 × £14 + £30 = £65."),
    ],
)  # fmt: skip
def test_items_and_products_are_added_up(text: str, said: str) -> None:
    assert answer(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "guide 150, 22 entries at 7 each, bus 310. how much per person?",
        "callout 85, 3 hours at 62 and a valve for 41.90, he paid 100 already. what's left?",
        "budget 500: 3 chairs at 45, table 120. what does it come to?",
        "lunch at 12, 3 coffees at 2.50, cake 4. total?",
        "hotel 3 nights 120, 2 taxis at 40. total?",
        "3 nights at 120 and breakfast 15 each for 2 people. total?",
        "4 adults and 2 children, adults 24, children 12. total?",
        "3 painters, 2 days at 180 a day each, paint 90. what's that?",
        "callout 85, 3 hours at 62 and a valve for 41.90",
    ],
)
def test_what_is_no_plain_bill_is_not_added_up(text: str) -> None:
    found = read_series(text)

    assert found is None or not any(row.factors for row in found.rows)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("Train 1320,40 EUR\nHotel 884,00 EUR", "€1,320.40 + €884.00 = €2,204.40."),
        ("Expenses, June:\nFuel 63,20\nToll 12,40", "63.20 + 12.40 = 75.60."),
        ("Hotel, 884,00 EUR\nMeals, 212,35 EUR", "€884.00 + €212.35 = €1,096.35."),
        ("Rent: 1.150,00\nPower: 86,45", "1,150.00 + 86.45 = 1,236.45."),
        ("1320,40\n884,00\n212,35", "1,320.40 + 884.00 + 212.35 = 2,416.75."),
        ("Anil 4,200\nBea 3,150", "4,200 + 3,150 = 7,350."),
    ],
)
def test_commas_of_decimals_part_no_cells(lines: str, said: str) -> None:
    assert answer(f"{lines}\n\nwhat is the total?") == said


@pytest.mark.parametrize(
    ("lines", "numbers"),
    [
        ("Anna,12,30\nBen,14,20", ["12", "30"]),
        ("room,guests\nRoom 1,12\nRoom 2,15", ["12"]),
        ("Room 1,12\nRoom 2,15", ["12"]),
        ("Kaya,1200\nLopez,950", ["1,200"]),
    ],
)
def test_commas_between_cells_part_them(lines: str, numbers: list[str]) -> None:
    series = read_series(lines)

    assert series is not None
    assert [one.text for one in series.rows[0].numbers if one is not None] == numbers


def test_one_label_before_several_numbers_is_what_they_are() -> None:
    series = read_series("the prices are 8,100, 7,950 and 8,400")

    assert series is not None
    assert series.heading == "prices"
    assert series.labels == ("", "", "")
