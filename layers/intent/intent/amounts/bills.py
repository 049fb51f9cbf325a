"""`read_bill`: what a text tells one thing after another and asks the total of, where some are so many at a
price each: ``callout 85, 3 hours at 62 and a valve for 41.90. whats that come to``
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from intent.amounts.series import Row, Series, words_of
from intent.regular_expressions import lower, pattern
from intent.sums import terms
from intent.sums.quantities import Quantities, Quantity, noun_stem, read_quantities

_CUT = pattern(
    r"[,;:.!?\n](?=\s|$)|\s[-\u2013\u2014]+\s|\s(?:and|plus|&|\+|then)\s"
    r"|\s(?=(?:how\s(?:many|much)|what|what's|whats)\s)"
)
_ENDS = frozenset(".:!\n-\u2013\u2014")
"""Marks behind the last piece of what stands before the list."""
_NAMED_BY_NUMBER = frozenset(
    "flat apartment apt unit room house number no plot bay lot suite floor block gate platform order invoice"
    " job ticket table line route week".split()
)
_TOTALS = frozenset("total totals altogether together combined sum tally bill damage".split())
_COSTING = frozenset(
    "cost costs come comes make makes charge spend spent pay owe invoice claim earn much".split()
)
_QUESTIONS = frozenset("what what's whats how".split())
_POINTING = frozenset({"that", "it", "this", "those", "these", "all"})
_OTHERWISE = frozenset(
    "minus less off discount refund refunded returned credit already back half double between split divide"
    " divided percent % left remaining average avg mean difference change cheaper gap more"
    " most least cheapest dearest which if / \u00f7 by".split()
)
"""Words by which something else than the sum of the items is told or asked."""
_PAID = frozenset({"paid", "got", "received", "gave"})
_BUDGETS = frozenset("budget limit allowance cap quota target maximum max".split())
"""Words of a number that is what there is, and no item."""
_AT = frozenset({"at", "@", "x", "*", "\u00d7", "times"})
_EACH = frozenset({"each", "apiece"})
_ONE = frozenset({"a", "an", "per", "/"})
_OF_ANY = frozenset({"piece", "head", "person", "pop", "unit", "time"})
_BEFORE_PRICE = frozenset(
    "for at is was are were of cost costs came come comes to a an the another about around = - made"
    " makes".split()
)
_BEFORE_LABEL = frozenset(
    "a an the and then also plus i we i've we've he she they bought had have got spent paid is was are were"
    " did does do there there's that's it's so my our how much what what's whats would"
    " will cost".split()
)
_BEHIND_PRICE = frozenset("total altogether together please pls thanks in all sum".split())
_NO_PRICES = frozenset(
    "until till before after between no number room page line version floor code pin id ref than over under"
    " every each".split()
)
_LATEST_HOUR = 24
_FEWEST, _MOST, _MOST_LABEL_WORDS, _MOST_BETWEEN, _PAIR = 2, 30, 6, 4, 2


def has_products(series: Series | None) -> bool:
    """Return whether some items were told as so many at a price each."""
    return series is not None and any(row.factors for row in series.rows)


class _Piece(NamedTuple):
    start: int
    text: str
    mark: str
    """The mark behind it."""
    read: Quantities


def read_bill(text: str) -> Series | None:
    """Return the items of a text that asks for their total, each with what it comes to; None where one of its
    numbers is no part of an item.
    """
    pieces = _pieces(text)
    numbered = [at for at, piece in enumerate(pieces) if piece.read.numbers]
    numbered = numbered[_names_before(pieces, numbered) :]
    first = numbered[0] if numbered else 0
    if numbered != list(range(first, first + len(numbered))):
        return None
    rows = [_row(pieces[at].read, is_first=at == first) for at in numbered]
    items = [row for row in rows if row is not None]
    if not _FEWEST <= len(items) == len(rows) <= _MOST or not _are_alike(items):
        return None
    last = pieces[numbered[-1]]
    behind = [*_unread(last), *_words(pieces[numbered[-1] + 1 :])]
    asking = (behind, _words(pieces[:first]), pieces[first].read.lead)
    if _OTHERWISE & set(behind) or not any(map(_asks_total, asking)):
        return None
    heading = text[: pieces[first].start].strip(" ,;:.\n")
    end = last.start + len(last.text.rstrip())
    return Series(heading, tuple(items), end=end, asked_end=len(text))


def _pieces(text: str) -> list[_Piece]:
    cuts = [*_CUT.finditer(lower(text))]
    starts = [0, *(cut.end() for cut in cuts)]
    ends = [*((cut.start(), cut[0].strip()) for cut in cuts), (len(text), "")]
    parts = [(start, text[start:end], mark) for start, (end, mark) in zip(starts, ends, strict=True)]
    return [
        _Piece(start, part, mark or "\n", read_quantities(part))
        for start, part, mark in parts
        if part.strip()
    ]


def _only_names(piece: _Piece, number: Quantity) -> bool:
    """Return whether a number names a place or a thing: ``14 Elm Road``, ``flat 12``."""
    words, before = piece.text.split(), piece.read.words[max(0, number.start - 1) : number.start]
    if set(before) & _NAMED_BY_NUMBER and not number.currency:
        return True
    at = next((place for place, word in enumerate(words) if word.strip("#") == number.text), len(words))
    behind = words[at + 1 : at + 2]
    return bool(behind) and behind[0][0].isupper() and not (number.currency or number.places)


def _names_before(pieces: Sequence[_Piece], numbered: Sequence[int]) -> int:
    """Return how many pieces with numbers stand before the list and name only places or things: those of the
    sentences or the heading before it.
    """
    found = 0
    for count, at in enumerate(numbered[:-1], 1):
        if not all(_only_names(pieces[at], one) for one in pieces[at].read.numbers):
            break
        if any(piece.mark in _ENDS for piece in pieces[at : numbered[count]]):
            found = count
    return found


def _words(pieces: Sequence[_Piece]) -> list[str]:
    return [word for piece in pieces for word in (*words_of(piece.text), piece.mark)]


def _unread(piece: _Piece) -> list[str]:
    return [word for word in piece.read.tail if word in _BEHIND_PRICE]


def _asks_total(words: Sequence[str]) -> bool:
    """Return whether the words around a list ask what it comes to."""
    said = set(words)
    if said & (_OTHERWISE | _EACH | {"per"}):
        return False
    points = bool(said & _POINTING and said & {"what's", "whats", "what"})
    return bool(said & _TOTALS) or (bool(said & _QUESTIONS) and (bool(said & _COSTING) or points))


def _row(read: Quantities, *, is_first: bool) -> Row | None:
    """Return the label of an item and what it comes to; None for words that are no item."""
    words = [word for one in range(len(read.numbers)) for word in read.after(one)]
    lead = [word for word in read.lead if word not in {"(", ")"}]
    bad = _OTHERWISE | _BUDGETS | (frozenset() if is_first else _PAID)
    if any(one.is_percent or one.is_part for one in read.numbers) or bad & {*words, *lead}:
        return None
    if len(read.numbers) == _PAIR:
        return _counted(read, lead)
    return _priced(read, lead) if len(read.numbers) == 1 else None


def _priced(read: Quantities, lead: Sequence[str]) -> Row | None:
    """Return the item of ``a valve for 41.90``, ``200 for the band``."""
    number, behind = read.numbers[0], [word for word in read.tail if word not in _BEHIND_PRICE]
    if number.unit or (lead and lead[-1] in _NO_PRICES) or not _is_worded([*lead, *behind]):
        return None
    if lead[-1:] == ["at"] and number.value <= _LATEST_HOUR and not (number.currency or number.places):
        return None  # a time of day
    label = _label(lead)
    if behind:
        label = _label(behind[1:]) if behind[0] in {"for", "on"} and not label else ""
    return Row(label, (number,)) if label else None


def _counted(read: Quantities, lead: Sequence[str]) -> Row | None:
    """Return the item of ``3 hours at 62``, ``25 lunches at 14.50 each``, ``60 an hour for 4 hours``."""
    count, price = read.numbers
    if _is_rate_first(read):
        label = _label(lead) or price.unit
        return _product(price, count, label) if _is_worded(lead) and not read.tail else None
    gap, behind = list(read.gap(0)), [word for word in read.tail if word not in _BEHIND_PRICE]
    is_each = _is_for_each(behind, count)
    sign = gap[-1:] if gap[-1:] and gap[-1] in _AT | {"for", "of", "is", ","} else []
    named = gap[: len(gap) - len(sign)]
    says_price = bool(_AT & set(sign)) or is_each or (sign == ["of"] and bool(count.unit))
    if count.currency or not says_price or (behind and not is_each) or len(named) > _MOST_BETWEEN:
        return None
    if price.unit and sign != ["x"]:
        return None
    if not _is_worded([*lead, *named]) or (_AT - {"x"}) & set(named) or (lead and lead[-1] in _NO_PRICES):
        return None
    return _product(count, price, _label(lead) or " ".join([*count.unit.split(), *named]) or price.unit)


def _is_rate_first(read: Quantities) -> bool:
    """Return whether a price for one stands before how many there are: ``8.50 a head for 30 people``."""
    price, count = read.numbers
    gap = read.gap(0)
    is_for = len(gap) == _RATE_WORDS and gap[0] in _ONE and gap[-1] in {"for", "x", "times", "*", "\u00d7"}
    is_plain = not (price.unit or count.currency or not count.unit)
    return is_for and is_plain and (noun_stem(gap[1]) == count.head or gap[1] in _OF_ANY)


_RATE_WORDS = 3


def _product(count: Quantity, price: Quantity, label: str) -> Row | None:
    """Return the row of so many at a price each; None without a label."""
    product = terms.multiplied(terms.term_of(replace(count, unit="")), terms.term_of(replace(price, unit="")))
    number = replace(
        price, value=product.value, text=_shown(product), unit="", places=max(price.places, product.places)
    )
    return Row(label, (number,), product.text) if label else None


def _shown(product: terms.Term) -> str:
    return replace(product, currency="").result


def _is_for_each(behind: Sequence[str], count: Quantity) -> bool:
    """Return whether words behind a price say that it is for one: ``each``, ``an hour`` of hours."""
    if len(behind) == 1:
        return behind[0] in _EACH
    is_one = len(behind) == _PAIR and behind[0] in _ONE
    return is_one and (behind[1] in _OF_ANY or noun_stem(behind[1]) == count.head)


def _is_worded(words: Sequence[str]) -> bool:
    return all(word[0].isalpha() or word in {"=", "-", "'"} for word in words)


def _label(words: Sequence[str]) -> str:
    """Return the words that name an item, without those around them; empty where they are too many."""
    kept = list(words)
    while kept and kept[-1] in _BEFORE_PRICE:
        kept.pop()
    while kept and kept[0] in _BEFORE_LABEL:
        kept = kept[1:]
    return " ".join(kept) if len(kept) <= _MOST_LABEL_WORDS else ""


def _are_alike(rows: Sequence[Row]) -> bool:
    """Return whether there is one currency at most."""
    currencies = {one.currency for row in rows for one in row.numbers if one is not None}
    return len(currencies - {""}) < _PAIR
