"""The amount that a text puts in the place of another."""

from __future__ import annotations

import pytest

from intent.amounts.corrections import read_correction


@pytest.mark.parametrize(
    ("text", "new", "old"),
    [
        ("just had a call, it's 94, not 84.", 94, 84),
        ("it's not 84 but 94", 94, 84),
        ("they need 12 mg instead of 10", 12, 10),
        ("it's 96 now, was 110", 96, 110),
        ("our day rate goes up from 420 to 455, starting 1 May.", 455, 420),
    ],
)
def test_both_amounts_are_read(text: str, new: int, old: int) -> None:
    found = read_correction(text)

    assert found is not None
    assert [found.new.value, found.old.value] == [new, old]


@pytest.mark.parametrize(
    "text",
    [
        "open from 9 to 17",
        "is it 94, not 84?",
        "3 adults, not 2 children",
        "12 at 4.50",
        "not 12 and then 14",
    ],
)
def test_other_pairs_of_numbers_correct_nothing(text: str) -> None:
    assert read_correction(text) is None
