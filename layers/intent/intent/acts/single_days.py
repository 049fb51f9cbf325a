"""Requests that an agent leaves out one run or one day, and goes on afterwards: ``skip the next run of
rota``, ``no rota tomorrow``, ``don't run it this Wednesday``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.clauses import Clause
from intent.acts.lexicon import NEGATIONS, POINTERS, QUESTION_WORDS, SUBJECTS
from intent.acts.references import find_meant
from intent.acts.scene import Scene
from intent.dates.times import MONTH
from intent.regular_expressions import longest_first, lower_pattern
from intent.times.words.lexicon import WEEKDAYS

_LEAVING = NEGATIONS | frozenset("skip skips omit exclude cancel miss needn't".split())
_WITH_PARTICLE = {"leave": "out", "take": "out", "do": "without"}
_ELSE = frozenset(
    "but instead rather until till before after from to except only also resume pause delete remind set"
    " unless".split()
)
"""Words with which something else is wanted, or a longer stretch."""
_PAST = frozenset("was were wasn't weren't didn't did hasn't haven't got had came nothing never".split())
_SOON = frozenset({"today", "tonight", "tomorrow", "tmrw"})
_NEAR = frozenset({"this", "next", "coming"})
_RUNS = frozenset({"run", "one", "time", "mail", "report", "post", "edition"})
_WEEKDAY = longest_first(day for day in WEEKDAYS if day.endswith("day"))
_DATE = lower_pattern(
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH} \d{{1,2}}"
    rf"|(?:{_WEEKDAY}),? the \d{{1,2}}(?:st|nd|rd|th)?|christmas day|new year's day)\b"
)


def leaves_out_once(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause wants one run left out of an agent that it names or that was talked of."""
    if scene.question is not None or scene.has_draft or not scene.agents or not says_once(clause.words):
        return False
    points = POINTERS | _RUNS | {"runs"}
    is_pointed = scene.focus_kind == "agent" and bool(points & set(clause.words))
    return is_pointed or find_meant(clause, scene.agents).is_named


def says_once(words: Sequence[str]) -> bool:
    """Return whether words want one run or one day left out, and nothing besides."""
    said = [word.removesuffix("'s") for word in words]
    if said[:1] == [] or said[0] in QUESTION_WORDS or _ELSE & set(said) or not _leaves_out(said):
        return False
    if _PAST & set(said):
        return False  # ``there was no rota today``
    return is_next_run(said) or _DATE.search(" ".join(said)) is not None


def _leaves_out(words: Sequence[str]) -> bool:
    pairs = pairwise((*words, ""))
    denies = any(
        one in _LEAVING and not (one == "no" and (not two[:1].isalnum() or two in SUBJECTS | POINTERS))
        for one, two in pairs
    )  # ``no, we need it today`` leaves nothing out
    return denies or any(_WITH_PARTICLE.get(word) in words for word in words if word in _WITH_PARTICLE)


def is_next_run(words: Sequence[str]) -> bool:
    """Return whether words name the run or the day that comes next: ``tomorrow``, ``this Wednesday``."""
    days = (one in _NEAR and (two in _RUNS or _is_weekday(two)) for one, two in pairwise(words))
    return bool(_SOON & {word.removesuffix("'s") for word in words}) or any(days)


def _is_weekday(word: str) -> bool:
    return word in WEEKDAYS and word.endswith("day")
