"""Names of agents: slugs, and a fitting free one for what an agent does. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from itertools import count

MAX_CHARACTERS = 60


def slug(text: str) -> str:
    """Lower-case words joined by hyphens, accents dropped; empty when the text holds no letter or digit."""
    folded = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(mark for mark in folded if not unicodedata.combining(mark))
    words = re.findall(r"[^\W_]+", re.sub("['\u2019]", "", plain))
    return _cut(unicodedata.normalize("NFC", "-".join(words)))


def is_slug(text: str) -> bool:
    """Whether the text could be a stored name."""
    return bool(text) and slug(text) == text


def known_name(text: str) -> str:
    """The text, when it could be a stored name.

    Raises:
        ValueError: otherwise, without quoting it.
    """
    if not is_slug(text):
        raise ValueError(f"a name is lower-case words joined by hyphens, at most {MAX_CHARACTERS} characters")
    return text


def free(wish: str, taken: Collection[str]) -> str:
    """The wish, or the wish with the first number that makes it free."""
    if wish not in taken:
        return wish
    numbered = (f"{_cut(wish, MAX_CHARACTERS - 4)}-{number}" for number in count(2))
    return next(name for name in numbered if name not in taken)


def _cut(words: str, limit: int = MAX_CHARACTERS) -> str:
    if len(words) <= limit:
        return words
    return words[:limit].rpartition("-")[0] or words[:limit]
