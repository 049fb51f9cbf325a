"""A point before three digits: thousands of money and of counts, decimals of measures."""

from __future__ import annotations

import pytest

from intent.sums.thousands import open_figures, with_thousands


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("how much is 19% VAT on 1.250 euro", "how much is 19% VAT on 1,250 euro"),
        ("€2.400 plus 19%", "€2,400 plus 19%"),
        ("3.500 flyers at 0.12 each", "3,500 flyers at 0.12 each"),
        ("split 12.000 EUR between 5 people", "split 12,000 EUR between 5 people"),
        ("1.250,50 euro and 2.000 euro", "1.250,50 euro and 2,000 euro"),
    ],
)
def test_thousands_of_money_and_counts_are_marked(text: str, read: str) -> None:
    assert with_thousands(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "40 litres at 1.659",
        "1.659 euro per litre times 40",
        "what's 1.250 kg times 4",
        "100 euro at a rate of 1.085 dollars",
        "0.125 euro each",
        "1.25 euro times 3",
        "version 1.250.3 of the app costs 5 euro",
    ],
)
def test_decimals_stay(text: str) -> None:
    assert with_thousands(text) == text


def test_a_bare_figure_is_open() -> None:
    assert open_figures("1.250 * 3") == ("1.250",)
    assert open_figures("1.25 * 3") == ()
