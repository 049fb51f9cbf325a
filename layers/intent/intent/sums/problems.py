"""Problems that have a formula of their own: loans, margins, areas to cover, conversions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

from intent.sums.quantities import Quantities, Quantity, read_quantities, shown
from intent.sums.terms import with_currency
from intent.sums.units import Unit, convert, unit_named

Solved = tuple[str, Fraction]


def solve(read: Quantities) -> Solved | None:
    """Return the text and value of a problem with a formula of its own; None for any other."""
    return next((solved for formula in _FORMULAS if (solved := formula(read)) is not None), None)


def _loan(read: Quantities) -> Solved | None:
    """``monthly payment on 240000 over 25 years at 4.1%``"""
    words = set(read.words)
    rate = next((one for one in read.numbers if one.is_percent), None)
    months = next((count for one in read.numbers if (count := _months(one))), None)
    amounts = [one for one in read.numbers if not one.is_percent and not _months(one)]
    if not words & {"payment", "payments", "repayment", "repayments", "mortgage", "loan", "instalment"}:
        return None
    if rate is None or months is None or len(amounts) != 1 or not 0 < rate.value <= 1_000:
        return None
    with localcontext() as context:
        context.prec = 40
        monthly = Decimal(rate.value.numerator) / Decimal(rate.value.denominator * 1200)
        grown = (1 + monthly) ** months
        payment = (
            Decimal(amounts[0].value.numerator) / amounts[0].value.denominator * monthly * grown / (grown - 1)
        )
    value = Fraction(payment)
    paid = with_currency(shown(Fraction(round(value * 100), 100), 2), amounts[0].currency)
    borrowed = with_currency(amounts[0].text, amounts[0].currency)
    return f"{borrowed} over {months} months at {rate.text}% a year ≈ {paid} a month", value


def _months(number: Quantity) -> int | None:
    if number.head not in {"year", "yr", "month"} or number.value.denominator != 1:
        return None
    months = int(number.value) * (1 if number.head == "month" else 12)
    return months if 0 < months <= 1_200 else None


def _margin(read: Quantities) -> Solved | None:
    """``margin if i buy at 3.20 and sell for 5.49``"""
    words = set(read.words)
    if not words & {"margin", "markup", "mark-up"} or len(read.numbers) != 2 or not words & _TRADE:
        return None
    cost, price = sorted(read.numbers, key=lambda one: _follows(read, one, _SALE))
    if not price.value or not cost.value or cost.is_percent or price.is_percent:
        return None
    gain = price.value - cost.value
    margin, markup = gain / price.value * 100, gain / cost.value * 100
    text = (
        f"({price.text} − {cost.text}) ÷ {price.text} ≈ {shown(_to_hundredths(margin))}% margin; "
        f"that is {shown(gain, 2)} each, {shown(_to_hundredths(markup))}% on top of the cost"
    )
    return text, margin / 100


_SALE = frozenset({"sell", "selling", "sold", "sale", "retail", "charge"})
_TRADE = _SALE | {"buy", "bought", "cost", "costs", "buying", "purchase"}


def _follows(read: Quantities, number: Quantity, marks: frozenset[str]) -> bool:
    return bool(set(read.words[max(0, number.start - 3) : number.start]) & marks)


def _cover(read: Quantities) -> Solved | None:
    """``4.2 by 3.65, packs cover 1.8 sq m, 10% waste``"""
    starts = {one.start for one in read.numbers}
    marks = (at for at, word in enumerate(read.words) if word in {"cover", "covers", "covering"})
    place = next((at for at in marks if {at + 1, at + 2} & starts and at - 1 not in starts), None)
    if place is None:
        return None
    sides = [one for one in read.numbers if one.end <= place and not one.is_percent and one.value != 1]
    one_covers = next((one for one in read.numbers if one.start > place and not one.is_percent), None)
    waste = next((one for one in read.numbers if one.is_percent), None)
    if one_covers is None or not one_covers.value or not 1 <= len(sides) <= 3:
        return None
    area = math.prod((one.value for one in sides), start=Fraction(1))
    full = area * (1 + waste.value / 100) if waste else area
    needed = full / one_covers.value
    count = Fraction(math.ceil(needed))
    sizes = " × ".join(one.text for one in sides)
    with_waste = f", {shown(_to_hundredths(full))} with {waste.text}% more" if waste else ""
    area_text = f"{sizes} = {shown(_to_hundredths(area))}" if len(sides) > 1 else sizes
    text = (
        f"{area_text}{with_waste}; ÷ {one_covers.text} ≈ {shown(_to_hundredths(needed))}, so {shown(count)}"
    )
    return f"{text}{_counted(read, place)}", count


def _counted(read: Quantities, place: int) -> str:
    """Return what covers, after a space: ``packs``."""
    words = read.words
    at = next((at for at in range(len(words) - 2) if words[at : at + 2] == ("how", "many")), None)
    return f" {words[at + 2]}" if at is not None and words[at + 2].isalpha() else f" {words[place - 1]}"


def _size(read: Quantities) -> Solved | None:
    """``4.8 m by 6.2 m by 0.15 m, how many cubic metres``"""
    sides = read.numbers
    if len(sides) not in {2, 3} or any(
        "by" not in read.gap(at) and "x" not in read.gap(at) for at in range(len(sides) - 1)
    ):
        return None
    names = [unit_named(one.unit) for one in sides]
    first = names[0]
    if first is None or first.dimension != "length" or any(name != first for name in names):
        return None
    value = math.prod((one.value for one in sides), start=Fraction(1))
    power = {2: "²", 3: "³"}[len(sides)]
    text = " × ".join(one.text for one in sides)
    return f"{text} = {shown(value)} {first.symbol}{power}", value


def _flow(read: Quantities) -> Solved | None:
    """``12 litres a second is how many cubic metres over four hours``"""
    if len(read.numbers) != 2:
        return None
    rate, span = read.numbers
    gap = read.gap(0)
    per = unit_named(gap[1]) if len(gap) > 1 and gap[0] in {"a", "an", "per", "/"} else None
    source, time = unit_named(rate.unit), unit_named(span.unit)
    if per is None or time is None or (per.dimension, time.dimension) != ("time", "time"):
        return None
    times = span.value * time.factor / per.factor
    if source is None or source.dimension == "time":
        return _earned(rate, times, gap[1]) if per is not time else None
    total = rate.value * times
    target = _target(read, source.dimension) or source
    value = total * source.factor / target.factor
    text = f"{rate.text} {rate.unit} × {shown(times)} {gap[1]}s = {shown(total)} {rate.unit}"
    if target is not source:
        text = f"{text} = {shown(value)} {target.plural}"
    return text, value


def _earned(rate: Quantity, times: Fraction, per: str) -> Solved:
    """``5k a month over 3 years``"""
    value = rate.value * times
    shown_rate, result = (
        with_currency(text, rate.currency) for text in (rate.text, shown(_to_hundredths(value)))
    )
    unit = f" {rate.unit}" if rate.unit else ""
    sign = "=" if times.denominator == 1 else "≈"
    return f"{shown_rate}{unit} × {shown(_to_hundredths(times))} {per}s {sign} {result}", value


def conversion(read: Quantities) -> Solved | None:
    """Return a measure in the unit that a text asks for: ``what 2 years is in days``; None for any other."""
    if len(read.numbers) != 1:
        return None
    number = read.numbers[0]
    unit = number.unit
    if unit in _DEGREES and number.end < len(read.words):
        unit = read.words[number.end]  # ``30 degrees celsius``
    source = unit_named(unit) or unit_named(unit.partition(" ")[0])
    return None if source is None else _converted(number.text, number.value, unit, source, read)


_DEGREES = frozenset({"degree", "degrees", "deg", "°"})


def result_converted(read: Quantities, expression: str, result: str) -> Solved | None:
    """Return the result of the sum before in the unit that a text without numbers asks for: ``in pints?``"""
    told = read_quantities(result).numbers
    if read.numbers or len(told) != 1:
        return None
    names = {told[0].unit, *(one.unit for one in read_quantities(expression).numbers)} - {""}
    measures = {unit_named(name): name for name in sorted(names) if unit_named(name) is not None}
    source = next(iter(measures), None) if len(measures) == 1 else None
    if source is None:
        return None
    return _converted(told[0].text, told[0].value, measures[source], source, read)


def _converted(text: str, value: Fraction, unit: str, source: Unit, read: Quantities) -> Solved | None:
    target = _target(read, source.dimension)
    if target is None or target is source:
        return None
    value = convert(value, source, target)
    rounded = value if (value * 10**6).denominator == 1 else _to_hundredths(value)
    sign = "=" if rounded == value else "≈"
    note = " (years of 365 days)" if source.name == "year" and target.dimension == "time" else ""
    return f"{text} {unit} {sign} {shown(rounded)} {target.plural}{note}", value


def _target(read: Quantities, dimension: str) -> Unit | None:
    """Return the unit that is asked for: the one behind ``in``, ``to`` or ``how many``."""
    words = read.words
    for place, word in enumerate(words):
        if word not in {"in", "to", "into", "many", "as"} or place + 1 == len(words):
            continue
        for unit in (unit_named(" ".join(words[place + 1 : place + 3])), unit_named(words[place + 1])):
            if unit is not None and unit.dimension == dimension:
                return unit
    return None


def _to_hundredths(value: Fraction) -> Fraction:
    return Fraction(math.floor(value * 100 + Fraction(1, 2)), 100)


_FORMULAS: Sequence[Callable[[Quantities], Solved | None]] = (
    _loan,
    _margin,
    _cover,
    _size,
    _flow,
    conversion,
)
