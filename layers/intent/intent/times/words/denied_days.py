"""Puts a negation before the days that it leaves out: ``not sundays`` for ``sundays not``. Length is kept."""

from __future__ import annotations

from intent.regular_expressions import pattern
from intent.times.words.lexicon import GROUPS, WEEKDAYS

_DAY = "|".join(sorted({*WEEKDAYS, *GROUPS, "holidays"}, key=len, reverse=True))
_DENIED = pattern(rf"\b(?:{_DAY})(?:(?:, | and | or | nor )(?:{_DAY}))*+ not(?=\s*+(?:[,.;!?)]|$))")
_NEGATION = "not"


def with_negations_before(text: str) -> str:
    """Return a text in which ``not`` stands before the days that it follows, up to a mark or the end."""
    for found in _DENIED.finditer(text):
        days = text[found.start() : found.end() - len(_NEGATION)].rstrip()
        moved = f"{_NEGATION} {days}".ljust(found.end() - found.start())
        text = f"{text[: found.start()]}{moved}{text[found.end() :]}"
    return text
