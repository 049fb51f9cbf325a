"""Requests that an agent doesn't run on some days: ``pause it on weekends`` changes when it runs, and ends
nothing.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from conversation.timing import Timing
from intent.acts.clauses import Clause
from intent.acts.lexicon import classes_of, verb_forms
from intent.acts.references import find_meant
from intent.acts.scene import Scene
from intent.times.reader import read_times
from intent.times.reading import Kind

_STOPPING = frozenset({"pause", "stop"})
_ENDING = frozenset("until till til while during again resume".split())
_ON = frozenset({"on", "at", "over", "in"})
_SINGLE_DAYS = frozenset({"weekend"})
"""Days that come again and again, even where only one of them is named."""


def asks_for_days_off(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause stops an agent only on days that come again and again."""
    if scene.has_draft or _ENDING & set(clause.words) or not _stops(clause):
        return False
    is_known = scene.focus_kind == "agent" or len(scene.agents) == 1
    if not is_known and not find_meant(clause, scene.agents).is_named:
        return False
    words = clause.words
    is_weekend = any(word in _SINGLE_DAYS and before in _ON for before, word in pairwise(words))
    usual = Timing(("0 9 * * *",), scene.zone)
    found = read_times(clause.text, now=scene.now, zone=scene.zone, was=usual, wanted=Kind.SCHEDULE)
    return is_weekend or any(one.timing is not None and _is_on_other_days(one.timing, usual) for one in found)


def _is_on_other_days(timing: Timing, usual: Timing) -> bool:
    """Return whether two schedules differ in their days of the week alone."""
    is_same_else = replace(timing, crons=usual.crons) == usual
    return timing != usual and is_same_else and all(cron.startswith("0 9 * * ") for cron in timing.crons)


def _stops(clause: Clause) -> bool:
    forms = (verb_forms().get(word) for word in clause.words)
    return any(form is not None and classes_of(form.base) & _STOPPING for form in forms)
