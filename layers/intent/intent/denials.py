"""What a text mentions only to refuse it: ``not Slack``, ``rather than Mondays``, ``hourly is too often``.

Pure. Says where such words stand, and nothing of what they mean.
"""

from __future__ import annotations

from collections.abc import Iterable

from intent.patterns import either, notice
from intent.times import EVERY, LONG_DAY, Found

_SMALL = r"(?:(?:by|via|on|to|in|at|from|over|just|only|the|our|my|an?|as) )*"
_CHANNEL = either("slack|(?:ms |microsoft )?teams|e-?mails?|mails?|sms|texts?|web ?hooks?|whatsapp")
_WHEN = (
    rf"(?:{EVERY} (?:[\w-]+ )?\w+|{LONG_DAY}|\d{{1,2}}(?:[:.]\d\d)?(?: ?[ap]m)?|hourly|daily|weekly|monthly"
    r"|weekends?|weekdays?)"
)
_THING = rf"(?:{_CHANNEL}|{_WHEN}|[#@]\w[\w-]*)(?! (?:days?|hours?|weeks?|%))"
_REFUSED = notice(
    rf"\b(?:not|no|no longer|without|neither|nor) {_SMALL}{_THING}",
    rf"\b(?:rather than|instead of|in place of) {_SMALL}(?:{_THING}|[#@]?[\w.-]+)",
    rf"\bfrom {_SMALL}{_CHANNEL}(?= (?:in)?to {_SMALL}{_CHANNEL})",
)
_COMPLAINING = notice(
    r"\btoo (?:often|much|many|early|late|soon|rare|seldom)\b|\boverkill\b|\ba lot\b",
    r"\b(?:should|do|does|need)(?:n't| not)\b|\bno longer\b|\bany ?more\b|\bstop\b",
)
_CLAUSE = notice(r"[^,;.!?\n]+(?:[.:]\d[^,;.!?\n]*)*")


def without_refused(text: str) -> str:
    """The text, as long as before, with blanks for each thing that is named only to be refused."""
    return blanked(text, (Found(*match.span()) for match in _REFUSED.finditer(text)))


def complaints(text: str) -> list[Found]:
    """The clauses that say how something should not be."""
    if _COMPLAINING.search(text) is None:
        return []
    clauses = (Found(*match.span()) for match in _CLAUSE.finditer(text))
    return [clause for clause in clauses if _COMPLAINING.search(text[clause.start : clause.end])]


def blanked(text: str, spans: Iterable[Found]) -> str:
    """The text, as long as before, with blanks for the spans."""
    kept = list(text)
    for span in spans:
        kept[span.start : span.end] = " " * (span.end - span.start)
    return "".join(kept)
