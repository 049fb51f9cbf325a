"""Days that come again, in words: weekdays and their places in the month."""

from __future__ import annotations

from dataclasses import replace

from intent.times.words.items import Blocker, Days, Item, PlacedDays
from intent.times.words.lexicon import (
    COUNTS,
    DOUBTFUL_WEEKDAYS,
    EVERY,
    GROUPS,
    MONTHS,
    NUMBERS,
    ORDINAL_ENDINGS,
    ORDINALS,
    PLURAL_WEEKDAYS,
    WEEKDAYS,
    first_words,
)
from intent.times.words.tokens import Tokens, at, phrase_at, words_at

STARTS = first_words(COUNTS, EVERY, GROUPS, WEEKDAYS) | {
    "alternate", "alternating", "between", "coming", "one", "final", "last", "next", "on", "only", "the",
    "this"
}  # fmt: skip
_TO = ("to", "till", "til", "thru", "through", "until", "-", "\u2013")
_AND = ("and", "&", "n", ",", "/", "+", "plus")
_GROUPS = tuple(sorted(GROUPS, key=len, reverse=True))
_BESIDE_DOUBTFUL = frozenset(
    {*EVERY, *_TO, *_AND, "on", "by", "at", "next", "this", "first", "second", "third", "fourth", "last",
     "1st", "st", "nd", "rd", "th", "am", "pm", "until",
     "starting", "morning", "evening", "afternoon", "night", "from",
     "drop", "than", "skip", "except", "add", "not", "before", "other", "between", "out", "off", "bar",
     "lose"}
)  # fmt: skip
_AFTER_DOUBTFUL = frozenset(
    {"the", "at", "@", "/", "morning", "night", "and", "lunchtime", "eve", "noon", "midday", "eod"}
)
OF_MONTH = (
    "of the month", "of each month", "of every month", "of a month", "in the month", "in each month",
    "in every month", "each month", "every month", "of month", "of the mo", "every mo", "each mo",
    "of each mo", "monthly", "a month", "per month", "of the mth",
)  # fmt: skip

OF_QUARTER = ("of the quarter", "of each quarter", "of every quarter", "each quarter", "every quarter")
OF_YEAR = ("of the year", "of each year", "of every year", "each year", "every year", "of a year")


def days_at(tokens: Tokens, place: int) -> Item | None:
    """Returns weekdays, one or several: ``every Monday``, ``mon thru thur``, ``Tuesdays and Fridays``."""
    if rare := _one_in_several(tokens, place):
        return rare
    first, here, each, every, which, may_be_placed = place, place, False, 1, "", False
    if at(tokens, here).text in EVERY:
        each, here = True, here + 1
        here = words_at(tokens, here, "single", "of the", "the", "and every") or here
        if after := words_at(tokens, here, "other", "alternate"):
            every, here = 2, after
        elif (number := nth(tokens, here)) and 2 <= number[0] <= 4 and one_at(tokens, number[1]):
            every, here, may_be_placed = number[0], number[1], True
    elif at(tokens, here).text in ("alternate", "alternating"):
        each, every, here = True, 2, here + 1
    elif at(tokens, here).text == "between":
        return _between(tokens, place)
    elif after := words_at(tokens, here, "next to next", "next next"):
        found = one_at(tokens, after)
        is_one = found is not None and len(found[0]) == 1
        return Days(first, found[1], found[0], weeks_later=1) if found and is_one else None
    elif at(tokens, here).text in ("next", "this", "coming"):
        which, here = at(tokens, here).text, here + 1
    found = one_at(tokens, here)
    if found is None or (_is_doubtful(tokens, here, found[1]) and not (each or which)):
        return None
    days, here, is_plural = found
    found_days = Days(first, here, days, each or is_plural, which, every=every, may_be_placed=may_be_placed)
    return _followed(tokens, found_days)


def _one_in_several(tokens: Tokens, place: int) -> Days | None:
    """Returns ``one Friday in two``, ``one Monday out of 3``."""
    found = one_at(tokens, place + 1) if at(tokens, place).text == "one" else None
    here = words_at(tokens, found[1], "in every", "in", "out of every", "out of") if found else 0
    number = at(tokens, here).text
    count = NUMBERS.get(number) or (int(number) if number.isdigit() else 0)
    if found is None or not here or not 2 <= count <= 12 or len(found[0]) > 1:
        return None
    return Days(place, here + 1, found[0], is_each=True, every=count)


def _between(tokens: Tokens, place: int) -> Days | None:
    """Returns ``between Monday and Thursday``."""
    one, two = at(tokens, place + 1).text, at(tokens, place + 3).text
    if one not in WEEKDAYS or two not in WEEKDAYS or at(tokens, place + 2).text != "and":
        return None
    first, last = WEEKDAYS[one], WEEKDAYS[two]
    days = frozenset((first + step) % 7 for step in range((last - first) % 7 + 1))
    return Days(place, place + 4, days, is_each=True)


def _followed(tokens: Tokens, days: Days) -> Days:
    """Returns the days with what follows them: more days, ``week``, ``the 14th``."""
    found, here, each = set(days.days), days.end, days.is_each
    while more := _next_one(tokens, here):
        added, end, is_plural = more
        if added < found:  # "weekdays, Tuesdays off": of these days
            break
        here = end
        found |= added
        each = True if not days.which else is_plural
    if here == days.end and (end := words_at(tokens, here, "week", "fortnight")) and not each:
        later = 1 if at(tokens, here).text == "week" else 2
        return Days(days.first, end, days.days, weeks_later=later)
    dated = nth(tokens, here + (at(tokens, here).text == "the")) or _bare_date(tokens, here)
    is_dated = at(tokens, here).text == "the" or at(tokens, here).is_number
    if dated and is_dated and not _is_month(tokens, dated[1]) and not each and here == days.end:
        return Days(days.first, dated[1], days.days, day_of_month=dated[0])
    return replace(days, end=here, days=frozenset(found), is_each=each)


def _is_month(tokens: Tokens, place: int) -> bool:
    """Whether ``April`` or ``of April`` stands at a place."""
    return at(tokens, words_at(tokens, place, "of") or place).text in MONTHS


def _bare_date(tokens: Tokens, place: int) -> tuple[int, int] | None:
    """Returns the number in ``Monday 16``, and the place after it, where it is no hour."""
    number, after = at(tokens, place), at(tokens, place + 1)
    if not number.is_number or len(number.text) != 2 or not 13 <= int(number.text) <= 31:
        return None
    has_clock = after.text in ("at", "@") or (after.text == "," and at(tokens, place + 2).text in ("at", "@"))
    is_hour = after.text in (":", ".", "h", "uhr", "hrs", "hours", "-", "/", "%") or after.text in MONTHS
    return (int(number.text), place + 1) if (int(number.text) > 24 or has_clock) and not is_hour else None


def _next_one(tokens: Tokens, place: int) -> tuple[frozenset[int], int, bool] | None:
    """Returns the next member of a list of days."""
    here = place
    while at(tokens, here).text in _AND:
        here += 1
    here = words_at(tokens, here, "on", "again on") or here
    if here > place:
        here = words_at(tokens, here, "every", "each") or here
    found = one_at(tokens, here)
    if (
        here - place > 3
        or found is None
        or at(tokens, found[1]).text in ("is", "are", "was", "were", "being")
    ):
        return None
    # "mon wed fri" is a list; "Friday Monday" without short forms is hardly said, and as good a list
    is_clock_between = here == place and at(tokens, place - 1).text not in WEEKDAYS
    return None if is_clock_between else found


def one_at(tokens: Tokens, place: int) -> tuple[frozenset[int], int, bool] | None:
    """Returns a weekday, a range of them or a group; whether its form says that it comes every week."""
    if group := phrase_at(tokens, place, _GROUPS):
        words, end = group
        if (
            words == "week ends"
            and at(tokens, place - 1).text == "the"
            and at(tokens, place - 2).text in _UNTIL
        ):
            return None  # "when the week ends"
        return GROUPS[words], end, words.endswith("s") or words in ("weekday", "workday")
    word = at(tokens, place).text
    if word not in WEEKDAYS or at(tokens, place).is_possessive:
        return None
    end = place + 1 + (at(tokens, place + 1).text == "." and at(tokens, place + 1).is_glued and len(word) < 6)
    if (
        at(tokens, end).text in _TO
        and (last := at(tokens, end + 1)).text in WEEKDAYS
        and not last.is_possessive
    ):
        begins, ends = WEEKDAYS[word], WEEKDAYS[last.text]
        return frozenset((begins + step) % 7 for step in range((ends - begins) % 7 + 1)), end + 2, True
    return frozenset({WEEKDAYS[word]}), end, word in PLURAL_WEEKDAYS and word != "weds"


_UNTIL = frozenset({"when", "before", "once", "until", "till", "as", "after"})


def _is_doubtful(tokens: Tokens, place: int, end: int) -> bool:
    if at(tokens, place).text not in DOUBTFUL_WEEKDAYS or end > place + 1:
        return False
    before, after = at(tokens, place - 1), at(tokens, end)
    return not (
        before.text in _BESIDE_DOUBTFUL
        or before.text in WEEKDAYS
        or after.text in WEEKDAYS
        or after.is_number
        or after.text in _AFTER_DOUBTFUL
    )


def placed_days_at(tokens: Tokens, place: int) -> Item | None:
    """Returns ``the last Friday``, ``2nd and 4th Tuesday (of the month)``."""
    here = words_at(tokens, place, "on the", "every", "each", "the", "on", "only the") or place
    places: list[int] = []
    while number := _place_at(tokens, here):
        places.append(number[0])
        here = number[1]
        while at(tokens, here).text in ("and", "&", ",", "n", "the", "plus"):
            here += 1
    found = _weekdays_at(tokens, here) if places else None
    if found is None or any(number > 5 for number in places):
        return None
    days, here = found
    if end := words_at(tokens, here, *OF_QUARTER):
        return PlacedDays(place, end, days, tuple(places), is_each=True, is_of_quarter=True)
    if end := words_at(tokens, here, *OF_YEAR):
        return PlacedDays(place, end, days, tuple(places), is_each=True, is_of_year=True)
    end = words_at(tokens, here, *OF_MONTH)
    if not end and is_of_other_period(tokens, here):
        return Blocker(place, here, missing="day")
    if not end and at(tokens, place).text in EVERY and len(places) == 1 and 2 <= places[0] <= 4:
        return None  # "every second Friday" may be every two weeks
    each = bool(end) or len(places) > 1 or at(tokens, place).text in EVERY
    return PlacedDays(place, end or here, days, tuple(places), is_each=each)


def is_of_other_period(tokens: Tokens, place: int) -> bool:
    """Whether a day is said to be one of a period whose begin isn't known: ``of each semester``."""
    lead = words_at(tokens, place, "of the", "of each", "of every", "of our", "of my", "of a", "of") or (
        words_at(tokens, place, "each", "every")
    )
    word = at(tokens, lead)
    return bool(lead) and word.is_word and word.text in _PERIODS


_PERIODS = frozenset(
    {"semester", "term", "sprint", "season", "week", "fortnight", "cycle", "iteration", "trimester",
    "project",
     "release", "holiday", "holidays", "vacation", "summer", "winter", "spring", "autumn", "fall", "ramadan",
     "lent", "advent", "period", "school", "financial", "fiscal", "tax", "half", "billing", "pay", "payroll"}
)  # fmt: skip


def _weekdays_at(tokens: Tokens, place: int) -> tuple[frozenset[int], int] | None:
    token = at(tokens, place)
    if token.text not in WEEKDAYS or token.is_possessive:
        return None
    days, here = {WEEKDAYS[token.text]}, place + 1
    while at(tokens, here).text in ("and", "&") and at(tokens, here + 1).text in WEEKDAYS:
        days.add(WEEKDAYS[at(tokens, here + 1).text])
        here += 2
    return frozenset(days), here


def _place_at(tokens: Tokens, place: int) -> tuple[int, int] | None:
    if at(tokens, place).text in ("last", "final"):
        return -1, place + 1
    found = nth(tokens, place)
    return found if found and found[0] <= 5 else None


def nth(tokens: Tokens, place: int) -> tuple[int, int] | None:
    """Returns the number of ``15th``, ``the 3.`` or ``first``, and the place after it."""
    word = at(tokens, place).text
    if word in ORDINALS:
        return ORDINALS[word], place + 1
    if (
        word in ("twenty", "thirty")
        and at(tokens, place + 1 + (at(tokens, place + 1).text == "-")).text in ORDINALS
    ):
        here = place + 1 + (at(tokens, place + 1).text == "-")
        return (20 if word == "twenty" else 30) + ORDINALS[at(tokens, here).text], here + 1
    if not at(tokens, place).is_number or len(word) > 2 or not 1 <= int(word) <= 31:
        return None
    ending = at(tokens, place + 1)
    if ending.text in ORDINAL_ENDINGS and ending.is_glued:
        return int(word), place + 2
    is_dotted = ending.text == "." and ending.is_glued
    follower = at(tokens, place + 2)
    if (
        is_dotted
        and not follower.is_glued
        and (follower.text in ("of", "every", "each", "in") or follower.text in MONTHS)
    ):
        return int(word), place + 2
    return None
