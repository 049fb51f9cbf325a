"""How many tokens a text is: exactly where the vocabulary is at hand, else a close estimate. Never downloads
one.

The count is taken once, when a message is stored; assembling context only adds stored counts up.
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

VOCABULARY_FILE = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""The name under which tiktoken keeps cl100k_base in its cache folder."""

_PIECES = re.compile(rb"[A-Za-z]+|[0-9]{1,3}|\n\s*|[^\sA-Za-z0-9\x80-\xff]+|[\x80-\xff]+| {2,}")
_LETTERS_PER_TOKEN = 7
_SYMBOLS_PER_TOKEN = 2


class TokenCounter:
    """Counts tokens of cl100k_base.

    ``vocabulary`` is the folder tiktoken caches vocabularies in (its setting is ``TIKTOKEN_CACHE_DIR``);
    without the file in it every count is `estimate_tokens`. tiktoken is imported at the first count, not
    before.
    """

    def __init__(self, vocabulary: Path | None) -> None:
        self._vocabulary = vocabulary

    def count(self, text: str) -> int:
        """The number of tokens, special ones counted as the text they are."""
        if self._encoding is None:
            return estimate_tokens(text)
        return len(self._encoding.encode(text, disallowed_special=()))

    @cached_property
    def _encoding(self) -> tiktoken.Encoding | None:
        if self._vocabulary is None or not (self._vocabulary / VOCABULARY_FILE).is_file():
            return None
        import tiktoken

        return tiktoken.get_encoding("cl100k_base")


def estimate_tokens(text: str) -> int:
    """A count from the UTF-8 bytes alone: close for English, never under for CJK and emoji (one token per
    byte)."""
    return sum(_piece_tokens(piece) for piece in _PIECES.findall(text.encode("utf-8", "surrogatepass")))


def _piece_tokens(piece: bytes) -> int:
    first = piece[0]
    if first >= 0x80:
        return len(piece)
    if chr(first).isalpha():
        return 1 + (len(piece) - 1) // _LETTERS_PER_TOKEN
    if chr(first).isdigit() or chr(first).isspace():
        return 1
    return 1 + (len(piece) - 1) // _SYMBOLS_PER_TOKEN
