"""Remarks that begin with how the day is, and tell of what comes up: ``Big day, we've got an audit on
Friday``.

They are told, and no task: nothing is asked for, and nothing has to be done.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, LIST_NOUNS, TASK_NOUNS
from intent.acts.requests import asks_for_something
from intent.acts.tokens import Token

_DEGREES = frozenset("a an what another such very so really pretty quite rather bit little totally".split())
_MOODS = frozenset(
    "big huge great exciting excited busy long short crazy mad hectic manic wild tough rough hard stressful"
    " stressed nervous anxious tired exhausted knackered happy glad sad quiet slow lovely lazy early late"
    " special strange weird funny awful horrible terrible chaotic fun thrilling tense intense full packed"
    " interesting important new proud".split()
)
_PERIODS = frozenset(
    "day days week weeks weekend month morning afternoon evening night times time start one news".split()
)
_AROUND = frozenset("for us me here today tomorrow tonight ahead now again this at in the office".split())
_MARKS = frozenset(",:.!;-\u2013\u2014\u2026")
_MOST_OF_OPENING = 8


def tells_after_mood(clause: Clause) -> bool:
    """Return whether a clause begins with how the day is, and then only tells something."""
    tokens = clause.tokens
    end = next((at for at, one in enumerate(tokens) if at and one.text[0] in _MARKS), len(tokens))
    if clause.is_question or not is_mood([one.word for one in tokens[:end] if one.is_word]):
        return False
    return not _is_owed(clause.words) and not _asks(tokens[end:])


def _is_owed(words: Sequence[str]) -> bool:
    """Return whether words say that something has to be done, or name the list."""
    has_to = any(one in _HAVING and two == "to" for one, two in pairwise(words))
    return has_to or bool((_OWING | TASK_NOUNS | LIST_NOUNS) & set(words))


_HAVING = frozenset("have has had got need needs ought i've we've".split())
_OWING = frozenset("need needs must should gotta remind forget remember want wants due".split())


def is_mood(words: list[str]) -> bool:
    """Return whether words only say how the day or their speaker is: ``busy times here``, ``bit nervous``."""
    said = [word for word in words if word not in (LEADS - _MOODS) | _DEGREES]
    begins = words[:2] == ["what", "a"] or (said and said[0] in _MOODS)
    if not begins or not 0 < len(said) <= _MOST_OF_OPENING:
        return False
    return set(said) <= _MOODS | _PERIODS | _AROUND


def _asks(tokens: Sequence[Token]) -> bool:
    while tokens and not tokens[0].text[0].isalpha():
        tokens = tokens[1:]
    return bool(tokens) and asks_for_something(tuple(tokens))
