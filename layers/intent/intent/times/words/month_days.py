"""Days of the month in words: ``the 1st and the 15th``, ``last working day``, ``the 1st through the 5th``."""

from __future__ import annotations

from intent.times.words.days import OF_MONTH, OF_QUARTER, OF_YEAR, is_of_other_period, nth, one_at
from intent.times.words.items import Blocker, Item, MonthDays
from intent.times.words.lexicon import COUNTS, EVERY, MONTHS, ORDINAL_ENDINGS
from intent.times.words.tokens import Tokens, at, words_at

STARTS = COUNTS | EVERY | {
    "at", "beginning", "business", "day", "its", "by", "closest", "end", "eom", "final", "last", "month",
    "monthend",
    "nearest", "next", "on", "penultimate", "quarter", "start", "the", "ultimo", "weekday", "working",
}  # fmt: skip
_WORKING_DAY = (
    "working day", "workday", "business day", "work day", "weekday", "bank day", "banking day",
    "working days", "business days", "workdays",
)  # fmt: skip


def month_days_at(tokens: Tokens, place: int) -> Item | None:
    """Returns days of the month: ``the 1st and the 15th``, ``last working day``, ``every 31st``."""
    return (
        _from_the_end(tokens, place)
        or _nearest_weekday(tokens, place)
        or _working_day(tokens, place)
        or _month_end(tokens, place)
        or _day_number(tokens, place)
        or _numbered(tokens, place)
    )


def _from_the_end(tokens: Tokens, place: int) -> Item | None:
    """``the third to last day`` has no place in a schedule."""
    here = words_at(tokens, place, "on the", "the") or place
    number = nth(tokens, here)
    end = (
        words_at(tokens, number[1], "to last", "to the last", "from last", "from the last", "last")
        if number
        else 0
    )
    end = end or words_at(tokens, here, "penultimate", "next to last", "last but one")
    if not end:
        return None
    end = words_at(tokens, end, "day", *_WORKING_DAY) or (one_at(tokens, end) or (0, 0, 0))[1]
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
    found = nth(tokens, end) if end else None
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
    quarter, year = words_at(tokens, end, *OF_QUARTER), words_at(tokens, end, *OF_YEAR)
    end = quarter or year or _after_month(tokens, end)
    if words_at(
        tokens, end, "of the week", "of each week", "of every week", "of next month", "of this month"
    ):
        return None
    if is_of_other_period(tokens, end):
        return Blocker(place, end, missing="day")
    name = {1: "1W", -1: "LW"}.get(number[0]) if number else None
    if name is None:
        return Blocker(
            place, end, why="no schedule counts working days, except the first and the last of a month"
        )
    return MonthDays(place, end, (name,), is_each=True, is_of_quarter=bool(quarter), is_of_year=bool(year))


def _working_place(tokens: Tokens, place: int) -> tuple[int, int] | None:
    if at(tokens, place).text in ("last", "final"):
        return -1, place + 1
    return nth(tokens, place)


def _month_end(tokens: Tokens, place: int) -> Item | None:
    here = words_at(tokens, place, "at the", "on the", "every", "each", "the", "at", "by the") or place
    end = words_at(
        tokens, here, "last day of the month", "last day of each month", "last day of every month",
        "last day of month", "last day each month", "last day every month", "last of the month",
        "last of each month", "last of every month", "end of each month", "end of every month", "month end",
        "monthend", "ultimo", "last day of the mo", "last calendar day of the month", "last day in the month",
        "last day of a month", "its last day",
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
    if end:
        return MonthDays(place, end, ("L",), is_each=True, is_of_quarter=True)
    end = words_at(
        tokens, here, "start of every quarter", "beginning of every quarter", "start of each quarter",
        "beginning of each quarter", "start of the quarter", "beginning of the quarter",
    )  # fmt: skip
    return MonthDays(place, end, ("1",), is_each=True, is_of_quarter=True) if end else None


def _day_number(tokens: Tokens, place: int) -> MonthDays | None:
    """Returns ``day 15 of every month``."""
    here = words_at(tokens, place, "on day", "day")
    number, after = at(tokens, here), words_at(tokens, here + 1, *OF_MONTH)
    is_day = bool(here) and number.is_number and len(number.text) <= 2 and 1 <= int(number.text) <= 31
    return (
        MonthDays(place, after, (str(int(number.text)),), True, is_of_month=True)
        if is_day and after
        else None
    )


def _numbered(tokens: Tokens, place: int) -> Item | None:
    each = at(tokens, place).text in EVERY
    here = words_at(tokens, place, "on the", "every", "each", "the", "on", "by the") or place
    names: list[int] = []
    end, is_of_month = here, False
    while number := nth(tokens, here):
        names.append(number[0])
        end = here = words_at(tokens, number[1], "day") or number[1]
        if ranged := _range_end(tokens, end, number[0]):
            names.extend(range(number[0] + 1, ranged[0] + 1))
            end = here = ranged[1]
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
    after = words_at(tokens, end, *OF_MONTH)
    is_of_quarter = bool(words_at(tokens, end, *OF_QUARTER))
    is_of_month = bool(after) and at(tokens, after - 2).text != "the"
    end = after or (words_at(tokens, end, *OF_QUARTER) if is_of_quarter else end)
    several = len(names) > 1
    return MonthDays(
        place,
        end,
        tuple(map(str, names)),
        is_each=each or is_of_month or several,
        is_of_month=is_of_month,
        is_of_quarter=is_of_quarter,
    )


def _range_end(tokens: Tokens, place: int, first: int) -> tuple[int, int] | None:
    """Returns the last day in ``the 1st through the 5th``; ``from the 1st to the 5th`` may be a change."""
    here = words_at(
        tokens, place, "through the", "thru the", "through", "thru", "-", "\u2013", "to the", "to"
    )
    last = nth(tokens, here) if here else None
    is_plain = at(tokens, place).text != "to" or bool(last and words_at(tokens, last[1], *OF_MONTH))
    return last if last and is_plain and last[0] > first else None


def _may_be_a_day(tokens: Tokens, place: int, end: int, names: list[int]) -> bool:
    """Whether an ordinal is a day of a month, not a rank: ``the first draft``, ``2nd floor``."""
    follower = at(tokens, end)
    if follower.text == "of" and not (
        words_at(tokens, end, *OF_MONTH, *OF_QUARTER) or _is_of_some_months(tokens, end)
    ):
        return False
    if words_at(tokens, end, *OF_MONTH, *OF_QUARTER) or _is_of_some_months(tokens, end):
        return True
    is_figure = at(tokens, end - 1).text in ORDINAL_ENDINGS or at(tokens, end - 2).is_number
    leads = {"the", "on", "every", "each", "by"}
    has_lead = place == 0 or at(tokens, place).text in leads or at(tokens, place - 1).text in leads
    has_lead = has_lead or (is_figure and _is_set(tokens, place))
    is_monthly = has_lead and any(_is_each_month(tokens, here) for here in range(len(tokens)))
    if not is_figure and len(names) == 1 and not is_monthly and names[0] < _HARDLY_A_RANK:
        return False
    ends_here = not follower.is_word or follower.text in _AFTER_A_DAY or follower.text in MONTHS
    return (has_lead or len(names) > 1) and (ends_here or follower.is_number)


def _is_each_month(tokens: Tokens, place: int) -> bool:
    """Whether ``monthly``, ``every month`` or ``once a month`` stands at a place."""
    word, after = at(tokens, place).text, at(tokens, place + 1).text
    if word == "monthly" or (word in EVERY and after in ("month", "months")):
        return True
    return bool(words_at(tokens, place, "once a month", "once per month", "once each month"))


def _is_set(tokens: Tokens, place: int) -> bool:
    """Whether ``to`` or a word of correction stands before a place: ``move it to 27th``, ``no, 27th``."""
    before = at(tokens, place - 1).text
    before = at(tokens, place - 2).text if before == "," else before
    return at(tokens, place - 1).text == "to" or before in _CORRECTING


_CORRECTING = frozenset({"no", "sorry", "actually", "wait", "mean", "meant", "oops", "rather"})
_HARDLY_A_RANK = 10
"""From which number on an ordinal in words is a day rather than a place in a row."""


def _is_of_some_months(tokens: Tokens, place: int) -> bool:
    """Whether ``of every other month``, ``of alternate months``, ``every 3 months`` stands at a place."""
    here = place + (at(tokens, place).text == "of")
    if not (step := words_at(tokens, here, "every", "each", "alternate", "alternating")):
        return False
    return any(at(tokens, step + more).text in ("month", "months") for more in (0, 1, 2))


_AFTER_A_DAY = frozenset(
    {"at", "and", "or", "instead", "please", "pls", "by", "then", "to", "noon", "midnight", "in", "for",
     "not", "rather", "too", "as", "if", "with", "is", "so", "no", "around", "about", "until", "through",
     "do", "eod", "send", "from", "but", "except", "unless", "before", "latest", "only", "remind", "when",
     "that", "because", "we", "i", "she", "he", "they", "first", "also", "half", "quarter",
     "starting", "each", "every", "would"}
)  # fmt: skip


def _after_month(tokens: Tokens, place: int) -> int:
    return words_at(tokens, place, *OF_MONTH) or place
