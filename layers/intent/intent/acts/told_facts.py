"""Notes of facts: ``note to self, the staging db is on port 5433``. A fact has no deed in it, so it is no
task.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, LIST_NOUNS, TASK_NOUNS, verb_forms

_NOTING = frozenset("note notes memo fyi nb remember".split())
_BEFORE_NOTE = frozenset("make take keep a an just my quick little small one".split())
_BEHIND_NOTE = frozenset(
    "to self me myself for later on that record mind future reference file : , - \u2013 \u2014 .".split()
)
_STATING = frozenset(
    "is are was were isn't aren't has had runs run lives sits stands costs uses belongs starts opens closes"
    " ends goes likes prefers speaks takes holds keeps works comes".split()
)
_OWED = frozenset("due deadline must should need needs ought needed gotta overdue expires".split())
_ONESELF = frozenset({"self", "me", "myself"})
_ENDS = frozenset(",.;!?\n")
_MOST_SUBJECT = 9
_NEAR = 2


def tells_fact(clause: Clause) -> bool:
    """Return whether a clause asks to note a statement, and not something to do."""
    words = [word for word in clause.words if word not in LEADS]
    while words and words[0] in _BEFORE_NOTE:
        words = words[1:]
    if not words or words[0] not in _NOTING or clause.is_question:
        return False
    rest = words[1:]
    if rest[:1] == ["to"] and not set(rest[1:2]) & _ONESELF:
        return False  # ``remember to water the plants``
    while rest and rest[0] in _BEHIND_NOTE:
        rest = rest[1:]
    if set(rest) & (_OWED | TASK_NOUNS | LIST_NOUNS) or ("has", "to") in pairwise(rest):
        return False
    return _is_statement(list(takewhile(lambda word: word not in _ENDS, rest)))


def _is_statement(words: Sequence[str]) -> bool:
    """Return whether words say that something is so: a subject with a verb behind it."""
    places = (place for place, word in enumerate(words[:_MOST_SUBJECT]) if place and word in _STATING)
    place = next(places, None)
    if place is None:
        return False
    form = verb_forms().get(words[0])
    is_command = form is not None and form.is_base
    return not is_command or place <= _NEAR
