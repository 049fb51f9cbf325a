"""The hours of the night in which words don't want an agent: ``don't run it between 11pm and 6am``, ``no runs
at night``, ``pause it overnight``.
"""

from __future__ import annotations

from intent.acts.clauses import Clause
from intent.acts.lexicon import AUXILIARIES, LEADS, QUESTION_WORDS, verb_forms
from intent.regular_expressions import pattern
from intent.times.words.lexicon import MONTHS

_HOUR = r"(?:midnight|noon|\d{1,2}(?:[:.]\d\d)?(?:\s?[ap]\.?m\b\.?)?)"
_STRETCH = pattern(
    rf"(?:between|from)\s({_HOUR})\s?(?:and|to|until|till|-|\u2013)\s?({_HOUR})"
    rf"|({_HOUR})\s?(?:to|until|till|-|\u2013)\s?({_HOUR})"
)
_NIGHT = pattern(r"(?:(?:at|during|over|through|in) (?:the )?night(?:s|time)?|overnight|nights)\b")
_REFUSING = frozenset("no not never neednt shouldnt mustnt dont doesnt cant wont skip skips except".split())
_STOPPING = frozenset({"stop", "pause", "suspend", "halt", "silence", "mute"})
_ENDING = frozenset({"until", "till", "til", "again", "resume", "tonight", "last", "this"})
_ASKING = QUESTION_WORDS | (AUXILIARIES - {"can", "could", "will", "would", "do", "need"})


def refused_hours(clause: Clause) -> str:
    """Return the hours that a clause refuses, as ``not at night`` or ``not between 11pm and 6am``; empty
    where it refuses none, or only asks.
    """
    words = [word.replace("'", "") for word in clause.words]
    first = next((word for word in words if word not in LEADS), "")
    night = _NIGHT.search(clause.text)
    stretch = _STRETCH.search(clause.text)
    stretch = None if stretch is not None and _is_of_month(clause.text, *stretch.span()) else stretch
    refused = _refusal(words, clause)
    if first in _ASKING or refused is None or (night is None and stretch is None):
        return ""
    begin = min(found.start() for found in (night, stretch) if found is not None)
    if refused > begin or _ENDING & set(words) - ({"until", "till"} if stretch else set()):
        return ""
    if stretch is None:
        return "not at night"
    opens, closes = filter(None, stretch.groups())
    if night is None and (opens + closes).isdigit():
        return ""  # ``between 3 and 10 August``
    return f"not between {opens} and {closes}"


def _is_of_month(text: str, start: int, end: int) -> bool:
    """Return whether a month stands beside a stretch, which is one of days then: ``from 3 to 10 August``."""
    before, behind = text[:start].lower().split()[-1:], text[end:].lower().split()
    behind = [word.strip(".,;!?") for word in behind if word != "of"][:1]
    return bool(MONTHS.keys() & {*before, *behind})


def _refusal(words: list[str], clause: Clause) -> int | None:
    """Return where in the text of a clause the word is that refuses something; None without one."""
    stops = next((at for at, word in enumerate(words) if _base(word) in _STOPPING), None)
    at = next((at for at, word in enumerate(words) if word in _REFUSING), stops)
    return None if at is None else clause.tokens[at].start - clause.start


def _base(word: str) -> str:
    form = verb_forms().get(word)
    return form.base if form is not None and form.is_base else ""
