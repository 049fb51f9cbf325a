"""Percentages off one of several amounts that were told: ``what if I knock 10% off the cylinder only?``"""

from __future__ import annotations

import re
from dataclasses import replace

from agent.dialogue.result import Result
from agent.dialogue.talk.earlier_sums import earlier_sum, worked_out
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.word_kinship import root
from intent.amounts.series import Amount
from intent.amounts.told import told_series
from intent.sums.reader import read_sum

_OFF = re.compile(
    r"(?<!\d)(\d{1,9}(?:[.,]\d{1,9})?) ?(?:%|percent)(?: discount| reduction)? (?:off|on|from)"
    r" (?:just |only )?(?:the |my |our )?([a-z][a-z -]{1,40}?)(?: only| alone| instead)?[ .?!]*$",
    re.IGNORECASE,
)
_ADDED = re.compile(r"\+ (\d+(?:[.,]\d+)?)%$")
_WHOLE = frozenset({"total", "bill", "lot", "sum", "whole", "price", "all", "everything", "rest"})


def of_item(occasion: Occasion) -> Result | None:
    """Return the total of the amounts told last with a percentage off one of them, and the tax that was added
    before; None where the words name none of them.
    """
    found = _OFF.search(occasion.words)
    told = next(iter(told_series(occasion.turn.situation.history)), None) if found is not None else None
    if found is None or told is None:
        return None
    amounts = told.series.amounts()
    named = [one for one in amounts if _is_named(one, found[2])]
    if len(named) != 1 or len(amounts) == 1 or any(one.factors for one in amounts):
        return None
    reduced = read_sum(f"{named[0].number.text} - {found[1]}%")
    if reduced is None:
        return None
    earlier = earlier_sum(occasion)
    added = _ADDED.search(earlier.expression) if earlier is not None else None
    values = (reduced.result if one is named[0] else one.number.text for one in amounts)
    total = read_sum(" + ".join(values) + (f" plus {added[1]}%" if added is not None else ""))
    if total is None:
        return None
    return worked_out(replace(total, text=f"{named[0].label}: {reduced.text}. In all: {total.text}"))


def _is_named(amount: Amount, words: str) -> bool:
    said = {root(word) for word in words.lower().replace("-", " ").split()}
    return not said & _WHOLE and bool(said & {root(word) for word in amount.label.lower().split()})
