"""The words of the grammar of times."""

from __future__ import annotations

from collections.abc import Iterable

_WEEKDAY_NAMES = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
SHORT_WEEKDAYS = {
    "sun": 0, "mon": 1, "tue": 2, "tues": 2, "wed": 3, "weds": 3, "thu": 4, "thur": 4, "thurs": 4, "fri": 5,
    "sat": 6,
}  # fmt: skip
SINGULAR_WEEKDAYS = {name: place for place, name in enumerate(_WEEKDAY_NAMES)}
PLURAL_WEEKDAYS = {f"{name}s": place for name, place in SINGULAR_WEEKDAYS.items()} | {
    "suns": 0, "mons": 1, "weds": 3, "fris": 5, "sats": 6,
}  # fmt: skip
WEEKDAYS = {**SINGULAR_WEEKDAYS, **PLURAL_WEEKDAYS, **SHORT_WEEKDAYS}
"""Weekdays, counted from Sunday, 0."""
DOUBTFUL_WEEKDAYS = frozenset({"sun", "sat", "wed", "suns", "sats", "weds", "mons", "fris"})
"""They are days only beside other words of time."""
SUNDAY_FIRST = tuple(name.title() for name in _WEEKDAY_NAMES)

WORKING_DAYS = frozenset({1, 2, 3, 4, 5})
WEEKEND = frozenset({0, 6})
ALL_DAYS = frozenset(range(7))
GROUPS = {
    "weekday": WORKING_DAYS, "weekdays": WORKING_DAYS, "workday": WORKING_DAYS, "workdays": WORKING_DAYS,
    "week day": WORKING_DAYS, "week days": WORKING_DAYS, "work day": WORKING_DAYS, "work days": WORKING_DAYS,
    "working day": WORKING_DAYS, "working days": WORKING_DAYS, "business day": WORKING_DAYS,
    "business days": WORKING_DAYS, "weekend": WEEKEND, "weekends": WEEKEND, "wknd": WEEKEND,
    "wknds": WEEKEND, "weekend day": WEEKEND, "weekend days": WEEKEND, "week end": WEEKEND,
    "school day": WORKING_DAYS, "school days": WORKING_DAYS, "schoolday": WORKING_DAYS,
    "schooldays": WORKING_DAYS, "office day": WORKING_DAYS, "office days": WORKING_DAYS,
    "trading day": WORKING_DAYS, "trading days": WORKING_DAYS, "banking day": WORKING_DAYS,
    "banking days": WORKING_DAYS, "bank day": WORKING_DAYS,
    "week ends": WEEKEND, "workweek": WORKING_DAYS, "work week": WORKING_DAYS, "working week": WORKING_DAYS,
}  # fmt: skip

MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
MONTHS = {name: place for place, name in enumerate(MONTH_NAMES, 1)} | {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sept": 9, "sep": 9, "oct": 10,
    "nov": 11, "dec": 12,
}  # fmt: skip
DOUBTFUL_MONTHS = frozenset({"march", "may", "mar", "jan", "dec", "sep", "jun", "august", "april", "june"})
"""They are also words or names, and months only beside a day, ``in`` and the like."""

UNITS = {
    "second": "second", "seconds": "second", "sec": "second", "secs": "second",
    "minute": "minute", "minutes": "minute", "min": "minute", "mins": "minute",
    "hour": "hour", "hours": "hour", "hr": "hour", "hrs": "hour", "h": "hour",
    "day": "day", "days": "day", "night": "day", "nights": "day",
    "week": "week", "weeks": "week", "wk": "week", "wks": "week",
    "fortnight": "fortnight", "fortnights": "fortnight",
    "month": "month", "months": "month", "mo": "month", "mos": "month", "mth": "month",
    "quarter": "quarter", "quarters": "quarter",
    "year": "year", "years": "year", "yr": "year", "yrs": "year",
}  # fmt: skip
WORKING_DAY_UNITS = ("working days", "working day", "business days", "business day", "workdays", "work days")
MINUTES_IN = {"minute": 1, "hour": 60}

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
NUMBERS = {word: number for number, word in enumerate(_ONES)}
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "ninety": 90}
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
    "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
COUNTS = frozenset({*NUMBERS, *TENS, *ORDINALS})
"""The words that begin a number."""
ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th"})

EVERY = frozenset({"every", "each", "all"})

PARTS = {
    "morning": (9, 0), "mornings": (9, 0), "afternoon": (14, 0), "afternoons": (14, 0),
    "evening": (18, 0), "evenings": (18, 0), "night": (20, 0), "nights": (20, 0), "nite": (20, 0),
    "nites": (20, 0), "tonight": (20, 0), "tonite": (20, 0),
}  # fmt: skip
"""Parts of the day, with the time that stands for one where no other is named."""

FIXED_TIMES = {
    "noon": (12, 0), "midday": (12, 0), "noonish": (12, 0), "noontime": (12, 0), "middayish": (12, 0),
    "lunchtime": (12, 0), "lunch time": (12, 0), "lunch": (12, 0), "midnight": (0, 0),
    "eod": (17, 0), "cob": (17, 0), "cop": (17, 0), "close of play": (17, 0),
    "close of business": (17, 0), "end of the business day": (17, 0), "end of business": (17, 0),
    "end of the working day": (17, 0), "end of the work day": (17, 0), "end of the day": (17, 0),
    "end of working day": (17, 0), "end of day": (17, 0), "end of my day": (17, 0),
    "first thing": (9, 0), "last thing": (17, 0), "start of the day": (9, 0), "start of day": (9, 0),
    "beginning of the day": (9, 0), "start of business": (9, 0), "start of the working day": (9, 0),
    "start of the business day": (9, 0), "beginning of day": (9, 0), "close of day": (17, 0),
    "start of my day": (9, 0),
}  # fmt: skip
UNKNOWN_TIMES = (
    "at closing time", "at close", "at closing", "at opening time", "at opening", "at open",
    "closing time", "opening time", "after close",
    "after closing", "before opening", "before we open", "after we close", "teatime",
    "when we close", "when we open", "at shift change", "bedtime", "dinner time", "dinnertime",
    "breakfast time",
)  # fmt: skip
"""Times of day that differ from place to place."""

FREQUENCIES = {
    "hourly": (1, "hour"), "daily": (1, "day"), "nightly": (1, "day"), "weekly": (1, "week"),
    "fortnightly": (2, "week"), "monthly": (1, "month"), "quarterly": (1, "quarter"), "yearly": (1, "year"),
    "annually": (1, "year"), "everyday": (1, "day"), "overnight": (1, "day"),
}  # fmt: skip
NIGHTLY = frozenset({"nightly", "overnight"})
"""Frequencies that name a part of the day, too."""
TWO_MEANINGS = {
    "biweekly": "week", "bi weekly": "week", "bimonthly": "month", "bi monthly": "month", "semiweekly": "",
}  # fmt: skip
"""Twice in the period or every second one: asked."""
OFFICE_HOURS = (
    "during office hours", "during business hours", "during working hours", "during work hours",
    "in office hours", "in business hours", "in working hours", "office hours", "business hours",
    "working hours", "during the working day", "during the workday", "during the work day",
)  # fmt: skip

HOLIDAY_WORDS = (
    "bank holidays", "bank holiday", "public holidays", "public holiday", "holidays", "federal holidays",
    "bridge day", "bridge days", "national holidays", "school holidays", "statutory holidays",
    "stat holidays",
)  # fmt: skip
EXCLUDED = frozenset({"excluded", "excepted", "exempt"})
"""What is left out stands before them."""
SKY_WORDS = (
    "sunset", "sunrise", "sundown", "sunup", "dusk", "dawn", "full moon", "new moon", "high tide", "low tide",
    "moonrise", "nightfall",
)  # fmt: skip
SEASONS = (
    "in summer", "in winter", "in autumn", "in spring", "in fall", "in the summer", "in the winter",
    "in the fall",
    "in the autumn", "in the spring", "summer only", "winter only", "during summer", "during winter",
    "during the summer", "during the winter", "during term", "in term time", "in season",
)  # fmt: skip
EVENTS = (
    "in real time", "in realtime", "real time", "realtime", "continuously", "as it happens",
    "as they happen", "instantly", "immediately", "whenever", "everytime", "every time", "each time",
    "as soon as", "once the", "once a", "any time", "anytime",
)  # fmt: skip

MISSPELT = {"latter": "later",
    "tmrw": "tomorrow", "tmr": "tomorrow", "tmrrw": "tomorrow", "tomoz": "tomorrow", "tomo": "tomorrow",
    "tomorow": "tomorrow", "tommorow": "tomorrow", "tommorrow": "tomorrow", "tommorro": "tomorrow",
    "evry": "every", "evrey": "every", "ever": "ever", "eveyr": "every", "evey": "every", "eery": "every",
    "buisness": "business", "bussiness": "business", "insted": "instead", "startng": "starting",
    "strting": "starting", "haf": "half", "hlf": "half", "wensday": "wednesday", "wensdays": "wednesdays",
    "wendsday": "wednesday", "wednsday": "wednesday", "wednsdays": "wednesdays", "wedensday": "wednesday",
    "tusday": "tuesday", "teusday": "tuesday", "tuseday": "tuesday", "thrus": "thurs", "thursdy": "thursday",
    "thirsday": "thursday", "firday": "friday", "firdays": "fridays", "fridy": "friday", "frday": "friday",
    "mondy": "monday", "mondya": "monday", "monay": "monday", "sundy": "sunday", "satday": "saturday",
    "sturday": "saturday", "febuary": "february", "janurary": "january", "setpember": "september",
    "ocotber": "october", "wk": "week", "minuts": "minutes", "minuets": "minutes", "miniutes": "minutes",
    "huors": "hours", "hors": "hours", "ours": "ours", "mornin": "morning", "monring": "morning",
    "mornign": "morning", "moring": "morning", "evning": "evening", "evenning": "evening",
    "aftenoon": "afternoon", "afernoon": "afternoon", "nite": "night", "nites": "nights",
    "tonite": "tonight", "2nite": "tonight", "quater": "quarter", "qtr": "quarter", "midnite": "midnight",
    "munday": "monday", "toady": "today", "2day": "today", "tday": "today", "expect": "expect",
    "bout": "about", "arvo": "afternoon", "morn": "morning", "exept": "except", "excpet": "except",
    "betwen": "between", "beween": "between", "weeekly": "weekly",
    "annualy": "annually", "anually": "annually", "adn": "and",
    "dayly": "daily", "daliy": "daily", "weely": "weekly", "montly": "monthly", "monthy": "monthly",
    "mthly": "monthly", "wkday": "weekday", "wkdays": "weekdays", "wkdy": "weekday", "wkdys": "weekdays",
    "wkly": "weekly", "wkend": "weekend", "wkends": "weekends", "dly": "daily",
    "beginnning": "beginning", "begining": "beginning", "untill": "until",
    "fornightly": "fortnightly", "fortnighly": "fortnightly", "thur": "thurs", "weekd": "weekday",
}  # fmt: skip
LONG_WORDS = frozenset(
    {
        *SINGULAR_WEEKDAYS, *(f"{name}s" for name in SINGULAR_WEEKDAYS), "january", "february", "september",
        "october", "november", "december", "tomorrow", "weekday", "weekdays", "weekend", "weekends",
        "midnight", "fortnight", "fortnightly", "workday", "workdays", "afternoon", "evenings", "midday",
        "lunchtime", "quarterly", "monthly", "tonight", "minutes", "noonish", "morning", "mornings",
        "evening", "everything",
    }
)  # fmt: skip
"""Words long enough to be recognised with one slip, and near to no other word."""


def first_words(*tables: Iterable[str]) -> frozenset[str]:
    """Returns the words with which the phrases of the tables begin."""
    return frozenset(phrase.split()[0] for table in tables for phrase in table)
