"""Requests that an agent doesn't run on some days or at night: ``pause it on weekends`` changes when it runs,
and ends nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from conversation.timing import Timing
from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.lexicon import EXCEPTIONS, LEADS, NEGATIONS, classes_of, verb_forms
from intent.acts.references import find_meant, name_parts, stem
from intent.acts.refused_days import names_result, refused_days
from intent.acts.refused_hours import refused_hours
from intent.acts.scene import Scene
from intent.times.reader import read_times
from intent.times.reading import Kind

_STOPPING = frozenset({"pause", "stop"})
_SWITCHING = frozenset({"turn", "switch", "turned", "switched"})
_ENDING = frozenset("until till til while during again resume".split())
_ON = frozenset({"on", "at", "over", "in"})
_SINGLE_DAYS = frozenset({"weekend"})
"""Days that come again and again, even where only one of them is named."""


def asks_for_days_off(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause stops an agent, or refuses it, only on days that come again and again."""
    if scene.has_draft:
        return False
    if refused_for_agent(clause, scene):
        return True
    if _ENDING & set(clause.words) or not _stops(clause):
        return False
    is_known = scene.focus_kind == "agent" or len(scene.agents) == 1
    if not is_known and not find_meant(clause, scene.agents).is_named:
        return False
    words = clause.words
    is_weekend = any(word in _SINGLE_DAYS and before in _ON for before, word in pairwise(words))
    usual = Timing(("0 9 * * *",), scene.zone)
    found = read_times(clause.text, now=scene.now, zone=scene.zone, was=usual, wanted=Kind.SCHEDULE)
    return is_weekend or any(one.timing is not None and _is_on_other_days(one.timing, usual) for one in found)


def refused_for_agent(clause: Clause, scene: Scene) -> str:
    """Return the days, or the hours of the night, in which a clause doesn't want an agent, as ``not on
    sundays``; empty for any other.
    """
    if scene.question is not None or not scene.agents:
        return ""
    refused = refused_days(clause) or refused_hours(clause)
    return refused if refused and _is_on_agent(clause, scene) else ""


def _is_on_agent(clause: Clause, scene: Scene) -> bool:
    """Return whether what a clause refuses is an agent that it names, describes or points at."""
    if "remind" in clause.words:
        return False
    meant = find_meant(clause, scene.agents)
    if meant.is_named:
        return True
    if scene.focus_kind == "task":
        return False
    is_known = scene.focus_kind == "agent" or len(scene.agents) == 1
    said = {stem(token.text.lower()) for token in clause.tokens}
    is_described = any(said & {stem(part) for part in name_parts(one.words)} - _PLAIN for one in scene.agents)
    is_elliptic = next((word for word in clause.words if word not in LEADS), "") == "not"
    return (is_known and (names_result(clause) or is_elliptic)) or is_described


_PLAIN = frozenset(
    stem(word) for word in "a an the of on in at to from for and per with daily weekly day days".split()
)
"""Words of a description that describe nothing by themselves."""


def _is_on_other_days(timing: Timing, usual: Timing) -> bool:
    """Return whether two schedules differ in their days of the week alone."""
    is_same_else = replace(timing, crons=usual.crons) == usual
    return timing != usual and is_same_else and all(cron.startswith("0 9 * * ") for cron in timing.crons)


def with_days_left_out(marked: MarkedMessage, segments: Sequence[Segment], scene: Scene) -> list[Segment]:
    """Return the segments, with one that only tells which days a new agent leaves out as a part of the
    request for it: ``I'm off on Fridays, so skip those``.
    """
    kept: list[Segment] = []
    for segment in segments:
        is_behind = bool(kept) and kept[-1].kind is ActKind.CREATE_AGENT and segment.kind in _TOLD
        if is_behind and _leaves_out(marked, segment, scene):
            kept[-1] = replace(kept[-1], end=segment.end)
        else:
            kept.append(segment)
    return kept


def _leaves_out(marked: MarkedMessage, segment: Segment, scene: Scene) -> bool:
    tokens = [one.token for one in marked.tokens[segment.start : segment.end]]
    words = {token.word for token in tokens}
    if not _LEAVING & words or not any(map(is_regular_day, words)):
        return False
    usual = Timing(("0 9 * * *",), scene.zone)
    text = marked.text[tokens[0].start : tokens[-1].end]
    found = read_times(text, now=scene.now, zone=scene.zone, was=usual, wanted=Kind.SCHEDULE)
    return any(one.timing is not None and _is_on_other_days(one.timing, usual) for one in found)


_TOLD = frozenset({None, ActKind.NONE, ActKind.SMALL_TALK, ActKind.REMEMBER})
_LEAVING = NEGATIONS | (EXCEPTIONS - {"but"}) | {"skip", "exception", "exceptions", "excluded", "leave"}


def stopped_days(clause: Clause) -> str:
    """Return the days to leave out, or to keep, as words that say so by themselves, where a clause stops an
    agent ``only on Sundays`` or ``but not on Sundays``; empty for any other.
    """
    words = clause.words
    days = [word for word in words if is_regular_day(word)]
    at = words.index(days[0]) if days else 0
    before = [word for word in words[max(0, at - _NEAR) : at] if word not in _ON | {"the"}]
    if not days or not _stops(clause) or _RUNNING & set(words):
        return ""
    if before[-1:] in (["only"], ["just"]):
        return f"not {' and '.join(days)}"
    if before[-1:] == ["not"] and "but" in before:
        return f"only {' and '.join(days)}"
    return f"only {' and '.join(days)}" if before[-1:] == ["except"] else ""


def is_regular_day(word: str) -> bool:
    """Return whether a word names days that come again and again: ``sundays``, ``weekend``."""
    return word.endswith(("days", "weekends")) or word in _SINGLE_DAYS


_NEAR = 4
_RUNNING = frozenset("run runs running send sends mail post".split())


def _stops(clause: Clause) -> bool:
    words = clause.words
    if any(word in _SWITCHING and "off" in words[place + 1 :] for place, word in enumerate(words)):
        return True
    forms = (verb_forms().get(word) for word in clause.words)
    return any(form is not None and classes_of(form.base) & _STOPPING for form in forms)
