"""Ids made here, and the order they give."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from conversation.identity import new_ulid

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def test_ids_of_one_millisecond_sort_by_their_microseconds() -> None:
    made = [new_ulid(NOON + timedelta(microseconds=each)) for each in range(3_000)]
    assert made == sorted(made)
    assert len({each[:10] for each in made}) == 3
