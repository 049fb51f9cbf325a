"""The days of the week that words take out of a schedule as the object of a verb: ``drop the Wednesdays from
rota``, ``no lessons on Fridays any more, rota can skip that day``.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, QUESTION_WORDS, verb_forms
from intent.acts.tokens import tokenise
from intent.times.words.lexicon import WEEKDAYS

_DROPPING = frozenset(
    "drop lose delete remove scrap cut cancel omit ditch axe bin skip leave take strike do cross".split()
)
_WITH_PARTICLE = {"leave": "out", "take": "out", "strike": "out", "cross": "out", "do": "without"}
"""Verbs that drop something only with a word behind them, before or behind what is dropped."""
_ONLY_REGULAR = frozenset({"skip", "cancel"})
"""Verbs that also leave out a single day, so that one day has to be said to come again and again."""
_DETERMINERS = frozenset("the its their his her our all any".split())
_SINGLE = frozenset("this next coming last tomorrow today tomorrows todays week weeks".split())
_POINTED = (("that", "day"), ("those", "days"), ("these", "days"), ("the", "day"))
_BEHIND = LEADS | frozenset(
    "one ones run runs mail mails from off out for on in of at altogether completely entirely then anymore"
    " any too as instead with without there now please since because we i they it".split()
)
"""Words that may stand behind a dropped day: any other is what is dropped, and the day says which one."""
_JOINTS = frozenset({"and", ",", "&", "or"})
_ENDS = frozenset(".;!?:,\n-\u2013\u2014")
_MAY = frozenset({"can", "could", "may", "should", "must", "need", "needs"})
_GONE = frozenset({"go", "dropped", "removed", "skipped", "scrapped", "cut", "omitted", "deleted"})


def dropped_days(clause: Clause) -> tuple[str, ...]:
    """Return the days that a clause takes out of a schedule, as plurals; empty where it takes none out."""
    first = next((word for word in clause.words if word not in LEADS), "")
    if first in QUESTION_WORDS or not any(map(_may_drop, clause.words)):
        return ()
    before = [token.word for token in tokenise(clause.message[: clause.start])]
    words = [word.replace("'", "") for word in (*before, *clause.words)]
    for at in range(len(before), len(words)):
        if days := _object(words, at) or _subject(words, at):
            return tuple(dict.fromkeys(days))
    return ()


def _may_drop(word: str) -> bool:
    form = verb_forms().get(word)
    return word in _DROPPING | _GONE or (form is not None and form.base in _DROPPING)


def _object(words: Sequence[str], at: int) -> list[str]:
    """Return the days that the verb at a place drops."""
    if words[at] not in _DROPPING or {"not", "dont", "never"} & set(words[max(0, at - 2) : at]):
        return []
    particle = _WITH_PARTICLE.get(words[at], "")
    begin = at + 1 + (bool(particle) and words[at + 1 : at + 2] == [particle])
    for phrase in _POINTED:
        if tuple(words[begin : begin + 2]) == phrase and _has(words, particle, at, begin + 2):
            return _told(words[:at])
    the_day = words[begin : begin + 1] == ["the"]
    while begin < len(words) and words[begin] in _DETERMINERS:
        begin += 1
    days, end = _days(words, begin)
    behind = words[end] if end < len(words) else ""
    is_end = not behind or behind in _BEHIND | _ENDS
    is_single = words[at] in _ONLY_REGULAR and not the_day and not all(day[1] for day in days)
    if not days or not is_end or is_single or _SINGLE & {behind} or not _has(words, particle, at, end):
        return []
    return [name for name, _ in days]


def _has(words: Sequence[str], particle: str, verb: int, end: int) -> bool:
    return not particle or particle in words[verb + 1 : end + 2]


def _subject(words: Sequence[str], at: int) -> list[str]:
    """Return the days of which words say that they may go: ``Wednesdays can go from rota``."""
    if words[at] not in _MAY:
        return []
    rest = [word for word in words[at + 1 : at + 4] if word not in {"be", "now", "all"} | LEADS]
    begin = at
    while begin and (words[begin - 1] in _JOINTS | _DETERMINERS or _day(words[begin - 1])):
        begin -= 1
    while begin < at and words[begin] in _JOINTS | _DETERMINERS:
        begin += 1
    days, end = _days(words, begin)
    behind = words[at + 1 + len(rest) :]
    is_gone = rest[:1] != [] and rest[0] in _GONE
    is_regular = "the" in words[max(0, begin - 1) : begin] or all(day[1] for day in days)
    return [name for name, _ in days] if days and end == at and is_gone and is_regular and not (
        rest[0] == "go" and {"to", "out"} & {*rest[1:], *behind[:1]}
    ) else []  # fmt: skip


def _days(words: Sequence[str], begin: int) -> tuple[list[tuple[str, bool]], int]:
    """Return the days that stand in a row from a place, each as a plural and whether it was one, and where
    they end.
    """
    found: list[tuple[str, bool]] = []
    end = begin
    while end < len(words):
        ahead = end
        while found and ahead < len(words) and words[ahead] in _JOINTS | _DETERMINERS:
            ahead += 1
        day = _day(words[ahead]) if ahead < len(words) else ""
        if not day:
            break
        found.append((day, words[ahead] == day))
        end = ahead + 1
    return found, end


def _told(words: Sequence[str]) -> list[str]:
    """Return the last day told of, with those joined to it."""
    last = next((at for at in range(len(words) - 1, -1, -1) if _day(words[at])), None)
    if last is None or _SINGLE & set(words[max(0, last - 1) : last]):
        return []
    found = [_day(words[last])]
    while last >= 2 and words[last - 1] in _JOINTS and _day(words[last - 2]):
        last -= 2
        found.insert(0, _day(words[last]))
    return found


def _day(word: str) -> str:
    """Return the plural of a day of the week, or of the weekend; empty for any other word."""
    single = word.removesuffix("s")
    is_day = (single in WEEKDAYS and single.endswith("day")) or single in {"weekend", "weekday"}
    return f"{single}s" if is_day else ""
