"""What is asked of the result of a sum or of a total, and not of the amounts it was made of: ``times 3``,
``and 10% off the lot?``, ``the total of all three split across 5 cost centres?``
"""

from __future__ import annotations

from intent.amounts.series import Series, words_of
from intent.regular_expressions import pattern
from intent.sums.asked_parts import has_plain_sum
from intent.sums.deductions import says_deduction
from intent.sums.gaps import Operation, leading_step
from intent.sums.quantities import read_quantities

_COUNT = r"(?:two|three|four|five|six|seven)"
_TOTAL = pattern(
    r"\b(?:the |their |my |our )?(?:(?:grand |whole |overall |combined )?(?:total|sum)\b|(?:whole )?lot\b"
    rf"|everything\b|(?:all|both)(?: of (?:it|them|these|those)| {_COUNT})?(?= (?:together|combined|summed)))"
    rf"(?: (?:of|for)(?: all| both)?(?: of)?(?: it| them| these| those| the)?(?: {_COUNT})?\b)?"
    r"(?: together| combined| summed)?"
)


def on_total(asked: str) -> str:
    """Return a question with "that" in the place of the words for a total, where it tells a number to work
    out more with; empty for any other.
    """
    found = _TOTAL.search(asked.lower())
    if found is None:
        return ""
    question = f"{asked[: found.start()]}that{asked[found.end() :]}"
    numbers = read_quantities(question).numbers
    is_plain = len(numbers) == 1 and not read_quantities(asked[: found.start()]).numbers
    behind = set(words_of(asked[found.end() :]))
    return question if is_plain and behind & _WORKING else ""


_WORKING = frozenset(
    "split divided divide shared spread between among across over times multiplied minus less plus % percent"
    " with x * / \u00f7".split()
)


def is_step_on_result(text: str, series: Series, *, is_current: bool) -> bool:
    """Return whether a text is a sum of its own, or goes on from the last result with an operation and names
    no amount that was told. An addition to the amounts told last is none.

    ``is_current``: no other sum was worked out since they were told.
    """
    read = read_quantities(text)
    if on_total(text) or has_plain_sum(read):
        return True
    if len(read.numbers) != 1 or read.numbers[0].is_part:
        return False
    said = set(words_of(text))
    if any(said & set(words_of(label)) for label in series.labels if label):
        return False
    number = read.numbers[0]
    if number.is_percent:
        return not any(one.is_percent for row in series.rows for one in row.numbers if one is not None)
    if says_deduction(read):
        return True
    step = leading_step(read.lead, number, read.after(0))
    if step is None:
        return False
    return not is_current if step.operation is Operation.PLUS else True
