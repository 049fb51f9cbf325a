"""Sizes are counted by DynamoDB's documented rules."""

from __future__ import annotations

import pytest

from storage.items import item_bytes, value_bytes
from storage.table import Value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", 0),
        ("abc", 3),
        ("é", 2),
        ("日本", 6),
        ("😀", 4),
        (None, 1),
        (True, 1),
        (0, 1),
        (5, 2),
        (-5, 3),
        (42, 2),
        (100, 2),
        (1_000, 2),
        (123, 3),
        (1_767_225_600_000, 6),
        (1_767_225_600_123, 8),
        (frozenset(("abc",)), 3),
        ([], 3),
        (["a", True], 7),
        ({}, 3),
        ({"é": "b"}, 7),
        ([{"a": []}], 12),
    ],
    ids=repr,
)
def test_a_value_has_the_documented_size(value: Value, expected: int) -> None:
    assert value_bytes(value) == expected


def test_an_item_counts_the_names_of_its_attributes() -> None:
    assert item_bytes({"pk": "T#a", "sk": "é", "n": 1}) == (2 + 3) + (2 + 2) + (1 + 2)
