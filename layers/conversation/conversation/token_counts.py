"""Counts the tokens of a text: exactly with the vocabulary file, which is never downloaded, else by estimate.

A message is counted once, when it is stored; building the context only adds up stored counts.
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

VOCABULARY_FILE = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""The name of cl100k_base in tiktoken's cache folder."""

_PIECES = re.compile(
    rb"[A-Za-z]+|(?: (?=[0-9]))?[0-9]{1,3}|\n\s*|[^\sA-Za-z0-9\x80-\xff]+"
    rb"|(?:[\xc2-\xcb\xce-\xdf][\x80-\xbf])+|[\x80-\xff]| {2,}"
)
_LETTERS_PER_TOKEN = 12
_SYMBOLS_PER_TOKEN = 4


class TokenCounter:
    """Counts tokens of cl100k_base.

    ``vocabulary`` is the folder in which tiktoken caches vocabularies (its setting is
    ``TIKTOKEN_CACHE_DIR``). When the file is not in it, every count is `estimate_tokens`. tiktoken is
    imported at the first count, not before.
    """

    def __init__(self, vocabulary: Path | None) -> None:
        self._vocabulary = vocabulary

    def count(self, text: str) -> int:
        """The number of tokens; special tokens are counted as plain text."""
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
    """An estimate from the UTF-8 bytes alone: within 10% for English prose, not too low for CJK and emoji."""
    return sum(_piece_tokens(piece) for piece in _PIECES.findall(text.encode("utf-8", "surrogatepass")))


def _piece_tokens(piece: bytes) -> int:
    if piece[0] >= 0x80:
        # Two-byte letters take about a token each; of rarer characters, every byte may be a token.
        return max(1, len(piece) // 2)
    if piece.isalpha():
        return 1 + (len(piece) - 1) // _LETTERS_PER_TOKEN
    if piece[-1:].isdigit():
        return 1 + piece.startswith(b" ")
    if piece.isspace():
        return 1
    return 1 + (len(piece) - 1) // _SYMBOLS_PER_TOKEN
