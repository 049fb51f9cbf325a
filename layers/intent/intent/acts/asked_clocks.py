"""Questions for the time elsewhere that go on from one for the time: ``and in London?``, ``Berlin time``;
and those for the weekday of a date.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise as words_of
from intent.times.reader import read_times
from intent.times.reading import Kind
from intent.times.words.lexicon import MONTHS, WEEKDAYS
from intent.times.words.tokens import tokenise
from intent.times.words.zones import place_at

_AROUND = LEADS | frozenset("in at the time what about how over there then for is it what's".split())


def asks_clock_elsewhere(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause only names a place, after the time was asked for."""
    if scene.last[-1:] != (ActKind.CLOCK,) or scene.question is not None or scene.has_draft:
        return False
    tokens = tokenise(clause.text)
    found = next(((at, one[1]) for at in range(len(tokens)) if (one := place_at(tokens, at))), None)
    if found is None:
        return False
    text = clause.text
    rest = f"{text[: tokens[found[0]].start]} {text[tokens[found[1] - 1].end :]}".lower()
    return {word.strip("?!.,") for word in rest.split()} - {""} <= _AROUND


def asked_day(text: str, *, now: datetime, zone: str) -> date | None:
    """Return the day of which a question only wants to know on which weekday or date it falls: ``what weekday
    is the 5th of April?``, ``is the 20th a Friday?``; None for any other question.
    """
    tokens = [token for token in words_of(text) if token.is_word]
    while tokens and tokens[0].word in LEADS:
        tokens = tokens[1:]
    words = [token.word for token in tokens]
    begin = next((at for at, word in enumerate(words) if word not in _ASKING_DAY), len(words))
    if begin == len(words) or not (_NAMES_DAY & set(words[:begin]) or words[0] in {"is", "was", "isn't"}):
        return None
    cut = next((at for at in range(begin + 1, len(words)) if words[at] == "a"), len(words))
    rest, kind_of_day = text[tokens[begin].start : tokens[cut - 1].end], set(words[cut:])
    is_past = "was" in words and "next" not in words
    back = timedelta(days=(366 if MONTHS.keys() & set(words) or rest.isalpha() else 31) * is_past)
    found = [one for one in read_times(rest, now=now - back, zone=zone, wanted=Kind.DAY) if one.day]
    if len(found) != 1:
        return None
    behind = rest[found[0].span[1] :]
    said = {
        token.word for token in words_of(f"{rest[: found[0].span[0]]} {behind}") if token.is_word
    } | kind_of_day
    is_asked = bool(_NAMES_DAY & set(words[:begin]) or said & (_WEEKDAYS | {"weekday", "weekend"}))
    return found[0].day if is_asked and said <= _BEHIND_DAY | _WEEKDAYS | LEADS else None


_ASKING_DAY = frozenset(
    "on what which what's day weekday date days of week is was will does did do that it this these then"
    " isn't".split()
)
_NAMES_DAY = frozenset({"day", "weekday", "date"})
_WEEKDAYS = frozenset(WEEKDAYS)
_BEHIND_DAY = frozenset("a an the on at fall falls be land lands again year this weekday weekend day".split())
