"""A correction of the title of the task just added: after ``buy paint``, ``no, brushes`` makes it
``buy brushes``.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.exchanged_words import exchanged_words, meant_object
from intent.acts.lexicon import (
    AUXILIARIES,
    CORRECTIONS,
    LEADS,
    NEGATIONS,
    POINTERS,
    QUESTION_WORDS,
    SUBJECTS,
    verb_forms,
)
from intent.acts.references import find_meant
from intent.acts.scene import Scene
from intent.acts.tokens import Token
from intent.times.reader import read_times
from intent.times.words.lexicon import WEEKDAYS

_MARKS = frozenset(",.;:!-\u2013\u2014\u2026")
_BEHIND = frozenset("instead i mean meant sorry rather of course".split())
_PREPOSITIONS = frozenset("for to from with at by in on about before after into onto of".split())
_PARTICLES = frozenset("up out off back over down in away".split())
_NO_OBJECTS = frozenset(
    "problem problems worries worry idea matter way need rush hurry bother chance clue stress pressure thing"
    " wrong right both all none nothing everything anything more much enough here there never not stop help"
    " really true false joke biggie probs one two three the a".split()
)
_NO_NOUNS = (
    POINTERS | SUBJECTS | AUXILIARIES | NEGATIONS | QUESTION_WORDS | {"there", "because", "since", "if"}
)
_MOST_WORDS = 4


def corrected_title(clause: Clause, scene: Scene) -> str:
    """Return the title that a clause gives the task just added; empty for any other clause."""
    if scene.did not in _ON_TITLES or scene.focus_kind != "task" or scene.focus is None:
        return ""
    if scene.question is not None or scene.has_draft or clause.is_question:
        return ""
    exchanged = exchanged_words(clause.tokens, clause.message, scene.focus.name)
    if exchanged and _exchanges_days(clause):
        return ""  # ``not tomorrow, Thursday`` moves the task
    if exchanged and ("not" in clause.words or not _says_else(clause, scene)):
        return exchanged
    if scene.did != ActKind.ADD_TASK:
        return ""
    said = meant_object(clause.tokens) or _said(clause.tokens)
    if not said or not all(map(_may_be_object, said)) or said[-1].word in _NO_OBJECTS:
        return ""
    object_words = clause.message[said[0].start : said[-1].end]
    return "" if _says_else(clause, scene) else _with_object(scene.focus.name, object_words)


def _exchanges_days(clause: Clause) -> bool:
    """Return whether a clause names days only, beside words of correction."""
    said = {word for word in clause.words if word[0].isalnum()} - CORRECTIONS - LEADS - {"not", "on", "it's"}
    return bool(said) and all(word in WEEKDAYS or word in _DAYS for word in said)


_DAYS = frozenset({"today", "tomorrow", "tonight", "next", "this", "week"})


def _says_else(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause names a time or another thing, so that it may correct these."""
    if read_times(clause.text, now=scene.now, zone=scene.zone):
        return True
    focus = "" if scene.focus is None else scene.focus.id
    others = tuple(one for one in (*scene.agents, *scene.tasks) if one.id != focus)
    return find_meant(clause, others).is_named


_ON_TITLES = frozenset({ActKind.ADD_TASK.value, ActKind.CHANGE_TASK.value})


def _said(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the words behind a correction and its mark; none where it is no such correction."""
    if not tokens or tokens[0].word not in CORRECTIONS:
        return ()
    mark = next((at for at, one in enumerate(tokens) if one.text[0] in _MARKS), None)
    if mark is None or any(one.word not in CORRECTIONS | LEADS for one in tokens[:mark]):
        return ()
    rest = list(tokens[mark + 1 :])
    while rest and (rest[0].text[0] in _MARKS or rest[0].word in CORRECTIONS | LEADS):
        rest.pop(0)
    while rest and (rest[-1].text[0] in _MARKS or rest[-1].word in _BEHIND | LEADS):
        rest.pop()
    return rest if len(rest) <= _MOST_WORDS and all(one.is_word for one in rest) else ()


def _may_be_object(token: Token) -> bool:
    form = verb_forms().get(token.word)
    if form is not None and form.is_base:
        return False
    return token.word not in _NO_NOUNS and "'" not in token.word


def _with_object(title: str, wanted: str) -> str:
    """Return a title with another object: ``call Tom at work`` and ``Ann`` give ``call Ann at work``."""
    words = title.split()
    first = 2 if words[1:2] != [] and words[1].lower() in _PARTICLES else 1
    if len(words) <= first:
        return wanted
    place = next((at for at in range(first, len(words)) if words[at].lower() in _PREPOSITIONS), len(words))
    begins = wanted.split(maxsplit=1)[0].lower()
    if begins in _PREPOSITIONS:
        same = next((at for at in range(first, len(words)) if words[at].lower() == begins), len(words))
        return " ".join((*words[:same], wanted))
    return " ".join((*words[:first], wanted, *words[place:])) if place > first else ""
