"""Whether words only say when an agent is to run from now on: behind another deed on it, or with a run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.kind_sets import ON_AGENTS
from intent.acts.lexicon import LEADS
from intent.acts.reasons import without_reason
from intent.acts.references import find_meant, is_content
from intent.acts.scene import Scene
from intent.acts.task_reading.commands import is_reminder
from intent.acts.wished_deeds import commands_doing, is_on_agent, says_now
from intent.times.reader import read_times
from intent.times.reading import Kind, TimeReading

_BEGINS = frozenset({"and", "then", "but", "from"})
_AROUND = frozenset(
    "from on next time now future always only just it should run come again the one ones after today"
    " afterwards going forward".split()
)
_DEEDS = ON_AGENTS - {ActKind.SHOW_AGENT, ActKind.SHOW_RESULT, ActKind.DELETE_AGENT}


def changes_time_behind(clause: Clause, scene: Scene, before: Sequence[ActKind]) -> bool:
    """Return whether a clause behind a deed on an agent says nothing but when it runs from now on: ``and from
    next time on the 5th of the month``.
    """
    is_behind = bool(before) and before[-1] in _DEEDS
    begins = next((word for word in clause.words if word not in {"now", ",", "."}), "")
    if not is_behind or clause.is_question or begins not in _BEGINS or is_reminder(clause):
        return False
    readings = _readings(clause, scene)
    spans = [span for one in readings for span in one.spans]
    rest = [
        token
        for token in clause.tokens
        if not any(first <= token.start - clause.start < end for first, end in spans)
    ]
    return bool(readings) and all(one.word in _AROUND | LEADS or not is_content(one) for one in rest)


def runs_at_clock(clause: Clause, scene: Scene) -> bool:
    """Return whether a command to run an agent names a time of day, and no single day: ``run rota at 8``."""
    clause = without_reason(clause)
    is_known = scene.focus_kind == "agent" or bool(find_meant(clause, scene.agents).things)
    if says_now(clause.words) or not is_known or _SINGLE & set(clause.words):
        return False
    readings = _readings(clause, scene)
    return len(readings) == 1 and readings[0].kind is Kind.MOMENT and "at" in clause.words


_SINGLE = frozenset("today tomorrow tonight once on this next".split())


def asks_to_have(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks to get what an agent sends at other times, too, or instead: ``may I have
    rota on Thursdays as well?``
    """
    if scene.has_draft or scene.question is not None or not scene.agents:
        return False
    words = [word for word in clause.words if word not in LEADS - {"also"}]
    asked = {at for at, pair in enumerate(pairwise(words)) if pair[0] in _MAY_I and pair[1] in {"i", "we"}}
    gets = any(_GETTING & set(words[at + 2 : at + 4]) for at in asked)
    if (
        not (gets or commands_doing(clause.words))
        or not _CHANGING & set(clause.words)
        or not is_on_agent(clause, scene)
    ):
        return False
    return bool(_readings(clause, scene))


_MAY_I = frozenset({"can", "could", "may", "might"})
_GETTING = frozenset("have get see receive read".split())
_CHANGING = frozenset("too also well instead rather".split())


def _readings(clause: Clause, scene: Scene) -> list[TimeReading]:
    found = read_times(clause.text, now=scene.now, zone=scene.zone)
    return [one for one in found if one.kind is not Kind.PERIOD]
