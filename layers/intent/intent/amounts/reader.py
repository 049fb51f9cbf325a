"""`read_series`: the labelled amounts of a text, in lines or in a sentence."""

from __future__ import annotations

from functools import lru_cache

from intent.amounts.listings import read_listing
from intent.amounts.series import Series
from intent.amounts.tables import read_table

_LONGEST_TEXT = 20_000
_LONGEST_SENTENCES = 2_000


@lru_cache(maxsize=256)
def read_series(text: str) -> Series | None:
    """Return the amounts with their labels that a text tells together; None for fewer than two."""
    if len(text) > _LONGEST_TEXT or not any(mark.isdigit() for mark in text):
        return None
    return read_table(text) or (read_listing(text) if len(text) <= _LONGEST_SENTENCES else None)
