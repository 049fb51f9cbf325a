"""Deeds on the agent just talked of that are asked for at once, in the form of a question or a wish: ``can it
go look again right now``, ``is it possible to start it one time now``.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, classes_of
from intent.acts.scene import Scene

_ASKING = frozenset("can could will would may might please shall should".split())
_ITS = frozenset({"it", "that", "this", "he", "she"})
_GOING = frozenset({"go", "please", "just", "maybe", "also", "not", "quickly", "and"})
_WORKING = frozenset("look check run work start scan report peek update refresh".split())
_STARTING = frozenset({"run", "start", "work"})
_LETTING = frozenset({"have", "let", "make", "get"})
_TRYING = frozenset({"try", "test"})
_NOW = frozenset({"now", "immediately", "asap", "instantly", "again", "once"})
_NOW_PHRASES = (
    ("right", "away"), ("straight", "away"), ("at", "once"), ("one", "time"), ("one", "more", "time"),
    ("another", "time"), ("this", "minute"), ("this", "moment"),
)  # fmt: skip
_OTHER_TIMES = frozenset(
    "every each daily weekly hourly tomorrow tonight today monday tuesday wednesday thursday friday saturday"
    " sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays morning evening afternoon noon"
    " midnight week month when whenever if on after before until next later day days hour hours minutes"
    " always".split()
)
_DEEDS = {
    "run": ActKind.RUN_AGENT, "start": ActKind.RUN_AGENT, "pause": ActKind.PAUSE_AGENT,
    "stop": ActKind.PAUSE_AGENT, "resume": ActKind.RESUME_AGENT,
}  # fmt: skip


def asked_at_once(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what a sentence of a clause asks of the agent just talked of at once; None for any other."""
    is_open = scene.question is not None or scene.has_draft
    if is_open or scene.focus_kind not in {"agent", "run"} or scene.focus is None:
        return None
    found = (_asked([word for word in one.words if word[0].isalnum()]) for one in clause.sentences())
    return next(filter(None, found), None)


def _asked(words: Sequence[str]) -> ActKind | None:
    said = [word for word in words if word not in LEADS - _KEPT]
    if not _is_at_once(said) or _OTHER_TIMES & set(said[:_REACH]) or any(word[0].isdigit() for word in said):
        return None
    return _possible(said) or (ActKind.RUN_AGENT if _is_to_work(said) else None)


_KEPT = frozenset({"just", "now", "again", "right", "look"})
_REACH = 14


def _is_at_once(words: Sequence[str]) -> bool:
    if _NOW & set(words):
        return True
    return any(tuple(words[at : at + len(one)]) == one for one in _NOW_PHRASES for at in range(len(words)))


def _possible(words: Sequence[str]) -> ActKind | None:
    """Return the deed on "it" that is asked for as something possible: ``possible to pause it now``."""
    at = next((at for at in range(len(words) - 2) if words[at] == "possible" and words[at + 1] == "to"), None)
    if at is None or at > _MOST_BEFORE or not _ITS & set(words[at + 3 : at + 4]):
        return None
    verb = words[at + 2]
    if verb in _TRYING:
        return ActKind.RUN_AGENT
    return next((kind for name, kind in _DEEDS.items() if name in classes_of(verb)), None)


_MOST_BEFORE = 4


def _is_to_work(words: Sequence[str]) -> bool:
    """Return whether "it" is asked to work: ``can it look again``, ``have it go through my mails``."""
    for at in range(len(words) - 2):
        if words[at] not in _ASKING | _LETTING or words[at + 1] not in _ITS or at > _MOST_BEFORE:
            continue
        verb = next((there for there in range(at + 2, len(words)) if words[there] not in _GOING), 0)
        if verb and words[verb] in _STARTING and not (_NOW - {"again"}) & set(words[verb:]):
            return False  # ``could it run again`` wants a paused agent to go on
        goes = words[at + 2] == "go" and words[verb : verb + 1] in (["through"], ["over"])
        if goes or (verb and words[verb] in _WORKING):
            return True
    return False
