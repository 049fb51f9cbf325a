"""The days of a schedule of which only the time of day is known: those named before, or every day.

Pure. Words such as ``within two weeks`` say what a job is about, and not when it runs.
"""

from __future__ import annotations

from intent.acts.evidence import says_often
from intent.acts.tokens import tokenise
from intent.regular_expressions import lower_pattern
from intent.times.words.tokens import LEFT_OUT

_DAYS = lower_pattern(
    r"\b(?:(?:every|each) (?:single )?(?:day|morning|evening|afternoon|night|weekday|workday|working day"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|daily|weekdays"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b"
)
_WINDOW = lower_pattern(
    r"\bwithin (?:the )?(?:next |coming |last |past )?[a-z0-9]{1,12} (?:minute|hour|day|week|month|year)s?\b"
)
EVERY_DAY = "every day"


def days_in(words: str) -> str:
    """Return the words that say on which days something comes again and again; empty for none."""
    found = _DAYS.search(words)
    return found.group() if found is not None else ""


def asks_only_days(lacks: tuple[str, ...], words: str) -> bool:
    """Return whether a schedule lacks nothing but its days, and its words give a time of day alone."""
    said = [token.word for token in tokenise(words)]
    has_clock = any(word[0].isdigit() for word in said) or bool(_CLOCK & set(said))
    return lacks == ("day",) and has_clock and not says_often(said) and not days_in(words)


_CLOCK = frozenset({"noon", "midday", "midnight"})


def without_windows(words: str) -> str:
    """Return words of the same length in which those that only limit what is reported are blank."""
    for found in _WINDOW.finditer(words):
        start, end = found.span()
        words = f"{words[:start]}{LEFT_OUT}{' ' * (end - start - 1)}{words[end:]}"
    return words
