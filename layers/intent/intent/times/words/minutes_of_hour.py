"""Minutes of every hour in words: ``on the hour``, ``quarter past``, ``at 5, 25 and 45 past``."""

from __future__ import annotations

from intent.times.words.clocks import MINUTES, PAST, fraction_at, hour_at, number_at
from intent.times.words.items import Blocker, MinuteOfHour
from intent.times.words.tokens import Tokens, at, words_at

_BEHIND_MINUTES = frozenset("and please pls then instead as ish".split())


def minute_of_hour_at(tokens: Tokens, place: int) -> MinuteOfHour | None:
    """Returns ``quarter past`` without an hour, ``twenty past every hour``, ``on the hour``."""
    if end := words_at(tokens, place, "on the hour", "at the top of the hour", "on the full hour"):
        return MinuteOfHour(place, end, 0)
    if end := words_at(tokens, place, "on the half hour", "at the bottom of the hour"):
        return MinuteOfHour(place, end, 30)
    colon, figure = at(tokens, place), at(tokens, place + 1)
    if (
        colon.text == ":"
        and not colon.is_glued
        and figure.is_number
        and figure.is_glued
        and len(figure.text) == 2
    ):
        return MinuteOfHour(place, place + 2, int(figure.text)) if int(figure.text) < 60 else None
    found = fraction_at(tokens, place)
    if found is None:
        return None
    minutes, here = found
    word = at(tokens, here).text
    if word not in PAST | {"to", "til", "till"} or hour_at(tokens, here + 1) is not None:
        return None
    if word != "past" and here == place + 1 and not _counts_minutes(tokens, place):
        return None
    if every := words_at(tokens, here + 1, "every hour", "each hour", "the hour", "of every hour"):
        is_hourly = at(tokens, here + 1).text != "the"
        return MinuteOfHour(place, every, minutes if word in PAST else 60 - minutes, is_every_hour=is_hourly)
    follower = at(tokens, here + 1)
    if word == "past" and follower.text == "to":  # "at twenty past to leave"
        return MinuteOfHour(place, here + 1, minutes)
    is_address = follower.text.startswith("_")  # "at 9 to #ops"
    if is_address or (follower.is_word and follower.text not in _BEHIND_MINUTES):
        return None
    return MinuteOfHour(place, here + 1, minutes if word in PAST else 60 - minutes)


def several_minutes_at(tokens: Tokens, place: int) -> MinuteOfHour | Blocker | None:
    """Returns ``5, 25 and 45 past (every hour)``; None for one.

    A `Blocker` where an hour follows, as ``at 5 and 10 past 9`` may be two minutes or two hours.
    """
    found: list[int] = []
    here, end, count = place, 0, 0
    while (number := fraction_at(tokens, here) or number_at(tokens, here)) and number[0] < 60:
        found.append(number[0])
        here = words_at(tokens, number[1], *MINUTES) or number[1]
        if at(tokens, here).text == "past":
            here, end, count = here + 1, here + 1, len(found)
        here = words_at(tokens, here, ", and", "and at", ", at", "and", ",", "&")
        if not here:
            break
    if count < 2 or len(set(found[:count])) < 2:
        return None
    if (hour := hour_at(tokens, end)) is not None:
        is_doubtful = at(tokens, end - 2).is_number and all(minute % 5 == 0 for minute in found[:count])
        return Blocker(place, hour[1], missing="time") if is_doubtful else None
    every = words_at(tokens, end, "every hour", "each hour", "the hour", "of every hour", "of each hour")
    is_every_hour = bool(every) and at(tokens, end).text != "the"
    return MinuteOfHour(place, every or end, found[0], is_every_hour, tuple(found[1:count]))


def _counts_minutes(tokens: Tokens, place: int) -> bool:
    """Whether a number before ``to`` can be minutes without an hour: in ``at 7 to order flour`` it is one."""
    is_quarter = at(tokens, place).text in ("quarter", "half")
    return is_quarter or any(token.text in ("hour", "hours", "hourly") for token in tokens)
