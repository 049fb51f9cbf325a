"""Words beside a time that its reading did not use: what they say would be lost without a question."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.times.parts.walk import Walk
from intent.times.words.items import (
    Clock,
    Days,
    Holiday,
    Item,
    Length,
    Mark,
    MinuteOfHour,
    MonthDays,
    Months,
    Noun,
    OneDay,
    Part,
    Past,
    PlacedDays,
    Rate,
    Window,
    YearDay,
)
from intent.times.words.lexicon import MONTHS, NUMBERS, SINGULAR_WEEKDAYS, WEEKDAYS
from intent.times.words.tokens import at

_NEAR = 4
"""How many tokens from a time a word may stand that changes it."""
_CHANGING = frozenset(
    {"otherwise", "else", "rest", "remaining", "others", "respectively", "alternately", "depending",
     "depends", "either", "twice", "thrice", "once", "until", "till", "til", "unless", "without", "ending",
     "alternating", "alternate", "odd", "even", "earliest", "excluded", "inclusive", "exclusive", "dont",
     "never", "shouldnt", "neither", "nor", "unlike", "minus", "respective", "occasionally", "sometimes",
     "usually", "maybe", "perhaps", "possibly", "roughly", "skipping", "alternatively"}
)  # fmt: skip
"""Words that say something about a time beside them. Those that a reading used don't count."""
_JOINING = frozenset(
    {"and", "&", "n", "+", ",", ";", "/", "-", "\u2013", "(", ")", ":", ".", "then", "plus", "at", "@",
     "on", "the", "of", "in", "for", "every", "each", "both", "again", "also", "to", "by", "around",
     "about", "und", "or", "but", "a", "an", "as", "well", "too", "say", "please", "pls", "that", "is",
     "are", "day", "from", "it", "sharp", "et", "with", "being", "meaning", "ie", "eg", "time", "times",
     "this", "coming", "any", "during", "over", "o", "clock"}
)  # fmt: skip
"""Words between two times of one kind that belong together."""
_DAYS = (Days, PlacedDays, MonthDays, YearDay, Holiday, OneDay)
_SAYS_WHEN = (*_DAYS, Clock, Window, MinuteOfHour, Rate, Months, Part)


def has_leftovers(walk: Walk) -> bool:
    """Whether words that belong to the times of a text were not used for their reading."""
    used = [item for item in walk.found.used if isinstance(item, _SAYS_WHEN)]
    if not used:
        return any(isinstance(item, Length) for item in walk.found.used) and _has_bare_number(walk)
    return (
        _has_unused_sign(walk, used)
        or _has_changing_word(walk, used)
        or _has_bare_number(walk)
        or _are_apart(walk, used)
    )


def _distance(item: Item, first: int, end: int) -> int:
    """How many tokens stand between a piece and another stretch."""
    return max(first - item.end, item.first - end, 0)


def _is_near(walk: Walk, used: Sequence[Item], first: int, end: int, most: int) -> bool:
    return any(
        _distance(item, first, end) <= most
        and not _has_stop(walk, min(item.end, end), max(item.first, first))
        for item in used
    )


def _has_stop(walk: Walk, first: int, end: int) -> bool:
    """Whether a sentence ends between two places."""
    return any(
        token.text in (".", "!", "?") and not at(walk.tokens, place + 1).is_glued
        for place, token in enumerate(walk.tokens[first:end], first)
    )


def _has_unused_sign(walk: Walk, used: Sequence[Item]) -> bool:
    """``every day at 9 until I say stop``, ``Mondays at 9 except now``."""
    consumed = {id(item) for item in walk.found.used}
    for place, mark in enumerate(walk.items):
        if not isinstance(mark, Mark) or id(mark) in consumed:
            continue
        word = walk.word(mark.first)
        if word in _ENDING and _is_near(walk, used, mark.first, mark.end, 1):
            return True
        following = walk.items[place + 1] if place + 1 < len(walk.items) else None
        is_doubled = isinstance(following, Mark) and following.first == mark.end
        if word in _EXCEPTING and any(item.end == mark.first for item in used) and not is_doubled:
            return True
    return False


_ENDING = frozenset({"until", "till", "til", "ending"})
_EXCEPTING = frozenset(
    {"except", "but", "not", "without", "minus", "never", "excluding", "apart", "besides", "skip"}
)
_PLACING = frozenset({"other", "first", "second", "third", "fourth", "fifth", "last", "next", "previous"})


def _has_changing_word(walk: Walk, used: Sequence[Item]) -> bool:
    taken = {place for item in walk.scanned for place in range(item.first, item.end)}
    return any(
        _changes(walk, used, place)
        for place, token in enumerate(walk.tokens)
        if place not in taken and not token.is_possessive
    )


def _changes(walk: Walk, used: Sequence[Item], place: int) -> bool:
    """Whether an unused word says something about a time near it."""
    word = walk.word(place)
    if word in _PLACING:
        return any(item.first == place + 1 for item in used)
    if word == "but":
        has_days = any(item.end <= place and isinstance(item, Days | Rate) for item in used)
        return has_days and any(item.first == place + 1 and isinstance(item, Days) for item in used)
    if word == "or":
        return any(item.end <= place <= item.end + 1 for item in used) and _offers(walk, place)
    if word == "times":
        return at(walk.tokens, place - 1).is_number or walk.word(place - 1) in NUMBERS
    if word in _CHANGING:
        return _is_near(walk, used, place, place + 1, _NEAR)
    if word in SINGULAR_WEEKDAYS or word in ("am", "pm", "oclock"):
        return _is_near(walk, used, place, place + 1, 2 * _NEAR)
    return (word in WEEKDAYS or word in MONTHS) and _is_near(walk, used, place, place + 1, 0)


def _offers(walk: Walk, place: int) -> bool:
    """Whether another time stands after ``or``."""
    after = [at(walk.tokens, place + step) for step in (1, 2, 3)]
    return any(token.is_number or token.text in WEEKDAYS or token.text in NUMBERS for token in after)


_NUMBER_LEADS = ("and", ",", "&", "/", "or", "then", "again", "in", "at")


def _has_bare_number(walk: Walk) -> bool:
    """``at 9, 12:75``, ``mon 9, fri 3 sharpish``: a number right beside a time, that counts nothing."""
    taken = {place for item in walk.scanned for place in range(item.first, item.end)}
    ends = {item.end for item in walk.found.used if isinstance(item, Clock | Days | Length)}
    for place, token in enumerate(walk.tokens):
        if place in taken or not token.is_number or len(token.text) > 4:
            continue
        here = place
        while here and at(walk.tokens, here - 1).text in _NUMBER_LEADS:
            here -= 1
        after = at(walk.tokens, place + 1)
        if here in ends and (not after.is_word or after.text in _JOINING):
            return True
    return False


def _are_apart(walk: Walk, used: Sequence[Item]) -> bool:
    """Whether two days, or two times of day, have words between them that don't join them."""
    taken = {
        place
        for item in (*walk.found.used, *(item for item in walk.scanned if isinstance(item, Noun | Past)))
        for place in range(item.first, item.end)
    }
    times = {id(clock) for clock in walk.found.parts.clocks}
    removed = {id(item) for item in walk.found.removed_days}
    days = [item for item in used if isinstance(item, _DAYS) and id(item) not in removed]
    clocks = [item for item in used if isinstance(item, Window | MinuteOfHour) or id(item) in times]
    for same in (days, clocks):
        for one, two in pairwise(sorted(same, key=lambda item: item.first)):
            gap = set(range(one.end, two.first)) - taken
            if any(walk.word(place) not in _JOINING for place in gap):
                return True
    return False
