"""People who have too much to keep in mind: ``too much on my plate, I lose track of everything``."""

from __future__ import annotations

from intent.acts.tokens import tokenise
from intent.regular_expressions import lower_pattern

_LONGEST = 40
_OVERLOADED = lower_pattern(
    r"\b(?:too much|so much|a lot|loads) (?:\w+ ){0,2}?(?:on my plate|to (?:do|remember|juggle)|going on)\b",
    r"\btoo many (?:things|balls|tasks|to-?dos|jobs)\b",
    r"\b(?:thousand|hundred|million|dozen) (?:little )?(?:things|jobs)\b",
    r"\blos(?:e|ing|t) track of (?:everything|things|it all|stuff|what i)\b",
    r"\bforget (?:everything|things|half|stuff|most)\b",
    r"\b(?:head|mind|memory|brain)(?: is|'s|) (?:\w+ )?(?:full|like a sieve|a sieve|terrible|awful)\b",
    r"\b(?:sticky notes|post-?its|(?:scraps|bits) of paper|drowning in|snowed under)\b",
    r"\b(?:up to my (?:neck|ears|eyes)|can(?:'?t|not) keep up|(?:keep|stay|get) on top of)\b",
    r"\bfalls? through the cracks\b",
)


def tells_overload(text: str) -> bool:
    """Return whether words tell of too much to do or to remember, and of nothing in particular."""
    words = [token.word for token in tokenise(text) if token.is_word]
    return len(words) <= _LONGEST and _OVERLOADED.search(text) is not None
