"""A new task that is told by the one just added: ``another one for the caterer, an hour earlier that day``,
``and remind me to pay her an hour before that``.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from intent.acts.act import ActKind, Span, Thing
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, TASK_NOUNS
from intent.acts.scene import Scene
from intent.acts.task_reading.same_day import SameDay
from intent.acts.task_titles import DEEDS
from intent.acts.tokens import Token
from intent.times.reader import read_times

_COUNTS = {
    "a": 1.0, "an": 1.0, "one": 1.0, "half": 0.5, "two": 2.0, "three": 3.0, "four": 4.0, "couple": 2.0,
}  # fmt: skip
_UNITS = {
    "minute": timedelta(minutes=1), "min": timedelta(minutes=1), "hour": timedelta(hours=1),
    "day": timedelta(days=1), "week": timedelta(days=7),
}  # fmt: skip
_EARLIER = frozenset({"earlier", "before", "sooner", "beforehand"})
_LATER = frozenset({"later", "after", "afterwards"})
_POINTING = frozenset({"that", "this", "it", "then", "the", "same", "on", "day", "one"})
_BARE = frozenset({"earlier", "later"})
"""Words that count from another time without saying from which."""
_MORE = (("another",), ("one", "more"), ("a", "second"), ("same",), ("the", "same"), ("a", "similar"))
_ARTICLES = frozenset("the a an my our his her their your some".split())


def is_like_last(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks for one more task of the sort just added: ``one more for the hall``."""
    return _object_place(clause, scene) is not None


def title_like_last(clause: Clause, titles: Sequence[Span], scene: Scene) -> tuple[Span, ...]:
    """Return the titles of a clause; that of one more of the last sort is the last with another object:
    ``call the caterer`` behind ``call the florist``.
    """
    last = _last(scene)
    place = _object_place(clause, scene)
    if place is None or last is None:
        return tuple(titles)
    shift = _shift_place(clause.tokens)
    end = next((at for at in range(place, len(clause.tokens)) if _ends(clause.tokens, at, shift)), None)
    own = [one for one in clause.tokens[place:end] if one.is_word]
    if not own:
        return tuple(titles)
    said = clause.message[own[0].start : own[-1].end]
    return (Span(f"{_verb(last.name)}{said}", own[0].start, own[-1].end),)


def find_shifted(clause: Clause, scene: Scene) -> SameDay | None:
    """Return where a clause says so long before or after the task just added, and when that is; None where it
    says no such thing.
    """
    last = _last(scene)
    place = _shift_place(clause.tokens) or _same_place(clause, scene)
    if last is None or place is None:
        return None
    first, end, shift = place
    when = _moved(last, shift)
    return SameDay(clause.tokens[first].start, clause.tokens[end - 1].end, when) if when else None


def says_shift(tokens: Sequence[Token]) -> bool:
    """Return whether words only say how long before or after another time something is."""
    place = _shift_place(tokens)
    return place is not None and not any(one.is_word for one in tokens[: place[0]])


def _same_place(clause: Clause, scene: Scene) -> tuple[int, int, timedelta] | None:
    """Return where a clause asks for the same with another object, and names no time of its own."""
    at = next((at for at, token in enumerate(clause.tokens[:_MOST_OF_OPENING]) if token.word == "same"), None)
    if at is None or not is_like_last(clause, scene):
        return None
    is_timed = bool(read_times(clause.text, now=scene.now, zone=scene.zone))
    return None if is_timed else (at, at + 1, timedelta(0))


_MOST_OF_OPENING = 6


def _last(scene: Scene) -> Thing | None:
    """Return the task that the last reply added; None where it did anything else."""
    is_open = scene.question is not None or scene.has_draft
    if is_open or scene.did != ActKind.ADD_TASK or scene.focus_kind != "task" or scene.focus is None:
        return None
    return next((one for one in scene.tasks if one.id == scene.focus.id), None)


def _object_place(clause: Clause, scene: Scene) -> int | None:
    """Return where the object of one more task begins, behind ``another one for``."""
    words = [token.word for token in clause.tokens]
    begin = next((at for at, word in enumerate(words) if word[0].isalnum() and word not in LEADS), len(words))
    begin += words[begin : begin + 1] == ["add"]
    more = next((len(one) for one in _MORE if tuple(words[begin : begin + len(one)]) == one), 0)
    if not more or clause.is_question or _last(scene) is None:
        return None
    at = begin + more
    while at < len(words) and words[at] in TASK_NOUNS | {"one", "again", "thing"}:
        at += 1
    behind = words[at + 1 : at + 2]
    is_deed = bool(behind) and behind[0] in DEEDS  # ``one more for call the bank``
    return at + 1 if words[at : at + 1] == ["for"] and behind and not is_deed else None


def _ends(tokens: Sequence[Token], at: int, shift: tuple[int, int, timedelta] | None) -> bool:
    """Return whether what is said of the object ends: at a mark, a time or what is said of the time."""
    token = tokens[at]
    is_shift = shift is not None and shift[0] <= at
    return is_shift or not token.is_word or token.word[0].isdigit() or token.word in _OBJECT_ENDS


_OBJECT_ENDS = LEADS | frozenset(
    "at on by due same tomorrow today tonight monday tuesday wednesday thursday friday saturday sunday next"
    " in too that".split()
)


def _verb(title: str) -> str:
    """Return what a title does, up to the one it is done to or for: ``call the florist``, ``send the plan to
    Bo``; empty where it has no object.
    """
    words = (title.partition(" (")[0] if title.endswith(")") else title).split()
    to = next((at + 1 for at, word in enumerate(words[:-1]) if at and word in _TOWARDS), 0)
    if to:
        return f"{' '.join(words[:to])} "
    at = next((at for at, word in enumerate(words) if word.lower() in _ARTICLES), 1)
    return f"{' '.join(words[:at])} " if 0 < at < len(words) and at <= _MOST_OF_VERB else ""


_TOWARDS = frozenset({"to", "for", "with", "from"})
_MOST_OF_VERB = 3


def _shift_place(tokens: Sequence[Token]) -> tuple[int, int, timedelta] | None:
    """Return where ``an hour earlier that same day`` begins and ends, and how far that is."""
    words = [token.word for token in tokens]
    for at in range(1, len(words) - 1):
        unit = _UNITS.get(words[at].removesuffix("s"))
        direction = words[at + 1]
        if unit is None or direction not in _EARLIER | _LATER:
            continue
        first, count = _counted(words, at)
        end = at + 2
        while end < len(words) and words[end] in _POINTING:
            end += 1
        is_pointed = bool({"that", "it", "same", "this"} & set(words[at + 2 : end]))
        is_last = end == len(words) or not tokens[end].is_word
        is_day = words[at - 1] == "the" and unit >= timedelta(days=1)  # ``the day after``
        if count is None or not (is_pointed or ((direction in _BARE or is_day) and is_last)):
            continue
        while first and words[first - 1] in {",", "at", "for", "but", "about"}:
            first -= 1
        return first, end, unit * count * (-1 if direction in _EARLIER else 1)
    return None


def _counted(words: Sequence[str], unit: int) -> tuple[int, float | None]:
    """Return where the number before a unit begins, and that number."""
    before = words[unit - 1]
    if words[max(0, unit - 2) : unit] in (["half", "an"], ["half", "a"]):
        return unit - 2, 0.5
    if words[max(0, unit - 3) : unit] == ["a", "couple", "of"]:
        return unit - 3, 2.0
    number = float(before) if before.isdigit() and len(before) < 4 else _COUNTS.get(before)
    return unit - 1, 1.0 if before == "the" else number


def _moved(last: Thing, shift: timedelta) -> str:
    """Return the moment or the day so far from that of a task, as it is read again; empty where hours count
    from a day alone.
    """
    if last.due_at is not None:
        return f"{last.due_at + shift:%Y-%m-%d at %H:%M}"
    is_whole = shift % timedelta(days=1) == timedelta(0)
    return (last.due + shift).isoformat() if last.due is not None and is_whole else ""
