"""Parts of the day beside days in a change: a time in that part stays."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from conversation.timing import Timing
from intent.times.reader import read_times

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def crons(was: str, say: str) -> tuple[str, ...]:
    readings = read_times(say, now=NOW, zone="UTC", was=Timing((was,), "UTC"))
    return readings[0].timing.crons if readings and readings[0].timing else ()


@pytest.mark.parametrize(
    ("was", "say", "expected"),
    [
        ("0 20 * * *", "only sunday to thursday evenings", "0 20 * * 0,1,2,3,4"),
        ("0 20 * * *", "Friday evenings", "0 20 * * 5"),
        ("30 19 * * *", "make it monday and wednesday evenings", "30 19 * * 1,3"),
        ("15 8 * * *", "weekday mornings", "15 8 * * 1-5"),
        ("30 21 * * *", "only saturday nights", "30 21 * * 6"),
        ("0 15 * * 1-5", "friday afternoons", "0 15 * * 5"),
        ("0 8,20 * * *", "only weekday evenings", "0 20 * * 1-5"),
        ("0 20 * * 1-5", "also saturday evenings", "0 20 * * 1,2,3,4,5,6"),
    ],
)
def test_a_time_in_the_part_of_the_day_stays(was: str, say: str, expected: str) -> None:
    assert crons(was, say) == (expected,)


@pytest.mark.parametrize(
    ("was", "say", "expected"),
    [
        ("0 20 * * *", "only on weekday mornings", ("0 9 * * 1-5",)),
        ("0 9 * * *", "sunday to thursday evenings", ("0 18 * * 0,1,2,3,4",)),
        ("0 20 * * *", "sunday to thursday, late evening", ()),
        ("0 */2 * * *", "only weekday evenings", ("0 18 * * 1-5",)),
        ("15 8 * * *", "mornings", ("0 9 * * *",)),
    ],
)
def test_another_time_is_the_one_that_the_part_stands_for(
    was: str, say: str, expected: tuple[str, ...]
) -> None:
    assert crons(was, say) == expected
