"""Signs in a text that its words about times were not wholly understood."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.times.parts.schedule_parts import Group
from intent.times.words.items import (
    Clock,
    Days,
    Holiday,
    Item,
    Mark,
    MonthDays,
    Months,
    OneDay,
    Past,
    PlacedDays,
    YearDay,
)
from intent.times.words.lexicon import UNITS
from intent.times.words.tokens import Tokens, at
from intent.times.words.zones import place_at

_NEAR = 6
_PLACING = frozenset(
    {"first", "second", "third", "fourth", "last", "other", "alternate", "next", "same", "1", "2", "3", "4",
     "th", "st", "nd", "rd", "final", "following", "previous"}
)  # fmt: skip


def is_half_understood(items: Sequence[Item], tokens: Tokens) -> bool:
    """Whether words that belong to a time were not understood, or one of several times is meant."""
    taken = {place for item in items for place in range(item.first, item.end)}
    edges = [place for item in items if not isinstance(item, Mark | Past) for place in (item.first, item.end)]
    for place, token in enumerate(tokens):
        if place in taken or not any(abs(place - edge) <= _NEAR for edge in edges):
            continue
        is_placed = token.text in UNITS and not token.is_possessive and at(tokens, place - 1).text in _PLACING
        if token.is_number and _is_odd_number(tokens, place, items):
            return True
        if is_placed or token.text in ("am", "pm", "oclock"):
            return True
    return _has_alternatives(items, tokens)


def _is_odd_number(tokens: Tokens, place: int, items: Sequence[Item]) -> bool:
    """``25:00``, or the day in ``31 February``."""
    mark, after = at(tokens, place + 1), at(tokens, place + 2)
    is_clock = mark.text == ":" and mark.is_glued and after.is_number and after.is_glued
    return is_clock or any(isinstance(item, Months) and item.first == place + 1 for item in items)


def _has_alternatives(items: Sequence[Item], tokens: Tokens) -> bool:
    """Whether days or times are joined by ``or``: one of them is meant, and not said which."""
    kinds = (Days, PlacedDays, MonthDays, YearDay, Holiday, Clock, OneDay)
    for one, two in pairwise(items):
        between = [token.text for token in tokens[one.end : two.first]]
        is_joined = "or" in between[:2] or "or" in between[-2:]
        is_denied = at(tokens, one.first - 1).text in ("not", "never", "nor", "neither", "without")
        is_one_sentence = not {".", "?"} & set(between)
        are_times = isinstance(one, kinds) and isinstance(two, kinds)
        if are_times and is_joined and is_one_sentence and not is_denied:
            return True
    return False


def is_crossed(groups: Sequence[Group]) -> bool:
    """``Mondays at 9 and at 5 on Fridays``: days without a time after a group that has several."""
    return any(
        len(one.clocks) > 1 and two.days and not two.clocks and two.part is None
        for one, two in pairwise(groups)
    )


def is_before_when(used: Sequence[Item], tokens: Tokens) -> bool:
    """Whether ``when`` follows the words of time: ``every day when the market opens``."""
    return any(at(tokens, item.end).text == "when" for item in used)


def zone_of_only_place(tokens: Tokens, among: Sequence[str] = ()) -> str:
    """Returns the zone of the only place that the text names, for ``their time``; empty otherwise.

    With ``among``, places in other zones don't count.
    """
    found = {zone[0] for place in range(len(tokens)) if (zone := place_at(tokens, place))}
    if among:
        found &= set(among)
    return found.pop() if len(found) == 1 else ""
