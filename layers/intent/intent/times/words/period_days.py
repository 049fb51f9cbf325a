"""Single days that are reckoned in a month, quarter or year: ``the last Friday of next month``."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta

from intent.times.words.dates import Present
from intent.times.words.items import Blocker, Item, OneDay
from intent.times.words.lexicon import MONTHS, ORDINAL_ENDINGS, ORDINALS, SINGULAR_WEEKDAYS, WORKING_DAY_UNITS
from intent.times.words.tokens import Tokens, at, words_at

STARTS = frozenset(ORDINALS) | {
    "by", "easter", "final", "good", "last", "mid", "middle", "on", "penultimate", "second", "the"
}  # fmt: skip
_DAY = timedelta(days=1)
_MONTHS_IN = {"month": 1, "quarter": 3, "year": 12}
_EASTER = {"good friday": -2, "easter sunday": 0, "easter monday": 1, "easter": 0}


def period_day_at(tokens: Tokens, place: int, now: Present) -> Item | None:
    """Returns the day; a `Blocker` where the period has none such."""
    return (
        _in_period(tokens, place, now) or _middle_of_month(tokens, place, now) or _easter(tokens, place, now)
    )


def _in_period(tokens: Tokens, place: int, now: Present) -> Item | None:
    """Returns ``the second Tuesday of next month``, ``the last working day of this quarter``."""
    here = words_at(tokens, place, "on the", "by the", "the", "on") or place
    number = _place(tokens, here)
    if number is None:
        return None
    count, end = number
    weekday = SINGULAR_WEEKDAYS.get(at(tokens, end).text)
    working = words_at(tokens, end, *WORKING_DAY_UNITS, "weekday")
    kind_end = end + 1 if weekday is not None else working or words_at(tokens, end, "day")
    period = _period(tokens, kind_end, now) if kind_end else None
    if period is None:
        return None
    days = [day for day in period[0] if _fits(day, weekday, is_working=bool(working))]
    if abs(count) > len(days):
        return Blocker(place, period[1], missing="day")
    return OneDay(place, period[1], days[count if count < 0 else count - 1])


def _fits(day: date, weekday: int | None, *, is_working: bool) -> bool:
    if weekday is not None:
        return (day.weekday() + 1) % 7 == weekday
    return day.weekday() < 5 or not is_working


def _place(tokens: Tokens, place: int) -> tuple[int, int] | None:
    """Returns the number in ``third`` or ``last``, from the end if negative, and the place after it."""
    if end := words_at(tokens, place, "second to last", "second last", "penultimate", "last but one"):
        return -2, end
    word = at(tokens, place)
    if word.text in ("last", "final"):
        return -1, place + 1
    if word.text in ORDINALS:
        return ORDINALS[word.text], place + 1
    has_ending = at(tokens, place + 1).text in ORDINAL_ENDINGS and at(tokens, place + 1).is_glued
    return (
        (int(word.text), place + 2) if word.is_number and has_ending and 0 < int(word.text[:4]) < 32 else None
    )


def _period(tokens: Tokens, place: int, now: Present) -> tuple[Sequence[date], int] | None:
    """Returns the days of ``of next month``, ``this quarter``, and the place after it."""
    here = words_at(tokens, place, "of the", "in the", "of", "in") or place
    later = {"next": 1, "coming": 1, "following": 1, "this": 0, "current": 0}.get(at(tokens, here).text)
    months = _MONTHS_IN.get(at(tokens, here + 1).text)
    if later is None or months is None or at(tokens, here + 1).is_possessive:
        return None
    index = now.today.year * 12 + now.today.month - 1
    first = (index // months + later) * months
    begin = date(first // 12, first % 12 + 1, 1)
    last = first + months - 1
    end = date(last // 12, last % 12 + 1, monthrange(last // 12, last % 12 + 1)[1])
    return [begin + number * _DAY for number in range((end - begin).days + 1)], here + 2


def _middle_of_month(tokens: Tokens, place: int, now: Present) -> OneDay | None:
    """Returns the 15th for ``mid-April``."""
    end = words_at(tokens, place, "mid", "the middle of", "middle of")
    end += bool(end) and at(tokens, end).text == "-"
    month = MONTHS.get(at(tokens, end).text) if end else None
    if month is None:
        return None
    day = date(now.today.year, month, 15)
    day = day if day >= now.today else day.replace(year=day.year + 1)
    return OneDay(place, end + 1, day, "the middle of a month is taken as the 15th")


def _easter(tokens: Tokens, place: int, now: Present) -> OneDay | None:
    if at(tokens, place - 1).text in ("every", "each"):
        return None
    for name, later in _EASTER.items():
        if end := words_at(tokens, place, name):
            years = (now.today.year, now.today.year + 1)
            days = [easter_sunday(year) + later * _DAY for year in years]
            return OneDay(place, end, next(day for day in days if day >= now.today))
    return None


def easter_sunday(year: int) -> date:
    """Returns Easter Sunday of a year by the Gregorian computus.

    Source: J. Meeus, Astronomical Algorithms, chapter 8.
    """
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)
