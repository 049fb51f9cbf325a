"""Questions why an agent keeps sending something, which what it does and when it runs answers: ``why am I
getting a mail from rota every hour?``
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, NEGATIONS, POINTERS, verb_forms
from intent.acts.references import find_meant
from intent.acts.scene import Scene

_PRESENT = frozenset("am are is do does i'm im".split())
_PAST = frozenset("did was were had has have been".split())
_COMING = frozenset(
    "get gets getting receive receives receiving send sends sending mail mails mailing email emails emailing"
    " post posts posting run runs running come comes coming go goes going write writes writing bother bothers"
    " bothering spam spams spamming ping pings pinging bombard flood".split()
)
_WHY_END = 8


def asks_why_it_comes(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks why an agent that it names, or the one talked of, sends what it does."""
    if scene.question is not None or scene.has_draft:
        return False
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    rest = _behind_why(words)
    if not rest or (NEGATIONS | _PAST) & set(rest) or not _COMING & set(rest):
        return False
    is_present = bool(_PRESENT & set(rest[:_WHY_END])) or any(map(_is_third_person, rest))
    is_named = find_meant(clause, scene.agents).is_named
    is_pointed = scene.focus_kind == "agent" and bool(POINTERS & set(rest))
    return is_present and (is_named or is_pointed)


def _behind_why(words: Sequence[str]) -> Sequence[str]:
    """Return the words behind the question for a reason with which a clause begins; empty without one."""
    if words[:1] == ["why"]:
        return words[1:]
    if words[:2] == ["how", "come"] or words[:2] == ["what", "for"]:
        return words[2:]
    return ()


def _is_third_person(word: str) -> bool:
    form = verb_forms().get(word)
    return word in _COMING and form is not None and not form.is_base and word.endswith("s")
