"""What ``every second Wednesday`` means: every other week, or the second Wednesday of the month."""

from __future__ import annotations

from dataclasses import replace

from intent.times.parts.schedule_parts import DayItem, Parts
from intent.times.words.items import Days, PlacedDays


def starts_otherwise(parts: Parts, doubtful: Days) -> bool:
    """Whether the first day tells which is meant: ``every second Monday, first 16 March``, the third one."""
    start = parts.start_day
    is_its_day = start is not None and (start.weekday() + 1) % 7 in doubtful.days
    return start is not None and is_its_day and (start.day - 1) // 7 + 1 != doubtful.every


def meanings(parts: Parts, doubtful: Days) -> tuple[Parts, Parts]:
    """``every second Wednesday``: every other week, or the second of the month."""
    placed = PlacedDays(doubtful.first, doubtful.end, doubtful.days, (doubtful.every,), is_each=True)
    meanings: tuple[DayItem, DayItem] = (replace(doubtful, may_be_placed=False), placed)
    one, two = (
        replace(
            parts,
            groups=[
                replace(
                    group,
                    days=[(meaning if day is doubtful else day, months) for day, months in group.days],
                )
                for group in parts.groups
            ],
        )
        for meaning in meanings
    )
    return one, two
