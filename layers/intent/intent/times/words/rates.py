"""How often, how long, and signs in words: ``every other week``, ``an hour earlier``, ``except``, ``until``."""

from __future__ import annotations

from intent.times.words.clocks import number_at
from intent.times.words.items import Blocker, Item, Length, Mark, Rate, Sign
from intent.times.words.lexicon import (
    EVENTS,
    EVERY,
    FREQUENCIES,
    GROUPS,
    HOLIDAY_WORDS,
    PARTS,
    PLURAL_WEEKDAYS,
    SKY_WORDS,
    TWO_MEANINGS,
    UNITS,
    UNKNOWN_TIMES,
)
from intent.times.words.tokens import Tokens, at, words_at

_OTHER = ("other", "second", "2nd", "2 nd", "alternate")
_VAGUE = ("a couple of", "a couple", "couple of", "a few", "few", "several", "some", "many", "multiple")
_HALF = ("half an", "half a", "half")


def rate_at(tokens: Tokens, place: int) -> Item | None:
    """Returns how often: ``every 2 hours``, ``twice a day``, ``daily``; a `Blocker` where that is unclear."""
    return _frequency(tokens, place) or _times_per(tokens, place) or _every(tokens, place)


def _frequency(tokens: Tokens, place: int) -> Item | None:
    for words in TWO_MEANINGS:
        if end := words_at(tokens, place, words):
            return Blocker(place, end, missing="rate")
    if end := words_at(
        tokens, place, "in even calendar weeks", "in even weeks", "even calendar weeks", "even weeks"
    ):
        return Rate(place, end, "even week", 2)
    if end := words_at(
        tokens, place, "in odd calendar weeks", "in odd weeks", "odd calendar weeks", "odd weeks"
    ):
        return Rate(place, end, "odd week", 2)
    found = FREQUENCIES.get(at(tokens, place).text)
    if found is None or at(tokens, place).is_possessive:
        return None
    before, after = at(tokens, place - 1), at(tokens, place + 1)
    is_joined = (before.text in "-_/" and before.text != "" and at(tokens, place).is_glued) or (
        after.text in ("-", "_") and after.is_glued
    )
    if is_joined:
        return None
    is_adjective = after.is_word and before.text in (
        "the",
        "my",
        "our",
        "your",
        "their",
        "this",
        "its",
        "that",
    )
    return Rate(place, place + 1, found[1], found[0], is_adjective=is_adjective)


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
    number = {"once": 1, "twice": 2, "thrice": 3}.get(at(tokens, place).text)
    end = place + 1
    if number is None:
        found = number_at(tokens, place)
        if found is None or at(tokens, found[1]).text not in ("times", "x", "time"):
            return None
        number, end = found[0], found[1] + 1
    if after := words_at(tokens, end, "a", "an", "per", "each", "every", "in a", "in an", "/"):
        unit = UNITS.get(at(tokens, after).text)
        if unit:
            return Rate(place, after + 1, unit, times=number)
        if at(tokens, end).text == "every" and number == 1:
            return _every(tokens, end)
    return None


def _every(tokens: Tokens, place: int) -> Item | None:
    if at(tokens, place).text == "per" and at(tokens, place + 1).text in UNITS:
        return Rate(place, place + 2, UNITS[at(tokens, place + 1).text])
    if at(tokens, place).text not in EVERY:
        alternate = (
            at(tokens, place).text in ("alternate", "alternating") and at(tokens, place + 1).text in UNITS
        )
        return Rate(place, place + 2, UNITS[at(tokens, place + 1).text], 2) if alternate else None
    here = words_at(tokens, place + 1, "and every", "single") or place + 1
    if end := words_at(tokens, here, "half an hour", "half hour", "half hr", "half - hour"):
        return Rate(place, end, "minute", 30)
    if end := words_at(tokens, here, "quarter of an hour", "quarter hour", "quarter of hour"):
        return Rate(place, end, "minute", 15)
    if end := words_at(
        tokens, here, "hour and a half", "hour and half", "one and a half hours", "hr and a half"
    ):
        return Rate(place, end, "minute", 90)
    if end := words_at(
        tokens, here, "few", "couple of", "couple", "so often", "now and then", "once in a while"
    ):
        if at(tokens, end).text in UNITS or at(tokens, here).text in ("so", "now"):
            return Blocker(place, end + (at(tokens, end).text in UNITS), missing="rate")
        return None
    count, end = 1, here
    if after := words_at(tokens, here, *_OTHER):
        count, end = 2, after
    elif after := words_at(tokens, here, "third", "3 rd"):
        count, end = 3, after
    elif after := words_at(tokens, here, "fourth", "4 th"):
        count, end = 4, after
    elif found := number_at(tokens, here):
        count, end = found
    end += at(tokens, end).text == "-"
    unit = UNITS.get(at(tokens, end).text)
    if at(tokens, place).text == "all" and count == 1:
        return None
    return _of_unit(tokens, place, end, unit, count) if unit else _part(tokens, place, end, count)


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
    if unit == "fortnight":
        return Rate(place, end + 1, "week", 2 * count)
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
    found = _amount(tokens, here)
    if found is None:
        return None
    count, unit, end = found
    use = _use_after(tokens, end)
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
    for use, words in (
        ("before", ("before", "ahead of", "prior to", "beforehand", "ahead", "in advance")),
        ("after", ("after", "past")),
        ("earlier", ("earlier", "sooner")),
        ("later", ("later",)),
    ):
        if end := words_at(tokens, place, *words):
            if use == "before" and words_at(tokens, place, "ahead", "beforehand", "in advance") == end:
                return "ahead", end
            return use, end
    return None


def _amount(tokens: Tokens, place: int) -> tuple[float, str, int] | None:
    """Returns the number and unit of ``half an hour``, ``an hr n a half``, ``three quarter hour``, ``2 days``."""
    for words, minutes in _AMOUNTS:
        if end := words_at(tokens, place, words):
            return minutes, "minute", end
    count: float
    if at(tokens, place).text in ("a", "an"):
        count, here = 1, place + 1
        if here_2 := words_at(tokens, here, "couple of", "couple"):
            count, here = 2, here_2
    elif found := number_at(tokens, place):
        count, here = found
        if (
            at(tokens, here).text in (".", ",")
            and at(tokens, here).is_glued
            and at(tokens, here + 1).text == "5"
        ):
            count, here = count + 0.5, here + 2
        elif half := words_at(tokens, here, "and a half"):
            count, here = count + 0.5, half
    else:
        return None
    here += at(tokens, here).text == "-"
    unit = UNITS.get(at(tokens, here).text)
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


_AMOUNTS = (
    ("a quarter of an hour", 15), ("quarter of an hour", 15), ("a quarter hour", 15), ("quarter hour", 15),
    ("half an hour", 30), ("half an hr", 30), ("half a hour", 30), ("half hour", 30), ("half hr", 30),
    ("a half hour", 30), ("a half an hour", 30), ("three quarters of an hour", 45),
    ("a three quarter hour", 45), ("three quarter hour", 45), ("three quarter of an hour", 45),
    ("one and a half hours", 90), ("one and a half hour", 90),
)  # fmt: skip

_SIGNS: tuple[tuple[Sign, tuple[str, ...]], ...] = (
    (Sign.REPAIR, ("no wait", "wait no", "i mean", "i meant", "scratch that", "or rather", "no sorry", "sorry i mean",
                   "no make that", "make that", "actually no", "no no", "correction")),
    (Sign.SAME, ("same time", "same days", "same day", "same thing", "same hour", "keep it", "keep the")),
    (Sign.DAY_BEFORE, ("the day before", "a day before", "one day before", "the day prior", "the evening before",
                       "the night before", "the previous day")),
    (Sign.EXCEPT, ("except for", "except on", "except", "apart from", "other than", "excluding", "besides", "bar",
                   "but not on", "but not", "but never", "never on", "never", "not on", "skip", "skipping",
                   "drop", "without", "leave out", "leave off", "minus", "but no", "take out", "remove",
                   "no longer on", "closed on", "closed", "take off", "knock off", "cut", "ditch", "scrap",
                   "cancel", "aside from", "save for", "not counting", "with the exception of", "exept",
                   "lose", "cut out",
                   "everything but", "any day but", "no more", "omit", "omitting", "not in")),
    (Sign.UNTIL, ("until", "till", "til", "up to and including", "through to",
                  "ending on", "ending", "ends on", "finishing", "up until", "up to")),
    (Sign.START, ("starting on", "starting from", "starting with", "starting in", "starting at", "starting",
                  "beginning on", "beginning with", "beginning in", "beginning", "first time on",
                  "first time", "first one on", "first one at", "first one", "first at", "first on",
                  "start on", "starts on", "start with", "from", "next one is", "next one on",
                  "the next one is", "effective", "as of", "as from", "commencing", "kicking off", "start",
                  "first run on", "first run", "since", "begins on",
                  "begins", "begin on", "begin", "beg")),
    (Sign.LAST_ONE, ("the last at", "last at", "the last one at", "last one at", "last run at", "the last run at")),
    (Sign.BEFORE, ("before", "ahead of", "prior to")),
    (Sign.AFTER, ("after",)),
    (Sign.BY, ("no later than", "not later than", "by", "due by", "due on", "due")),
    (Sign.INSTEAD, ("instead of", "rather than", "insted of", "and not", "not")),
    (Sign.ALSO, ("as well", "too", "also", "add one", "add", "another one", "plus", "in addition")),
    (Sign.ONLY, ("only", "just", "solely", "exclusively")),
)  # fmt: skip


def sign_at(tokens: Tokens, place: int) -> Item | None:
    """Returns the sign that words give to the pieces after them."""
    word = at(tokens, place).text
    if word not in _FIRST_WORDS:
        return None
    for sign, phrases in _SIGNS:
        if end := words_at(tokens, place, *phrases):
            return Mark(place, end, sign)
    if word == "no" and (
        at(tokens, place + 1).text in PLURAL_WEEKDAYS or at(tokens, place + 1).text in GROUPS
    ):
        return Mark(place, place + 1, Sign.EXCEPT)
    if word == "but" and at(tokens, place - 1).text in (
        "day",
        "days",
        "everyday",
        "weekday",
        "weekdays",
        "daily",
    ):
        return Mark(place, place + 1, Sign.EXCEPT)
    return None


_FIRST_WORDS = frozenset({phrase.split()[0] for _, phrases in _SIGNS for phrase in phrases} | {"but", "no"})


def blocker_at(tokens: Tokens, place: int) -> Item | None:
    """Returns words that no schedule can follow: the sun, public holidays, events, unknown hours."""
    if end := words_at(tokens, place, *HOLIDAY_WORDS):
        return Blocker(place, end, why="no schedule knows public holidays")
    if end := words_at(tokens, place, *SKY_WORDS):
        return Blocker(place, end, why="that moves every day, and a schedule has fixed times")
    if end := words_at(tokens, place, *UNKNOWN_TIMES):
        return Blocker(place, end, missing="time")
    if end := words_at(tokens, place, *EVENTS):
        return Blocker(place, end, why="that is an event, not a time", is_event=True)
    if (end := words_at(tokens, place, "remind me when", "ping me when", "nudge me when")) or (
        place == 0 and (end := words_at(tokens, place, "when"))
    ):
        return Blocker(place, end, missing="time", why="that is an event, not a time", is_event=True)
    if end := words_at(tokens, place, "random", "randomly", "at random"):
        return Blocker(place, end, why="a schedule has fixed times, not random ones", is_weak=True)
    if end := words_at(tokens, place, "unless", "if thats", "if its", "if it falls", "if the", "when its a"):
        return Blocker(place, end, why="a schedule can't decide from day to day", is_weak=True)
    if end := words_at(tokens, place, "me later", "later today", "later this week", "some other time"):
        return Blocker(place, end, missing="time")
    if end := words_at(
        tokens, place, "some day", "sometime", "some time", "at some point", "later on", "soon"
    ):
        return Blocker(
            place, end, missing="day", is_weak=at(tokens, end).text not in ("next", "this", "in", "on")
        )
    if at(tokens, place).text in EVERY and words_at(
        tokens, place + 1, "so often", "now and then", "once in a while"
    ):
        return Blocker(place, place + 3, missing="rate")
    return None
