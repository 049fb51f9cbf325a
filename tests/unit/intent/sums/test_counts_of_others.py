"""Numbers that only say how many others there are, and counts of which each tells how many the next has."""

from __future__ import annotations

import pytest

from intent.sums.quantities import read_quantities
from intent.sums.reader import read_sum
from intent.sums.result import EarlierSum


def result_of(text: str, earlier: str = "") -> str | None:
    before = read_sum(earlier) if earlier else None
    found = read_sum(text, earlier=None if before is None else EarlierSum.of(before))
    return None if found is None else found.result


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("49 a month for Canva and 129 a month for HubSpot, what do the two cost us", ["49", "129"]),
        ("Netflix 12 and Spotify 11 a month, what are the two of them in a year?", ["12", "11"]),
        ("rent 900, power 80, water 30. what do the three come to", ["900", "80", "30"]),
        ("Ana earns 2100 and Bo 2350, how much do the two earn", ["2,100", "2,350"]),
        ("my last six deliveries took 4, 7, 5, 9, 6 and 8 days", ["4", "7", "5", "9", "6", "8"]),
        ("my five runs were 6, 8, 7.5, 10 and 5 km", ["6", "8", "7.5", "10", "5"]),
        ("two cars, 35 and 48 a day, what do the two cost a week", ["35", "48"]),
        ("there was one more, 30", ["30"]),
    ],
)
def test_a_number_that_counts_the_others_is_no_operand(text: str, numbers: list[str]) -> None:
    assert [one.text for one in read_quantities(text).numbers] == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("the two rooms at 80 and a hall at 200", ["2", "80", "200"]),
        ("90 for lunch and 20 for tips split between the two of us", ["90", "20", "2"]),
        ("2, 3 and 5", ["2", "3", "5"]),
        ("3 apples, 4 pears, 5 plums and 6 figs", ["3", "4", "5", "6"]),
        ("the three at 40 and one hall at 90 and 2", ["3", "40", "1", "90", "2"]),
        ("2 plus 30 and 40", ["2", "30", "40"]),
        ("3 rooms with 2 beds, 1 desk and 4 chairs", ["3", "2", "1", "4"]),
    ],
)
def test_a_number_that_counts_something_else_stays(text: str, numbers: list[str]) -> None:
    assert [one.text for one in read_quantities(text).numbers] == numbers


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (
            "3 boxes with 24 pieces and 5 boxes with 36 pieces. How many pieces is it all together?",
            "252 pieces",
        ),
        ("2 trays with 30 eggs plus 7 trays with 12 eggs, total eggs?", "144 eggs"),
        ("9 trays of 6 muffins and 5 trays of 12 muffins, how many muffins do we have", "114 muffins"),
        ("my last six deliveries took 4, 7, 5, 9, 6 and 8 days, whats the averge?", "6.5"),
        ("our four suppliers charge 300, 280, 410 and 350. the mean?", "335"),
        ("two of us split 90, how much each", "45"),
        ("90 split 3 ways", "30"),
        ("1,800 a quarter, how much a month?", "600"),
    ],
)
def test_counts_are_multiplied_and_lists_are_averaged(text: str, result: str) -> None:
    assert result_of(text) == result


@pytest.mark.parametrize(
    ("earlier", "text", "result"),
    [
        ("26,000 ÷ 12", "there are 8 of us, so per person per month?", "270.83"),
        ("960 / 12", "there are 4 people, so per person?", "20"),
        ("1,800 ÷ 3", "we're 4, so each per month?", "150"),
        ("40 chairs at 2.50 each", "I meant 45 chairs", "112.50"),
        ("30 hours at 42 an hour", "hang on, it's 32 hours", "1,344"),
        ("120 + 75 + 210", "sorry the second one was 85", "415"),
        ("18 + 22 + 40", "the first was actually 28", "90"),
    ],
)
def test_a_sum_goes_on_from_the_one_before(earlier: str, text: str, result: str) -> None:
    assert result_of(text, earlier) == result
