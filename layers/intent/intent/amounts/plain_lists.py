"""`read_plain_list`: the numbers of a text that asks for their total, whatever is told between them:
``pallets today 14 from Breda, 22 from Venlo, 9 from Tilburg. total?``
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from intent.amounts.series import Row, Series, words_of
from intent.regular_expressions import lower, pattern
from intent.sums.quantities import Quantities, Quantity, noun_stem, read_quantities

_CUT = pattern(r"[,;:.!?\n](?=\s|$)|\s[-\u2013\u2014]+\s|\s(?=(?:how\s(?:many|much)|what|what's|whats)\s)")
_TOTALS = frozenset("total totals altogether together combined sum tally".split())
_ASKED = pattern(
    r"\b(?:add(?:ing)?(?: (?:\w+ ){0,2}up)|add (?:them|these|those|all)|in all|"
    r"how (?:many|much) (?:\w+ ){0,3}(?:is|are|was|were|does|do) (?:that|it|this|they|those|these)|"
    r"what(?:'s|s| is| does| do| would)? (?:that|it|this|they|those|these)(?: all)?"
    r" (?:come|make|add|amount))\b"
)
_BEFORE_OTHERS = frozenset(
    "x * \u00d7 \u00b7 times @ at by per minus - \u2212 less / \u00f7 of into divided between until till"
    " before after than off = for to + over every each room number no page version floor squared under"
    " above".split()
)
"""Words right before a number that is no item of a list: a rate, an operand, a time of day, a name."""
_BEHIND_OTHERS = frozenset(
    "x * \u00d7 \u00b7 times each apiece per a an every @ % off o'clock am pm / + - \u2212 less fewer"
    " minus".split()
)
"""Words right behind such a number."""
_EXCLUDED = frozenset(
    "each apiece per average avg mean difference percent half double twice remaining left split divide"
    " divided multiply multiplied times minus subtract vat tax discount between".split()
)
"""Words of a text that asks for something else than the sum of its numbers."""
_LABEL_ENDS = frozenset(
    "and plus & then also is are was were will came come comes coming went so who which".split()
)
_BEFORE_LABELS = frozenset("of for from by to in on with the a an".split())
_FEWEST, _MOST, _MOST_LABEL_WORDS = 2, 40, 4


class _Piece(NamedTuple):
    start: int
    text: str
    read: Quantities


def read_plain_list(text: str) -> Series | None:
    """Return the numbers of a text that asks for their total; None where one of them is no item of a list, as
    a price for each is none.
    """
    if not _asks_total(text):
        return None
    whole = text
    period, text = _without_period(text)
    pieces = _pieces(text)
    numbered = [at for at, piece in enumerate(pieces) if piece.read.numbers]
    if not numbered or numbered != list(range(numbered[0], numbered[-1] + 1)):
        return None
    listed = _without_count([pieces[at] for at in numbered])
    if not all(_are_items(piece.read) for piece in listed):
        return None
    rows = [row for piece in listed for row in _rows(piece)]
    numbers = [number for row in rows for number in row.numbers if number is not None]
    if not _FEWEST <= len(rows) <= _MOST or not _are_alike(numbers):
        return None
    if _counts_named(pieces, numbers):
        return None  # ``4 adults and 2 children, adults 24, children 12``
    if period and any(one.head == noun_stem(period) for one in numbers):
        return None  # a rate, and how long it is paid
    first, last = listed[0], listed[-1]
    end = last.start + _end_of_item(last.text, rows[-1].label or numbers[-1].unit)
    asking = next((piece for piece in pieces[numbered[-1] + 1 :] if _asks_total(piece.text)), None)
    asked_end = end if asking is None else _end_of(asking, whole)
    if _EXCLUDED & set(words_of(text[first.start : asked_end])):
        return None
    heading = f"{text[: first.start]}{_before_number(first.text)}".strip(" ,;:.")
    return Series(heading, _with_units_as_labels(rows), end=end, asked_end=asked_end)


def _counts_named(pieces: Sequence[_Piece], numbers: Sequence[Quantity]) -> bool:
    """Return whether things that one number counts are told a number themselves: their price each."""
    heads = {one.head for one in numbers} - {""}
    reads = [piece.read for piece in pieces if piece.read.numbers]
    before = (
        read.words[one.start - 1] for read in reads for one in read.numbers
        if one.start and all(other.end != one.start for other in read.numbers)
    )  # fmt: skip
    return any(noun_stem(word) in heads for word in before)


def _end_of_item(text: str, label: str) -> int:
    """Return the place behind the last number of a text and its label."""
    end = max((at for at, mark in enumerate(text) if mark.isdigit()), default=len(text) - 1) + 1
    found = text.find(label, end) if label else -1
    return found + len(label) if found >= 0 else end


def _asks_total(text: str) -> bool:
    return bool(_TOTALS & set(words_of(text)) or _ASKED.search(lower(text)))


def _end_of(piece: _Piece, text: str) -> int:
    """Return the place behind a piece and the mark that ends it."""
    end = piece.start + len(piece.text)
    return end + (text[end : end + 1] in set(",;:.!?"))


def _without_period(text: str) -> tuple[str, str]:
    """Return the one period that all amounts are for, and the text without it: ``gym 40 a month``; empty and
    the text where it names none, or several.
    """
    found = [*_PERIOD.finditer(lower(text))]
    if len({one[1] for one in found}) != 1:
        return "", text
    for one in found:
        text = f"{text[: one.start()]}{' ' * len(one[0])}{text[one.end() :]}"
    return found[0][1], text


_PERIOD = pattern(r"\b(?:per|an?|each|every) (hour|day|night|week|month|year)\b")


def _pieces(text: str) -> list[_Piece]:
    cuts = [*_CUT.finditer(text)]
    starts = [0, *(cut.end() for cut in cuts)]
    ends = [*(cut.start() for cut in cuts), len(text)]
    parts = [(start, text[start:end]) for start, end in zip(starts, ends, strict=True)]
    return [_Piece(start, part, read_quantities(part)) for start, part in parts if part.strip()]


def _before_number(text: str) -> str:
    return re.split(r"[^\w\s'&-]?\d", text, maxsplit=1)[0]


def _are_items(read: Quantities) -> bool:
    return all(is_item(read, place) for place in range(len(read.numbers)))


def is_item(read: Quantities, place: int) -> bool:
    """Return whether a number stands by itself: nothing beside it makes it a rate, an operand or a name."""
    number = read.numbers[place]
    if number.is_percent or number.is_part:
        return False
    lead = read.words[max(0, number.start - 3) : number.start]
    before = lead[-1:]
    if before == ("of",) and {"one", "a", "an"} & set(lead):
        before = ()  # ``I forgot one of 60``, ``a pallet of 310 kg``
    behind = read.words[number.end : number.end + 1]
    return not (_BEFORE_OTHERS & set(before) or _BEHIND_OTHERS & set(behind))


def _rows(piece: _Piece) -> list[Row]:
    read = piece.read
    if (names := _names_before(read)) is not None:
        bare = [replace(one, unit="") for one in read.numbers]
        return [Row(_as_written([name], piece.text), (one,)) for name, one in zip(names, bare, strict=True)]
    places = range(len(read.numbers))
    return [Row(label_behind(read, place, piece.text), (read.numbers[place],)) for place in places]


def _names_before(read: Quantities) -> list[str] | None:
    """Return the word before each number where every number has one and nothing follows the last: ``luis 62
    ana 48``; None for other texts.
    """
    *others, last = read.numbers
    names = [*read.lead[-1:], *(one.unit for one in others)]
    is_named = bool(others) and all(names) and len({noun_stem(name) for name in names}) == len(read.numbers)
    if not is_named or last.unit or read.tail or any(map(read.gap, range(len(others)))):
        return None
    return names if all(name.isalpha() and name not in _BEFORE_LABELS for name in names) else None


def _as_written(words: Sequence[str], text: str) -> str:
    phrase = " ".join(words)
    found = lower(text).find(phrase)
    return text[found : found + len(phrase)] if found >= 0 else phrase


def label_behind(read: Quantities, place: int, text: str) -> str:
    """Return the words behind a number that say what or whom it is of: ``Breda`` of ``14 from Breda``; empty
    without any.
    """
    behind = list(read.after(place))
    end = next(
        (at for at, word in enumerate(behind) if word in _LABEL_ENDS or not word[0].isalpha()), len(behind)
    )
    words = behind[:end]
    while words and words[0] in _BEFORE_LABELS:
        words = words[1:]
    if not 0 < len(words) <= _MOST_LABEL_WORDS or _TOTALS & set(words):
        return ""
    return _as_written(words, text)


def without_container(read: Quantities) -> Quantities:
    """Return a text's numbers without one that says of what the next is: ``one pallet of 310 kg``."""
    kept = [
        one for place, one in enumerate(read.numbers)
        if not (one.value == 1 and one.unit and place + 1 < len(read.numbers) and read.gap(place) == ("of",))
    ]  # fmt: skip
    return read if len(kept) == len(read.numbers) else replace(read, numbers=tuple(kept))


def without_count(read: Quantities) -> Quantities:
    """Return a text's numbers without one that only tells how many follow: ``two more, 15 and 12``."""
    first, *rest = read.numbers or (None,)
    if first is None or not _tells_count(first, rest):
        return read
    return replace(read, numbers=tuple(rest))


def _tells_count(first: Quantity, rest: Sequence[Quantity]) -> bool:
    is_count = first.value == len(rest) >= _FEWEST and not first.currency
    return is_count and not any(one.unit for one in rest[:-1])


def _without_count(pieces: list[_Piece]) -> list[_Piece]:
    """Return the pieces without a number that only tells how many follow: ``two invoices, 120 and 340``,
    ``two invoices of 120 and 340``.
    """
    first, *rest = (number for piece in pieces for number in piece.read.numbers)
    if not first.unit or not _tells_count(first, rest):
        return pieces
    head = pieces[0]
    words = tuple("" if at == first.end and word == "of" else word for at, word in enumerate(head.read.words))
    bare = Quantities(words, head.read.numbers[1:])
    return [head._replace(read=bare), *pieces[1:]] if bare.numbers else pieces[1:]


def _are_alike(numbers: Sequence[Quantity]) -> bool:
    """Return whether numbers can be added: no money beside things, and one currency."""
    currencies = {one.currency for one in numbers if one.currency}
    return len(currencies) < _FEWEST and not (currencies and any(one.unit for one in numbers))


def _with_units_as_labels(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return rows that count different things, each labelled with what it counts."""
    heads = {row.numbers[0].head for row in rows if row.numbers[0] is not None} - {""}
    if len(heads) < _FEWEST:
        return tuple(rows)
    return tuple(
        Row(" ".join(filter(None, (number.unit, row.label))), (replace(number, unit=""),))
        for row in rows
        if (number := row.numbers[0]) is not None
    )
