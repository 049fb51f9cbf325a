"""The numbers of dates are no amounts."""

from __future__ import annotations

import pytest

from intent.sums.quantities import read_quantities


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("our rate goes up to 455, starting 1 May.", [455]),
        ("12 nights from the 1st of May 2026", [12]),
        ("on May 3 we sold 40", [40]),
        ("on 2026-05-01 it was 17, on 1/5/2026 18, on 1.5.2026 19", [17, 18, 19]),
        ("Jan 12, Feb 15, Mar 20", [12, 15, 20]),
        ("of the 12 may be 3 too old", [12, 3]),
        ("12/4/2", [12, 4, 2]),
        ("2026 - 5 - 1", [2026, 5, 1]),
        ("what's 12 days at the new one", [12]),
        ("three minus one", [3, 1]),
    ],
)
def test_only_amounts_are_read(text: str, values: list[int]) -> None:
    assert [number.value for number in read_quantities(text).numbers] == values
