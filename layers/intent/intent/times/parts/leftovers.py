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
from intent.times.words.lexicon import EXCLUDED, MONTHS, NUMBERS, ORDINAL_ENDINGS, SINGULAR_WEEKDAYS, WEEKDAYS
from intent.times.words.signs import is_harmless
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
_HEDGING = frozenset({"maybe", "perhaps", "possibly"})
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
        or _has_unread_lead(walk, used)
        or _describes_part(walk, used)
        or _has_joined_length(walk, used)
    )


def names_unread_time(walk: Walk) -> bool:
    """Whether a number or ``the usual time`` stands beside days that have no time: it may be theirs."""
    used = [item for item in walk.found.used if isinstance(item, (*_DAYS, Rate))]
    if walk.found.parts.says_hours or walk.is_sub_daily() or not used:
        return False
    taken = {place for item in walk.scanned for place in range(item.first, item.end)}
    return any(
        place not in taken and _may_be_time(walk, place) and _is_near(walk, used, place, place + 1, 2)
        for place in range(len(walk.tokens))
    )


_UNSAID_TIMES = frozenset(
    {"usual", "same", "normal", "regular", "right", "agreed", "set", "fixed", "best", "good", "convenient",
     "suitable", "certain", "different", "another", "other", "specific", "particular", "ordinary", "old"}
)  # fmt: skip


def _may_be_time(walk: Walk, place: int) -> bool:
    """Whether an unread word may be a time of day, or stand for one."""
    token, after = at(walk.tokens, place), at(walk.tokens, place + 1)
    if token.text in ("time", "times"):
        return walk.word(place - 1) in _UNSAID_TIMES
    number = int(token.text) if token.is_number and len(token.text) < 5 else NUMBERS.get(token.text, 0)
    is_hour = 1 <= number <= 24 or (len(token.text) in (3, 4) and number < 2400 and number % 100 < 60)
    if not number or not is_hour or (token.is_glued and walk.word(place - 1) not in (",", "(", "/")):
        return False
    return not after.is_word or after.text in _JOINING or after.text == "past"


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
_STAYING = frozenset({"stays", "stay", "remains", "is", "as", "unchanged", "same", "like"})
"""What follows ``the rest`` where it says that nothing else changes."""
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
    if word in _PLACING or word in ("no", "between"):
        is_window = word == "between" and walk.is_sub_daily()  # "hourly between breakfast and dinner"
        is_beside = is_window and _is_near(walk, used, place, place + 1, 2)
        return is_beside or any(item.first == place + 1 for item in used)
    if word == "this" and walk.word(place + 1) in ("week", "month", "quarter", "year"):
        return any(item.end == place and _comes_again(item) for item in used)
    if word == "but":
        return _sets_apart(walk, used, place)
    if word == "or":
        return any(item.end <= place <= item.end + 1 for item in used) and _offers(walk, place)
    if word == "times":
        return at(walk.tokens, place - 1).is_number or walk.word(place - 1) in NUMBERS
    if word == "rest" and walk.word(place + 1) in _STAYING:
        return False
    if word in _CHANGING:
        near = _NEAR if word not in _HEDGING else 1  # ``maybe remind me at 6`` doubts the deed
        return not _is_plain(walk, used, place) and _is_near(walk, used, place, place + 1, near)
    if word in SINGULAR_WEEKDAYS or word in ("am", "pm", "oclock"):
        return _is_near(walk, used, place, place + 1, 2 * _NEAR)
    return (word in WEEKDAYS or word in MONTHS) and _is_near(walk, used, place, place + 1, 0)


def _sets_apart(walk: Walk, used: Sequence[Item], place: int) -> bool:
    """Whether ``but`` says that days are others: ``every Friday but one``, ``but Monday at 8``."""
    if walk.word(place + 1) in ("one", "two") and any(item.end == place for item in used):
        return True
    if walk.found.parts.overrides:
        return False
    has_days = any(item.end <= place and isinstance(item, Days | Rate) for item in used)
    return has_days and any(item.first == place + 1 and isinstance(item, Days) for item in used)


def _is_plain(walk: Walk, used: Sequence[Item], place: int) -> bool:
    """Whether a word changes nothing: ``don't forget``, ``Monday to Friday inclusive``."""
    word = walk.word(place)
    if word == "inclusive":
        return any(item.end == place and isinstance(item, Days) for item in used)
    if word == "once" and walk.word(place - 1) == "," and walk.word(place + 1) in _TOLD_OF:
        return any(isinstance(item, Clock) and item.end <= place for item in used)
    if word in EXCLUDED:
        return any(day.end == place for day in walk.found.removed_days)
    if word == "otherwise":
        leaves_out = bool(walk.found.parts.without_days)
        return leaves_out and any(item.first == place + 1 and isinstance(item, Rate) for item in used)
    return is_harmless(walk.tokens, place)


_TOLD_OF = frozenset(
    {"everybody", "everybodys", "everyone", "everyones", "we", "were", "ive", "i", "im", "they", "theyre",
     "the", "my", "our", "its", "it", "hes", "shes", "weve", "theyve", "all", "people", "nobody", "nobodys"}
)  # fmt: skip
"""Words behind ``once`` that tell by when something is so: ``at 7, once everybody's gone``."""


def _comes_again(item: Item) -> bool:
    return isinstance(item, Rate) or (isinstance(item, Days | MonthDays | PlacedDays) and item.is_each)


def _has_unread_lead(walk: Walk, used: Sequence[Item]) -> bool:
    """``tomorrow saa tatu remind me``: what stands between a time and ``remind me`` belongs to it."""
    ends = {item.end for item in used}
    for place, token in enumerate(walk.tokens):
        if token.text not in ("remind", "nudge") or walk.word(place + 1) not in ("me", "us"):
            continue
        here = place
        while here and here not in ends and at(walk.tokens, here - 1).is_word:
            here -= 1
        unread = [word for word in walk.words(here, place) if word not in _JOINING | _POLITE]
        return here in ends and bool(unread) and not _POLITE & set(walk.words(here, place))
    return False


def _has_joined_length(walk: Walk, used: Sequence[Item]) -> bool:
    """``at 6 and 23 hrs``: a length in a list of times of day is hardly one."""
    consumed = {id(item) for item in walk.found.used}
    ends = {item.end + 1 for item in used if isinstance(item, Clock)}
    return any(
        isinstance(item, Length)
        and id(item) not in consumed
        and item.first in ends
        and walk.word(item.first - 1) in ("and", ",", "&")
        for item in walk.scanned
    )


def _describes_part(walk: Walk, used: Sequence[Item]) -> bool:
    """``school mornings``: only some of them, where nothing else says on which days."""
    parts = [item for item in used if isinstance(item, Part) and item.is_plural]
    if len(used) > len([item for item in used if isinstance(item, Part | Clock)]):
        return False
    return any(
        at(walk.tokens, item.first - 1).is_word and walk.word(item.first - 1) not in _JOINING | _BEFORE_PARTS
        for item in parts
    )


_BEFORE_PARTS = frozenset(
    {
        "all",
        "my",
        "our",
        "early",
        "late",
        "most",
        "me",
        "us",
        "it",
        "this",
        "these",
        "run",
        "send",
        "post",
        "them",
    }
)
_POLITE = frozenset(
    {"please", "pls", "can", "could", "would", "will", "you", "so", "just", "kindly", "do", "i", "want",
     "need", "and", "then", "also", "to", "must", "should", "we", "if", "have", "has"}
)  # fmt: skip


def _offers(walk: Walk, place: int) -> bool:
    """Whether another time stands after ``or``."""
    after = [at(walk.tokens, place + step) for step in (1, 2, 3)]
    return any(token.is_number or token.text in WEEKDAYS or token.text in NUMBERS for token in after)


_NUMBER_LEADS = ("and", ",", "&", "/", "or", "then", "again", "in", "at", "to", "-", "\u2013", "till", "the")


def _has_bare_number(walk: Walk) -> bool:
    """``at 9, 12:75``, ``mon 9, fri 3 sharpish``: a number right beside a time, that counts nothing."""
    taken = {place for item in walk.scanned for place in range(item.first, item.end)}
    ends = {item.end for item in walk.found.used if isinstance(item, (*_DAYS, Clock, Length))}
    begins = {item.first for item in walk.found.used if isinstance(item, _DAYS)}
    for place, token in enumerate(walk.tokens):
        if place in taken or not token.is_number or len(token.text) > 4:
            continue
        if place + 2 in begins and walk.word(place + 1) in _RANGING | {"and", "&", "or"}:
            return True
        here = place
        while here and at(walk.tokens, here - 1).text in _NUMBER_LEADS:
            here -= 1
        after = at(walk.tokens, place + 1)
        is_date = after.text in ORDINAL_ENDINGS and after.is_glued
        if here in ends and (is_date or not after.is_word or after.text in _JOINING):
            return True
    return False


def _are_apart(walk: Walk, used: Sequence[Item]) -> bool:
    """Whether two days, or two times of day, have words between them that don't join them as a list."""
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
            if same is days and not walk.is_change and _is_range(walk, one, two):
                return True
            joining = _JOINING | _RESTRICTING if same is days else _JOINING
            joining = joining | _REASONS if same is days and walk.is_change else joining
            if any(walk.word(place) not in joining for place in gap):
                return True
    return False


def _is_range(walk: Walk, one: Item, two: Item) -> bool:
    """``5 March to 9 March``: neither both days nor one of them."""
    main = {id(day) for day in walk.found.days}
    joint = walk.words(one.end, two.first)
    return bool(joint) and joint[0] in _RANGING and id(one) in main and id(two) in main


_RESTRICTING = frozenset({"only"})
_REASONS = frozenset({"because", "since", "as", "cos"})
_RANGING = frozenset({"to", "-", "\u2013", "till", "through", "thru"})
