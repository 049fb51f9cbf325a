"""A message's own words: what its user typed, without what they pasted or quoted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intent.entities.own_words import own_words
from tests.fakes.run.property_budget import example_settings

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "evals" / "own_words.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_pasted_text_is_left_out_and_everything_else_stays(case: dict[str, str]) -> None:
    assert own_words(case["text"]).split() == case["own"].split()


def test_a_message_without_pasted_text_is_returned_unchanged() -> None:
    for case in CASES:
        if case["text"] == case["own"]:
            assert own_words(case["text"]) == case["text"]


@example_settings(200)
@given(st.lists(st.sampled_from([*(case["text"] for case in CASES), "\n\n", "> a", "```", "From: a@b", ":"])))
def test_own_words_are_a_part_of_the_message_and_have_no_pasted_text_left(pieces: list[str]) -> None:
    message = "\n".join(pieces)
    own = own_words(message)
    letters = iter(message)
    assert all(letter in letters for letter in own)
    assert own_words(own) == own
