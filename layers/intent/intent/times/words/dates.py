"""Single days in words and figures: ``tomorrow``, ``18 May``, ``15.4.``, ``a week on Thursday``."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from intent.times.words.clocks import number_at
from intent.times.words.items import Blocker, Item, OneDay, Past, YearDay
from intent.times.words.lexicon import MONTHS, ORDINAL_ENDINGS, ORDINALS, UNITS, WEEKDAYS
from intent.times.words.tokens import Tokens, at, words_at

_DAY = timedelta(days=1)
MAX_DAYS_AHEAD = 3_660
_DIVISIBLE = ("day", "quarter", "week", "month", "weekend")
_PAST_UNITS = ("week", "month", "quarter", "year", "night", "weekend", "weeks", "months", "years", "quarters")
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


def past_at(tokens: Tokens, place: int) -> Item | None:
    """Returns a past or present period that filters what is asked for: ``last week's``, ``this month``."""
    if end := words_at(
        tokens, place, "the day before yesterday", "yesterdays", "yesterday", "todays", "tomorrows"
    ):
        return Past(place, end)
    here = words_at(tokens, place, "the") or place
    if at(tokens, here).text in ("last", "past", "previous", "prior"):
        number = number_at(tokens, here + 1)
        end = number[1] if number else here + 1
        end = words_at(tokens, end, "few", "couple of", "couple") or end
        if (
            at(tokens, end).text in UNITS
            or at(tokens, end).text in _PAST_UNITS
            or (at(tokens, end).is_possessive)
        ):
            return None if _is_last_of(tokens, end) else Past(place, end + 1)
    if at(tokens, here).text in ("this", "current"):
        token = at(tokens, here + 1)
        if token.is_possessive or (
            token.text.endswith("s") and token.text[:-1] in ("week", "month", "quarter", "year")
        ):
            return Past(place, here + 2)
    token = at(tokens, place)
    if token.is_possessive and token.text.removesuffix("s") in (*WEEKDAYS, *MONTHS, "week", "month"):
        return Past(place, place + 1)
    number = number_at(tokens, place)
    if number and at(tokens, number[1]).text in UNITS and at(tokens, number[1] + 1).text == "ago":
        return Past(place, number[1] + 2)
    return None


def _is_last_of(tokens: Tokens, place: int) -> bool:
    return at(tokens, place).text in _DIVISIBLE and at(tokens, place + 1).text in (
        "of",
        "each",
        "every",
        "in",
        "past",
        "to",
    )


def year_day_at(tokens: Tokens, place: int, now: Present) -> Item | None:
    """Returns a date: ``18 May``, ``May 18th, 2027``, ``15.4.``, ``4/5``, ``2026-04-15``."""
    here = words_at(tokens, place, "on the", "the", "on") or place
    return (
        _iso(tokens, place, here)
        or _slashed(tokens, place, here, now)
        or _dotted(tokens, place, here)
        or _day_month(tokens, place, here)
        or _month_day(tokens, place, here)
    )


def _iso(tokens: Tokens, place: int, here: int) -> YearDay | None:
    texts = [at(tokens, here + step).text for step in range(5)]
    if not (texts[1] == texts[3] == "-" and len(texts[0]) == 4 and texts[0].isdigit()):
        return None
    if not (texts[2].isdigit() and texts[4].isdigit()):
        return None
    return _checked(place, here + 5, int(texts[4]), int(texts[2]), int(texts[0]))


def _slashed(tokens: Tokens, place: int, here: int, now: Present) -> YearDay | None:
    one, mark, two = at(tokens, here), at(tokens, here + 1), at(tokens, here + 2)
    if not (one.is_number and mark.text == "/" and two.is_number and mark.is_glued and two.is_glued):
        return None
    if max(len(one.text), len(two.text)) > 2 or (one.text, two.text) == ("24", "7"):
        return None
    third = (
        at(tokens, here + 4) if at(tokens, here + 3).text == "/" and at(tokens, here + 3).is_glued else None
    )
    has_year = third is not None and third.is_number
    if not has_year and at(tokens, place - 1).text not in _DATE_LEADS:
        return None
    year = _year(int(third.text)) if third is not None and has_year else None
    first, second = int(one.text), int(two.text)
    day, month = (second, first) if now.is_american else (first, second)
    if month > 12 and day <= 12:
        day, month = month, day
    return _checked(place, here + (5 if has_year else 3), day, month, year)


def _year(number: int) -> int:
    return number if number > 99 else 2000 + number


def _dotted(tokens: Tokens, place: int, here: int) -> YearDay | None:
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


def _day_month(tokens: Tokens, place: int, here: int) -> YearDay | None:
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


def _month_day(tokens: Tokens, place: int, here: int) -> YearDay | None:
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


def _with_year(tokens: Tokens, place: int, end: int, day: int, month: int) -> YearDay | None:
    here = end + (at(tokens, end).text == ",")
    year = at(tokens, here)
    if year.is_number and len(year.text) == 4 and year.text.startswith("20") and int(year.text) < 2100:
        return _checked(place, here + 1, day, month, int(year.text))
    return _checked(place, end, day, month, None)


def _checked(first: int, end: int, day: int, month: int, year: int | None) -> YearDay | None:
    is_day = 1 <= month <= 12 and 1 <= day <= monthrange(2028, month)[1]
    return YearDay(first, end, day, month, year) if is_day else None


def next_year_day(found: YearDay, today: date) -> date | None:
    """Returns the next such day from today on; None when that year has none."""
    year = found.year
    if year is None:
        is_past = (found.month, found.day) < (today.month, today.day)
        year = today.year + is_past
    if found.day > monthrange(year, found.month)[1]:
        return None
    return date(year, found.month, found.day)


def one_day_at(tokens: Tokens, place: int, now: Present) -> Item | None:
    """Returns a day that is reckoned from today: ``tomorrow``, ``in two weeks``, ``end of next week``."""
    if end := words_at(tokens, place, "the day after tomorrow", "day after tomorrow", "overmorrow"):
        return OneDay(place, end, now.today + 2 * _DAY)
    if at(tokens, place).text in ("today", "tomorrow") and not at(tokens, place).is_possessive:
        return _from_today(tokens, place, now)
    return (
        _counted(tokens, place, now)
        or _calendar_week(tokens, place, now)
        or _end_of(tokens, place, now)
        or _next_period(tokens, place, now)
    )


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
        words_at(tokens, place, "give it", "within", "with in", "in", "within the next", "in the next")
        or place
    )
    found = _count_at(tokens, here)
    if found is None:
        return None
    count, end = found
    if working := words_at(
        tokens, end, "working days", "business days", "working day", "business day", "workdays", "work days"
    ):
        after = words_at(tokens, working, "from now", "from today", "time", "after today") or (
            working if here > place else 0
        )
        return OneDay(place, after, _working_days_after(count, now.today)) if after else None
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


def _base(tokens: Tokens, place: int, now: Present) -> tuple[date, int] | None:
    """Returns the day in ``from now``, ``from Saturday``, ``on Thursday``, ``today``."""
    here = words_at(tokens, place, "from this", "from", "on", "after") or place
    if end := words_at(tokens, here, "now", "today"):
        return (now.today, end) if here > place or at(tokens, here).text == "today" else None
    if end := words_at(tokens, here, "tomorrow"):
        return now.today + _DAY, end
    if here > place and at(tokens, here).text in WEEKDAYS and not at(tokens, here).text.endswith("days"):
        return next_weekday(WEEKDAYS[at(tokens, here).text], now.today), here + 1
    return None


def next_weekday(weekday: int, today: date) -> date:
    """Returns the first such day, Sunday is 0, from tomorrow on."""
    return today + timedelta(days=(weekday - (today.weekday() + 1) - 1) % 7 + 1)


def _working_days_after(count: int, day: date) -> date:
    for _ in range(min(count, 500)):
        day += _DAY
        while day.weekday() >= 5:
            day += _DAY
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
    here = words_at(tokens, here, "the", "this") or here
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
        case _:
            return None


def _friday(today: date) -> date:
    """The Friday of this week; on a weekend that of the next."""
    return today + timedelta(days=(4 - today.weekday()) % 7)


def _next_period(tokens: Tokens, place: int, now: Present) -> Item | None:
    here = (
        words_at(tokens, place, "early", "beginning of", "start of", "the start of", "the beginning of")
        or place
    )
    if found := _of_a_month(tokens, place, now):
        return found
    if end := words_at(tokens, here, "next week"):
        monday = now.today + timedelta(days=7 - now.today.weekday())
        return OneDay(place, end, monday, "next week is taken as its Monday")
    if end := words_at(tokens, here, "next month"):
        first = (now.today.replace(day=1) + 32 * _DAY).replace(day=1)
        return OneDay(place, end, first, "next month is taken as its first day")
    return None


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
