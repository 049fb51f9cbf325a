"""Whether a message turns to another topic. Pure, and by the words alone: it takes rather too little for one.

Source: seed 001, "Context bleed": within a conversation, recent messages weigh more once the topic shifts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

MIN_WORDS = 5
"""A message with fewer words of its own leans on what was said before."""

_STEM = 5
_LEANS_ON = frozenset({"that", "this", "these", "those", "them", "they", "same", "again", "instead", "also"})


def is_new_topic(asked: str, earlier: Sequence[str]) -> bool:
    """Whether a message says that it turns to something else, or shares no word with what was said before,
    oldest first, and does not refer to it.
    """
    if _announced().search(asked):
        return True
    words = set(_words().findall(asked.lower()))
    stems = {word[:_STEM] for word in words}
    if len(stems) < MIN_WORDS or words & _LEANS_ON:
        return False
    return not any(stems & _stems(text) for text in reversed(earlier))


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _words().findall(text.lower())}


@cache
def _words() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]{4,}")


@cache
def _announced() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:(?:new|different|another|other|separate|unrelated|change of|switch(?:ing)?|change the)"
        r" (?:topic|subject|matter|theme|question|thing)s?"
        r"|something (?:else|(?:completely|totally|entirely|quite) different)"
        r"|on (?:another|a (?:different|separate|unrelated)) note|moving on)\b",
        re.IGNORECASE,
    )
