"""Questions that go on from the sum before: ``and per child?``, ``and gross?``, ``how much is missing?``"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from intent.sums import deductions, terms
from intent.sums.quantities import Quantities, Quantity, noun_stem, read_quantities, shown
from intent.sums.result import EarlierSum, Sum, equation
from intent.sums.terms import Term
from intent.sums.units import convert, unit_named

_FILLERS = frozenset(
    "and so then ok okay now what what's whats which is are was be it that this the a an of for to in about"
    " how much many would will does do did can could you we i me my our us they one please pls thanks come"
    " comes make makes makes again have has got get gets still just right that's thats s work works out"
    " as well total altogether all whole amount figure sum bit , . ? ! : - ; ( ) \" '".split()
)
_PER = frozenset({"per", "each", "apiece", "every", "/"})
_PERSONS = frozenset({"head", "person", "each", "apiece", "everyone", "everybody", "piece", "unit"})
_PAYING = frozenset({"pay", "pays", "cost", "costs", "owe", "owes", "price"})
_GROSS = frozenset({"gross", "including", "included", "incl", "inclusive", "with", "brutto"})
_NET = frozenset({"net", "without", "excluding", "excl", "ex", "before", "netto"})
_TAX = frozenset({"vat", "tax", "gst", "alone", "itself"})
_GAP = frozenset("missing left remaining remain remains short more need needed go difference gap".split())
_FREE = frozenset(
    "free left remaining remain remains room space spare short missing more fit fits enough capacity".split()
)


def read_follow_up(read: Quantities, earlier: EarlierSum, before: Term) -> Sum | None:
    """Return what a text asks about an earlier sum, whose result is ``before``; None when it asks nothing."""
    if read.numbers:
        changed = deductions.read_deduction(read, earlier, before) or _on_top(read, earlier, before)
        changed = changed or _each_of(read, before) or _at_rate(read, earlier, before)
        changed = changed or _per_person(read, before)
        return changed or _room(read, before) or _how_often(read, before) or _average(read, before)
    words = [word for word in read.words if word not in _FILLERS]
    found = _share(words, read.words, earlier, before)
    found = found or _with_or_without(words, earlier, before) or _gap(words, earlier)
    return found or _again(words, read.words, before)


def _share(words: Sequence[str], said: Sequence[str], earlier: EarlierSum, before: Term) -> Sum | None:
    """``and per child?``: the result divided by how many there are."""
    named = [word for word in words if word not in _PER | _PAYING]
    pairs = zip(("", *said), said, strict=False)
    has_article = any(first in {"a", "an"} and second in {"head", "person"} for first, second in pairs)
    if len(named) > 1 or not (set(said) & _PER or has_article):
        return None
    counts = [one for text in earlier.operands for one in read_quantities(text).numbers if _is_count(one)]
    same = [one for one in counts if named and one.head == noun_stem(named[0])]
    found = same or (counts if len(counts) == 1 or (counts and not set(named) - _PERSONS) else [])
    if not found:
        return None
    term = terms.divided(before, terms.term_of(found[0]))
    unit = named[0] if named and named[0] not in _PERSONS else "each"
    tail = " each" if unit == "each" else f" per {unit}"
    return Sum(f"{equation(term)}{tail}", term.value, term.text, term.result, (before.text, counts[0].text))


def _is_count(number: Quantity) -> bool:
    is_plain = bool(number.unit) and not number.currency and not number.is_percent
    return is_plain and number.value > 1 and number.value.denominator == 1


def _with_or_without(words: Sequence[str], earlier: EarlierSum, before: Term) -> Sum | None:
    """``and gross?``, ``and how much of it is the VAT?`` after a percentage was added."""
    kinds = set(words)
    percents = [one for text in earlier.operands for one in read_quantities(text).numbers if one.is_percent]
    is_added = bool(percents) and earlier.expression.endswith(f"+ {percents[-1].text}%")
    if not is_added or not kinds or not kinds <= _GROSS | _NET | _TAX:
        return None
    rate = percents[-1]
    net = before.value / (1 + rate.value / 100)
    value = net if kinds & _NET else before.value if kinds & _GROSS else before.value - net
    shown = replace(before, value=value).result
    label = "without" if kinds & _NET else "with"
    text = f"{shown} {label} the {rate.text}%"
    if not kinds & (_NET | _GROSS):
        text = f"The {rate.text}% is {shown}"
    return Sum(text, value, shown, shown, earlier.operands)


def _gap(words: Sequence[str], earlier: EarlierSum) -> Sum | None:
    """``how much more do I need?`` after one number was compared with another."""
    if not words or not set(words) <= _GAP or not earlier.result.endswith("%"):
        return None
    numbers = [one for text in earlier.operands for one in read_quantities(text).numbers]
    if len(numbers) != 2:
        return None
    high, low = sorted(map(terms.term_of, numbers), key=lambda term: -term.value)
    return _told(terms.subtracted(high, low), (high.text, low.text))


def _on_top(read: Quantities, earlier: EarlierSum, before: Term) -> Sum | None:
    """``and 50 tip on top of that``, ``with 19 more of today?``: the result with one number added."""
    number = read.numbers[0]
    if not _adds_one(read) or counts_other_things(read, earlier):
        return None
    return _told(terms.added(before, terms.term_of(number)), (before.text, number.text))


def _adds_one(read: Quantities) -> bool:
    """Return whether a text adds its only number to what there is."""
    number, words = read.numbers[0], set(read.words)
    adds = bool(words & (_ADDING | _CHARGES)) or ("on", "top") in pairwise(read.words)
    is_other = words & (_GAP - _ADDING) or words & _OTHER_STEPS
    return adds and not is_other and len(read.numbers) == 1 and not number.is_percent and not number.is_part


def tells_of_something_else(read: Quantities) -> bool:
    """Return whether a text with a number is no question about a sum, but tells something: ``the job is 14
    Birch Lane, keys under the pot``.
    """
    taken = {place for one in read.numbers for place in range(one.start, one.end)}
    other = [
        word
        for place, word in enumerate(read.words)
        if place not in taken and word[0].isalpha() and word not in _FILLERS | _ALTERING
    ]
    return "?" not in read.words and len(other) > _MOST_OTHER


_ALTERING = frozenset("n if make only just instead rather per each at with for more less off".split())
_MOST_OTHER = 4


def counts_other_things(read: Quantities, earlier: EarlierSum) -> bool:
    """Return whether a text adds things where the result is no number of things, but their price:
    ``and 3 more rooms`` to ``12 rooms at 74.50``.
    """
    if not read.numbers or not _adds_one(read) or read.numbers[0].currency:
        return False
    noun = _noun_of(read)
    counted = [one for one in read_quantities(earlier.expression).numbers if one.unit]
    is_same = any(one.head == noun_stem(noun) for one in counted)
    is_thing = is_same or (noun.endswith("s") and bool(set(read.words) & _MORE))
    return "\u00d7" in earlier.expression and bool(counted) and bool(noun) and is_thing


_MORE = frozenset("another more extra additional further".split())


def _noun_of(read: Quantities) -> str:
    """Return what the only number of a text counts: ``rooms`` of ``3 more rooms``; empty where it is open."""
    if read.numbers[0].unit:
        return read.numbers[0].unit.rpartition(" ")[2]
    behind = next((word for word in read.after(0) if word not in _MORE), "")
    return behind if behind.isalpha() and behind not in _FILLERS | _PRONOUNS else ""


_PRONOUNS = frozenset("those these them ones on from with at by".split())


def with_more(read: Quantities, earlier: EarlierSum) -> str | None:
    """Return the earlier sum with as many more of the things that it counts; None where it counts others."""
    number, head = read.numbers[0], noun_stem(_noun_of(read))
    same = [one for one in read_quantities(earlier.expression).numbers if one.head == head]
    if len(same) != 1 or _told_text(same[0]) not in earlier.expression:
        return None
    more = replace(same[0], value=same[0].value + number.value, text=shown(same[0].value + number.value))
    return earlier.expression.replace(_told_text(same[0]), _told_text(more), 1)


def _told_text(number: Quantity) -> str:
    return terms.term_of(number).text


_CHARGES = frozenset("fee fees surcharge shipping postage tip gratuity handling".split())
"""What comes on top of a price."""
_ADDING = frozenset("plus another more extra additional further".split())
_OTHER_STEPS = frozenset("than times each per days percent off minus less without divided split".split())


def _again(words: Sequence[str], said: Sequence[str], before: Term) -> Sum | None:
    """``so now?``: the result once more. ``ok thanks`` doesn't ask for it."""
    if set(words) - _NOW or not _ASKING & set(said):
        return None
    return Sum(before.result, before.value, before.text, before.result)


_ASKING = frozenset("? now what what's whats which how total altogether amount figure sum again".split())
_NOW = frozenset({"now", "far", "new", "oh", "n", "grand", "current", "currently"})


def _room(read: Quantities, before: Term) -> Sum | None:
    """``the truck takes 24 t, what is free then?``: what is left of it, in its own unit."""
    number = read.numbers[0]
    words = {word for word in read.words if word not in _FILLERS}
    asks = {"what", "what's", "whats", "how", "is", "does", "will", "?"} & set(read.words)
    if len(read.numbers) > 1 or number.is_percent or number.is_part or not words & _FREE or not asks:
        return None
    used = _in_unit_of(number, before)
    if used is None:
        return None
    whole = terms.term_of(number)
    term = terms.subtracted(whole, used)
    unit = f" {number.unit}" if number.unit and not term.currency else ""
    text = f"{equation(term)}{unit}"
    if term.value < 0:
        text = f"{text}: that is too much"
    return Sum(text, term.value, term.text, f"{term.result}{unit}", (whole.text, used.text))


def _in_unit_of(number: Quantity, before: Term) -> Term | None:
    """Return the earlier result in a number's unit or currency; None where they can't be compared."""
    if number.currency or before.currency:
        return before if number.currency == before.currency or not before.currency else None
    if not number.unit:
        return before  # ``my contract is 36, so how many hours are left?``
    if noun_stem(before.unit) == number.head:
        return replace(before, text=_with_unit(before.value, number.unit), unit=number.unit)
    source, target = unit_named(before.unit), unit_named(number.unit)
    if source is None or target is None or source.dimension != target.dimension:
        return None
    value = convert(before.value, source, target)
    return Term(value, _with_unit(value, number.unit), unit=number.unit)


def _with_unit(value: Fraction, unit: str) -> str:
    shown = Term(value, "").result
    return f"{shown} {unit}".rstrip()


def _how_often(read: Quantities, before: Term) -> Sum | None:
    """``we do 15 a week, how many weeks is that?``: how often a number goes into the result."""
    number = read.numbers[0]
    behind = read.words[number.end : number.end + 2]
    if len(read.numbers) > 1 or number.is_percent or len(behind) < 2 or behind[0] not in {"a", "per", "/"}:
        return None
    asked = [second for first, second in zip(read.words, read.words[1:], strict=False) if first == "many"]
    if not any(noun_stem(word) == noun_stem(behind[1]) for word in asked):
        return None
    term = terms.divided(before, replace(terms.term_of(number), currency=before.currency))
    unit = f" {asked[0]}"
    return Sum(
        f"{equation(term)}{unit}", term.value, term.text, f"{term.result}{unit}", (before.text, number.text)
    )


def _each_of(read: Quantities, before: Term) -> Sum | None:
    """``how much each for 6 people?``: the result divided by the only number."""
    is_each = bool({"each", "apiece"} & set(read.words)) and not {"at", "cost", "costs"} & set(read.words)
    if len(read.numbers) > 1 or not is_each or not _is_whole(read.numbers[0]) or "more" in read.words:
        return None
    if not {"for", "between", "among", "of", "if"} & {*read.lead, *read.tail}:
        return None
    return _told(terms.divided(before, terms.term_of(read.numbers[0])), (before.text, read.numbers[0].text))


def shares(read: Quantities) -> bool:
    """Return whether a text tells only how many people there are, and asks for what each has of a result:
    ``there are 8 of us, so per person per month?``
    """
    if len(read.numbers) != 1 or not _is_whole(read.numbers[0]):
        return False
    number, words = read.numbers[0], read.words
    if _split_among(read):
        return True
    asks = bool({"each", "apiece"} & set(words)) or any(
        one in {"per", "a"} and two in _PERSONS for one, two in pairwise(words)
    )
    behind = words[number.start + 1 : number.start + 3]
    is_of_us = behind[:1] == ("of",) and bool({"us", "them"} & set(behind))
    is_group = is_of_us or number.head in _PEOPLE or bool(_WE_ARE & set(read.lead[-1:]))
    is_group = is_group or read.lead[-2:] in {("we", "are"), ("they", "are")}
    return asks and is_group and not _STEPS_OF_OTHERS & set(words)


def _split_among(read: Quantities) -> bool:
    """Return whether the only number tells how many split a result: ``if three families split it evenly``,
    ``and if we were four to share?``
    """
    number, words = read.numbers[0], set(read.words)
    is_split = bool(words & _SPLITTING) or (bool(words & _CHIPPING) and bool(words & _EVENLY))
    behind, lead = set(read.tail), read.lead[-2:]
    is_group = number.head not in _TIMES and bool(number.unit) and bool(behind & (_SPLITTING | _CHIPPING))
    is_us = len(lead) == _PAIR and lead[0] in {"we", "they"} and lead[1] in {"are", "were", "be"}
    is_us = is_us or lead[-1:] in {("we're",), ("they're",)}
    return is_split and (is_group or is_us) and not words & (_STEPS_OF_OTHERS | _BUYING)


_SPLITTING = frozenset("split splits splitting share shares sharing divide divides".split())
_CHIPPING = frozenset({"chip", "pay", "pays", "contribute", "chips"})
_EVENLY = frozenset({"equally", "evenly", "equal", "alike"})
_BUYING = frozenset({"minus", "off", "percent", "%", "without", "buy", "into"})
_TIMES = frozenset({"hour", "day", "week", "month", "year", "minut", "night", "way"})
_PAIR = 2
_PEOPLE = frozenset(
    map(noun_stem, "people person adult friend colleague employee member guest kid child children player"
        " student flatmate housemate tenant partner staff".split())
)  # fmt: skip
_WE_ARE = frozenset({"we're", "they're", "were"})
_STEPS_OF_OTHERS = frozenset("more extra another at cost costs plus minus".split())


def _per_person(read: Quantities, before: Term) -> Sum | None:
    if not shares(read):
        return None
    number = replace(read.numbers[0], unit="")
    return _told(terms.divided(before, terms.term_of(number)), (before.text, number.text))


def _at_rate(read: Quantities, earlier: EarlierSum, before: Term) -> Sum | None:
    """``at 13.20 an hour?`` after a number of hours: the result times the rate."""
    number, behind = read.numbers[0], read.after(0)
    is_rate = len(read.numbers) == 1 and len(behind) > 1 and behind[0] in {"a", "an", "per", "/"}
    if not is_rate or number.is_percent or number.is_part or not {"at", "for", "@"} & set(read.lead):
        return None
    told = read_quantities(earlier.expression).numbers
    counted = [one for one in told if one.unit and not one.currency]
    if len(counted) < len(told) or not any(one.head == noun_stem(behind[1]) for one in counted):
        return None
    return _told(terms.multiplied(before, terms.term_of(number)), (before.text, number.text))


def _average(read: Quantities, before: Term) -> Sum | None:
    """``average per day over the 4?``: the result divided by the only number."""
    if len(read.numbers) > 1 or not _AVERAGE & set(read.words) or not _is_whole(read.numbers[0]):
        return None
    return _told(terms.divided(before, terms.term_of(read.numbers[0])), (before.text, read.numbers[0].text))


_AVERAGE = frozenset({"average", "avg", "mean"})


def _is_whole(number: Quantity) -> bool:
    is_plain = not (number.currency or number.is_percent or number.is_part)
    return is_plain and number.value > 1 and number.value.denominator == 1


def _told(term: Term, operands: tuple[str, ...]) -> Sum:
    return Sum(equation(term), term.value, term.text, term.result, operands)
