"""What somebody in doubt adds to a question whether we can do something: ``…, or is that just marketing?``"""

from __future__ import annotations

from intent.regular_expressions import LazyPattern, lower

_PROMISING = (
    r"(?:ads?|adverts?|advertising|advertisements?|marketing|sales|pitch|hype|talk|hot air|gimmicks?"
    r"|tricks?|brochures?|promises?|slogans?|claims?|buzzwords?)"
)
_TAIL = LazyPattern(
    r",? or (?:is|was|are|were) (?:that|it|this|those|these)(?: \w+){0,5} " + _PROMISING + r"\b(?=[.!?\s]*$)"
    r"|,? or (?:what|not)(?= ?\?+ *$)"
)
_ADDRESSED = LazyPattern(r"\b(?:you|it|this|omniforge|agents?)\b")


def without_doubting_tail(message: str) -> str:
    """Return a message of the same length without such words at its end."""
    small = lower(message)
    found = _TAIL.search(small)
    if found is None or _ADDRESSED.search(small[: found.start()]) is None:
        return message
    blank = " " * (found.end() - found.start())
    return f"{message[: found.start()]}{blank}{message[found.end() :]}"
