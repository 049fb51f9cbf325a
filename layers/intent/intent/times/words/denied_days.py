"""Brings what leaves out days into its plain form: ``not sundays`` for ``sundays not, we're closed``.

The length of the text is kept.
"""

from __future__ import annotations

from intent.regular_expressions import pattern
from intent.times.words.lexicon import GROUPS, WEEKDAYS

_DAY = "|".join(sorted({*WEEKDAYS, *GROUPS, "holidays"}, key=len, reverse=True))
_DENIED = pattern(rf"\b(?:{_DAY})(?:(?:, | and | or | nor )(?:{_DAY}))*+ not(?=\s*+(?:[,.;!?)]|$))")
_NEGATION = "not"
_CLOSED = pattern(
    r"(?:, )?\b(?:(?:because|since|as|cos|cause) )?(?:we|they|i)(?:['\u2019]re| are|['\u2019]m| am)"
    r" (?:closed|shut|off|away|not open|not in)\b(?! (?:on|at|over|every|all|the)\b)"
)
_LEAVING_OUT = pattern(r"\b(?:not|except|without|never|skip|no)\b")


def with_plain_exceptions(text: str) -> str:
    """Return a text in which ``not`` stands before the days that it follows, up to a mark or the end, and no
    reason stands behind them.
    """
    for found in _CLOSED.finditer(text):
        if _LEAVING_OUT.search(text[: found.start()]) is None:
            continue
        text = f"{text[: found.start()]}{' ' * (found.end() - found.start())}{text[found.end() :]}"
    for found in _DENIED.finditer(text):
        days = text[found.start() : found.end() - len(_NEGATION)].rstrip()
        moved = f"{_NEGATION} {days}".ljust(found.end() - found.start())
        text = f"{text[: found.start()]}{moved}{text[found.end() :]}"
    return text
