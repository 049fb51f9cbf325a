"""How often and how long, in words: ``every other week``, ``twice a day``, ``an hour earlier``."""

from __future__ import annotations

from dataclasses import replace

from intent.times.words.clocks import number_at
from intent.times.words.items import Blocker, Item, Length, Rate
from intent.times.words.lexicon import (
    COUNTS,
    EVERY,
    FREQUENCIES,
    NIGHTLY,
    PARTS,
    TWO_MEANINGS,
    UNITS,
    WORKING_DAY_UNITS,
    first_words,
)
from intent.times.words.tokens import Tokens, at, phrase_at, words_at

STARTS = first_words(COUNTS, EVERY, FREQUENCIES, TWO_MEANINGS) | {
    "a", "alternate", "alternating", "an", "by", "couple", "even", "few", "for", "half", "in", "many",
    "at", "all", "day", "multiple", "odd", "once", "per", "quarter", "random", "randomly", "several",
    "some", "thrice", "twice",
    "within"
}  # fmt: skip
_OTHER = ("other", "second", "2nd", "2 nd", "alternate")
_MOST_UNITS = 1_000
_VAGUE = ("a couple of", "a couple", "couple of", "a few", "few", "several", "some", "many", "multiple")
_HALF = ("half an", "half a", "half")


def rate_at(tokens: Tokens, place: int) -> Item | None:
    """Returns how often: ``every 2 hours``, ``twice a day``, ``daily``; a `Blocker` where that is unclear."""
    return _frequency(tokens, place) or _times_per(tokens, place) or _every(tokens, place)


def _frequency(tokens: Tokens, place: int) -> Item | None:
    if doubtful := phrase_at(tokens, place, tuple(TWO_MEANINGS)):
        return Blocker(place, doubtful[1], missing="rate", skips=TWO_MEANINGS[doubtful[0]])
    if end := words_at(
        tokens,
        place,
        "in even calendar weeks",
        "in even weeks",
        "even calendar weeks",
        "even weeks",
        "even iso weeks",
        "in even iso weeks",
        "even numbered weeks",
        "in even numbered weeks",
    ):
        return Rate(place, end, "even week", 2)
    if end := words_at(
        tokens,
        place,
        "in odd calendar weeks",
        "in odd weeks",
        "odd calendar weeks",
        "odd weeks",
        "odd iso weeks",
        "in odd iso weeks",
        "odd numbered weeks",
        "in odd numbered weeks",
    ):
        return Rate(place, end, "odd week", 2)
    if end := words_at(tokens, place, *_DAILY):
        return Rate(place, end, "day")
    if interval := _compound_hourly(tokens, place) or _in_intervals(tokens, place):
        return interval
    found = FREQUENCIES.get(at(tokens, place).text)
    many = _many(tokens, place)
    if many and (often := FREQUENCIES.get(at(tokens, many[1]).text)):
        return Rate(place, many[1] + 1, often[1], times=many[0])
    if found is None or at(tokens, place).is_possessive:
        return None
    before, after = at(tokens, place - 1), at(tokens, place + 1)
    is_joined = (before.text in "-_/" and before.text != "" and at(tokens, place).is_glued) or (
        after.text in ("-", "_") and after.is_glued
    )
    if is_joined:
        return None
    is_adjective = (after.is_word or not after.text) and before.text in (
        "the",
        "my",
        "our",
        "your",
        "their",
        "this",
        "its",
        "that",
    )
    part = "night" if at(tokens, place).text in NIGHTLY else ""
    return Rate(place, place + 1, found[1], found[0], is_adjective=is_adjective, part=part)


_DAILY = (
    "seven days a week", "7 days a week", "all seven days of the week", "all 7 days of the week",
    "all seven days",
    "all 7 days", "day in , day out", "day in day out", "every day of the week", "each day of the week",
    "all days of the week",
)  # fmt: skip


def _compound_hourly(tokens: Tokens, place: int) -> Rate | None:
    """Returns ``half-hourly``, ``two-hourly``, ``quarter hourly``."""
    word, mark = at(tokens, place), at(tokens, place + 1)
    here = place + 1 + (mark.text == "-" and mark.is_glued)
    if at(tokens, here).text != "hourly" or not word.text:
        return None
    parts = {"half": 30, "quarter": 15}.get(word.text, 0)
    number = number_at(tokens, place)
    count = number[0] if number and number[1] == place + 1 else 0
    if parts:
        return Rate(place, here + 1, "minute", parts)
    return Rate(place, here + 1, "hour", count) if 1 <= count <= 12 else None


def _in_intervals(tokens: Tokens, place: int) -> Rate | None:
    """Returns ``at intervals of two hours``, ``at ten-minute intervals``."""
    if here := words_at(tokens, place, "at intervals of", "in intervals of", "at an interval of"):
        found = _amount(tokens, here)
    elif here := words_at(tokens, place, "at", "in"):
        found = _amount(tokens, here)
        end = words_at(tokens, found[2], "intervals", "steps") if found else 0
        found = (found[0], found[1], end) if found and end else None
    else:
        return None
    if found is None or found[1] not in ("minute", "hour") or found[0] != int(found[0]):
        return None
    return Rate(place, found[2], found[1], int(found[0]))


def _many(tokens: Tokens, place: int) -> tuple[int, int] | None:
    """Returns the number in ``twice`` or ``3 times``, and the place after it."""
    if number := {"once": 1, "twice": 2, "thrice": 3}.get(at(tokens, place).text):
        return number, place + 1
    found = number_at(tokens, place)
    return (found[0], found[1] + 1) if found and at(tokens, found[1]).text in ("times", "x", "time") else None


def _times_per(tokens: Tokens, place: int) -> Item | None:
    """Returns ``twice a day``, ``3 times per week``, ``once every two hours``; vague numbers are asked."""
    here = words_at(tokens, place, *_VAGUE)
    if here and (end := words_at(tokens, here, "times a", "times per", "times each", "times every")):
        return Blocker(place, end + (at(tokens, end).text in UNITS), missing="time")
    if "random" in at(tokens, place).text and at(tokens, place + 1).text in (
        "times",
        "time",
        "moments",
        "intervals",
        "hours",
    ):
        return Blocker(place, place + 2, why="a schedule has fixed times, not random ones")
    many = _many(tokens, place)
    if many is None:
        return None
    number, end = many
    if after := words_at(tokens, end, "a", "an", "per", "each", "every", "in a", "in an", "/"):
        unit = UNITS.get(at(tokens, after).text)
        if unit == "fortnight":
            return (
                Rate(place, after + 1, "week", 2) if number == 1 else Blocker(place, after + 1, missing="day")
            )
        if unit:
            return Rate(place, after + 1, unit, times=number)
        if at(tokens, end).text == "every" and number == 1:
            return _from(place, _every(tokens, end))
    return None


def _from(place: int, item: Item | None) -> Item | None:
    """Returns an item that begins at an earlier place: ``once every two weeks``."""
    return None if item is None else replace(item, first=place)


def _every(tokens: Tokens, place: int) -> Item | None:
    if at(tokens, place).text == "per" and at(tokens, place + 1).text in UNITS:
        return Rate(place, place + 2, UNITS[at(tokens, place + 1).text])
    if at(tokens, place).text not in EVERY:
        alternate = (
            at(tokens, place).text in ("alternate", "alternating") and at(tokens, place + 1).text in UNITS
        )
        return Rate(place, place + 2, UNITS[at(tokens, place + 1).text], 2) if alternate else None
    here = words_at(tokens, place + 1, "and every", "single") or place + 1
    if part := phrase_at(tokens, here, tuple(_EVERY_PART_OF_AN_HOUR)):
        return Rate(place, part[1], "minute", _EVERY_PART_OF_AN_HOUR[part[0]])
    if end := words_at(tokens, here, "so often", "now and then", "once in a while"):
        return Blocker(place, end, missing="rate")
    if end := words_at(tokens, here, "few", "couple of", "couple"):
        return Blocker(place, end + 1, missing="rate") if at(tokens, end).text in UNITS else None
    if at(tokens, here).text == "second" and not at(tokens, here + 1).is_word:
        return Rate(place, here + 1, "second")
    count, end = _every_count(tokens, here)
    end += at(tokens, end).text == "-"
    unit = UNITS.get(at(tokens, end).text)
    if not 0 < count <= _MOST_UNITS or (at(tokens, place).text == "all" and count == 1):
        return None
    if at(tokens, place).text == "all" and unit == "day" and count in (5, 6):
        return Blocker(place, end + 1, missing="day")  # the days of the week, or every so many
    return _of_unit(tokens, place, end, unit, count) if unit else _part(tokens, place, end, count)


_EVERY_PART_OF_AN_HOUR = {
    "half an hour": 30, "half hour": 30, "half hr": 30,
    "quarter of an hour": 15, "quarter hour": 15,
    "quarter of hour": 15, "hour and a half": 90, "hour and half": 90, "one and a half hours": 90,
    "hr and a half": 90,
}  # fmt: skip


def _every_count(tokens: Tokens, place: int) -> tuple[int, int]:
    """Returns the number in ``other``, ``third`` or ``3``, and the place after it; 1 for none."""
    for words, count in (
        *((word, 2) for word in _OTHER),
        ("third", 3),
        ("3 rd", 3),
        ("fourth", 4),
        ("4 th", 4),
    ):
        if end := words_at(tokens, place, words):
            return count, end
    return number_at(tokens, place) or (1, place)


def _of_unit(tokens: Tokens, place: int, end: int, unit: str, count: int) -> Item | None:
    if at(tokens, end).text in ("second", "seconds", "sec", "secs"):
        if at(tokens, end).text == "second" and (
            at(tokens, end + 1).is_word and at(tokens, end + 1).text not in ("and", "in", "of", "during")
        ):
            return None
        return Rate(place, end + 1, "second", count)
    if at(tokens, end).text in ("night", "nights"):
        return Rate(place, end, "day", count)
    if at(tokens, end + 1).text in ("day", "days", "end", "ends") and unit == "week":
        return None
    if unit == "day" and words_at(tokens, end + 1, "of the month", "of every month", "of each month"):
        return None
    if unit == "minute" and words_at(tokens, end + 1, "past", "after", "before", "to the hour"):
        return Blocker(place, end + 1, missing="rate")
    if unit == "fortnight":
        return Rate(place, end + 1, "week", 2 * count)
    if unit == "hour" and (more := _minutes_more(tokens, end + 1)):
        return Rate(place, more[1], "minute", 60 * count + more[0])
    return Rate(place, end + 1, unit, count)


def _part(tokens: Tokens, place: int, end: int, count: int) -> Item | None:
    """``every morning`` is every day; the part of the day is read by itself."""
    word = at(tokens, end).text
    if word in PARTS or word in ("noon", "midday", "midnight", "lunchtime", "lunch"):
        return Rate(place, end, "day", count)
    return None


def length_at(tokens: Tokens, place: int) -> Item | None:
    """Returns a stretch of time with its use: ``in 20 minutes``, ``an hour earlier``, ``2 days before``."""
    lead = {"in": "in", "within": "in", "by": "by", "for": "for"}.get(at(tokens, place).text, "")
    here = (words_at(tokens, place + 1, "the next", "next") if lead == "for" else 0) or place + bool(lead)
    here = (words_at(tokens, here, *_NEARLY) if lead == "in" else 0) or here
    found = _amount(tokens, here)
    if found is None:
        return None
    count, unit, end = found
    use = _use_after(tokens, end)
    if {"more", "extra"} & {token.text for token in tokens[here:end]}:
        use = use or ("later", end)
    if lead == "for":
        return Length(place, end, count, unit, "for")
    if use is not None and lead != "in":
        return Length(place, use[1], count, unit, use[0])
    if lead == "in" and unit in ("minute", "hour", "second") and not at(tokens, end).is_possessive:
        return Length(place, words_at(tokens, end, "time", "from now") or end, count, unit, "in")
    if end_now := words_at(tokens, end, "from now"):
        return Length(place, end_now, count, unit, "in")
    return Length(place, end, count, unit, "by")


def _use_after(tokens: Tokens, place: int) -> tuple[str, int] | None:
    if end := words_at(tokens, place, "before that", "before it", "after that", "after it"):
        return ("earlier" if at(tokens, place).text == "before" else "later"), end
    for use, words in (
        ("before", ("before", "ahead of", "prior to", "beforehand", "ahead", "in advance")),
        ("after", ("after", "past")),
        ("earlier", ("earlier", "sooner")),
        ("later", ("later", "more")),
    ):
        if end := words_at(tokens, place, *words):
            if use == "before" and words_at(tokens, place, "ahead", "beforehand", "in advance") == end:
                return "ahead", end
            return use, end
    return None


def _amount(tokens: Tokens, place: int) -> tuple[float, str, int] | None:
    """Returns the number and unit of ``half an hour``, ``an hr n a half``, ``2 days``."""
    if amount := phrase_at(tokens, place, tuple(_AMOUNTS)):
        return _AMOUNTS[amount[0]], "minute", amount[1]
    counted = _count(tokens, place)
    if counted is None:
        return None
    count, here = counted
    is_more = at(tokens, here).text in ("more", "extra") and at(tokens, here + 1).text in UNITS
    here += is_more or at(tokens, here).text == "-"
    if end := words_at(tokens, here, *WORKING_DAY_UNITS):
        return count, "working day", end
    unit = UNITS.get(at(tokens, here).text)
    if unit == "hour" and (more := _minutes_more(tokens, here + 1)):
        return count * 60 + more[0], "minute", more[1]
    if (
        unit is None
        or unit in ("quarter", "year")
        or (at(tokens, here).text == "h" and not at(tokens, here).is_glued)
    ):
        return None
    end = here + 1
    if half := words_at(tokens, end, "and a half", "n a half"):
        count, end = count + 0.5, half
    return count, unit, end


def _count(tokens: Tokens, place: int) -> tuple[float, int] | None:
    """Returns the number in ``a couple of``, ``2.5``, ``two and a half``, and the place after it."""
    if at(tokens, place).text in ("a", "an"):
        end = words_at(tokens, place + 1, "couple of", "couple")
        return (2, end) if end else (1, place + 1)
    found = number_at(tokens, place)
    if found is None:
        return None
    count, here = found
    mark = at(tokens, here)
    if mark.text in (".", ",") and mark.is_glued and at(tokens, here + 1).text == "5":
        return count + 0.5, here + 2
    half = words_at(tokens, here, "and a half")
    return (count + 0.5, half) if half else found


def _minutes_more(tokens: Tokens, place: int) -> tuple[int, int] | None:
    """Returns the minutes in ``2 hours (and) 30 minutes``, ``2h30``, and the place after them."""
    here = words_at(tokens, place, "and") or place
    quarter = words_at(tokens, here, "a quarter") if here > place else 0
    if quarter:
        return 15, quarter
    found = number_at(tokens, here)
    if found is None or not 0 < found[0] < 60:
        return None
    is_glued = (
        at(tokens, here).is_glued and at(tokens, place - 1).is_glued and len(at(tokens, here).text) == 2
    )
    end = words_at(tokens, found[1], "minutes", "mins", "min", "m")
    return (found[0], end or found[1]) if end or is_glued else None


_NEARLY = (
    "about",
    "around",
    "roughly",
    "approximately",
    "like",
    "maybe",
    "exactly",
    "just",
    "another",
    "the next",
)
_AMOUNTS = {
    "a quarter of an hour": 15, "quarter of an hour": 15, "a quarter hour": 15, "quarter hour": 15,
    "half an hour": 30, "half an hr": 30, "half a hour": 30, "half hour": 30, "half hr": 30,
    "a half hour": 30, "a half an hour": 30, "three quarters of an hour": 45,
    "a three quarter hour": 45, "three quarter hour": 45, "three quarter of an hour": 45,
    "one and a half hours": 90, "one and a half hour": 90,
}  # fmt: skip
