"""Words that stand in the way of a time, and beside which words they don't: ``at teatime, four o'clock``."""

from __future__ import annotations

from intent.times.parts.walk import Walk
from intent.times.words.items import Blocker, Clock, Item, MinuteOfHour, Months, Part, Window


def is_harmless(walk: Walk, item: Blocker) -> bool:
    """Returns whether other words say what these leave open, or they are about something else."""
    if item.is_condition and not _follows_time(walk, item):
        return True
    if item.is_weak and walk.word(item.first) in _SEASON_WORDS and _says_months(walk):
        return True
    if item.missing != "time":
        return False
    return _says_clock(walk) if item.is_weak else _is_told_as_clock(walk, item)


def _says_clock(walk: Walk) -> bool:
    return any(isinstance(item, Clock | Window | MinuteOfHour) for item in walk.items)


_SEASON_WORDS = frozenset(
    {"summer", "winter", "spring", "autumn", "fall", "season", "summers", "winters", "in", "during"}
)


def _says_months(walk: Walk) -> bool:
    """Whether the months of the only season that is named are said, too: ``in summer, June to August``."""
    seasons = [
        item for item in walk.items if isinstance(item, Blocker) and item.is_weak and item.missing == "day"
    ]
    return len(seasons) == 1 and sum(isinstance(item, Months) for item in walk.items) == 1


def _is_told_as_clock(walk: Walk, item: Blocker) -> bool:
    """Whether a clock stands right beside an unknown time as its meaning: ``at teatime, four o'clock``."""
    if walk.word(item.first) in ("before", "after", "when") and _explains_clock(walk, item):
        return True
    if walk.word(item.first) in ("before", "after"):
        return False
    return any(
        isinstance(clock, Clock)
        and (joint := walk.words(item.end, clock.first) or walk.words(clock.end, item.first))
        and joint[0] in (",", "(", "-", "say")
        and set(joint) <= _MEANING
        for clock in walk.items
    )


def _explains_clock(walk: Walk, item: Blocker) -> bool:
    """Whether an unknown time only says why the clock right before it is a good one: ``at 6 in the evening,
    after we close``.
    """
    parts = [one for one in walk.items if isinstance(one, Clock | Part)]
    return any(isinstance(one, Clock) for one in parts) and any(
        one.end <= item.first and set(walk.words(one.end, item.first)) <= _EXPLAINING for one in parts
    )


_EXPLAINING = frozenset({",", "(", "-", "right", "just", "shortly", "soon", "ie", "so"})
_MEANING = frozenset({",", "(", "-", "say", "at", "ie", "that", "is", "thats", "around", "about", "so"})


def _follows_time(walk: Walk, item: Item) -> bool:
    """Whether a condition stands right after a time; ``tell me if it changes`` doesn't."""
    return any(0 <= item.first - used.end <= 1 for used in walk.found.used) or not walk.found.used
