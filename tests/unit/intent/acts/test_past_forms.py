"""The base forms of verbs in the past, and the titles of chores that people tell."""

from __future__ import annotations

import pytest

from intent.acts.past_forms import base_of_past
from intent.acts.task_reading.told_chores import chore_title


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("rung", "ring"), ("spoke", "speak"), ("filed", "file"), ("posted", "post"), ("emptied", "empty"),
        ("dropped", "drop"), ("called", "call"), ("ordered", "order"), ("table", ""), ("red", ""),
        ("bring", ""), ("lease", ""),
    ],
)  # fmt: skip
def test_a_verb_in_the_past_has_a_base_form(word: str, base: str) -> None:
    assert base_of_past(word) == base


@pytest.mark.parametrize(
    ("told", "title"),
    [
        ("I still haven't sent Ana the keys", "send Ana the keys"),
        ("we have not paid the deposit yet", "pay the deposit"),
        ("I never rang the landlord back", "ring the landlord back"),
        ("I haven't got round to booking the hall", "book the hall"),
        ("Sorry. I keep forgetting to water the ferns", "water the ferns"),
        ("I didn't post the parcel", "post the parcel"),
        ("the hall is booked", ""),
        ("I never", ""),
    ],
)
def test_a_chore_that_is_not_done_has_a_title(told: str, title: str) -> None:
    assert chore_title(told) == title
