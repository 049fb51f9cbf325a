"""Sentences that tell what an agent did: ``the kpi report woke me up again``, ``rota stopped by itself``."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import AUXILIARIES, LEADS, NEGATIONS, SUBJECTS, classes_of, verb_forms
from intent.acts.references import find_meant
from intent.acts.requests import asks_for_something, joined_requests
from intent.acts.scene import Scene

_DEEDS = frozenset({"pause", "stop", "resume", "run", "start", "delete"})
_ONLY_PAST = frozenset("woke ran began froze quit shut".split())
_BEHIND = frozenset(
    "me us my our the him her everybody everyone by itself working running yesterday last on at when while"
    " without before after during twice once".split()
)
"""Words behind a verb in the past by which a sentence tells what happened."""
_WISHING = frozenset("want need like would should could must may please let have get keep prefer".split())
_MOST_OF_SUBJECT = 5


def told_past(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what answers a clause that only tells what an agent, which it begins with, did: its runs, NONE
    where it only woke somebody; None for any other clause.
    """
    if clause.is_question or scene.question is not None or scene.has_draft:
        return None
    if asks_for_something(clause.tokens) or any(True for _ in joined_requests(clause.tokens)):
        return None
    words = [one.word for one in clause.tokens if one.is_word]
    while words and words[0] in LEADS:
        words = words[1:]
    at = _past_place(words)
    if at is None or (_WISHING | NEGATIONS) & set(words):
        return None
    subject = next(place for place, one in enumerate(clause.tokens) if one.word == words[at])
    head = Clause(clause.message, clause.tokens[:subject])
    if not head.tokens or len(find_meant(head, scene.agents).things) != 1:
        return None
    return ActKind.NONE if verb_forms()[words[at]].base == "wake" else ActKind.SHOW_RESULT


def _past_place(words: Sequence[str]) -> int | None:
    """Return the place of a deed in the past right behind the subject; None without one."""
    for at in range(1, min(len(words), _MOST_OF_SUBJECT + 1)):
        if words[at - 1] in AUXILIARIES | SUBJECTS:
            return None
        form = verb_forms().get(words[at])
        if form is None or form.is_base or words[at].endswith(("s", "ing")):
            continue
        if not classes_of(form.base) & _DEEDS:
            return None
        behind = words[at + 1 : at + 2]
        return at if words[at] in _ONLY_PAST or (behind and behind[0] in _BEHIND) else None
    return None
