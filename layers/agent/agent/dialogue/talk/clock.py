"""Answers about the time, the day, and how far away a day is."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.dialogue.talk.occasion import Occasion
from intent.acts.asked_clocks import asked_day
from intent.acts.tokens import tokenise
from intent.times.reader import read_times
from intent.times.reading import Kind
from intent.times.words.tokens import tokenise as time_tokens
from intent.times.words.zones import place_at, zone_name_at

_DATE = frozenset(
    "date day today today's weekday month year monday tuesday wednesday thursday friday"
    " saturday sunday".split()
)
_COUNTS = frozenset({"until", "till", "til", "before", "since", "left", "between", "to"})
_LONGEST = 500
"""How many characters of a question are read."""
_NO_PLACE = frozenset({"the", "there", "it", "a", "an", "my", "our", "your", "here", "days", "week", "total"})


def answer(occasion: Occasion) -> Result:
    """Say what time or day it is, here or elsewhere, or how far away a day is."""
    text = occasion.words[:_LONGEST]
    if (span := between_clocks(text)) is not None:
        return span
    words = tuple(token.word for token in tokenise(text))
    now, own = occasion.turn.situation.now, occasion.turn.situation.time_zone
    here = now.astimezone(ZoneInfo(own))
    if (asked := asked_day(text, now=now, zone=own)) is not None and asked != here.date():
        return Result(texts.day_is(asked, here.date()))
    if (found := _place(text)) is not None:
        place, zone = found
        return Result(texts.now_there(now.astimezone(ZoneInfo(zone)), place))
    if (unknown := _unknown_place(text)) and {"time", "late", "hour"} & set(words):
        return Result(texts.unknown_place(unknown))
    if "week" in words and {"number", "which", "what"} & set(words) and not {"day", "date"} & set(words):
        monday = here.date() - timedelta(days=here.weekday())
        return Result(texts.week_is(here.isocalendar().week, monday, monday + timedelta(days=6)))
    if (said := _about_day(occasion, words, here.date())) is not None:
        return said
    if _DATE & set(words) and not {"time", "clock", "late", "hour"} & set(words):
        return Result(texts.today_is(here.date()))
    return Result(texts.now_here(here, own))


def between_clocks(words: str) -> Result | None:
    """Return how long it is from one time of day to another; None where words don't ask for that."""
    tokens = tokenise(words[:_LONGEST])
    clocks = [clock for token in tokens if (clock := _minutes_of(token.text)) is not None]
    if len(clocks) != 2 or not _SPANS & {token.word for token in tokens}:
        return None
    return Result(texts.minutes_between((clocks[1] - clocks[0]) % (24 * 60)))


_SPANS = frozenset({"minutes", "minute", "hours", "long", "between", "mins", "hrs"})


def _minutes_of(text: str) -> int | None:
    """Return the minutes since midnight of ``13:45``; None for any other text."""
    hour, _, minute = text.partition(":")
    is_clock = (
        hour.isdigit() and minute.isdigit() and len(minute) == 2 and int(hour) < 24 and int(minute) < 60
    )
    return int(hour) * 60 + int(minute) if is_clock else None


def _about_day(occasion: Occasion, words: tuple[str, ...], today: date) -> Result | None:
    """Return the answer about a day other than today; None when none is named."""
    days = _days(occasion)
    if "between" in words and len(days) > 1:
        return Result(texts.days_between(days[0], days[1]))
    if not days:
        return None
    counts = {"many", "long", "far"} & set(words) and _COUNTS & set(words)
    if counts or "days" in words:
        return Result(texts.days_until(days[0], today))
    if days[0] == today:
        return None
    return Result(texts.day_is(days[0], today))


def _days(occasion: Occasion) -> list[date]:
    """Return the days that the words name, in order."""
    situation = occasion.turn.situation
    text = occasion.words[:_LONGEST]
    found: list[date] = []
    for part in text.split(" and ") if "between" in text.lower() else [text]:
        readings = read_times(part, now=situation.now, zone=situation.time_zone, wanted=Kind.DAY)
        found += [reading.day for reading in readings if reading.day is not None]
    return found


def _place(text: str) -> tuple[str, str] | None:
    """Return the first place or zone that a text names, as written, and its IANA zone."""
    tokens = time_tokens(text)
    for place in range(len(tokens)):
        if tokens[place].text in _HOLIDAYS and not {"island"} & {one.text for one in tokens}:
            continue
        found = place_at(tokens, place) or (zone_name_at(tokens, place) if place else None)
        if found is not None:
            zone, end = found
            written = text[tokens[place].start : tokens[end - 1].end]
            return (written if written != written.lower() else _capital(written)), zone
    return None


_HOLIDAYS = frozenset({"christmas", "easter"})
"""Days that islands are named after."""


def _capital(place: str) -> str:
    return place.upper() if len(place) <= 3 else place.title()


def _unknown_place(text: str) -> str:
    """Return the name behind ``in`` at the end of a text; empty when there is none."""
    tokens = [token for token in tokenise(text) if token.is_word]
    for token, name in pairwise(tokens):
        if token.word in {"in", "at"} and name.word not in _NO_PLACE and name.text[:1].isupper():
            return name.text
    return ""
