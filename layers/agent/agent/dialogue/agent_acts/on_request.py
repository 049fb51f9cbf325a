"""Whether words want an agent to have no schedule: ``I'll start it by hand``, ``never by itself``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.lexicon import NEGATIONS, verb_forms
from intent.acts.tokens import tokenise
from intent.regular_expressions import lower_pattern

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
        _has_no_timetable(told, place) or _is_denied(told, place) or _is_started_by_hand(told, place)
        for place in range(len(told))
    )


def _has_no_timetable(words: Sequence[str], place: int) -> bool:
    """Return whether ``no schedule``, ``without a timetable`` or ``no fixed time`` stands at a place."""
    behind = words[place + 1 : place + 4]
    if words[place] not in _NONE | NEGATIONS:
        return False
    is_fixed = behind[-2:] == ["fixed", "time"] or behind[:2] == ["fixed", "time"]
    is_none = words[place] in _NONE or "have" in behind or "need" in behind
    return is_none and (bool(_TIMETABLES & set(behind)) or is_fixed)


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
    points = behind[:1] == ["it"] and (any(word in _BY_HAND for word in behind) or form.base == "run")
    by_me = behind[:2] in (["by", "me"], ["by", "us"], ["by", "hand"]) and "be" in before
    return (is_mine and points) or by_me


_FUTURE = frozenset({"shall", "will", "would", "ill"})
