"""Deeds that begin with their time: ``tomorrow call the bank`` is a task of its own, whatever was talked
about.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.clauses import Clause
from intent.acts.lexicon import (
    AGENT_NOUNS,
    CORRECTIONS,
    LEADS,
    NEGATIONS,
    POINTERS,
    TASK_NOUNS,
    classes_of,
)
from intent.acts.references import find_meant, is_content, name_parts, stem
from intent.acts.scene import Scene
from intent.acts.task_titles import DEEDS
from intent.acts.tokens import Token
from intent.times.reader import read_times
from intent.times.reading import Kind
from intent.times.words.lexicon import WEEKDAYS

_OF_CHANGES = frozenset("move set put do make update change schedule remind cancel finish drop".split())
"""Deeds that are said of what was talked about, too."""
_BETWEEN = LEADS | frozenset({":", ",", ".", "!", "-", "\u2013"})


def is_own_deed(tokens: Sequence[Token]) -> bool:
    """Return whether a sentence is a deed on something of its own, and on nothing that it points at."""
    said = [token for token in tokens if token.is_word and token.word not in LEADS]
    said = said[next((at for at, one in enumerate(said) if one.word not in _DAYS), 0) :]
    if len(said) < _FEWEST or said[0].word not in DEEDS - _OF_CHANGES or said[1].word in POINTERS:
        return False
    return any(is_content(one) and one.word not in _DAYS for one in said[1:])


_FEWEST = 2
_DAYS = frozenset(WEEKDAYS) | {"today", "tomorrow", "tonight", "now", "later", "then"}


def begins_with_time(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause names a moment and then a deed on something that is none of the user's tasks
    and agents.
    """
    if scene.has_draft or clause.is_question or NEGATIONS & set(clause.words):
        return False
    deed = next((token for token in clause.tokens if token.word in DEEDS - _OF_CHANGES), None)
    if deed is None or deed is clause.tokens[0]:
        return False
    behind = [token for token in clause.tokens if token.start >= deed.end and token.is_word]
    if not any(map(is_content, behind)) or POINTERS & {token.word for token in behind[:1]}:
        return False
    return _is_moment(clause, deed.start, scene) and not _names_known(clause, scene)


def adds_own_deed(clause: Clause, scene: Scene) -> bool:
    """Return whether what looks like a change begins with a deed on something else than the user's tasks and
    agents, and has a moment of its own: ``call the plumber on Friday at 10``; for a call a person will do.
    """
    is_open = scene.has_draft or scene.question is not None
    said = [token for token in clause.tokens if token.is_word and token.word not in LEADS]
    if is_open or clause.is_question or len(said) < _FEWEST or (NEGATIONS | CORRECTIONS) & set(clause.words):
        return False
    deed, thing = said[0], said[1]
    if deed.word not in DEEDS or classes_of(deed.word) - {"call"} or thing.word in POINTERS | _INSTEAD:
        return False
    times = read_times(clause.text, now=scene.now, zone=scene.zone)
    spans = [(clause.start + first, clause.start + last) for one in times for first, last in one.spans]
    own = [one for one in said[1:] if not any(first <= one.start < last for first, last in spans)]
    if {one.word for one in own} & (_INSTEAD | AGENT_NOUNS | TASK_NOUNS) or not any(map(is_content, own)):
        return False
    is_timed = len(times) == 1 and times[0].kind is not Kind.PERIOD and not times[0].is_recurring
    is_person = deed.word == "call" and thing.text.istitle() and len(own) == 1
    return (is_timed or (is_person and not times)) and not _are_known(own, clause, scene)


_INSTEAD = frozenset({"instead", "rather"})


def _are_known(said: Sequence[Token], clause: Clause, scene: Scene) -> bool:
    """Return whether words name an agent, or have a word of one of the user's tasks."""
    own = {stem(token.word) for token in said if is_content(token)}
    shared = any(own & {stem(part) for part in name_parts(one.name)} for one in scene.tasks)
    return shared or find_meant(clause, scene.agents).is_named


def _is_moment(clause: Clause, end: int, scene: Scene) -> bool:
    """Return whether all that stands before ``end`` says when, once."""
    before = clause.message[clause.start : end]
    readings = read_times(before, now=scene.now, zone=scene.zone)
    if len(readings) != 1 or readings[0].kind is Kind.PERIOD or readings[0].is_recurring:
        return False
    spans = [(clause.start + first, clause.start + last) for first, last in readings[0].spans]
    rest = [
        token
        for token in clause.tokens
        if token.end <= end and not any(first <= token.start < last for first, last in spans)
    ]
    return all(token.word in _BETWEEN or not is_content(token) for token in rest)


def _names_known(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause names an agent, or has a word of the task that was talked about."""
    said = {stem(token.word) for token in clause.tokens if token.is_word and is_content(token)}
    focus = scene.focus.name if scene.focus_kind == "task" and scene.focus is not None else ""
    shares = said & {stem(part) for part in name_parts(focus)}
    return bool(shares) or find_meant(clause, scene.agents).is_named
