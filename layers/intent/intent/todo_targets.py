"""Which tasks a message means: by their place in the list just shown, by pointing, or by words of their
title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from conversation.notes import Reference
from intent import references
from intent.patterns import either, notice
from intent.situation import Situation
from intent.times import NUMBERS, number

_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "last": -1, "latter": -1, "former": 1, "top": 1, "bottom": -1,
}  # fmt: skip
_COUNTED = "|".join(word for word, value in NUMBERS.items() if value)
_NOUN = either("ones?|tasks?|to-?dos?|items?|entry|entries|things?")
_NTH = "|".join(_ORDINALS)
_PLACE = (
    rf"(?:#|no\.? ?|nr\.? ?|number |{_NOUN} )?"
    rf"(?:(?P<nth>{_NTH})|(?P<count>\d{{1,3}}|{_COUNTED})(?:st|nd|rd|th)?)(?: {_NOUN})?"
)
_ONE_PLACE = notice(rf"(?:(?:the|my|that) )?(?:very )?{_PLACE}")
_AND = re.compile(r"\s*(?:,\s*and|,|\band\b|&|\+)\s*", re.IGNORECASE)
_POINTING = notice(r"(?:it|that|this|(?:this|that) (?:one|task|to-?do|item)|the (?:one|task|to-?do))")
_EVERY = notice(
    rf"(?:all|everything|all (?:of )?(?:it|them|these|those|the|my)(?: {_NOUN})?|both(?: of them)?"
    rf"|them(?: all)?|(?:these|those)(?: {_NOUN})?|the (?:whole|entire) list)"
)
_EMPTY = frozenset(
    {
        "the", "my", "a", "an", "to", "of", "for", "that", "this", "one", "ones", "task", "tasks", "todo",
        "item", "about", "with", "and", "on", "in", "at", "called", "named", "entry", "thing", "do",
    }
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+")


def shown(situation: Situation) -> tuple[Reference, ...]:
    """The tasks the newest reply about anything listed, or the one it was about."""
    for note in references.notes(situation):
        if note.listed:
            return tuple(item for item in note.listed if item.kind == "task")
        if note.about is not None:
            return (note.about,) if note.about.kind == "task" else ()
    return ()


def meant(words: str, situation: Situation, known: Sequence[Reference]) -> tuple[Reference, ...]:
    """The tasks that the words mean among those known; empty when they mean none, or can't tell which."""
    if _POINTING.fullmatch(words):
        return _pointed_at(situation)
    if _EVERY.fullmatch(words):
        return tuple(known) if len(known) > 1 else ()
    listed = _last_list(situation)
    if (places := _places(words)) is not None:
        found = [_at(place, listed) for place in places]
        return tuple(task for task in found if task is not None) if all(found) else ()
    matching = by_words(words, known) or by_words(words, listed)
    return (matching[0],) if len(matching) == 1 else ()


def means_all(words: str) -> bool:
    """Whether the words mean every task there is."""
    return _EVERY.fullmatch(words) is not None


def by_words(words: str, tasks: Sequence[Reference]) -> tuple[Reference, ...]:
    """The tasks whose title has all telling words; those of exactly this title where there are any."""
    wanted = telling(words)
    exact = tuple(task for task in tasks if task.name.casefold() == words.casefold())
    holding = tuple(task for task in tasks if wanted and wanted <= telling(task.name))
    return exact or holding


def telling(words: str) -> frozenset[str]:
    """The words that tell one task from another, in lower case."""
    return frozenset(_WORD.findall(words.casefold())) - _EMPTY


def is_vague(words: str) -> bool:
    """Whether the words name no title: they point, count or say nothing."""
    return not telling(words) or _POINTING.fullmatch(words) is not None or _places(words) is not None


def names_an_agent(words: str, situation: Situation) -> bool:
    """Whether the words are an agent's name."""
    return references.known_agent(words, situation.agents) is not None


def _pointed_at(situation: Situation) -> tuple[Reference, ...]:
    for note in references.notes(situation):
        only = note.about or (note.listed[0] if len(note.listed) == 1 else None)
        if only is not None or note.listed:
            return (only,) if only is not None and only.kind == "task" else ()
    return ()


def _last_list(situation: Situation) -> tuple[Reference, ...]:
    listed = next((note.listed for note in references.notes(situation) if note.listed), ())
    return tuple(item for item in listed if item.kind == "task")


def _at(place: int, listed: Sequence[Reference]) -> Reference | None:
    position = len(listed) + place if place < 0 else place - 1
    return listed[position] if 0 <= position < len(listed) else None


def _places(words: str) -> list[int] | None:
    """The places that the words name and nothing else: ``the second one``, ``task 2``, ``1 and 3``."""
    found: list[int] = []
    for part in _AND.split(words):
        match = _ONE_PLACE.fullmatch(part.strip())
        if match is None:
            return None
        place = _ORDINALS[match["nth"]] if match["nth"] else number(match["count"])
        if place is None:
            return None
        found.append(place)
    return found
