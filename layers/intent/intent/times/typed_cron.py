"""Schedules that people type as cron has them: ``*/15 8-17 * * 1-5``, ``@hourly``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from conversation.cron import Cron
from conversation.timing import Timing
from intent.times.plan import plan_of
from intent.times.reading import Kind, Offer, Problem, TimeReading
from intent.times.wording import describe_plan
from intent.times.words.dates import Present
from intent.times.words.items import Item, Mark, Noun, Past, Sign, ZoneName
from intent.times.words.lexicon import MONTHS, SHORT_WEEKDAYS
from intent.times.words.scanner import scan
from intent.times.words.tokens import LEFT_OUT, Tokens, tokenise
from intent.times.words.zones import place_at, zone_name_at

_WORD = re.compile(r"\S+")
_FIELDS = 5
_MOST_WORDS = 200
_LONGEST_FIELD = 60
_FEWEST_MINUTES = 5
_NAME = re.compile(r"[A-Za-z]{3}")
_NUMBERS = SHORT_WEEKDAYS | {name: number for name, number in MONTHS.items() if len(name) == 3}
_MARKS = frozenset("0123456789*/,-?#LW")
_QUOTES = "`'\"()[].,;:"
_MACROS = {
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
}  # fmt: skip


def read_typed_cron(text: str, now: Present) -> TimeReading | None:
    """Returns the schedule of an expression in a text; None for none.

    It is asked about where other words say when, too, and refused where it comes too often.
    """
    found = _expression(text)
    if found is None:
        return None
    expression, start, end = found
    reading = TimeReading(span=(start, end), spans=((start, end),), kind=Kind.SCHEDULE, is_recurring=True)
    if not expression:
        return replace(reading, problem=Problem.ASK, missing=("rest",))
    tokens = tokenise(f"{text[:start]}{LEFT_OUT}{text[end:]}")
    others = scan(tokens, now, is_answer=True)
    zones = {item.zone or now.zone for item in others if isinstance(item, ZoneName)}
    zones = zones or set(_places(tokens))
    timing = Timing((expression,), _zone_of(zones) or now.zone)
    plan = plan_of(timing)
    said = describe_plan(plan) if plan else expression
    if any(_says_when(item) for item in others):
        return replace(reading, problem=Problem.ASK, missing=("rest",), nearest=(Offer(timing, said),))
    is_zone_said = any(isinstance(item, ZoneName) for item in others)
    if zones and not (is_zone_said and _zone_of(zones)):
        return replace(reading, problem=Problem.ASK, missing=("zone",), nearest=(Offer(timing, said),))
    if _comes_too_often(Cron.parse(expression)):
        why = "intervals are five minutes or a multiple"
        return replace(reading, problem=Problem.UNSUPPORTED, why=why)
    return replace(reading, timing=timing, said=said)


def typed_cron_place(text: str) -> tuple[int, int] | None:
    """Returns where a cron expression begins and ends in a text; None without a whole one."""
    found = _expression(text)
    return found[1:] if found is not None and found[0] else None


def _says_when(item: Item) -> bool:
    if isinstance(item, Mark):
        return item.sign not in (Sign.ONLY, Sign.ALSO, Sign.SAME, Sign.START)  # "from snowflake"
    return not isinstance(item, Noun | Past | ZoneName)


def _places(tokens: Tokens) -> Iterator[str]:
    """Yields the zones of places, such as ``Berlin``, that may be where the times are meant."""
    for place, token in enumerate(tokens):
        found = place_at(tokens, place) or zone_name_at(tokens, place)
        if found and len(token.text) > 2:
            yield found[0]


def _zone_of(zones: set[str]) -> str:
    """Returns the only zone that was named; empty for none, several, or one that has to be asked."""
    return next(iter(zones)) if len(zones) == 1 and "?" not in zones else ""


def _expression(text: str) -> tuple[str, int, int] | None:
    """Returns the expression, and where it begins and ends in the text; one of six fields is empty."""
    if "*" not in text and "@" not in text:
        return None
    fields: list[re.Match[str]] = []
    for _, word in zip(range(_MOST_WORDS), _WORD.finditer(text), strict=False):
        if macro := _MACROS.get(word[0].lower().strip(_QUOTES)):
            return macro, word.start(), word.end()
        if _is_field(_numbered(word[0])):
            fields.append(word)
        elif len(fields) >= _FIELDS:
            break
        else:
            fields.clear()
    texts = [_numbered(field[0]) for field in fields]
    if not _FIELDS <= len(texts) <= _FIELDS + 2 or "*" not in texts:
        return None
    return (" ".join(texts) if _is_cron(texts) else ""), fields[0].start(), fields[-1].end()


def _numbered(word: str) -> str:
    """Returns a field without quotation marks, weekdays and months as their numbers."""
    bare = word.strip(_QUOTES).removeprefix("cron(")[:_LONGEST_FIELD]
    return _NAME.sub(lambda name: str(_NUMBERS.get(name[0].lower(), name[0])), bare)


def _is_field(text: str) -> bool:
    return bool(text) and all(mark in _MARKS for mark in text)


def _is_cron(fields: list[str]) -> bool:
    try:
        Cron.parse(" ".join(fields))
    except ValueError:
        return False
    return True


def _comes_too_often(cron: Cron) -> bool:
    minutes = sorted(cron.minutes)
    return any(later - earlier < _FEWEST_MINUTES for earlier, later in pairwise(minutes))
