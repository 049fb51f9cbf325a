"""Whether words want an agent to have no schedule: ``I'll start it by hand``, ``it needs no schedule``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, NEGATIONS, POINTERS, VerbForm, classes_of, verb_forms
from intent.acts.references import find_meant
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise
from intent.regular_expressions import lower_pattern
from intent.times.reader import read_times

_PLAIN = lower_pattern(
    r"\b(?:(?:only|just) when (?:i|we) (?:ask|say|tell|run|need|want|start)"
    r"|(?:only|just) on (?:request|demand)|on demand|when(?:ever)? i ask|(?:only )?when i need it|ad hoc)\b"
)
_BY_HAND = frozenset({"manually", "myself", "ourselves", "hand"})
_STARTS = frozenset({"start", "run", "launch", "trigger", "kick", "set", "fire", "execute", "begin"})
_ITSELF = (("by", "itself"), ("on", "its", "own"), ("of", "its", "own"), ("automatically",), ("unprompted",))
_LIMITS = frozenset("on before after until till at during in while when over".split())
"""Words behind which stands when it may not run by itself, so that it may at other times."""
_TIMETABLES = frozenset({"schedule", "timetable", "timer", "schedules"})
_NONE = frozenset({"no", "without"})
_NEAR = 7
_NEEDING = frozenset("have has need needs needed want wants".split())
_TIMES = frozenset({"time", "times", "days", "hours"})
_DETERMINERS = frozenset("the its his their that a any".split())


def is_on_request(words: str, *, is_answer: bool = True) -> bool:
    """Return whether the words say that an agent works only when asked.

    Without ``is_answer`` they ask for it: ``we do it by hand`` then tells how it is done today.
    """
    if _PLAIN.search(words) is not None:
        return True
    told = [token.word for token in tokenise(words)]
    if is_answer and ("manually" in told or ("by", "hand") in pairwise(told)):
        return True
    return any(
        _has_no_timetable(told, place)
        or _is_denied(told, place)
        or _is_started_by_hand(told, place)
        or _loses_timetable(told, place)
        for place in range(len(told))
    )


def takes_schedule_away(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause wants an agent that it names, or points at, to have no schedule any more."""
    is_open = scene.has_draft or scene.question is not None
    if is_open or not scene.agents or clause.is_question or "@" in clause.text:
        return False
    points = scene.focus_kind == "agent" and bool(POINTERS & set(clause.words))
    is_named = find_meant(clause, scene.agents).is_named
    return (is_named or points) and is_on_request(clause.text, is_answer=False)


def gives_schedule(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause commands to give an agent times: ``put rota on a schedule, Mondays at 7``."""
    words = [word for word in clause.words if word not in LEADS]
    form = verb_forms().get(words[0]) if words else None
    is_command = form is not None and form.is_base and words[0] in _GIVING
    if not is_command or scene.has_draft or scene.question is not None or _NONE & set(words):
        return False
    is_named = find_meant(clause, scene.agents).is_named
    return (
        is_named
        and bool(_TIMETABLES & set(words))
        and bool(read_times(clause.text, now=scene.now, zone=scene.zone))
    )


_GIVING = frozenset("give put set make add get".split())


def _has_no_timetable(words: Sequence[str], place: int) -> bool:
    """Return whether ``no schedule``, ``without a timetable`` or ``no fixed time`` stands at a place."""
    if words[place] not in _NONE | NEGATIONS:
        return False
    is_needed = bool(_NEEDING & set(words[place + 1 : place + 3]))
    behind = words[place + 1 : place + (_NEAR if is_needed else 4)]
    is_fixed = any(one == "fixed" and two in _TIMES for one, two in pairwise(behind))
    return (words[place] in _NONE or is_needed) and (bool(_TIMETABLES & set(behind)) or is_fixed)


def _loses_timetable(words: Sequence[str], place: int) -> bool:
    """Return whether a schedule is taken away: ``take it off its schedule``, ``drop the schedule``."""
    behind = words[place + 1 : place + _NEAR]
    form = VerbForm("lose", is_base=True) if words[place] == "lose" else verb_forms().get(words[place])
    if form is None or words[place - 1 : place] == ["not"]:
        return False
    at = next((at for at, word in enumerate(behind) if word in _TIMETABLES), 0)
    if form.base == "take" or "stop" in classes_of(form.base):
        return at > 0 and bool({"off", "on"} & set(behind[:at]))
    removes = form.base == "lose" or bool({"delete", "cancel"} & classes_of(form.base))
    is_whole = set(behind[: max(0, at)]) <= _DETERMINERS
    return removes and at > 0 and is_whole and behind[at + 1 : at + 2] != ["and"]


def _is_denied(words: Sequence[str], place: int) -> bool:
    """Return whether words turn down that it runs by itself: ``never on its own``."""
    before = set(words[max(0, place - _NEAR) : place])
    size = next((len(one) for one in _ITSELF if tuple(words[place : place + len(one)]) == one), 0)
    is_whole = size > 0 and not _LIMITS & set(words[place + size : place + size + 2])
    return is_whole and bool(before & (NEGATIONS | _NONE)) and not before & {",", ".", ";"}


def _is_started_by_hand(words: Sequence[str], place: int) -> bool:
    """Return whether somebody starts it: ``I shall start it by hand``, ``to be started by me alone``."""
    form = verb_forms().get(words[place])
    if form is None or form.base not in _STARTS:
        return False
    before, behind = words[max(0, place - 3) : place], list(words[place + 1 : place + _NEAR])
    will = any(word in _FUTURE or word.endswith(("'ll", "'d")) for word in before)
    is_mine = will and any(word.partition("'")[0] in {"i", "we", "ill"} for word in before)
    is_by_hand = any(word in _BY_HAND for word in behind)
    points = behind[:1] == ["it"] and (is_by_hand or form.base == "run")
    points = points or (is_by_hand and "on" in words[max(0, place - _NEAR) : place])  # ``from now on I'll …``
    by_me = behind[:2] in (["by", "me"], ["by", "us"], ["by", "hand"]) and "be" in before
    return (is_mine and points) or by_me


_FUTURE = frozenset({"shall", "will", "would", "ill"})
