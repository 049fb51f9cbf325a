"""What is paid for several things, and what comes back of a note: ``3 at 4.50, I pay with a 20, how much
change?``, ``a desk is 389 with 10% off, what do six of them come to?``
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.sums import terms
from intent.sums.assembly import assembled, read_operands
from intent.sums.quantities import Quantities, Quantity, noun_stem
from intent.sums.result import Sum, sum_of
from intent.sums.terms import Term

_HANDING = frozenset("with gave give giving hand handed tendered".split())
_MOST_BEFORE = 4
_OFF = frozenset("off discount reduction rebate less cheaper reduced".split())
_MORE = frozenset("plus vat tax top added fee service extra gst surcharge tip".split())
_THOSE = frozenset("them those these us".split())
_PRICING = frozenset("cost costs is are at price priced sells sell each apiece piece".split())
_ASKING = frozenset("what what's whats how much total altogether".split())


def change_due(read: Quantities) -> Sum | None:
    """Return what comes back of the number that is handed over, with the price of all the others."""
    if len(read.numbers) < _PAIR or not _asks_for_change(read):
        return None
    places = range(len(read.numbers))
    handed = next((at for at in places if _is_handed(read, at)), _paid_first(read))
    if handed is None:
        return None
    note = read.numbers[handed]
    others = tuple(one for at, one in enumerate(read.numbers) if at != handed)
    if any(one.is_percent or one.is_part for one in (note, *others)):
        return None
    price = _price_of(read, handed)
    if price is None or price.value > note.value:
        return None
    whole = Term(note.value, terms.with_currency(note.text, note.currency), note.currency, places=note.places)
    return sum_of(terms.subtracted(whole, price), read.numbers)


_PAIR = 2


def _asks_for_change(read: Quantities) -> bool:
    words = read.words
    return "change" in words or ("back" in words and bool({"get", "how", "what", "given"} & set(words)))


def _is_handed(read: Quantities, at: int) -> bool:
    """Return whether a number is the money handed over: ``with a 50``, ``a 50 note``, ``from a 20``."""
    number = read.numbers[at]
    before = read.words[max(0, number.start - _MOST_BEFORE) : number.start]
    behind = read.words[number.start : number.end + 1]
    is_from = before[-2:] in {("from", "a"), ("of", "a"), ("from", "my")} or before[-1:] == ("from",)
    return bool(_HANDING & set(before)) or is_from or bool({"note", "bill"} & set(behind))


def _paid_first(read: Quantities) -> int | None:
    """Return the place of a first number that is paid for all the others: ``paying 100 for 4 tickets``."""
    pays = bool({"pay", "paying", "paid"} & set(read.lead)) and read.gap(0)[:1] == ("for",)
    return 0 if pays else None


def _price_of(read: Quantities, handed: int) -> Term | None:
    """Return the price that the numbers before or behind the one handed over tell."""
    others = [one for at, one in enumerate(read.numbers) if at != handed]
    if len(others) == 1:
        return terms.term_of(others[0])
    is_last = handed == len(read.numbers) - 1
    if not is_last and handed:
        return None
    end = read.numbers[handed].start if is_last else len(read.words)
    if is_last:
        end = next((at for at in range(end - 1, 0, -1) if read.words[at] in _ENDS), end)
        cut = Quantities(read.words[: max(end, others[-1].end)], tuple(others))
    else:
        cut = Quantities(read.words, tuple(others))
    term = assembled(cut, read_operands(cut, None))
    return term or _added_up(others)


_ENDS = frozenset({".", ";", ",", "!", "and"})


def _added_up(numbers: Sequence[Quantity]) -> Term | None:
    """Return the sum of amounts that nothing is said of but what each is for."""
    if any(one.unit and not one.currency for one in numbers):
        return None
    total = terms.term_of(numbers[0])
    for one in numbers[1:]:
        total = terms.added(total, terms.term_of(one))
    return total


def several_at_price(read: Quantities) -> Sum | None:
    """Return what several of a thing cost whose price was told, perhaps with a percentage off or on top."""
    if len(read.numbers) not in {_PAIR, _PAIR + 1}:
        return None
    price, *rates, count = read.numbers
    is_priced = not (price.is_percent or price.is_part or (price.unit and not price.currency))
    if not is_priced or not _PRICING & {*read.lead, *read.gap(0)} or not _is_count_asked(read, count):
        return None
    each = terms.term_of(price)
    if rates:
        said = {*read.gap(0), *read.gap(1)}
        if not rates[0].is_percent or bool(said & _OFF) is bool(said & _MORE):
            return None
        each = terms.with_percent(each, terms.term_of(rates[0]), is_less=bool(said & _OFF))
    return sum_of(terms.multiplied(each, terms.term_of(count)), read.numbers)


def _is_count_asked(read: Quantities, count: Quantity) -> bool:
    """Return whether a question asks for a count of the things told: ``how much for six?``, ``what do 12 of
    them come to?``
    """
    is_plain = not (count.currency or count.is_percent or count.is_part) and count.value.denominator == 1
    start = max(
        (at for at, word in enumerate(read.words[: count.start]) if word in _ENDS - {"and"}), default=-1
    )
    before, behind = read.words[start + 1 : count.start], read.tail
    asks = bool(_ASKING & {*before, *behind})
    is_of = behind[:1] == ("of",) and bool(_THOSE & set(behind[1:2]))
    is_meant = is_of or before[-1:] in {("for",), ("do",), ("would",), ("will",)}
    return is_plain and asks and is_meant and start >= 0


def at_told_rate(asked: Quantities, told: Quantities) -> Sum | None:
    """Return the only number that is asked about at the price of one that was told: ``6.5 hours`` at ``45 an
    hour``; None where they are of different things.
    """
    count = asked.numbers[0]
    counted = {noun_stem(word) for word in count.unit.split()}
    for place, rate in enumerate(told.numbers):
        behind = told.after(place)
        is_rate = len(behind) > 1 and behind[0] in {"a", "an", "per", "/", "each", "every"}
        is_price = not (rate.is_percent or rate.is_part or (rate.unit and not rate.currency))
        if is_rate and is_price and noun_stem(behind[1]) in counted:
            return sum_of(terms.multiplied(terms.term_of(count), terms.term_of(rate)), (count, rate))
    return None
