"""Days that come again, in words: weekdays, their places in the month, days of the month, months."""

from __future__ import annotations

from dataclasses import replace

from intent.times.words.items import Blocker, Days, Item, MonthDays, PlacedDays
from intent.times.words.lexicon import (
    DOUBTFUL_WEEKDAYS,
    EVERY,
    GROUPS,
    MONTHS,
    ORDINAL_ENDINGS,
    ORDINALS,
    PLURAL_WEEKDAYS,
    WEEKDAYS,
)
from intent.times.words.tokens import Tokens, at, phrase_at, words_at

_TO = ("to", "till", "til", "thru", "through", "until", "-", "\u2013")
_AND = ("and", "&", "n", ",", "/", "+", "plus")
_GROUPS = tuple(sorted(GROUPS, key=len, reverse=True))
_BESIDE_DOUBTFUL = frozenset(
    {*EVERY, *_TO, *_AND, "on", "by", "at", "next", "this", "first", "second", "third", "fourth", "last",
     "1st", "st", "nd", "rd", "th", "until", "starting", "morning", "evening", "afternoon", "night", "from",
     "drop", "skip", "except", "add", "not", "before", "other", "between", "out", "off", "bar", "lose"}
)  # fmt: skip
_OF_MONTH = (
    "of the month", "of each month", "of every month", "of a month", "in the month", "in each month",
    "in every month", "each month", "every month", "of month", "of the mo", "every mo", "each mo",
    "of each mo", "monthly", "a month", "per month", "of the mth",
)  # fmt: skip
_OF_QUARTER = ("of the quarter", "of each quarter", "of every quarter", "each quarter", "every quarter")
_WORKING_DAY = (
    "working day", "workday", "business day", "work day", "weekday", "bank day", "banking day",
    "working days", "business days", "workdays",
)  # fmt: skip


def days_at(tokens: Tokens, place: int) -> Item | None:
    """Returns weekdays, one or several: ``every Monday``, ``mon thru thur``, ``Tuesdays and Fridays``."""
    first, here, each, every, which, may_be_placed = place, place, False, 1, "", False
    if at(tokens, here).text in EVERY:
        each, here = True, here + 1
        here = words_at(tokens, here, "single", "of the", "the", "and every") or here
        if after := words_at(tokens, here, "other", "alternate"):
            every, here = 2, after
        elif (nth := _nth(tokens, here)) and 2 <= nth[0] <= 4 and _one_at(tokens, nth[1]):
            every, here, may_be_placed = nth[0], nth[1], True
    elif at(tokens, here).text in ("alternate", "alternating"):
        each, every, here = True, 2, here + 1
    elif at(tokens, here).text == "between":
        return _between(tokens, place)
    elif at(tokens, here).text in ("next", "this", "coming"):
        which, here = at(tokens, here).text, here + 1
    found = _one_at(tokens, here)
    if found is None or (_is_doubtful(tokens, here, found[1]) and not (each or which)):
        return None
    days, here, is_plural = found
    found_days = Days(first, here, days, each or is_plural, which, every=every, may_be_placed=may_be_placed)
    return _followed(tokens, found_days)


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
        added, here, is_plural = more
        found |= added
        each = True if not days.which else is_plural
    if here == days.end and (end := words_at(tokens, here, "week", "fortnight")) and not each:
        later = 1 if at(tokens, here).text == "week" else 2
        return Days(days.first, end, days.days, weeks_later=later)
    dated = _nth(tokens, here + (at(tokens, here).text == "the"))
    is_dated = at(tokens, here).text == "the" or at(tokens, here).is_number
    if dated and is_dated and not each and here == days.end:
        return Days(days.first, dated[1], days.days, day_of_month=dated[0])
    return replace(days, end=here, days=frozenset(found), is_each=each)


def _next_one(tokens: Tokens, place: int) -> tuple[frozenset[int], int, bool] | None:
    """Returns the next member of a list of days."""
    here = place
    while at(tokens, here).text in _AND:
        here += 1
    here = words_at(tokens, here, "on", "again on") or here
    if here > place:
        here = words_at(tokens, here, "every", "each") or here
    found = _one_at(tokens, here)
    if here - place > 3 or found is None:
        return None
    # "mon wed fri" is a list; "Friday Monday" without short forms is hardly said, and as good a list
    is_clock_between = here == place and at(tokens, place - 1).text not in WEEKDAYS
    return None if is_clock_between else found


def _one_at(tokens: Tokens, place: int) -> tuple[frozenset[int], int, bool] | None:
    """Returns a weekday, a range of them or a group; whether its form says that it comes every week."""
    if group := phrase_at(tokens, place, _GROUPS):
        words, end = group
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


def _is_doubtful(tokens: Tokens, place: int, end: int) -> bool:
    if at(tokens, place).text not in DOUBTFUL_WEEKDAYS or end > place + 1:
        return False
    before, after = at(tokens, place - 1), at(tokens, end)
    return not (
        before.text in _BESIDE_DOUBTFUL
        or before.text in WEEKDAYS
        or after.text in WEEKDAYS
        or after.is_number
        or after.text in ("the", "at", "/", "morning", "night", "and")
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
    end = words_at(tokens, here, *_OF_MONTH)
    if not end and at(tokens, place).text in EVERY and len(places) == 1 and 2 <= places[0] <= 4:
        return None  # "every second Friday" may be every two weeks
    each = bool(end) or len(places) > 1 or at(tokens, place).text in EVERY
    return PlacedDays(place, end or here, days, tuple(places), is_each=each)


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
    if at(tokens, place).text == "last":
        return -1, place + 1
    found = _nth(tokens, place)
    return found if found and found[0] <= 5 else None


def _nth(tokens: Tokens, place: int) -> tuple[int, int] | None:
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


def month_days_at(tokens: Tokens, place: int) -> Item | None:
    """Returns days of the month: ``the 1st and the 15th``, ``last working day``, ``every 31st``."""
    return (
        _from_the_end(tokens, place)
        or _nearest_weekday(tokens, place)
        or _working_day(tokens, place)
        or _month_end(tokens, place)
        or _numbered(tokens, place)
    )


def _from_the_end(tokens: Tokens, place: int) -> Item | None:
    """``the third to last day`` has no place in a schedule."""
    here = words_at(tokens, place, "on the", "the") or place
    number = _nth(tokens, here)
    end = (
        words_at(tokens, number[1], "to last", "to the last", "from last", "from the last", "last")
        if number
        else 0
    )
    end = end or words_at(tokens, here, "penultimate", "next to last", "last but one")
    if not end:
        return None
    end = words_at(tokens, end, "day", *_WORKING_DAY) or (_one_at(tokens, end) or (0, 0, 0))[1]
    why = "no schedule counts days from the end of the month, except the last"
    return Blocker(place, _after_month(tokens, end), why=why) if end else None


def _nearest_weekday(tokens: Tokens, place: int) -> Item | None:
    here = words_at(tokens, place, "the") or place
    end = words_at(
        tokens, here, "weekday nearest to the", "weekday nearest the", "weekday closest to the",
        "working day nearest to the", "working day nearest the", "working day closest to the",
        "business day nearest to the", "business day closest to the", "business day nearest the",
        "nearest weekday to the", "nearest working day to the", "closest weekday to the",
        "weekday closest the", "nearest business day to the", "closest business day to the",
    )  # fmt: skip
    found = _nth(tokens, end) if end else None
    return (
        None
        if found is None
        else MonthDays(place, _after_month(tokens, found[1]), (f"{found[0]}W",), is_each=True)
    )


def _working_day(tokens: Tokens, place: int) -> Item | None:
    here = words_at(tokens, place, "on the", "every", "each", "the", "on") or place
    second_last = words_at(tokens, here, "second last", "penultimate", "second to last")
    number = None if second_last else _working_place(tokens, here)
    end = words_at(tokens, second_last or (number[1] if number else 0), *_WORKING_DAY)
    if not end or (number is None and not second_last):
        return None
    is_of_quarter = bool(words_at(tokens, end, *_OF_QUARTER))
    end = words_at(tokens, end, *_OF_QUARTER) or _after_month(tokens, end)
    if words_at(
        tokens, end, "of the week", "of each week", "of every week", "of next month", "of this month"
    ):
        return None
    name = {1: "1W", -1: "LW"}.get(number[0]) if number else None
    if name is None:
        return Blocker(
            place, end, why="no schedule counts working days, except the first and the last of a month"
        )
    return MonthDays(place, end, (name,), is_each=True, is_of_quarter=is_of_quarter)


def _working_place(tokens: Tokens, place: int) -> tuple[int, int] | None:
    if at(tokens, place).text == "last":
        return -1, place + 1
    return _nth(tokens, place)


def _month_end(tokens: Tokens, place: int) -> Item | None:
    here = words_at(tokens, place, "at the", "on the", "every", "each", "the", "at", "by the") or place
    end = words_at(
        tokens, here, "last day of the month", "last day of each month", "last day of every month",
        "last day of month", "last day each month", "last day every month", "last of the month",
        "last of each month", "last of every month", "end of each month", "end of every month", "month end",
        "monthend", "ultimo", "last day of the mo", "last calendar day of the month", "last day in the month",
        "last day of a month",
    )  # fmt: skip
    if end:
        return MonthDays(place, end, ("L",), is_each=True)
    if at(tokens, place - 1).text in ("and", "&", "or") and (end := words_at(tokens, here, "last day")):
        return MonthDays(place, end, ("L",))
    end = words_at(tokens, here, "end of the month", "end of month", "eom", "end of the mo")
    if end:
        return MonthDays(place, end, ("L",))
    end = words_at(
        tokens, here, "last day of the quarter", "last day of each quarter", "last day of every quarter",
        "end of each quarter", "end of every quarter", "quarter end", "end of the quarter", "end of quarter",
    )  # fmt: skip
    return MonthDays(place, end, ("L",), is_each=True, is_of_quarter=True) if end else None


def _numbered(tokens: Tokens, place: int) -> Item | None:
    each = at(tokens, place).text in EVERY
    here = words_at(tokens, place, "on the", "every", "each", "the", "on", "by the") or place
    names: list[int] = []
    end, is_of_month = here, False
    while number := _nth(tokens, here):
        names.append(number[0])
        end = here = words_at(tokens, number[1], "day") or number[1]
        while at(tokens, here).text in ("and", "&", ",", "the", "n", "plus", "on"):
            here += 1
        if [token.text for token in tokens[end:here]] == [",", "the"]:
            break
    if (
        names
        and names[0] > 28
        and (last := words_at(tokens, end, "or the last day", "or last day", "or the last"))
    ):
        last = _after_month(tokens, last)
        end = words_at(tokens, last, f"if theres no {names[0]} st", f"if there is no {names[0]} st",
                       f"if theres no {names[0]} th", f"if theres no {names[0]}",
                       f"if there is no {names[0]}",
                       f"if no {names[0]}", f"when theres no {names[0]}", "in shorter months",
                       "in short months",
                       "if the month is shorter") or last  # fmt: skip
        return MonthDays(place, end, ("L",), is_each=True)
    if not names or not _may_be_a_day(tokens, place, end, names):
        return None
    after = words_at(tokens, end, *_OF_MONTH)
    is_of_quarter = bool(words_at(tokens, end, *_OF_QUARTER))
    is_of_month = bool(after) and at(tokens, after - 2).text != "the"
    end = after or (words_at(tokens, end, *_OF_QUARTER) if is_of_quarter else end)
    several = len(names) > 1
    return MonthDays(
        place,
        end,
        tuple(map(str, names)),
        is_each=each or is_of_month or several,
        is_of_quarter=is_of_quarter,
    )


def _may_be_a_day(tokens: Tokens, place: int, end: int, names: list[int]) -> bool:
    """Whether an ordinal is a day of a month, not a rank: ``the first draft``, ``2nd floor``."""
    follower = at(tokens, end)
    if follower.text == "of" and not words_at(tokens, end, *_OF_MONTH, *_OF_QUARTER):
        return False
    if words_at(tokens, end, *_OF_MONTH):
        return True
    is_figure = at(tokens, end - 1).text in ORDINAL_ENDINGS or at(tokens, end - 2).is_number
    leads = {"the", "on", "every", "each", "by"}
    has_lead = at(tokens, place).text in leads or at(tokens, place - 1).text in leads
    if not is_figure and len(names) == 1:
        return False
    ends_here = not follower.is_word or follower.text in _AFTER_A_DAY or follower.text in MONTHS
    return (has_lead or len(names) > 1) and (ends_here or follower.is_number)


_AFTER_A_DAY = frozenset(
    {"at", "and", "or", "instead", "please", "pls", "by", "then", "to", "noon", "midnight", "in", "for",
     "not", "rather", "too", "as", "if", "with", "is", "so", "no", "around", "about", "until", "through",
     "do", "eod", "send", "from", "but", "except", "unless", "before", "latest", "only", "remind", "when",
     "first", "also", "half", "quarter", "starting", "each", "every", "would"}
)  # fmt: skip


def _after_month(tokens: Tokens, place: int) -> int:
    return words_at(tokens, place, *_OF_MONTH) or place
