"""What is asked again of results and amounts: the net amount before its tax was added, the cheaper of two
quotes, how many of a thing a budget is enough for that was told before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.dialogue.talk.earlier_sums import question_of, worked_out
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.statements import asked_part, covers, strong_terms_of
from agent.dialogue.talk.word_kinship import root
from conversation.messages.models import Message, Role
from conversation.sentences import split_sentences
from intent.acts.act import ActKind
from intent.acts.tokens import tokenise
from intent.amounts.question_words import LEAST, LESS, MORE, MOST
from intent.amounts.questions import Asked, Question
from intent.amounts.reader import read_series
from intent.amounts.results import work_out
from intent.amounts.series import Series
from intent.sums import terms
from intent.sums.contrasts import (
    as_money,
    budget_told,
    compared_amounts,
    enough_for,
    is_price_of_one,
    only_tells,
    tells_side_by_side,
    things_asked,
)
from intent.sums.follow_ups import tells_of_something_else
from intent.sums.quantities import Quantity, read_quantities
from intent.sums.reader import read_sum
from intent.sums.result import Sum
from intent.sums.thousands import with_thousands

_NET = frozenset({"net", "netto", "nett"})
_GROSS = frozenset({"gross", "brutto"})
_TAX = frozenset({"vat", "tax", "gst"})
_WITHOUT = frozenset({"before", "without", "excluding", "excl", "ex"})
_WITH = frozenset({"with", "including", "incl"})
_AGAIN = frozenset("was were again once remind earlier".split())
_FIGURES = frozenset(
    "amount amounts total sum figure price invoice invoices bill result number value once more without"
    " including".split()
)
_ABOUT_ROOTS = frozenset(map(root, _NET | _GROSS | _TAX | _FIGURES))
_MOST_MESSAGES, _NEAR = 30, 2


def again(occasion: Occasion) -> Result | None:
    """Return what a question asks again of results and amounts told, or works out of a told budget."""
    return net_or_gross(occasion) or compared_again(occasion) or of_budget(occasion)


def net_or_gross(occasion: Occasion) -> Result | None:
    """Return the net or gross amount or the tax of the sum before, asked for once more; else None."""
    said = {token.word for token in tokenise(occasion.words) if token.is_word}
    if any(map(str.isdigit, occasion.words)) or not said & (_NET | _GROSS | _TAX) or not said & _AGAIN:
        return None
    if any(term not in _ABOUT_ROOTS for term in strong_terms_of(asked_part(occasion.words))):
        return None
    is_net = bool(said & _NET) or bool(said & _TAX and said & _WITHOUT)
    is_gross = not is_net and bool(said & _GROSS or (said & _TAX and said & _WITH))
    taxed = next(_taxed(occasion), None)
    if taxed is None or not (is_net or is_gross or taxed.share):
        return None
    if is_net:
        return _again(taxed.net, texts.without_rate(taxed.net, taxed.rate))
    if is_gross:
        return _again(taxed.gross, texts.with_rate(taxed.gross, taxed.rate))
    return _again(taxed.share, texts.share_of_rate(taxed.share, taxed.rate))


class _Taxed(NamedTuple):
    net: str
    rate: str
    gross: str
    share: str
    """What the rate comes to; empty where the reply didn't say it."""


def _taxed(occasion: Occasion) -> Iterator[_Taxed]:
    """Yield the sums of replies in which a percentage was added, the newest first."""
    for message in reversed(occasion.turn.situation.history[-_MOST_MESSAGES:]):
        line = message.content.partition("\n")[0] if message.role is Role.ASSISTANT else ""
        sign = next((one for one in _SIGNS if one in line), "")
        told, _, result = line.partition(sign) if sign else ("", "", "")
        net, _, rate = told.rpartition(" + ")
        if net and rate[:1].isdigit() and rate.endswith("%"):
            gross, _, share = result.partition(" (the ")
            yield _Taxed(_worth(net), rate, gross, share.partition("% is ")[2].rstrip(")"))


_SIGNS = (" = ", " \u2248 ")


def _worth(expression: str) -> str:
    """Return what an expression of a reply comes to, as it is shown."""
    is_held = expression.startswith("(") and expression.endswith(")") and expression.count("(") == 1
    found = read_sum(expression[1:-1] if is_held else expression)
    return found.result if found is not None and found.result else expression


def _again(value: str, text: str) -> Result:
    numbers = read_quantities(value).numbers
    worth = numbers[0].value if numbers else Fraction(0)
    return worked_out(Sum(text, worth, value, value, (value,)))


def compared_again(occasion: Occasion) -> Result | None:
    """Return the lower or the higher of amounts that were told without names, as ``what was the cheaper quote
    again?`` asks; None where they were not told of what is asked about.
    """
    said = {token.word for token in tokenise(occasion.words) if token.is_word}
    is_least, is_most = bool(said & (LEAST | LESS) - {"last"}), bool(said & (MOST | MORE) - {"more"})
    if any(map(str.isdigit, occasion.words)) or is_least is is_most or not said & (_AGAIN | {"which"}):
        return None
    terms_asked = [term for term in strong_terms_of(asked_part(occasion.words)) if term not in _COMPARED]
    told = [*_told(occasion)]
    for at, message in enumerate(told):
        series = read_series(message.content)
        if series is not None and all(series.labels) and len(series.columns) == 1:
            named = _of_series(series, terms_asked, is_least=is_least)
            if named is not None:
                return named
            continue
        amounts = compared_amounts(read_quantities(with_thousands(message.content)))
        around = " ".join(one.content for one in told[at : at + _NEAR + 1])
        if amounts and all(covers(around, (term,)) for term in terms_asked):
            ordered = sorted(amounts, key=lambda one: one.value)
            chosen, others = (ordered[0], ordered[1:]) if is_least else (ordered[-1], ordered[:-1])
            return _chosen(chosen, others)
    return None


def _of_series(series: Series, terms_asked: Sequence[str], *, is_least: bool) -> Result | None:
    """Return the label of the lowest or the highest of amounts with labels, where all that is asked for is of
    them.
    """
    if not all(covers(" ".join([series.heading, *series.labels]), (term,)) for term in terms_asked):
        return None
    found = work_out(Question(Asked.LEAST if is_least else Asked.MOST), series, "")
    return None if found is None else worked_out(found)


_COMPARED = frozenset(map(root, LEAST | LESS | MOST | MORE))


def _chosen(chosen: Quantity, others: Sequence[Quantity]) -> Result:
    shown, *rest = (terms.term_of(one).text for one in (chosen, *others))
    text = texts.compared_again(shown, rest)
    return worked_out(Sum(text, chosen.value, shown, shown, (shown,)))


def only_noted(occasion: Occasion) -> bool:
    """Return whether a message tells several numbers, each in a sentence of its own or side by side, and asks
    nothing of them: ``The budget is 18,500. Dana wants the rooftop place, 240 a head.``
    """
    read = read_quantities(occasion.words)
    if occasion.is_alone and tells_side_by_side(read):
        return True
    told = [count for one in split_sentences(occasion.words) if (count := len(read_quantities(one).numbers))]
    is_told = occasion.is_alone and len(told) > 1 and set(told) == {1}
    return is_told and only_tells(read) and tells_of_something_else(read)


def _told(occasion: Occasion) -> Iterator[Message]:
    """Yield what the user said last, the newest first."""
    for message in reversed(occasion.turn.situation.history[-_MOST_MESSAGES:]):
        if message.role is Role.USER and not message.deleted:
            yield message


def of_budget(occasion: Occasion) -> Result | None:
    """Return of how many things at a price each a question asks, where it leaves the money to what was told
    or worked out before: ``how many people does that get us at 240 each?``; else None.
    """
    read = read_quantities(question_of(with_thousands(occasion.words))[1])
    noun = things_asked(read)
    if noun is None or len(read.numbers) != 1 or not is_price_of_one(read, 0, noun):
        return None
    budget = _budget_before(occasion)
    found = None if budget is None else enough_for(budget, read.numbers[0], noun)
    return None if found is None else worked_out(found)


def _budget_before(occasion: Occasion) -> Quantity | None:
    """Return the money that was told or worked out last; None without any."""
    before = question_of(with_thousands(occasion.words))[0]
    if before.strip() and (told := budget_told(before)) is not None:
        return told
    for message in reversed(occasion.turn.situation.history[-_MOST_MESSAGES:]):
        if message.role is Role.USER and not message.deleted:
            if (told := budget_told(with_thousands(message.content))) is not None:
                return told
        elif ActKind.SUM in message.note.kinds and message.note.sum is not None:
            return _result_of(message)
    return None


def _result_of(message: Message) -> Quantity | None:
    stored = message.note.sum or {}
    numbers = read_quantities(str(stored.get("result") or "")).numbers
    plain = [as_money(one) for one in numbers if not (one.is_percent or one.is_part)]
    return plain[0] if len(plain) == 1 and not plain[0].unit else None
