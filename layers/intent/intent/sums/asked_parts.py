"""The parts of a text that each ask for a sum of their own, beside a story that tells other numbers: ``The
room is 4.5 by 6, I have a customer here. What's 27 times 19.50? And 15% of 240?``
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intent.sums.quantities import Quantities, read_quantities

_CUT = re.compile(
    r"[?!;:\n]|[.,](?!\d)|\b(?:so|and|also|but|because|then)\b(?=\s+(?:what|whats|how|also|then|the|could|can|please)\b)"
)
_ASKS = frozenset(
    "what what's whats wats how calculate compute work multiply divide add subtract tell give equals ="
    " sum".split()
)
_LEANS = frozenset(
    "that it them those these this each per all altogether total together left remaining both average rest"
    " more everyone everybody".split()
)
_COUNTS = frozenset("many much total altogether".split())
"""Words by which a part without numbers asks for a sum of those told before it."""
_OPERATIONS = frozenset(
    {
        ("times",), ("x",), ("*",), ("×",), ("·",), ("multiplied", "by"), ("divided", "by"), ("÷",),
        ("plus",), ("+",), ("minus",), ("−",),
    }
)  # fmt: skip
_OF_PART = frozenset({("of",), ("of", "the"), ("off",), ("off", "of")})


def asked_parts(text: str) -> list[str]:
    """Return the parts that each ask for a sum; empty where one of them takes numbers from another."""
    parts = [(part, read_quantities(part)) for part in _parts(text)]
    asked = [_asks(read) for _, read in parts]
    if True not in asked:
        return []
    if any(not read.numbers and _COUNTS & set(read.words) for _, read in parts):
        return []
    first = asked.index(True)
    behind = zip(parts[first:], asked[first:], strict=True)
    if any(read.numbers and not is_asked for (_, read), is_asked in behind):
        return []
    found = [part for (part, _), is_asked in zip(parts, asked, strict=True) if is_asked]
    tells_more = first > 0 and any(read.numbers for _, read in parts[:first])
    leans = any(_LEANS & set(read.words) for (_, read), one in zip(parts, asked, strict=True) if one)
    return [] if leans and (tells_more or len(found) > 1) else found


def has_plain_sum(read: Quantities) -> bool:
    """Return whether two numbers have nothing but an operation between them: ``15% of 240``."""
    return any(_is_operation(read, place) for place in range(len(read.numbers) - 1))


def is_plain_sum(read: Quantities) -> bool:
    """Return whether all numbers of a text are one chain of operations."""
    count = len(read.numbers) - 1
    return count > 0 and all(_is_operation(read, place) for place in range(count))


def _is_operation(read: Quantities, place: int) -> bool:
    gap = tuple(word for word in read.gap(place) if word not in {"(", ")"})
    left = read.numbers[place]
    if left.is_part and left.value > 1 and not gap:
        return True  # ``twice 47.50``
    return gap in _OPERATIONS or ((left.is_percent or left.is_part) and gap in _OF_PART)


def _asks(read: Quantities) -> bool:
    return len(read.numbers) > 1 and (is_plain_sum(read) or bool(_ASKS & set(read.words)))


def _parts(text: str) -> Iterator[str]:
    start = 0
    for cut in _CUT.finditer(text):
        yield text[start : cut.start()]
        start = cut.end()
    yield text[start:]
