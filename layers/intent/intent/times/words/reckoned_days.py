"""Single days that are reckoned from today: ``tomorrow``, ``in two weeks``, ``a week on Thursday``."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from intent.times.words.clocks import number_at
from intent.times.words.dates import Present, next_weekday, next_year_day, year_day_at
from intent.times.words.items import Blocker, Item, OneDay, YearDay
from intent.times.words.lexicon import (
    COUNTS,
    MONTHS,
    ORDINAL_ENDINGS,
    ORDINALS,
    SINGULAR_WEEKDAYS,
    UNITS,
    WEEKDAYS,
)
from intent.times.words.tokens import Tokens, at, words_at

STARTS = COUNTS | {
    "a", "after", "an", "at", "beginning", "by", "calendar", "couple", "cw", "day", "early", "end", "eow",
    "give", "in", "iso", "kw", "last", "late", "next", "on", "overmorrow", "same", "start", "t", "d",
    "the", "this",
    "today", "tomorrow", "w", "week", "with", "within"
}  # fmt: skip
_DAY = timedelta(days=1)
MAX_DAYS_AHEAD = 3_660


def one_day_at(tokens: Tokens, place: int, now: Present) -> Item | None:
    """Returns a day that is reckoned from today: ``tomorrow``, ``in two weeks``, ``end of next week``."""
    if end := words_at(tokens, place, "the day after tomorrow", "day after tomorrow", "overmorrow"):
        return OneDay(place, end, now.today + 2 * _DAY)
    if at(tokens, place).text in ("today", "tomorrow") and not at(tokens, place).is_possessive:
        return _from_today(tokens, place, now)
    return (
        _at_this_time(tokens, place, now)
        or _counted(tokens, place, now)
        or _calendar_week(tokens, place, now)
        or _end_of(tokens, place, now)
        or _next_period(tokens, place, now)
    )


def _at_this_time(tokens: Tokens, place: int, now: Present) -> OneDay | None:
    """Returns ``this time tomorrow``, ``at the same time next week``: a day, and the present time of day."""
    here = words_at(
        tokens, place, "at this time", "this time", "at the same time", "the same time", "same time"
    )
    if not here:
        return None
    week = words_at(tokens, here, "next week", "in a week", "a week from now", "in one week")
    weekday = here + (at(tokens, here).text in ("on", "next", "this"))
    if week:
        day, end = now.today + 7 * _DAY, week
    elif at(tokens, weekday).text in SINGULAR_WEEKDAYS and not words_at(tokens, weekday + 1, "week"):
        day, end = next_weekday(WEEKDAYS[at(tokens, weekday).text], now.today), weekday + 1
    elif found := one_day_at(tokens, here, now):
        if not isinstance(found, OneDay) or found.assumed or found.is_vague:
            return None
        day, end = found.day, found.end
    else:
        return None
    return OneDay(place, end, day, at=now.local.hour * 60 + now.local.minute)


def _from_today(tokens: Tokens, place: int, now: Present) -> OneDay:
    day = now.today + _DAY * (at(tokens, place).text == "tomorrow")
    here = words_at(tokens, place + 1, "in")
    number = _count_at(tokens, here) if here else None
    if number and (days := _days(number[0], at(tokens, number[1]).text, day)):
        return OneDay(place, number[1] + 1, days)
    if end := words_at(tokens, place + 1, "week"):
        return OneDay(place, end, day + 7 * _DAY)
    if end := words_at(tokens, place + 1, "fortnight"):
        return OneDay(place, end, day + 14 * _DAY)
    return OneDay(place, place + 1, day)


def _count_at(tokens: Tokens, place: int) -> tuple[int, int] | None:
    if at(tokens, place).text in ("a", "an", "one"):
        end = words_at(tokens, place, "a couple of", "a couple")
        return (2, end) if end else (1, place + 1)
    if end := words_at(tokens, place, "couple of", "couple"):
        return 2, end
    return number_at(tokens, place)


def _days(count: int, unit: str, start: date) -> date | None:
    """Returns the day so many units after a day; a month may end before its day."""
    match UNITS.get(unit):
        case "day":
            days = count
        case "week":
            days = 7 * count
        case "fortnight":
            days = 14 * count
        case "month" | "year" | "quarter" as whole:
            months = start.month - 1 + count * {"month": 1, "quarter": 3, "year": 12}[whole]
            year, month = start.year + months // 12, months % 12 + 1
            if year > start.year + 20:
                return None
            return date(year, month, min(start.day, monthrange(year, month)[1]))
        case _:
            return None
    return start + days * _DAY if days <= MAX_DAYS_AHEAD else None


def _counted(tokens: Tokens, place: int, now: Present) -> Item | None:
    """Returns ``in 3 days``, ``two weeks from Saturday``, ``3 working days from now``."""
    here = (
        words_at(
            tokens,
            place,
            "t +",
            "d +",
            "give it",
            "within",
            "with in",
            "in",
            "within the next",
            "in the next",
        )
        or place
    )
    if here == place and at(tokens, place).text == "after" and not at(tokens, place - 1).is_word:
        here += _stands_alone(tokens, place + 1)
    found = _count_at(tokens, here)
    if found is None:
        return None
    if here > place and (vague := _vague_count(tokens, found[1])):
        return Blocker(place, vague, missing="day")
    count, end = found
    if working := words_at(
        tokens, end, "working days", "business days", "working day", "business day", "workdays", "work days"
    ):
        after = words_at(tokens, working, "from now", "from today", "time", "after today") or (
            working if here > place else 0
        )
        return OneDay(place, after, working_days_after(count, now.today)) if after else None
    unit = at(tokens, end).text
    base = _base(tokens, end + 1, now)
    if base is not None and (day := _days(count, unit, base[0])):
        return OneDay(place, base[1], day)
    day = _days(count, unit, now.today) if here > place and unit not in ("night", "nights") else None
    if day is None or (count == 1 and unit in ("day", "days") and here == place):
        return None
    if at(tokens, end + 1).text in ("of", "before", "after", "in", "during"):
        return None if at(tokens, end + 1).text != "in" else OneDay(place, end + 1, day)
    return OneDay(place, words_at(tokens, end + 1, "time", "from now") or end + 1, day)


def _vague_count(tokens: Tokens, place: int) -> int:
    """Returns the place after ``-4 days`` and ``to 4 weeks`` behind a number; 0 for none.

    A fraction such as ``.5 days`` is none that a calendar counts.
    """
    joint = at(tokens, place)
    is_fraction = joint.text == "." and joint.is_glued and at(tokens, place + 1).is_glued
    second = (
        number_at(tokens, place + 1) if joint.text in ("-", "\u2013", "to", "or") or is_fraction else None
    )
    unit = at(tokens, second[1]).text if second else ""
    return second[1] + 1 if second and UNITS.get(unit) in ("day", "week", "fortnight", "month", "year") else 0


def _stands_alone(tokens: Tokens, place: int) -> bool:
    """Whether a number of days is all that is said: ``after 3 days at 11``, not ``after 3 days of rain``."""
    found = _count_at(tokens, place)
    follower = at(tokens, found[1] + 1) if found else at(tokens, place)
    return found is not None and (not follower.is_word or follower.text in ("at", "remind", "please", "by"))


def _base(tokens: Tokens, place: int, now: Present) -> tuple[date, int] | None:
    """Returns the day in ``from now``, ``from Saturday``, ``on Thursday``, ``today``."""
    here = words_at(tokens, place, "from this", "from", "on", "after") or place
    if end := words_at(tokens, here, "now", "today"):
        return (now.today, end) if here > place or at(tokens, here).text == "today" else None
    if end := words_at(tokens, here, "tomorrow"):
        return now.today + _DAY, end
    if here > place and at(tokens, here).text in WEEKDAYS and not at(tokens, here).text.endswith("days"):
        day = next_weekday(WEEKDAYS[at(tokens, here).text], now.today)
        gone = words_at(tokens, here + 1, "just gone", "just past", "gone", "just passed")
        return (day - 7 * _DAY, gone) if gone else (day, here + 1)
    return None


def working_days_after(count: int, day: date) -> date:
    """Returns the day so many days from Monday to Friday after a day; before it for a negative number."""
    step = _DAY if count > 0 else -_DAY
    for _ in range(min(abs(count), 500)):
        day += step
        while day.weekday() >= 5:
            day += step
    return day


def _calendar_week(tokens: Tokens, place: int, now: Present) -> Item | None:
    here = words_at(tokens, place, "end of the", "end of", "beginning of", "start of", "in") or place
    is_end = at(tokens, place).text == "end"
    if end := words_at(tokens, here, "cw", "kw", "calendar week", "week number", "iso week"):
        number = number_at(tokens, end)
        if number is None or not 1 <= number[0] <= 53:
            return None
        week = date.fromisocalendar(now.today.year, min(number[0], 52), 1)
        if week + 6 * _DAY < now.today:
            week = date.fromisocalendar(now.today.year + 1, min(number[0], 52), 1)
        assumed = "" if is_end or here > place + 1 else "the week's Monday is meant"
        return OneDay(place, number[1], week + 4 * _DAY * is_end, assumed)
    end = words_at(tokens, place, "week commencing", "w c", "week beginning", "week of", "week starting")
    found = year_day_at(tokens, end, now) if end else None
    if isinstance(found, YearDay) and (day := next_year_day(found, now.today)):
        return OneDay(place, found.end, day)
    return None


def _end_of(tokens: Tokens, place: int, now: Present) -> Item | None:
    here = words_at(tokens, place, "the end of", "end of", "by end of") or words_at(tokens, place, "late")
    if end := words_at(tokens, place, "eow"):
        return OneDay(place, end, _friday(now.today))
    if not here:
        return None
    here = words_at(tokens, here, "the", "this", "our", "my", "their", "your") or here
    later = int(bool(words_at(tokens, here, "next")))
    here += later
    month = MONTHS.get(at(tokens, here).text)
    if month is not None:
        year = now.today.year + (month < now.today.month)
        return OneDay(place, here + 1, date(year, month, monthrange(year, month)[1]))
    match at(tokens, here).text:
        case "week":
            return OneDay(place, here + 1, _friday(now.today) + 7 * later * _DAY)
        case "month" if later:
            first = (now.today.replace(day=1) + 32 * _DAY).replace(day=1)
            return OneDay(place, here + 1, first.replace(day=monthrange(first.year, first.month)[1]))
        case "year":
            return OneDay(place, here + 1, date(now.today.year + later, 12, 31))
        case word if word in _UNKNOWN_PERIODS or words_at(tokens, here, "school year", "fiscal year"):
            return Blocker(place, here + 1, missing="day", is_event=True)
        case _:
            return None


_UNKNOWN_PERIODS = frozenset(
    {"sprint", "term", "semester", "trimester", "season", "project", "iteration", "shift", "course", "summer",
     "winter", "spring", "autumn", "holidays", "vacation", "ramadan", "lent", "internship", "probation",
     "lease", "contract", "trial", "campaign", "phase", "school"}
)  # fmt: skip
"""Stretches of time that begin and end for each person on other days."""


def _friday(today: date) -> date:
    """The Friday of this week; on a weekend that of the next."""
    return today + timedelta(days=(4 - today.weekday()) % 7)


_SOME_TIME = frozenset({"the", "anytime", "during", "within", "sometime", "time", "over", "throughout"})


def _next_period(tokens: Tokens, place: int, now: Present) -> Item | None:
    here = (
        words_at(tokens, place, "early", "beginning of", "start of", "the start of", "the beginning of")
        or place
    )
    if found := _of_a_month(tokens, place, now) or _edge_of_named_month(tokens, place, now):
        return found
    if end := words_at(tokens, here, "next week"):
        monday = now.today + timedelta(days=7 - now.today.weekday())
        is_vague = at(tokens, place).text == "early" or at(tokens, place - 1).text in _SOME_TIME
        is_week = here == place
        return OneDay(
            place, end, monday, "next week is taken as its Monday", is_vague=is_vague, is_week=is_week
        )
    if end := words_at(tokens, here, "next month"):
        first = (now.today.replace(day=1) + 32 * _DAY).replace(day=1)
        return OneDay(place, end, first, "next month is taken as its first day", is_vague=True)
    return None


def _edge_of_named_month(tokens: Tokens, place: int, now: Present) -> OneDay | None:
    """Returns ``the last day of April``, ``the beginning of May``, which is taken as its first day."""
    here = words_at(tokens, place, "on the", "by the", "at the", "the", "on", "by") or place
    last = words_at(tokens, here, "last day of", "last day in")
    first = words_at(tokens, here, "beginning of", "start of", "first day of", "first day in")
    month = MONTHS.get(at(tokens, last or first).text) if last or first else None
    if month is None:
        return None
    year = now.today.year + (month < now.today.month or (not last and month == now.today.month))
    day = date(year, month, monthrange(year, month)[1] if last else 1)
    is_vague = at(tokens, here).text in ("beginning", "start")
    return OneDay(place, (last or first) + 1, day, "its first day is meant" if is_vague else "")


def _of_a_month(tokens: Tokens, place: int, now: Present) -> Item | None:
    """Returns ``the 5th of next month``, ``the first day of next month``, ``the last day of the year``."""
    here = words_at(tokens, place, "on the", "by the", "the", "on") or place
    if end := words_at(tokens, here, "last day of the year", "last day of this year"):
        return OneDay(place, end, date(now.today.year, 12, 31))
    number = number_at(tokens, here) if at(tokens, here).is_number else None
    named = ORDINALS.get(at(tokens, here).text, -1 if at(tokens, here).text == "last" else 0)
    day, end = number or (named, here + 1)
    end += at(tokens, end).text in ORDINAL_ENDINGS
    end = words_at(tokens, end, "day") or end
    after = words_at(
        tokens, end, "of next month", "next month", "of this month", "this month", "of the next month"
    )
    if not after or not day:
        return None
    is_next = "next" in {token.text for token in tokens[end:after]}
    first = (now.today.replace(day=1) + 32 * _DAY).replace(day=1) if is_next else now.today.replace(day=1)
    last = monthrange(first.year, first.month)[1]
    if day > last:
        return Blocker(place, after, missing="day")
    return OneDay(place, after, first.replace(day=last if day < 0 else day))
