"""How far two amounts are apart, and how many of a thing an amount of money is enough for: ``two quotes,
4,200 and 3,850. what's the difference?``, ``how many chairs can I get for 1,200 at 85 each?``
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from conversation.sentences import sentence_spans
from intent.sums import terms
from intent.sums.quantities import CURRENCY_WORDS, Quantities, Quantity, noun_stem, read_quantities, shown
from intent.sums.result import Sum, equation, sum_of

_APART = frozenset("difference gap apart".split())
_COMPARING = frozenset("cheaper dearer pricier costlier save saves saving savings".split())
_COMPARATIVES = frozenset(
    "higher lower bigger larger smaller longer shorter heavier lighter older younger taller".split()
)
_QUESTIONS = frozenset("what what's whats how ?".split())
_OTHERWISE = frozenset(
    "percent percentage % pct times x * \u00d7 @ + plus minus - \u2212 less each apiece per average hours"
    " minutes off discount days".split()
)
_CHANGING = frozenset({"from", "to", "by"})
"""Words right before an amount that changed, or that others were changed by."""
_ENDS = frozenset({"highest", "lowest", "cheapest", "dearest", "biggest", "smallest", "most", "least"})
_LARGEST_COUNT = 20
_PAIR = 2


def difference(read: Quantities) -> Sum | None:
    """Return how far two amounts are apart, whatever counts them before; for more than two, how far the
    highest and the lowest are, where both are named.
    """
    asked = {*_asked_behind(read), *read.lead}
    is_between = any(pair in _BETWEEN for pair in pairwise(read.words))
    says = is_between or bool(asked & _APART)
    compares = bool(asked & _COMPARING) or any(
        one == "much" and two in _COMPARATIVES for one, two in pairwise(read.words)
    )
    compares = compares and len(_without_counts(read.numbers)) == _PAIR
    if not (says or compares) or not _QUESTIONS & set(read.words) or _OTHERWISE & set(read.words):
        return None
    if any(_CHANGING & set(read.words[max(0, one.start - 1) : one.start]) for one in read.numbers):
        return None
    numbers = _without_counts(read.numbers)
    is_range = len(numbers) > _PAIR and len(_ENDS & set(read.tail)) == _PAIR
    if not (len(numbers) == _PAIR or is_range) or not _are_alike(numbers):
        return None
    low, *_, high = sorted(numbers, key=lambda one: one.value)
    if low.value == high.value:
        return None
    return sum_of(terms.subtracted(terms.term_of(high), terms.term_of(low)), numbers)


_BETWEEN = frozenset({("between", "them"), ("between", "those"), ("between", "these")})


def _asked_behind(read: Quantities) -> Sequence[str]:
    """Return the words behind the last number, or the last two where it is told behind what is asked."""
    return read.tail or (read.gap(len(read.numbers) - _PAIR) if len(read.numbers) >= _PAIR else ())


def _without_counts(numbers: Sequence[Quantity]) -> Sequence[Quantity]:
    """Return the numbers without a small one before them that counts things, as ``4 quotes`` does."""
    first, *rest = numbers or (None,)
    is_count = first is not None and len(rest) >= _PAIR and first.value.denominator == 1
    is_count = is_count and first is not None and first.value <= _LARGEST_COUNT and not first.currency
    told = [one for one in rest if one is not None]
    is_other = first is not None and all(
        one.value > _LARGEST_COUNT and one.head != first.head for one in told
    )
    is_other = is_other or (first is not None and not first.head and first.value == len(told))
    return told if is_count and is_other else numbers


def _are_alike(numbers: Sequence[Quantity]) -> bool:
    """Return whether amounts can be compared: of one currency and of the same things."""
    is_plain = not any(one.is_percent or one.is_part for one in numbers)
    heads, currencies = ({one.head for one in numbers} - {""}, {one.currency for one in numbers} - {""})
    return is_plain and len(heads) + len(currencies) <= 1


def affordable(read: Quantities) -> Sum | None:
    """Return how many of a thing at a price each an amount of money is enough for: whole ones."""
    noun = things_asked(read)
    if noun is None or len(read.numbers) != _PAIR:
        return None
    places = [at for at in range(_PAIR) if is_price_of_one(read, at, noun)]
    if len(places) != 1:
        return None
    price, budget = read.numbers[places[0]], as_money(read.numbers[1 - places[0]])
    is_money = not (budget.unit or budget.is_percent or budget.is_part)
    is_same = budget.currency == price.currency or not (budget.currency and price.currency)
    return enough_for(budget, price, noun) if is_money and is_same else None


def as_money(number: Quantity) -> Quantity:
    """Return a number; one of pounds as money."""
    return replace(number, currency="\u00a3", unit="") if number.unit == "pounds" else number


def enough_for(budget: Quantity, price: Quantity, noun: str) -> Sum | None:
    """Return how many whole things at a price each an amount is enough for; None for less than one."""
    if not price.value or budget.value < price.value:
        return None
    currency = budget.currency or price.currency
    whole, one = (terms.with_currency(number.text, currency) for number in (budget, price))
    exact = budget.value / price.value
    count = Fraction(math.floor(exact))
    term = terms.divided(terms.Term(budget.value, whole, currency), terms.Term(price.value, one, currency))
    said = equation(term) if exact == count else f"{equation(term)}, so {shown(count)}"
    result = f"{shown(count)} {noun}".rstrip()
    return Sum(f"{said} {noun}".rstrip(), count, term.text, result, (whole, one))


def things_asked(read: Quantities) -> str | None:
    """Return the things of which a question asks how many; empty where it doesn't name them, as in ``how many
    can we buy?``, None where it asks for money, or for nothing.
    """
    at = next((at for at, pair in enumerate(pairwise(read.words)) if pair == ("how", "many")), None)
    noun = "" if at is None else next(iter(read.words[at + 2 : at + 3]), "")
    if noun in _CAN and _GETTING & set(read.words):
        return ""
    is_thing = noun.isalpha() and noun not in CURRENCY_WORDS | _NO_THINGS
    return noun if is_thing and all(one.head != noun_stem(noun) for one in read.numbers) else None


_CAN = frozenset("can could do would of".split())
_GETTING = frozenset("buy get afford order have invite take book".split())
_NO_THINGS = frozenset(
    "is are do does did of can could would will percent times hours hour minutes days weeks months years more"
    " in that it".split()
)


def is_price_of_one(read: Quantities, at: int, noun: str) -> bool:
    """Return whether a number is what one thing costs: ``at 85 each``, ``35 a head``, ``32 per ticket``."""
    number, behind = read.numbers[at], read.after(at)
    if number.unit or number.is_percent or number.is_part:
        return False
    if behind[:1] and behind[0] in {"each", "apiece"}:
        return True
    is_one = len(behind) > 1 and behind[0] in {"a", "an", "per", "/"}
    return is_one and (behind[1] in _OF_ANY or noun_stem(behind[1]) == noun_stem(noun))


_OF_ANY = frozenset({"piece", "head", "person", "pop", "unit", "guest", "time", "plate", "seat"})


def budget_told(text: str) -> Quantity | None:
    """Return the money that one sentence of a text says there is to spend: ``the budget is 900 dollars``;
    None where none does.
    """
    for start, end in reversed([*sentence_spans(text)]):
        found = read_quantities(text[start:end])
        read = replace(found, numbers=tuple(map(as_money, found.numbers)))
        amounts = [
            one for at, one in enumerate(read.numbers)
            if not (one.unit or one.is_percent or one.is_part or is_price_of_one(read, at, ""))
            and read.after(at)[:1] not in {("a",), ("per",), ("an",)}
        ]  # fmt: skip
        has_money = bool(_HAVING & set(read.lead)) and (bool(amounts) and bool(amounts[0].currency))
        if len(amounts) == 1 and "?" not in read.words and (_BUDGETS & _plain(read.words) or has_money):
            return amounts[0]
    return None


def _plain(words: Sequence[str]) -> set[str]:
    return {word.removesuffix("'s") for word in words}


_BUDGETS = frozenset("budget budgeted limit allowance kitty pot fund funds grant spend cap".split())
_HAVING = frozenset("have has got we've i've there's raised saved".split())


def only_tells(read: Quantities) -> bool:
    """Return whether a text with numbers asks nothing of them, and commands nothing."""
    return not _ASKING_WORDS & set(read.words)


def tells_side_by_side(read: Quantities) -> bool:
    """Return whether a text tells amounts beside each other behind words that say what they are: ``got two
    offers for the boiler, 2,450 and 2,780``.
    """
    said = [word for word in read.lead if word.isalpha()]
    is_beside = len(said) > _PAIR and not read.tail and len(read.numbers) >= _PAIR
    links = (set(read.gap(at)) for at in range(len(read.numbers) - 1))
    return is_beside and only_tells(read) and all(gap and gap <= _LINKS for gap in links)


_ASKING_WORDS = frozenset(
    "? what what's whats how which total altogether sum add plus minus times divided split calculate compute"
    " work average percent % much many together tally up = + * \u00d7 \u00f7 off take subtract deduct double"
    " half difference between multiply divide product".split()
)


def compared_amounts(read: Quantities) -> Sequence[Quantity]:
    """Return the amounts that a text tells side by side, without their count; empty where it tells others."""
    numbers = _without_counts(read.numbers)
    links = [
        [word for word in read.gap(at) if word not in _LINKS]
        for at in range(len(read.numbers) - len(numbers), len(read.numbers) - 1)
    ]
    is_beside = len(numbers) >= _PAIR and all(len(gap) <= _MOST_BETWEEN and "." not in gap for gap in links)
    return numbers if is_beside and _are_alike(numbers) else ()


_LINKS = frozenset({"and", ",", "&", "or", "the", "other", "one", "then"})
_MOST_BETWEEN = 4
