"""Sums with a price that was told for one of something or for a period: ``and 6.5 hours?`` after ``I charge
45 an hour``, ``so how much a year?`` after ``hosting is 23 a month``.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue.result import Result
from agent.dialogue.talk.earlier_sums import earlier_sum, question_of, told_texts, worked_out
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.quotations import with_correction
from conversation.messages.models import Role
from intent.acts.told_facts import amends
from intent.sums.payments import at_told_rate
from intent.sums.periods import over_period, period_asked, period_told, periods_in, times_in
from intent.sums.quantities import Quantities, read_quantities
from intent.sums.reader import read_sum
from intent.sums.result import Sum
from intent.sums.thousands import with_thousands

_MOST_TOLD = 8
_ASKS_PRICE = frozenset("? what what's whats how much come comes cost costs charge would be".split())


def of_told(occasion: Occasion) -> Result | None:
    """Return what is asked of a price that the user told; None for any other question."""
    return of_period(occasion) or of_rate(occasion)


def of_period(occasion: Occasion) -> Result | None:
    """Return what comes over another period to what was told or worked out for one: ``and how much a year?``
    after amounts a month; None for any other question.
    """
    before, question = question_of(with_thousands(occasion.words))
    if any(map(str.isdigit, occasion.words)):
        read = read_quantities(with_thousands(occasion.words))
        found = over_period(read) or _over_several(occasion, read)
        return None if found is None else worked_out(found)
    outer = period_asked(question)
    told = [*told_texts(occasion)[-_MOST_TOLD:], before]
    of_one = (text for text in reversed(told) if outer and times_in(_period_of(text), outer) is not None)
    text = next(of_one, "")
    if not text:
        return None
    earlier = earlier_sum(occasion) if text is not before else None
    rate = text if earlier is None else f"{earlier.result or earlier.expression} a {_period_of(text)}"
    found = over_period(read_quantities(f"{rate.rstrip(' .!?')}. {question}"))
    return None if found is None else worked_out(found)


def _over_several(occasion: Occasion, read: Quantities) -> Sum | None:
    """Return the sum before for so many of the period that it is for: ``and over 3 years?``"""
    earlier, number = earlier_sum(occasion), read.numbers[0] if len(read.numbers) == 1 else None
    last = occasion.turn.situation.last_text(Role.USER)
    if earlier is None or number is None or not {"over", "for", "in", "after"} & set(read.lead[-2:]):
        return None
    if number.head not in periods_in(read_quantities(last).words):
        return None
    return read_sum(f"{earlier.result or earlier.expression} × {number.text} {number.unit}")


def _period_of(text: str) -> str:
    """Return the period for which a text tells numbers: month of ``gym 40 a month``; empty without any."""
    read = read_quantities(text)
    return period_told(read.words[read.numbers[0].end :]) if read.numbers else ""


def _put_right(told: Sequence[str]) -> list[str]:
    """Return what was told, with the number of one that the next corrects put right: ``1.30 a litre`` for
    ``1.20 a litre`` before ``sorry, it's 1.30``.
    """
    kept: list[str] = []
    for text in told:
        corrected = with_correction(kept[-1], text) if kept and amends(text) else ""
        kept[-1:] = [corrected] if corrected else [*kept[-1:], text]
    return kept


def of_rate(occasion: Occasion) -> Result | None:
    """Return what so many cost of which the user told the price of one; None without such a price."""
    read = read_quantities(question_of(with_thousands(occasion.words))[1])
    is_asked = len(read.numbers) == 1 and bool(read.numbers[0].unit) and bool(_ASKS_PRICE & set(read.words))
    told = reversed(_put_right(told_texts(occasion)[-_MOST_TOLD:])) if is_asked else ()
    found = (at_told_rate(read, read_quantities(text)) for text in told)
    return next((worked_out(one) for one in found if one is not None), None)
