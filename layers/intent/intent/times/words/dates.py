"""Days and months of the calendar in words and figures, such as ``18 May`` or ``15.4.``, and holidays."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from intent.times.words.clocks import number_at
from intent.times.words.denied_days import is_passed_over
from intent.times.words.items import Blocker, Holiday, Item, Months, YearDay
from intent.times.words.lexicon import (
    COUNTS,
    DOUBTFUL_MONTHS,
    EVERY,
    MONTH_NAMES,
    MONTHS,
    ORDINAL_ENDINGS,
    ORDINALS,
    WEEKDAYS,
    first_words,
)
from intent.times.words.tokens import Tokens, at, words_at

_DAY = timedelta(days=1)
_DATE_LEADS = frozenset(
    {
        "by",
        "on",
        "due",
        "until",
        "till",
        "before",
        "starting",
        "from",
        "beginning",
        "is",
        "after",
        "for",
        "til",
        "",
    }
)


@dataclass(frozen=True, slots=True)
class Present:
    """The person's present: the local time without its zone, and whether they write the month first."""

    local: datetime
    zone: str

    @property
    def today(self) -> date:
        """The local day."""
        return self.local.date()

    @property
    def has_no_region(self) -> bool:
        """Whether the zone doesn't tell which of the two they write first."""
        return "/" not in self.zone or self.zone.startswith("Etc/")

    @property
    def is_american(self) -> bool:
        """Whether they write the month before the day."""
        return self.zone.startswith(("America/", "US/")) and not self.zone.startswith(
            (
                "America/Sao",
                "America/Arg",
                "America/Mexico",
                "America/Bogota",
                "America/Lima",
                "America/Toronto",
            )
        )


def year_day_at(tokens: Tokens, place: int, now: Present) -> Item | None:
    """Returns a date: ``18 May``, ``May 18th, 2027``, ``15.4.``, ``4/5``, ``2026-04-15``."""
    if at(tokens, place).text in ("every", "each"):
        here = words_at(tokens, place + 1, "year on the", "year on", "year") or place + 1
        found = _day_month(tokens, place, here) or _month_day(tokens, place, here)
        if isinstance(found, YearDay):
            return replace(found, is_each=True) if found.year is None else None
        return found
    here = words_at(tokens, place, "on the", "the", "on") or place
    return (
        _iso(tokens, place, here)
        or _slashed(tokens, place, here, now)
        or _dotted(tokens, place, here)
        or _day_month(tokens, place, here)
        or _month_day(tokens, place, here)
    )


def _iso(tokens: Tokens, place: int, here: int) -> YearDay | Blocker | None:
    texts = [at(tokens, here + step).text for step in range(5)]
    if not (texts[1] == texts[3] == "-" and len(texts[0]) == 4 and texts[0].isdigit()):
        return None
    if not (texts[2].isdigit() and texts[4].isdigit()):
        return None
    found = _checked(place, here + 5, int(texts[4]), int(texts[2]), int(texts[0]))
    return found or Blocker(place, here + 5, why="there is no such day", is_no_day=True)


def _slashed(tokens: Tokens, place: int, here: int, now: Present) -> YearDay | Blocker | None:
    one, mark, two = at(tokens, here), at(tokens, here + 1), at(tokens, here + 2)
    if not (one.is_number and mark.text == "/" and two.is_number and mark.is_glued and two.is_glued):
        return None
    if max(len(one.text), len(two.text)) > 2 or (one.text, two.text) == ("24", "7"):
        return None
    third = (
        at(tokens, here + 4) if at(tokens, here + 3).text == "/" and at(tokens, here + 3).is_glued else None
    )
    has_year = third is not None and third.is_number
    before = at(tokens, place - 1 - (at(tokens, place - 1).text == ",")).text
    if not has_year and at(tokens, place - 1).text not in _DATE_LEADS and before not in WEEKDAYS:
        return None
    year = _year(int(third.text)) if third is not None and has_year else None
    first, second = int(one.text), int(two.text)
    day, month = (second, first) if now.is_american else (first, second)
    if now.has_no_region and max(first, second) <= 12 and first != second:
        return Blocker(place, here + (5 if has_year else 3), missing="day")
    if month > 12 and day <= 12:
        day, month = month, day
    return _checked(place, here + (5 if has_year else 3), day, month, year)


def _year(number: int) -> int:
    return number if number > 99 else 2000 + number


def _dotted(tokens: Tokens, place: int, here: int) -> YearDay | Blocker | None:
    """Returns ``15.4.`` or ``15.04.2026``; without the second dot it is a number or a time of day."""
    one, dot, two, dot_2 = (at(tokens, here + step) for step in range(4))
    if not (one.is_number and dot.text == dot_2.text == "." and two.is_number):
        return None
    if not (dot.is_glued and two.is_glued and dot_2.is_glued) or max(len(one.text), len(two.text)) > 2:
        return None
    year = at(tokens, here + 4)
    if year.is_glued and year.is_number and len(year.text) in (2, 4):
        return _checked(place, here + 5, int(one.text), int(two.text), _year(int(year.text)))
    return _checked(place, here + 4, int(one.text), int(two.text), None)


def _day_month(tokens: Tokens, place: int, here: int) -> YearDay | Blocker | None:
    number = number_at(tokens, here) if at(tokens, here).is_number else None
    day, end = (number[0], number[1]) if number else (ORDINALS.get(at(tokens, here).text, 0), here + 1)
    if not 1 <= day <= 31:
        return None
    if at(tokens, end).text in ORDINAL_ENDINGS or (at(tokens, end).text == "." and at(tokens, end).is_glued):
        end += 1
    end = words_at(tokens, end, "of") or end
    if at(tokens, end).text not in MONTHS or at(tokens, end).is_possessive:
        return None
    if number is None and at(tokens, end - 1).text != "of":
        return None
    return _with_year(tokens, place, end + 1, day, MONTHS[at(tokens, end).text])


def _month_day(tokens: Tokens, place: int, here: int) -> YearDay | Blocker | None:
    if at(tokens, here).text not in MONTHS:
        return None
    end = here + 1 + (at(tokens, here + 1).text == "." and at(tokens, here + 1).is_glued)
    end = words_at(tokens, end, "the") or end
    if not at(tokens, end).is_number or not 1 <= int(at(tokens, end).text[:4]) <= 31:
        return None
    follower = at(tokens, end + 1)
    if follower.text in (":", "am", "pm", "%") or (follower.is_glued and follower.text in ("a", "p", "h")):
        return None
    day = int(at(tokens, end).text)
    end += 2 if follower.text in ORDINAL_ENDINGS and follower.is_glued else 1
    return _with_year(tokens, place, end, day, MONTHS[at(tokens, here).text])


def _with_year(tokens: Tokens, place: int, end: int, day: int, month: int) -> YearDay | Blocker | None:
    here = end + (at(tokens, end).text == ",")
    year = at(tokens, here)
    if year.is_number and len(year.text) == 4 and year.text.startswith("20") and int(year.text) < 2100:
        return _checked(place, here + 1, day, month, int(year.text))
    goes_on = at(tokens, here + 1).text in (":", ".", "h", "am", "pm", "uhr", "th", "st", "nd", "rd", "-")
    if year.is_number and len(year.text) == 2 and 25 <= int(year.text) <= 39 and here == end and not goes_on:
        return _checked(place, here + 1, day, month, 2000 + int(year.text))
    return _checked(place, end, day, month, None)


def _checked(first: int, end: int, day: int, month: int, year: int | None) -> YearDay | Blocker | None:
    """Returns the day; a `Blocker` for ``31 June``, which no year has; None for other numbers."""
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    longest = monthrange(2028, month)[1]
    if day <= longest:
        return YearDay(first, end, day, month, year)
    days = "28 or 29" if month == 2 else str(longest)
    why = f"{MONTH_NAMES[month - 1].title()} has {days} days"
    # "every 31 April" asks, as "the 31st of every month" does: the last day may be meant
    return Blocker(first, end, missing="day" if month != 2 else "", why=why, is_no_day=True)


def next_year_day(found: YearDay, today: date) -> date | None:
    """Returns the next such day from today on; None when that year has none."""
    year = found.year
    if year is None:
        is_past = (found.month, found.day) < (today.month, today.day)
        year = today.year + is_past
    if found.day > monthrange(year, found.month)[1]:
        return None
    return date(year, found.month, found.day)


def next_weekday(weekday: int, today: date) -> date:
    """Returns the first such day, Sunday is 0, from tomorrow on."""
    return today + timedelta(days=(weekday - (today.weekday() + 1) - 1) % 7 + 1)


_TO = ("to", "till", "til", "thru", "through", "until", "-", "\u2013")
_AND = ("and", "&", "n", ",", "/", "+", "plus")


def months_at(tokens: Tokens, place: int) -> Item | None:
    """Returns months: ``in June``, ``june thru august``, ``just december``."""
    here = (
        words_at(tokens, place, "in the month of", "during", "in", "of", "from", "every", "each", "for")
        or place
    )
    begins = at(tokens, here)
    if begins.text not in MONTHS or begins.is_possessive:
        return None
    if _is_day_behind(tokens, here + 1, is_for=at(tokens, place).text == "for"):
        return None
    found, end = {MONTHS[begins.text]}, here + 1
    if at(tokens, end).text in _TO and at(tokens, end + 1).text in MONTHS:
        last = MONTHS[at(tokens, end + 1).text]
        count = (last - MONTHS[begins.text]) % 12 + 1
        found, end = {(MONTHS[begins.text] + step - 1) % 12 + 1 for step in range(count)}, end + 2
    while at(tokens, after := end + (at(tokens, end).text in _AND)).text in MONTHS:
        found.add(MONTHS[at(tokens, after).text])
        end = after + 1
    if at(tokens, place).text == "from" and len(found) == 1:
        return None  # where it begins
    is_lone = here == place and end == here + 1 and at(tokens, end).text != "only"
    is_doubtful = is_lone and begins.text in DOUBTFUL_MONTHS and not is_passed_over(tokens, end)
    if is_doubtful and not _is_month(tokens, place):
        return None
    is_only = at(tokens, end).text == "only" or at(tokens, place - 1).text in ("only", "just")
    return Months(place, end + (at(tokens, end).text == "only"), frozenset(found), is_only)


def _is_day_behind(tokens: Tokens, place: int, *, is_for: bool) -> bool:
    """Returns whether the day stands behind a month: ``June 3rd``; behind "for" also ``June 3``, no hour."""
    number = number_at(tokens, place)
    if number is None or not at(tokens, place).is_number or number[0] > 31:
        return False
    behind = at(tokens, number[1]).text
    return behind in ORDINAL_ENDINGS or (is_for and behind not in _HOURS)


_HOURS = frozenset({"am", "pm", "a.m", "p.m", "a", "p", "h", "hrs", "o'clock", "oclock", ":", "."})


def _is_month(tokens: Tokens, place: int) -> bool:
    return at(tokens, place - 1).text in (
        "except", "until", "till", "not", "starting", "with", "before", "by", "and", "from", "next", "this",
        "mid", "bar", "but", "since", "drop", "skip", "in",
    )  # fmt: skip


def holiday_at(tokens: Tokens, place: int, now: Present) -> Item | None:
    """Returns a holiday that the calendar fixes; a `Blocker` where it depends on the country or moves."""
    here = words_at(tokens, place, "every", "each", "on", "the") or place
    if at(tokens, here).text not in _HOLIDAY_STARTS:
        return None
    for names, found in _HOLIDAYS:
        if end := words_at(tokens, here, *names):
            if len(found) == 2:
                each = at(tokens, place).text in ("every", "each")
                return YearDay(place, end, found[1], found[0], is_each=each)
            month, weekday, position, plus, is_american = found
            if is_american and not now.zone.startswith(("America/", "US/", "Pacific/Honolulu")):
                return Blocker(place, end, missing="day")
            return Holiday(place, end, month, weekday, position, plus)
    if end := words_at(tokens, here, *_MOVING):
        return Blocker(place, end, missing="day", why="that day is another one every year")
    return None


_HOLIDAYS: tuple[tuple[tuple[str, ...], tuple[int, int] | tuple[int, int, int, int, bool]], ...] = (
    (("christmas eve", "xmas eve"), (12, 24)),
    (("christmas day", "christmas", "xmas"), (12, 25)),
    (("boxing day",), (12, 26)),
    (("new years eve", "nye"), (12, 31)),
    (("new years day", "new years"), (1, 1)),
    (("halloween",), (10, 31)),
    (("valentines day", "valentines"), (2, 14)),
    (("4th of july", "fourth of july", "independence day", "4 th of july"), (7, 4)),
    (("juneteenth",), (6, 19)),
    (("veterans day",), (11, 11)),
    (("st patricks day", "saint patricks day"), (3, 17)),
    (("cinco de mayo",), (5, 5)),
    (("thanksgiving day", "thanksgiving"), (11, 4, 4, 0, True)),
    (("black friday",), (11, 4, 4, 1, False)),
    (("cyber monday",), (11, 4, 4, 4, False)),
    (("mothers day",), (5, 0, 2, 0, True)),
    (("fathers day",), (6, 0, 3, 0, False)),
    (("memorial day",), (5, 1, -1, 0, True)),
    (("labor day",), (9, 1, 1, 0, True)),
    (("mlk day", "martin luther king day"), (1, 1, 3, 0, True)),
    (("presidents day",), (2, 1, 3, 0, True)),
    (("columbus day",), (10, 1, 2, 0, True)),
)


_MOVING = (
    "easter monday", "easter sunday", "easter", "good friday", "ramadan", "diwali", "lunar new year",
    "chinese new year", "passover", "hanukkah", "eid", "mardi gras", "ash wednesday", "pentecost", "whitsun",
)  # fmt: skip
_HOLIDAY_STARTS = first_words(_MOVING, *(names for names, _ in _HOLIDAYS))
STARTS = first_words(COUNTS, EVERY, MONTHS, _HOLIDAY_STARTS) | {
    "during", "for", "from", "in", "of", "on", "the"
}  # fmt: skip
