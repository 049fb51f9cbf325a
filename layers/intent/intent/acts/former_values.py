"""Questions for how something was before it was changed, and requests to have it so again.

``what time was it before I changed it?`` asks, ``put it back to that`` wants it back. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from conversation.sentences import split_sentences
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, NEGATIONS, POINTERS, QUESTION_WORDS
from intent.acts.tokens import tokenise

_FORMER = frozenset("old former previous original earlier prior initial".split())
_ONCE = frozenset("before earlier previously formerly originally initially beforehand".split())
_AT_FIRST = frozenset("originally initially beginning first original initial start".split())
_PAST = frozenset("was were did had used wasn't weren't didn't".split())
_BEGINNING = ("in the beginning", "at first", "to begin with", "at the start")
_CHANGER = frozenset(
    "i i'd we we'd you you'd my our the that this it then changing change moving somebody".split()
)
_SAYING = frozenset(
    "say said tell told mention mentioned ask asked write wrote talk talked discuss discussed".split()
)
_FIELDS: Mapping[str, frozenset[str]] = {
    "schedule": frozenset(
        "time times hour hours day days when schedule often run ran o'clock frequency weekday zone".split()
    ),
    "name": frozenset("name named called title call".split()),
    "delivery": frozenset(
        "where address addresses mail email e-mail slack teams channel recipient recipients who go went sent"
        " send posted post".split()
    ),
    "sources": frozenset("source sources system read from".split()),
    "status": frozenset("paused active status state".split()),
    "instructions": frozenset("instruction instructions".split()),
}
_STARTING = QUESTION_WORDS | frozenset("at on to in by for from wich wat was were did and".split())
_TURNING = frozenset(
    "put change move set switch bring go take turn get give revert return restore make have roll".split()
)
_REFERENCES = frozenset(
    "that it what how where before old former previous original earlier usual normal".split()
)
_AFTER_BACK = frozenset("to as the way like on at how".split())
_BETWEEN, _FAR = 5, 4


def asks_for_former(text: str) -> bool:
    """Return whether a question is how something was before: ``what was the old address?``"""
    last = next(reversed(split_sentences(text)), text)
    asked = last[max(last.find(":"), 0) :].lstrip(": ")  # ``Pat asks: which day was it?``
    return any(_asks(part) for part in dict.fromkeys((text, asked, text.rpartition(", ")[2])))


def _asks(text: str) -> bool:
    words = _plain(text)
    first = next((word for word in words if word not in LEADS), "")
    said = set(words)
    if is_elliptic(text):
        return True
    if first not in _STARTING or not (_PAST | _FORMER) & said:
        return False
    if _SAYING & said:
        return bool({"first", "originally", "initially"} & said) and bool(fields_asked(text))
    if first not in QUESTION_WORDS and not (QUESTION_WORDS & set(words) or text.rstrip().endswith("?")):
        return False
    return _speaks_of_former(words)


def is_elliptic(text: str) -> bool:
    """Return whether a question only asks for what was before: ``and before I changed that?``"""
    words = [word for word in _plain(text) if word not in LEADS]
    return words[:1] == ["before"] and text.rstrip().endswith("?") and not set(words) - _OF_BEFORE


_OF_BEFORE = (
    POINTERS | QUESTION_WORDS | frozenset("before i we changed moved was were had the change".split())
)


def _speaks_of_former(words: Sequence[str]) -> bool:
    nouns = {noun for field in _FIELDS.values() for noun in field} | {"one", "setting", "date"}
    if any(word in _FORMER and behind in nouns for word, behind in pairwise(words)):
        return True
    if any(pair in {("used", "to"), ("use", "to")} for pair in pairwise(words)):
        return True
    if {"was", "were", "set", "had"} & set(words) and _says_in_the_beginning(words):
        return True
    if any(one in {"until", "till"} and behind in _CHANGER for one, behind in pairwise(words)):
        return True
    places = (at for at, word in enumerate(words) if word in _ONCE)
    return any(at + 1 == len(words) or words[at] != "before" or words[at + 1] in _CHANGER for at in places)


def _says_in_the_beginning(words: Sequence[str]) -> bool:
    line = f" {' '.join(words)} "
    return any(f" {phrase} " in line for phrase in _BEGINNING)


def asks_for_first(words: Sequence[str]) -> bool:
    """Return whether words ask how something was at the very first, and not just before its last change."""
    return bool(_AT_FIRST & set(words))


def fields_asked(text: str) -> frozenset[str]:
    """Return the fields of an agent that words speak of; empty: none in particular."""
    said = set(_plain(text))
    return frozenset(field for field, words in _FIELDS.items() if words & said)


def wants_former(clause: Clause, names: Collection[str], *, may_be_short: bool) -> bool:
    """Return whether a clause wants something back as it was: ``set the time back to what it was``.

    ``names`` are the parts of the names in it; ``may_be_short``: whether ``put it back`` is enough.
    """
    words = [word for word in clause.words if word[0].isalnum()]
    if any(_restores(words, place, names) for place in range(len(words))):
        return True
    for place, word in enumerate(words):
        if word not in _TURNING or NEGATIONS & set(words[max(0, place - 2) : place]):
            continue
        near = words[place + 1 : place + 1 + _BETWEEN]
        back = next((at for at, one in enumerate(near) if one == "back"), None)
        if back is None or not _is_known(near[:back], names):
            continue
        behind = words[place + back + 2 :]
        if _is_former(behind, may_be_short=may_be_short):
            return True
    return False


def _restores(words: Sequence[str], place: int, names: Collection[str]) -> bool:
    """Return whether a verb there asks for what an agent had before: ``restore the previous schedule``, ``go
    back to the arrangement we had before``.
    """
    is_back = words[place : place + 2] == ["back", "to"]
    if not (is_back or words[place] in _RESTORING) or NEGATIONS & set(words[max(0, place - 2) : place]):
        return False
    near = words[place + 1 : place + 2 + _FAR + _BETWEEN]
    at = next((at for at, word in enumerate(near) if word in _HAD), None)
    if at is None or not all(word in _FORMER | _LEADING or word in names for word in near[:at]):
        return False
    is_former = bool(_FORMER & set(near[:at]))
    behind = near[at + 1 :]
    return is_former or (bool(_ONCE & set(behind)) and bool(_PAST & set(behind)))


_RESTORING = frozenset({"restore", "reinstate", "reestablish", "re-establish"})
_LEADING = frozenset("the my our its that it to of for".split())
_HAD = frozenset(
    "arrangement arrangements schedule setting settings state setup set-up configuration version timing time"
    " times hour hours day days name address recipient recipients plan rhythm way order".split()
)


def _is_known(words: Sequence[str], names: Collection[str]) -> bool:
    """Return whether words name nothing but "it", a field or what has one of the names."""
    nouns = {noun for field in _FIELDS.values() for noun in field}
    return all(word in POINTERS | nouns | {"the", "all", "please", *names} for word in words)


def _is_former(behind: Sequence[str], *, may_be_short: bool) -> bool:
    """Return whether words behind ``back`` say nothing new: no time, and no place."""
    said = [word for word in behind if word not in LEADS]
    if not said:
        return may_be_short
    if said[0] not in _AFTER_BACK:
        return False
    near = said[: _FAR + 1]
    if any(word[0].isdigit() or "@" in word for word in near):
        return False
    return bool(_REFERENCES & set(near))


def _plain(text: str) -> list[str]:
    return [token.word for token in tokenise(text) if token.is_word]
