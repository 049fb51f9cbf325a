"""Answers to sums."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from agent.dialogue.result import Result
from agent.dialogue.talk import clock, item_discounts, recalled_sums, texts, told_rates
from agent.dialogue.talk.earlier_sums import CALCULATOR, earlier_sum, question_of, told_texts, worked_out
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.statements import SAYING
from agent.dialogue.talk.word_kinship import root
from agent.templates import sum_texts
from conversation.messages.models import Role
from intent.acts.act import ActKind
from intent.amounts import figures
from intent.amounts.results import work_out
from intent.amounts.told import find_question, told_series
from intent.sums.amendments import amended
from intent.sums.arithmetic_questions import expression_in
from intent.sums.asked_parts import is_plain_sum
from intent.sums.contrasts import only_tells
from intent.sums.follow_ups import shares, tells_of_something_else
from intent.sums.quantities import Quantities, read_quantities
from intent.sums.reader import read_sum, shares_result
from intent.sums.result import EarlierSum, Sum
from intent.sums.thousands import open_figures, with_thousands
from intent.times.reader import read_times
from tools.builtin.calculator import compute
from tools.errors import ToolError

_OPENING = re.compile(r"[\d(€$£₹¥]")
_SIGNS = (" = ", " ≈ ")
_ASKS_EARLIER = frozenset({"before", "again", "earlier", "altogether", "total", "was", "last", "previous"})
_ASKS_HOW_MUCH = frozenset({"each", "much", "many", "total", "altogether", "pay", "cost", "left", "per"})
_MOST_SHOWN = 3


def answer(occasion: Occasion) -> Result:
    """Work out what the act asks, in going on from the sum before; ask when its words don't say how."""
    words = with_thousands(occasion.words)
    again = recalled_sums.net_or_gross(occasion) or recalled_sums.of_budget(occasion)
    if (again := again or item_discounts.of_item(occasion)) is not None:
        return again
    before = earlier_sum(occasion)
    shared = read_sum(words, earlier=before) if before is not None and shares_result(words) else None
    if (plain := shared or _plain_sum(words) or _on_last(words, before)) is not None:
        return worked_out(plain)
    if (told := told_rates.of_period(occasion) or of_amounts(occasion)) is not None:
        return told
    if recalled_sums.only_noted(occasion) and not amends_earlier(occasion):
        return Result(occasion.fresh(texts.NOTED), kind=ActKind.REMEMBER)
    if (span := clock.between_clocks(words)) is not None:
        return span
    if corrects_told(occasion) and not amends_earlier(occasion):
        return Result(occasion.fresh(texts.NOTED), kind=ActKind.REMEMBER)
    found = read_sum(words, earlier=earlier_sum(occasion)) or told_before(occasion)
    found = found or read_sum(with_thousands(occasion.act.clause.text)) or of_figures(occasion)
    if found is not None:
        kept = EarlierSum.of(found)
        text = " ".join(filter(None, (found.text, _open_figures(words))))
        return Result(text, tool=CALCULATOR, kind=ActKind.SUM, sum=kept)
    known = told_rates.of_rate(occasion) or recalled_sums.compared_again(occasion)
    return known or _not_read(occasion, words)


def _not_read(occasion: Occasion, words: str) -> Result:
    """Answer what is asked in other words than those of a sum; ask what to do where nothing says it."""
    if (expression := expression_in(words)) is not None:
        text = " ".join(filter(None, (_calculated(expression), _open_figures(words))))
        return Result(text, tool=CALCULATOR)
    read = read_quantities(words)
    numbers = [number.text for number in read.numbers]
    if not numbers and (before := _sum_of_last(occasion)) is not None:
        return worked_out(before)
    if numbers and occasion.is_alone and _tells(read):
        kind = ActKind.REMEMBER if len(numbers) > 1 else ActKind.SUM
        return Result(occasion.fresh(texts.NOTED), kind=kind)  # it is kept as every message is
    if not numbers and set(words.lower().split()) & _ASKS_EARLIER:
        lines = _newest(occasion)
        return Result(texts.earlier_sums(lines) if lines else texts.NO_EARLIER_SUM)
    return Result(texts.ask_how_to_reckon(numbers), lacks_answer=True)


def _tells(read: Quantities) -> bool:
    """Return whether a text with numbers tells something, and asks nothing of them."""
    return tells_of_something_else(read) and (len(read.numbers) == 1 or only_tells(read))


def _sum_of_last(occasion: Occasion) -> Sum | None:
    """Return the total of what the message before told, where only a total is asked for."""
    said = set(_plain(occasion.words))
    last = occasion.turn.situation.last_text(Role.USER)
    if not said & {"total", "altogether", "together"} or len(read_quantities(last).numbers) < _FEWEST:
        return None
    situation = occasion.turn.situation
    times = read_times(last, now=situation.now, zone=situation.time_zone)
    if any(one.at is not None or one.timing is not None or one.problem is not None for one in times):
        return None  # hours of the day are no amounts
    return read_sum(f"{last.rstrip(' .!:)')}. {occasion.words}")


_FEWEST = 2


def _plain_sum(words: str) -> Sum | None:
    """Return the sum that the last of several sentences asks for by itself: ``And ours? what's 5 + 6``."""
    before, question = question_of(words)
    if before.strip() and is_plain_sum(read_quantities(question)):
        return read_sum(question)
    chains = _CHAIN.findall(question)
    is_asked = len(chains) == 1 and question.rstrip().endswith("?")
    count = len(read_quantities(chains[0]).numbers) if is_asked else 0
    return read_sum(chains[0]) if is_asked and len(read_quantities(question).numbers) > count else None


_CHAIN = re.compile(
    r"(?<![\w.,])\d[\d.,]*(?:\s?[x\u00d7*+/\u00f7]\s?\d[\d.,]*\d|\s?[x\u00d7*+/\u00f7]\s?\d)+(?![\w%])"
)
"""Numbers with nothing but signs between them."""


def _on_last(words: str, earlier: EarlierSum | None) -> Sum | None:
    """Return what a question with one number asks of the sum before: ``my contract is 36, how many left?``,
    ``average over the 4?``, ``sorry, 24 guests``
    """
    read = read_quantities(words)
    if earlier is not None and "\u00d7" in earlier.expression and amended(words, read, earlier):
        return read_sum(words, earlier=earlier)
    is_rest = bool(_GOING_ON & set(read.words)) and ("left", "out") not in pairwise(read.words)
    goes_on = is_rest or shares(read)
    is_asked = earlier is not None and len(read.numbers) == 1 and goes_on
    return read_sum(words, earlier=earlier) if is_asked else None


_GOING_ON = frozenset("left remaining remain remains missing average avg mean".split())


def _open_figures(words: str) -> str:
    return texts.read_as_decimal(open_figures(words))


def amends_earlier(occasion: Occasion) -> bool:
    """Return whether a correction exchanges a number of the sum before."""
    earlier = earlier_sum(occasion)
    if earlier is None or occasion.words.rstrip().endswith("?"):
        return False
    return bool(amended(occasion.words, read_quantities(occasion.words), earlier))


def corrects_told(occasion: Occasion) -> bool:
    """Return whether the message does nothing but correct an amount that the user told before."""
    is_told = occasion.is_alone and "?" not in occasion.turn.message
    return is_told and figures.corrects_told(occasion.turn.message, told_texts(occasion))


def of_figures(occasion: Occasion) -> Sum | None:
    """Return the sum of a question that points at an amount told before it: ``48500 minus that``,
    ``12 days at the new rate``; None where nothing is pointed at.

    An amount that the question itself names is not what it points at.
    """
    before, question = question_of(with_thousands(occasion.words))
    told = figures.told_figures([*told_texts(occasion), before])
    named = figures.with_named(question, told)
    if named != question:
        exchanged = figures.with_exchanged(_earlier_expression(occasion), named, told)
        return read_sum(exchanged or named)
    own = {one.value for one in read_quantities(question).numbers}
    meant = next((one for one in told if one.number.value not in own), None)
    if meant is None or not _POINTERS & set(_plain(question)):
        return None
    text = figures.shown(meant.number)
    return read_sum(question, earlier=EarlierSum(text, text, (text,)))


def _earlier_expression(occasion: Occasion) -> str:
    earlier = earlier_sum(occasion)
    return "" if earlier is None else earlier.expression


def pointed_at(occasion: Occasion) -> Result | None:
    """Return the sum that a question asks about an amount told before; else None.

    Unlike `of_figures` it takes no question about what was said.
    """
    said = set(_plain(occasion.words))
    asks = said & (_ASKS_HOW_MUCH | _RECKONING) or ("at" in said and read_quantities(occasion.words).numbers)
    if not asks or any(root(word) in SAYING for word in said):
        return None
    found = of_figures(occasion)
    if found is None or not found.expression:
        return None
    return worked_out(found)


_RECKONING = frozenset("difference come comes make makes times plus minus less divided multiplied".split())
_POINTERS = frozenset({"that", "it", "this"})


def of_amounts(occasion: Occasion) -> Result | None:
    """Return the answer to a question about amounts with labels, told in the message or before; else None."""
    found = find_question(
        with_thousands(occasion.words), lambda: told_series(occasion.turn.situation.history)
    )
    answered = (
        None
        if found is None
        else work_out(found.question, found.series, found.words, earlier=earlier_sum(occasion))
    )
    if answered is None:
        return None
    kept = EarlierSum.of(answered) if answered.expression else None
    return Result(answered.text, tool=CALCULATOR, kind=ActKind.SUM, sum=kept)


def has_numbers(occasion: Occasion) -> bool:
    """Return whether a question tells numbers, or those told before are meant by it."""
    told = find_question(with_thousands(occasion.words), lambda: told_series(occasion.turn.situation.history))
    return (
        told is not None
        or occasion.turn.note.sum is not None
        or bool(read_quantities(occasion.words).numbers)
    )


def told_before(occasion: Occasion) -> Sum | None:
    """Return the sum of a question whose numbers stand in the sentences before it; else None.

    ``We are 23 kids and the bus is 412 euro. What does each one pay?``
    """
    if not any(mark.isdigit() for mark in occasion.turn.message):
        return None  # "two things" and "one question" are nothing to count with
    if len(read_quantities(occasion.words).numbers) > 1 or not _ASKS_HOW_MUCH & set(_plain(occasion.words)):
        return None
    return read_sum(with_thousands(occasion.turn.message))


def told_in(occasion: Occasion) -> bool:
    """Return whether the message's question counts with the numbers of this act."""
    asks = (act.clause.text for act in occasion.acts if act.kind is not occasion.act.kind)
    return bool(read_quantities(occasion.act.clause.text).numbers) and any(
        _ASKS_HOW_MUCH & set(_plain(text)) and len(read_quantities(text).numbers) < 2 for text in asks
    )


def _plain(text: str) -> list[str]:
    return text.lower().replace("?", " ").replace(",", " ").split()


def earlier(occasion: Occasion) -> Result | None:
    """Return the sums of this conversation when a question can only mean them; else None."""
    words = set(_plain(occasion.words))
    if not words & {"altogether", "total", "sum", "result", "splitting", "vat"}:
        return None
    lines = _newest(occasion)
    return Result(texts.earlier_sums(lines)) if lines else None


def _newest(occasion: Occasion) -> list[str]:
    return list(dict.fromkeys(_equations(occasion)))[:_MOST_SHOWN]


def _calculated(expression: str) -> str:
    try:
        found = compute(expression)
    except ToolError as error:
        return error.message
    return sum_texts.equation(expression, found.text, is_rounded=found.is_rounded)


def _equations(occasion: Occasion) -> Iterator[str]:
    """Yield the sums that replies worked out, newest first."""
    for message in reversed(occasion.turn.situation.history):
        if message.role is Role.ASSISTANT:
            for line in message.content.splitlines():
                if _OPENING.match(line) and any(sign in line for sign in _SIGNS):
                    yield line
