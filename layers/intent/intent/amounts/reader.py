"""`read_series`: the labelled amounts of a text, in lines or in a sentence."""

from __future__ import annotations

from functools import lru_cache

from intent.amounts.bills import has_products, read_bill
from intent.amounts.listings import read_listing
from intent.amounts.plain_lists import read_plain_list
from intent.amounts.series import Series
from intent.amounts.tables import read_table
from intent.sums import counts
from intent.sums.quantities import read_quantities

_LONGEST_TEXT = 20_000
_LONGEST_SENTENCES = 2_000


@lru_cache(maxsize=256)
def read_series(text: str) -> Series | None:
    """Return the amounts with their labels that a text tells together; None for fewer than two."""
    if len(text) > _LONGEST_TEXT or not any(mark.isdigit() for mark in text):
        return None
    if (table := read_table(text)) is not None or len(text) > _LONGEST_SENTENCES:
        return table
    if counts.filled(read_quantities(text)) is not None:
        return None  # what each of several boxes has
    bill = read_bill(text)
    is_behind_place = bill is not None and any(map(str.isdigit, bill.heading))
    return (
        bill if has_products(bill) or is_behind_place else read_listing(text) or read_plain_list(text) or bill
    )
