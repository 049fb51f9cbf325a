"""Sums beside a story, in several parts, misspelled, or told as a problem. Worked out by hand."""

from __future__ import annotations

import pytest

from intent.sums.reader import read_sum


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("while I think of it, what's 24 times 3.60?", "24 × 3.60 = 86.40"),
        ("Room's 4.5 by 6 metres, so how much is 4.5 times 6?", "4.5 × 6 = 27"),
        ("We have 30 kids. what's 3 times 45?", "3 × 45 = 135"),
        ("I have 500 and owe 30. What's 18 times 3?", "18 × 3 = 54"),
        ("24 times 3.60? and 7 x 8?", "24 × 3.60 = 86.40\n7 × 8 = 56"),
        ("what's 24 times 3.60 and what's 15% of 240?", "24 × 3.60 = 86.40\n15% of 240 = 36"),
        ("what's 12x4 and how much is 30 minus 4", "12 × 4 = 48\n30 − 4 = 26"),
        ("12 x 4 and 7 x 8", "12 × 4 + 7 × 8 = 104 (48 + 56)"),
    ],
)
def test_a_sum_is_found_in_a_story_or_beside_another(message: str, said: str) -> None:
    found = read_sum(message)

    assert found is not None
    assert found.text == said


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("1300 divded by 4", "1,300 ÷ 4 = 325"),
        ("900 devided by 3", "900 ÷ 3 = 300"),
        ("12 tims 8", "12 × 8 = 96"),
        ("12 multipled by 9", "12 × 9 = 108"),
        ("250 take away 37.50", "250 − 37.50 = 212.50"),
        ("what's 12 squared", "12 × 12 = 144"),
        ("60 times two and a half", "60 × 2.5 = 150"),
        ("one and a half times 60", "1.5 × 60 = 90"),
        ("2 1/2 times 60", "2.5 × 60 = 150"),
        ("what's 18.40 and 22.10 together?", "18.40 + 22.10 = 40.50"),
        ("what's left of 500 after 20%", "500 − 20% = 400"),
    ],
)
def test_operations_in_other_words_are_read(message: str, said: str) -> None:
    found = read_sum(message)

    assert found is not None
    assert found.text == said


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("I had 500, spent 180 and 75.50. What's left?", "244.50"),
        ("what's left from 500 after 180 and 75.50?", "244.50"),
        ("how many boxes of 6 do I need for 480 eggs", "80 boxes"),
        ("how many tables of 8 do we need for 75 guests?", "10 tables"),
        ("If 3 painters need 4 days at 180 a day each, what does the labour cost?", "2,160"),
        ("I pay 3 people 12.50 an hour for 6 hours, what's that?", "225.00"),
        ("there are 17 of them and it's 2.40 a cone. What will I pay?", "40.80"),
        ("600 a month for a year", "7,200"),
        ("how much is 45 a week in a year", "2,340"),
        ("12 dozen eggs, how many is that", "144"),
        ("is 30 times 1.5 45?", "30 × 1.5 = 45: yes"),
        ("does 7 times 8 make 54", "7 × 8 = 56: not 54"),
    ],
)
def test_told_problems_are_solved(message: str, value: str) -> None:
    found = read_sum(message)

    assert found is not None
    assert value in found.text


@pytest.mark.parametrize(
    "message",
    [
        "We have 30 kids. what's 3 times 45 per head?",
        "I bought 3 at 4.50 and paid with 20. what's left",
        "I had 500 and gave my 3 kids 20 each. what's left?",
        "we sold 40 on monday and 30 on tuesday. how many in all? and what's 15% of 240?",
        "is 8 or 9 better?",
        "move it to 9 instead of 8",
        "I have 3 agents left of 5",
        "4,870 less that, times 0.8",
    ],
)
def test_no_figure_is_given_where_the_words_leave_it_open(message: str) -> None:
    assert read_sum(message) is None
