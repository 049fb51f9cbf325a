"""What people say of a new agent's job in answer to another question: how it is done, or another."""

from __future__ import annotations

from intent.acts.tokens import tokenise
from intent.regular_expressions import lower_pattern

_OPENING = r"\W*(?:(?:and|also|oh|but|please|just|ok|so|sorry|no|wait|oops|actually)\W+)*"
_RULE = lower_pattern(
    rf"{_OPENING}(?:it|that|this) (?:should|must|shall|can|could|needs to|has to)\b",
    rf"{_OPENING}(?:leave out|skip|ignore|exclude|include|omit|only the|without the)\b",
)
_MEANT = lower_pattern(rf"{_OPENING}i mean(?:t)? ")
_FEWEST_OF_RULE, _MOST_OF_JOB = 4, 80


def says_rule(words: str) -> bool:
    """Return whether words say how a job is to be done: ``it should leave out the closed ones``."""
    said = [token for token in tokenise(words) if token.is_word]
    return len(said) >= _FEWEST_OF_RULE and _RULE.match(words) is not None


def job_meant(words: str) -> str:
    """Return the job that was meant instead: ``sorry, I meant the GitHub issues``; empty without one."""
    found = _MEANT.match(words)
    told = " ".join(words[found.end() :].split()).strip(" .!") if found is not None else ""
    return told if len(told) <= _MOST_OF_JOB else ""
