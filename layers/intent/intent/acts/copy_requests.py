"""Requests for a copy of an agent: ``make a copy of parcels``, ``clone it: parcels-eu``, and its name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from intent.acts.act import Span
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, POINTERS, classes_of
from intent.acts.references import find_meant, find_name_place
from intent.acts.scene import Scene
from intent.acts.slots import find_new_name, says_naming
from intent.times.reader import read_times

COPIES = frozenset({"copy", "duplicate", "clone"})
_BEFORE_NAME = frozenset("as : called named name dubbed to - = ->".split())
_CALLING = frozenset({"call", "name", "dub", "title"})
_OUTCOMES = frozenset("result results output outcome".split())
_LONGEST_BEFORE = 4


def asks_for_copy(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks for a copy of an agent, and not for one of a result."""
    words = clause.words
    if set(words) & _OUTCOMES or _asks_how(words) or _copies_in(clause):
        return False
    if any(_is_one_more(words, thing.name) for thing in scene.agents):
        return True
    if find_meant(clause, scene.agents).is_named:
        return _asks_for_copy_of(words) or _commands_copy(words)
    is_focus = _is_one_known(scene) and not scene.has_draft
    if is_focus and scene.question is None and _wants_the_same(clause, scene):
        return True
    return is_focus and ((_commands_copy(words) and bool(POINTERS & set(words))) or _makes_copy(words))


def _makes_copy(words: Sequence[str]) -> bool:
    """Return whether words want a copy made of what was talked of: ``make a copy for Fridays``."""
    at = next((at for at, word in enumerate(words) if word in COPIES and words[at - 1] in _ONE), 0)
    behind = words[at + 1 : at + 3]
    is_other = behind[:1] == ("of",) and behind[1:2] != () and behind[1] not in POINTERS
    return bool(at) and bool(_MAKING & set(words[:at])) and not is_other and not _SENDING & set(words)


_ONE = frozenset({"a", "another", "one", "second", "further"})
_MAKING = frozenset("make create need want like add set".split())
_SENDING = frozenset("send sends sent mail mailed email emailed post posted get gets".split())


def _is_one_known(scene: Scene) -> bool:
    """Return whether it is known which agent is meant without a name: the one talked of, or the only one."""
    return scene.focus_kind == "agent" or (not scene.focus_kind and len(scene.agents) == 1)


def _copies_in(clause: Clause) -> bool:
    """Return whether somebody is to get a copy of the results: ``copy ana@b.co in on parcels``."""
    pairs = pairwise(clause.tokens)
    return any(one.word == "copy" and "@" in two.text for one, two in pairs)


def _wants_the_same(clause: Clause, scene: Scene) -> bool:
    """Return whether words want the same at another time and for somebody else: ``and the same on Thursdays,
    to ana@b.com``. With only one of them the agent itself may be meant to do that, too.
    """
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    if words[:2] != ["the", "same"] and words[:1] != ["same"]:
        return False
    has_place = any("@" in token.text or token.text.startswith("#") for token in clause.tokens)
    if clause.is_question or not has_place or _OF_THE_SAME & set(words[1:3]):
        return False
    return any(one.is_recurring for one in read_times(clause.text, now=scene.now, zone=scene.zone))


_OF_THE_SAME = frozenset("time times day days place address people channel way".split())


def _is_one_more(words: Sequence[str], name: str) -> bool:
    """Return whether words ask for one more like an agent: ``a second parcels``, ``I need parcels twice``."""
    place = find_name_place(words, name)
    if place is None:
        return False
    before, behind = words[: place[0]], tuple(words[place[1] :])
    if before[-1:] and before[-1] in {"second", "another", "further"}:
        return True
    is_again = any(behind[: len(again)] == again for again in _ONCE_MORE)
    return is_again and bool(_WANTING & set(before)) and not any("run" in classes_of(word) for word in before)


_ONCE_MORE = (
    ("a", "second", "time"),
    ("a", "third", "time"),
    ("another", "time"),
    ("once", "more"),
    ("twice",),
)
_WANTING = frozenset("need want like love have make create get give add set".split())


def _asks_how(words: Sequence[str]) -> bool:
    """Return whether words ask how something is done."""
    first = next((word for word in words if word not in LEADS), "")
    return first in {"how", "why", "what", "is", "are", "did"}


def _asks_for_copy_of(words: Sequence[str]) -> bool:
    return any(
        word in COPIES | _LIKENESSES and words[at + 1 : at + 2] == ("of",) for at, word in enumerate(words)
    )


_LIKENESSES = frozenset({"twin", "double", "replica"})


def _commands_copy(words: Sequence[str]) -> bool:
    said = [word for word in words if word[0].isalnum() and word not in LEADS]
    return said[:1] != [] and said[0] in COPIES


def find_copy_name(clause: Clause, known: Collection[str]) -> Span | None:
    """Return the name that a request for a copy gives it: ``as parcels-eu``, ``: parcels-eu``; None where it
    gives none.
    """
    tokens = clause.tokens
    for place in range(1, len(tokens)):
        token = tokens[place]
        is_compound = "-" in token.text.strip("-") and token.text[0].isalpha()
        if is_compound and token.text.lower() not in known and tokens[place - 1].word in _BEFORE_NAME:
            return Span(token.text, token.start, token.end)
    return find_new_name(clause, tuple(known))


def names_newest(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause gives the agent just talked of a name: ``call the copy parcels-eu``."""
    if not _is_one_known(scene) or scene.has_draft:
        return False
    words = [token for token in clause.tokens if token.is_word and token.word not in LEADS]
    if len(words) < _FEWEST_NAMING or words[0].word not in _CALLING:
        return False
    return begins_with_newest([one.word for one in words[1:]]) > 0 and says_naming(clause)


_FEWEST_NAMING = 3


def begins_with_newest(words: Sequence[str]) -> int:
    """Return how many words stand for the agent just talked of, such as ``the copy``; 0: they do not."""
    if words[:1] != [] and words[0] in {"it", "that", "this"}:
        return 2 if words[1:2] == ["one"] else 1
    if words[:1] in (["the"], ["my"], ["this"], ["that"]):
        noun = next((at for at, word in enumerate(words[:_LONGEST_BEFORE]) if word in COPIES | {"one"}), 0)
        is_plain = set(words[1:noun]) <= {"new", "other", "second", "latest"}
        return noun + 1 if noun and is_plain else 0
    return 0
