"""More of the things that a price was worked out for: as many more of them are priced, no pieces are added
to money.
"""

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
        ("12 rooms at 74.50", "and 3 more rooms on top of that?", "15 rooms × 74.50 = 1,117.50"),
        ("12 rooms at 74.50", "plus another 5 rooms", "17 rooms × 74.50 = 1,266.50"),
        ("20 kids at 8.50 each", "and two more kids?", "22 kids × 8.50 = 187.00"),
        ("20 kids at 8.50 each", "plus 1 extra kid", "21 kids × 8.50 = 178.50"),
        ("12 rooms at 74.50", "and 50 tip on top", "894.00 + 50 = 944.00"),
        ("12 rooms at 74.50", "plus another €40", "894.00 + €40 = €934.00"),
        ("14 chairs plus 6 chairs", "and 3 more chairs?", "20 + 3 = 23"),
    ],
)
def test_more_of_what_is_counted_is_priced(first: str, then: str, said: str) -> None:
    assert follow_up(first, then) == said


def test_other_things_are_asked_about() -> None:
    assert follow_up("12 rooms at 74.50", "and 3 more towels") is None
