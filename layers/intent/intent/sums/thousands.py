"""Figures such as ``1.250``: whether the point parts thousands, as people write in most of Europe."""

from __future__ import annotations

import re

from intent.sums.quantities import Quantities, Quantity, read_quantities
from intent.sums.units import unit_named

_POINTED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}\.\d{3}(?![\d.,]*\d)")
_PER = frozenset({"per", "a", "an", "/", "each"})
_RATES = frozenset({"rate", "rates", "=", "exchange", "fx", "convert", "conversion"})
_MEASURED = frozenset(
    {"kwh", "mwh", "litre", "litres", "liter", "liters", "l", "gallon", "gallons", "kg", "m3"}
)


def with_thousands(text: str) -> str:
    """Return a person's text with the thousands of amounts of money and of counts marked by a comma.

    ``1.250 euro`` is ``1,250 euro``; ``1.250 kg`` and a price of one unit (``1.659 per litre``) stay.
    """
    if _POINTED.search(text) is None:
        return text
    read = read_quantities(text)
    if _is_of_rates(read):
        return text
    meant = {read.words[at] for one in read.numbers if _counts(one) for at in _figures(read, one)}
    return _POINTED.sub(lambda found: found[0].replace(".", ",") if found[0] in meant else found[0], text)


def open_figures(text: str) -> tuple[str, ...]:
    """Return the figures such as ``1.250`` of which nothing says whether they are thousands."""
    if _POINTED.search(text) is None:
        return ()
    read = read_quantities(text)
    bare = (one for one in read.numbers if not one.unit and not one.currency and not one.is_percent)
    return tuple(one.text for one in bare if _figures(read, one)) if not _is_of_rates(read) else ()


def _figures(read: Quantities, one: Quantity) -> list[int]:
    places = [at for at in range(one.start, one.end) if _POINTED.fullmatch(read.words[at])]
    return [at for at in places if read.words[one.end : one.end + 1] == () or not _is_price(read, one)]


def _counts(one: Quantity) -> bool:
    """Return whether a number is an amount of money, or counts things that come one by one."""
    if one.is_percent or one.is_part:
        return False
    return bool(one.currency) or (bool(one.unit) and unit_named(one.unit) is None)


def _is_price(read: Quantities, one: Quantity) -> bool:
    """Return whether an amount is the price of one: ``1.659 euro per litre``."""
    return read.words[one.end] in _PER


def _is_of_rates(read: Quantities) -> bool:
    """Return whether a text tells a rate of exchange, or the price of what is measured."""
    words = set(read.words)
    currencies = {one.currency for one in read.numbers if one.currency}
    measured = any(one.unit in _MEASURED for one in read.numbers)
    return bool(words & _RATES) or len(currencies) > 1 or measured
