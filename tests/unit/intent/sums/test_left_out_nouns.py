"""A count that leaves out its noun counts the same things as the one before."""

from __future__ import annotations

import pytest

from intent.sums.reader import read_sum


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "did 3 nights of 10.5 hours and one of 12, how many hours is that all up",
            "3 nights × 10.5 hours + 1 night × 12 = 43.5 hours",
        ),
        (
            "I worked two shifts of 8 hours and one of 6. how many hours in total?",
            "2 shifts × 8 hours + 1 shift × 6 = 22 hours",
        ),
        ("4 boxes of 12 and one of 20, how many is that?", "4 boxes × 12 + 1 box × 20 = 68"),
        (
            "two rolls of 25 m and three of 10 m: how much cable altogether",
            "2 rolls × 25 m + 3 rolls × 10 m = 80 m",
        ),
        ("3 nights of 10.5 hours, how many is that?", "3 nights × 10.5 hours = 31.5"),
    ],
)
def test_products_of_the_same_things_are_added(text: str, line: str) -> None:
    result = read_sum(text)

    assert result is not None
    assert line in result.text


def test_a_part_of_people_is_no_product() -> None:
    assert read_sum("I have 3 kids and one of them is 12, how old will he be in 2030") is None
