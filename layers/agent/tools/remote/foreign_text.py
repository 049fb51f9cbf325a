"""Text of another server, made fit for a prompt: what people can't see is removed, and it is cut."""

from __future__ import annotations

import re
import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Control characters, zero-width and bidirectional ones, and characters that mean nothing."""
_MARK = re.compile(r"qz-[0-9a-f]{16}")
"""The form of the marks in our prompts (`agent.inference.prompt_leak_filter`), which only we may set."""


def clean_text(text: str, max_characters: int) -> str:
    """Returns the text in one paragraph, without invisible characters and marks, cut to that length."""
    # An invisible character may take four times its place in the original; more is not looked at.
    begin = text[: 4 * max_characters]
    seen = "".join(" " if char in "\n\r\t\u2028\u2029" else char for char in begin if _is_seen(char))
    # A removed mark may leave another one behind.
    while _MARK.search(seen):
        seen = _MARK.sub("", seen)
    return " ".join(seen.split())[:max_characters]


def _is_seen(char: str) -> bool:
    return char in "\n\r\t\u2028\u2029" or unicodedata.category(char) not in _UNSEEN
