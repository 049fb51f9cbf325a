"""Times of day in words and digits: ``7.15 am``, ``0830h``, ``half nine``, ``ten to nine``, ``noonish``."""

from __future__ import annotations

from dataclasses import replace

from intent.times.words.items import Clock
from intent.times.words.lexicon import COUNTS, FIXED_TIMES, NUMBERS, PARTS, TENS, UNITS, first_words
from intent.times.words.parts_of_day import hour_in_part
from intent.times.words.tokens import Tokens, at, phrase_at, words_at

STARTS = first_words(COUNTS, PARTS, FIXED_TIMES) | {
    "a", "about", "approx", "approximately", "around", "at", "circa", "half", "halb", "on", "quarter",
    "roughly", ":",
}  # fmt: skip
PAST = frozenset({"past", "after"})
_TO = frozenset({"to", "till", "til", "of", "before"})
_O_CLOCK = frozenset({"oclock", "clock"})
_LEADS = frozenset(
    {"at", "@", "by", "around", "about", "circa", "approx", "till", "til", "until", "from", "for"}
)
_AFTER_HALF = frozenset(
    {"an", "a", "hour", "hours", "hr", "day", "year", "of", "the", "term", "price", "hourly"}
)
_FIXED = tuple(sorted(FIXED_TIMES, key=len, reverse=True))
_GERMAN = {
    "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9,
    "zehn": 10, "elf": 11, "zwölf": 12,
}  # fmt: skip
"""The hours in ``halb neun``, half past eight."""
_NAMED_HOURS = {"noon": 12, "midday": 12, "midnight": 24}
_NOT_A_TIME_AFTER = frozenset(
    {"%", "percent", "x", "°", "degrees", "times", "time", "th", "st", "nd", "rd", "$", "past"}
)


def number_at(tokens: Tokens, place: int) -> tuple[int, int] | None:
    """Returns the number in digits or words at a place, up to 59 in words, and the place after it."""
    token = at(tokens, place)
    if token.is_number:
        return (int(token.text), place + 1) if len(token.text) < 6 else None
    if token.text in TENS:
        here = place + 1 + (at(tokens, place + 1).text == "-")
        ones = NUMBERS.get(at(tokens, here).text, 0)
        return (TENS[token.text] + ones, here + 1) if 1 <= ones <= 9 else (TENS[token.text], place + 1)
    number = NUMBERS.get(token.text)
    return None if number is None else (number, place + 1)


def clock_at(tokens: Tokens, place: int) -> Clock | None:
    """Returns the time of day at a place."""
    first = place
    if at(tokens, place).text in ("around", "about", "approx", "circa", "roughly", "approximately"):
        place += 1
    found = _fixed(tokens, place) or _to_or_past(tokens, place) or _in_figures(tokens, place)
    if found is None or (first < place and found.is_weak and at(tokens, first - 1).text not in ("at", "@")):
        return None
    return replace(_with_part(tokens, found), first=first)


_POINTS = ("noon", "midday", "noonish", "middayish", "midnight")
_THINGS = ("first thing", "last thing")
_BEFORE_LUNCH = ("at", "before", "around", "about", "by", "over")


def _fixed(tokens: Tokens, place: int) -> Clock | None:
    found = phrase_at(tokens, place, _FIXED)
    if found is None or (found[0] == "lunch" and at(tokens, place - 1).text not in _BEFORE_LUNCH):
        return None
    words, end = found
    if words in _THINGS and at(tokens, place - 1).text == "the":
        return None  # ``that's the last thing``
    hour, minute = FIXED_TIMES[words]
    end = words_at(tokens, end, "ish", "- ish", "o clock") or end
    is_stretch = words not in _POINTS
    return Clock(
        place, end, hour, minute, is_named=True, is_stretch=is_stretch, is_midnight=words == "midnight"
    )


def fraction_at(tokens: Tokens, place: int) -> tuple[int, int] | None:
    """Returns the minutes in ``quarter``, ``half``, ``twenty (minutes)``, and the place after them."""
    here = place + (at(tokens, place).text == "a")
    if at(tokens, here).text in ("quarter", "half"):
        return (15 if at(tokens, here).text == "quarter" else 30), here + 1
    found = number_at(tokens, place)
    if found is None or not 1 <= found[0] <= 29:
        return None
    minutes, here = found
    return minutes, words_at(tokens, here, *MINUTES) or here


MINUTES = ("minutes", "mins", "min", "minute")


def _to_or_past(tokens: Tokens, place: int) -> Clock | None:
    if at(tokens, place).text == "halb":
        german = _GERMAN.get(at(tokens, place + 1).text)
        hour = (german, place + 2) if german else hour_at(tokens, place + 1)
        return None if hour is None else _spoken(tokens, place, hour[1], hour[0] * 60 - 30)
    found = fraction_at(tokens, place)
    if found is None:
        return None
    minutes, here = found
    word = at(tokens, here).text
    if word == "to" and at(tokens, place - 1).text in ("from", "between") and here == place + 1:
        return None
    is_half = at(tokens, here - 1).text == "half"
    if is_half and word not in PAST and word not in _AFTER_HALF:
        hour = hour_at(tokens, here)
        return None if hour is None else _spoken(tokens, place, hour[1], hour[0] * 60 + 30)
    hour = hour_at(tokens, here + 1) if word in PAST or word in _TO else None
    in_digits = at(tokens, place).is_number
    if hour is None or (in_digits and word in _TO and not _is_minutes_to(tokens, place, here)):
        return None
    if word in _TO and (is_half or (word in ("of", "before") and in_digits)):
        return None
    if word in _TO and minutes % 5 and at(tokens, here - 1).text not in MINUTES:
        return None  # "the diesel one to 4": nobody tells the time in odd minutes without naming them
    return _spoken(tokens, place, hour[1], hour[0] * 60 + (minutes if word in PAST else -minutes))


def _is_minutes_to(tokens: Tokens, place: int, here: int) -> bool:
    """``20 to 9`` and ``at 5 to 9`` are times; ``9 to 5`` and ``8 to 6`` are stretches."""
    if (
        at(tokens, place - 1).text == "at"
        and at(tokens, place).text in ("5", "10")
        and not _is_late(tokens, here)
    ):
        return True
    return here - place > 1 or (int(at(tokens, place).text) in (20, 25) and not _is_late(tokens, here))


def _is_late(tokens: Tokens, here: int) -> bool:
    found = number_at(tokens, here + 1)
    return found is not None and found[0] > 12


def hour_at(tokens: Tokens, place: int) -> tuple[int, int] | None:
    """Returns the hour in ``past nine``, ``to noon``, and the place after it."""
    if named := _NAMED_HOURS.get(at(tokens, place).text):
        return named, place + 1
    found = number_at(tokens, place)
    if found is None or found[0] > 24 or at(tokens, found[1]).text == "%" or _has_minutes(tokens, found[1]):
        return None
    if at(tokens, found[1]).text in UNITS and at(tokens, found[1]).text != "h":
        return None
    return found


def _has_minutes(tokens: Tokens, place: int) -> bool:
    """Whether a colon and figures stand at a place; in ``at 10: phone in`` the colon ends the time."""
    return (
        at(tokens, place).text == ":" and at(tokens, place + 1).is_glued and at(tokens, place + 1).is_number
    )


def _spoken(tokens: Tokens, first: int, end: int, minutes: int) -> Clock:
    is_named = at(tokens, end - 1).text in _NAMED_HOURS
    minutes %= 24 * 60
    is_late = minutes >= 13 * 60 or is_named
    clock = Clock(first, end, minutes // 60, minutes % 60, is_open=not is_late)
    return _with_suffix(tokens, clock)


def _in_figures(tokens: Tokens, place: int) -> Clock | None:
    """Returns ``7``, ``7:15``, ``7.15``, ``0715``, ``7h15``, ``17 Uhr 15``, ``seven``, ``7 o'clock``."""
    if not at(tokens, place).is_number:
        return _in_words(tokens, place)
    if at(tokens, place).is_glued and (
        at(tokens, place - 1).is_word or at(tokens, place - 1).text in "#$€£.,:/-"
    ):
        previous = at(tokens, place - 1)
        if not (previous.text in ("-", ",", "/") and at(tokens, place - 2).text not in ("-", "/")):
            return None
        if (
            previous.text == "-"
            and at(tokens, place - 2).is_word
            and at(tokens, place - 2).text not in ("am", "pm", "a", "p", "h")
        ):
            return None
    digits = at(tokens, place).text
    if len(digits) > 4 or _is_compared(tokens, place):
        return None
    return _separated(tokens, place) or _with_unit(tokens, place) or _together(tokens, place)


def _is_compared(tokens: Tokens, place: int) -> bool:
    """Returns whether a number is a bound of something else than time: ``ratings below 3``."""
    before = at(tokens, place - 1).text
    if before == "than":
        return at(tokens, place - 2).text in (
            "more",
            "less",
            "fewer",
            "higher",
            "lower",
            "greater",
            "smaller",
        )
    return before in ("below", "above", "under", "exceeding")


def _separated(tokens: Tokens, place: int) -> Clock | None:
    mark, minute = at(tokens, place + 1), at(tokens, place + 2)
    digits = at(tokens, place).text
    if len(digits) > 2 or not (mark.is_glued and mark.text in (":", ".", "h") and minute.is_glued):
        return None
    if not minute.is_number or len(minute.text) != 2 or int(minute.text) > 59 or int(digits) > 23:
        return None
    follower = at(tokens, place + 3)
    goes_on = follower.is_glued and (
        follower.text in "%/-" or (follower.text in ".:" and at(tokens, place + 4).is_glued)
    )
    is_list = follower.text in "-/" and at(tokens, place + 4).is_number and mark.text == ":"
    if goes_on and not is_list:
        return None
    clock = _clock(
        place, place + 3, int(digits), int(minute.text), is_written_24=digits[0] == "0" or mark.text == "h"
    )
    suffixed = _with_suffix(tokens, replace(clock, is_digital=True))
    if mark.text == "." and suffixed.end == clock.end:  # "2.30" may be a number
        lead = at(tokens, place - 1).text
        is_amount = follower.text in ("%", "percent", "x", "m", "k", "million", "eur", "usd", "gb", "mb")
        return None if is_amount else replace(suffixed, is_weak=lead not in _LEADS and len(digits) < 2)
    return suffixed


def _with_unit(tokens: Tokens, place: int) -> Clock | None:
    """Returns ``16h``, ``10 Uhr``, ``17 Uhr 15``, ``0830h``."""
    digits, unit = at(tokens, place).text, at(tokens, place + 1)
    if unit.text not in ("uhr", "h", "hrs", "hours") or (
        unit.text != "uhr" and not unit.is_glued and len(digits) < 4 and not _is_listed_hour(tokens, place)
    ):
        return None
    if len(digits) in (3, 4):
        hour, minute = int(digits[:-2]), int(digits[-2:])
    elif unit.text in ("hrs", "hours") and not _is_listed_hour(tokens, place):
        return None
    else:
        hour, minute = int(digits), 0
    end = place + 2
    more = at(tokens, end)
    if unit.text == "uhr" and more.is_number and len(more.text) == 2 and int(more.text) < 60:
        minute, end = int(more.text), end + 1
    if hour > 24 or minute > 59 or _is_length(tokens, place):
        return None
    return Clock(place, end, hour % 24, minute)


def _is_listed_hour(tokens: Tokens, place: int) -> bool:
    """Whether a number ends a list that ``at`` begins: ``at 6, 12 and 23 hrs``."""
    here = place
    while at(tokens, here - 1).is_number or at(tokens, here - 1).text in (",", "and", "&", "/"):
        here -= 1
    return at(tokens, here - 1).text in ("at", "@")


def _is_length(tokens: Tokens, place: int) -> bool:
    return at(tokens, place - 1).text in ("every", "each", "in", "within", "after", "for", "last", "past")


def _weak_unless_suffixed(tokens: Tokens, clock: Clock) -> Clock | None:
    """Return the time of one or two digits; None for a bare 0 that nothing says to be midnight."""
    suffixed = _with_suffix(tokens, clock)
    is_bare = suffixed.end == clock.end
    if (
        is_bare
        and at(tokens, clock.first).text == "0"
        and at(tokens, clock.first - 1).text not in _BEFORE_ZERO
    ):
        return None
    return replace(suffixed, is_weak=is_bare)


_BEFORE_ZERO = frozenset(
    {"at", "@", "to", "until", "till", "by", "between", "from", "and", ",", "-", "&", "/"}
)
"""What stands before a bare 0 that is midnight; after anything else it is no time: ``make it 0``."""


def _together(tokens: Tokens, place: int) -> Clock | None:
    digits = at(tokens, place).text
    behind, figure = at(tokens, place + 1), at(tokens, place + 2)
    if _has_minutes(tokens, place + 1):
        return None
    if behind.is_glued and behind.text in ("%", "th", "st", "nd", "rd", "x", "k", "m"):
        return None
    if behind.is_glued and behind.text == ":" and figure.is_glued:
        return None  # "12:75"; in "Mondays at 9: new orders" the colon ends the time
    if at(tokens, place + 1).text in _NOT_A_TIME_AFTER or at(tokens, place + 1).text in UNITS:
        return None
    if len(digits) <= 2:
        if int(digits) > 24:
            return None
        clock = _clock(
            place, place + 1, int(digits) % 24, 0, is_written_24=len(digits) == 2 and digits[0] == "0"
        )
        return _weak_unless_suffixed(tokens, clock)
    hour, minute = int(digits[:-2]), int(digits[-2:])
    if hour > 23 or minute > 59:
        return None
    clock = _clock(place, place + 1, hour, minute, is_written_24=digits[0] == "0")
    suffixed = _with_suffix(tokens, clock)
    if suffixed.end > clock.end:
        return suffixed
    is_year = 1990 <= int(digits) <= 2099 and at(tokens, place - 1).text not in ("at", "@")
    if len(digits) == 3 or is_year:
        return None
    return replace(suffixed, is_weak=digits[0] != "0" and at(tokens, place - 1).text not in ("at", "@", "by"))


def _in_words(tokens: Tokens, place: int) -> Clock | None:
    found = number_at(tokens, place)
    if found is None or not 1 <= found[0] <= 24 or at(tokens, found[1]).text in UNITS:
        return None
    hour, end = found
    minute, more = 0, number_at(tokens, end)
    if more is not None and more[0] in (15, 30, 45) and not at(tokens, end).is_number:
        minute, end = more
    if at(tokens, end).text in _NOT_A_TIME_AFTER | {"of", "-"}:
        return None
    if at(tokens, place).text == "one" and at(tokens, place - 1).text not in _BEFORE_ONE:
        return None
    clock = _clock(place, end, hour % 24, minute, is_written_24=False)
    suffixed = _with_suffix(tokens, clock)
    return replace(suffixed, is_weak=suffixed.end == clock.end)


_BEFORE_ONE = ("at", "by", "between", "from", "to", "past")


def _clock(first: int, end: int, hour: int, minute: int, *, is_written_24: bool) -> Clock:
    is_open = 1 <= hour <= 12 and not is_written_24
    return Clock(first, end, hour, minute, is_open=is_open)


def _with_suffix(tokens: Tokens, clock: Clock) -> Clock:
    """Returns the clock with what follows it taken in: ``am``, ``p.m.``, ``o'clock``, ``sharp``, ``-ish``."""
    end, half = clock.end, ""
    token, following = at(tokens, end), at(tokens, end + 1)
    if token.text in ("am", "pm"):
        half, end = token.text[0], end + 1
    elif token.text in ("a", "p") and following.text == "." and at(tokens, end + 2).text == "m":
        half, end = token.text, end + 3 + (at(tokens, end + 3).text == "." and at(tokens, end + 3).is_glued)
    elif (token.text in ("a", "p") and token.is_glued and not following.is_glued) or (
        token.text in ("a", "p") and token.is_glued and following.text in "-,.;/"
    ):
        half, end = token.text, end + 1
    elif token.text == "o" and following.text == "clock":
        end += 2
    elif token.text in _O_CLOCK or token.text == "uhr":
        end += 1
    if not half and end > clock.end and at(tokens, end).text in ("am", "pm"):
        half, end = at(tokens, end).text[0], end + 1
    end = words_at(tokens, end, "in the am", "in the pm") or end
    if end - 3 >= clock.end and at(tokens, end - 1).text in ("am", "pm") and not half:
        half = at(tokens, end - 1).text[0]
    end = words_at(tokens, end, "sharp", "ish", "- ish", "on the dot", "prompt") or end
    if not half or not 1 <= clock.hour <= 12:
        return replace(clock, end=end)
    hour = clock.hour % 12 + 12 * (half == "p")
    return replace(clock, end=end, hour=hour, is_open=False, is_weak=False, has_half=True)


def _with_part(tokens: Tokens, clock: Clock) -> Clock:
    """Returns the clock in the half of the day that the words after it name: ``at 7 in the morning``."""
    end = words_at(tokens, clock.end, "in the", "at", "of the", "of", "every", "each", "this", "tomorrow")
    part = at(tokens, end) if end else None
    if part is None or part.text not in PARTS or not clock.is_open:
        return clock
    hour = hour_in_part(clock.hour, part.text)
    keeps = at(tokens, end - 1).text in ("every", "each", "this", "tomorrow")
    return replace(clock, hour=hour, is_open=False, is_weak=False, end=clock.end if keeps else end + 1)
