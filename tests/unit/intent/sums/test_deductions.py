"""What is taken off the result of the sum before, or comes on top of it."""

from __future__ import annotations

import pytest

from intent.sums.reader import read_sum
from intent.sums.result import EarlierSum


def follow_up(first: str, then: str) -> str | None:
    before = read_sum(first)
    assert before is not None
    found = read_sum(then, earlier=EarlierSum.of(before))
    return None if found is None else found.text


@pytest.mark.parametrize(
    ("first", "then", "said"),
    [
        ("210 + 340", "take away 60", "550 − 60 = 490"),
        ("210 + 340", "and if we knock $75 off for the damage?", "550 − $75 = $475"),
        ("210 + 340", "deduct the 50 we got back", "550 − 50 = 500"),
        ("210 + 340", "we've already paid 200 of that, what's still open?", "550 − 200 = 350"),
        ("210 + 340", "deposit of 150 already paid, what's left?", "550 − 150 = 400"),
        ("2,000 − 860", "and once I've paid the builder's 320?", "1,140 − 320 = 820"),
        ("2,000 − 860", "and after the 90 for paint?", "1,140 − 90 = 1,050"),
        ("2,000 − 860", "what if another 40 goes on tape?", "1,140 − 40 = 1,100"),
        ("210 + 340", "what's left if the van costs 130?", "550 − 130 = 420"),
        ("6 x 2.50", "what's my change from a 20?", "20 − 15.00 = 5.00"),
        ("6 x 2.50", "I'll give them 50, what do I get back?", "50 − 15.00 = 35.00"),
        ("210 + 340", "and 10% on top?", "550 + 10% = 605 (the 10% is 55)"),
        ("210 + 340", "and a delivery fee of 25?", "550 + 25 = 575"),
        ("210 + 340", "how much each for 5 people?", "550 ÷ 5 people = 110"),
        ("4 shifts of 7 hours", "at 15 an hour?", "28 × 15 = 420"),
    ],
)
def test_a_number_changes_the_result_before(first: str, then: str, said: str) -> None:
    assert follow_up(first, then) == said


@pytest.mark.parametrize(
    ("first", "then", "said"),
    [
        ("7 nights at 85", "and for 3 nights?", "3 nights × 85 = 255"),
        ("38 + 44", "the hall takes 100, what is free then?", "100 − 82 = 18"),
        ("(120 + 80) + 20%", "and with 25% VAT?", "(120 + 80) + 25% = 250 (the 25% is 50)"),
        ("210 + 340", "can I take 3 days off?", None),
    ],
)
def test_other_numbers_are_no_deductions(first: str, then: str, said: str | None) -> None:
    assert follow_up(first, then) == said


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ("and once I've taken off 210 for the hall?", "600 − 210 = 390"),
        ("and once we've deducted 45 for the stand?", "600 − 45 = 555"),
        ("and if three families split it evenly?", "600 ÷ 3 = 200"),
        ("if five households chip in equally?", "600 ÷ 5 = 120"),
        ("and if we were four to share?", "600 ÷ 4 = 150"),
    ],
)
def test_what_was_taken_off_and_who_splits_the_rest(then: str, said: str) -> None:
    assert follow_up("350 + 250", then) == said
