"""Which amounts a text asks about: its own, or those that the conversation was told before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from conversation.messages.models import Message, Role
from conversation.sentences import sentence_spans
from intent.amounts.further_questions import is_step_on_result, on_total
from intent.amounts.ledger import Change, changed_by
from intent.amounts.listings import read_one
from intent.amounts.questions import Asked, Question, may_ask, read_question
from intent.amounts.reader import read_series
from intent.amounts.series import Series, words_of
from intent.sums.asked_parts import has_plain_sum
from intent.sums.quantities import read_quantities

_MOST_MESSAGES, _MOST_SINCE = 60, 8
_REQUESTS = frozenset("add sum total calculate compute put what what's whats how work tally average".split())
_FEWEST_NUMBERS = 2
_SUM, _RECALL = "sum", "recall.ask"
"""The kinds of turns that worked something out, and that quoted something."""


class Told(NamedTuple):
    """Amounts that were told before. ``since`` counts the user's messages behind them.

    ``is_current``: no other sum was worked out since then, so that "that" may mean them. ``is_close``: they
    were only asked about since then.
    """

    series: Series
    since: int
    is_current: bool
    is_close: bool
    was_asked: bool = False
    """Whether something was worked out of them, so that a change of them is wanted in the result."""
    former: Series | None = None
    """What they were before the last change; None where nothing changed them."""


class Found(NamedTuple):
    """A question about amounts; ``end`` is the place in the text behind it."""

    question: Question
    series: Series
    words: str
    end: int


def told_series(history: Sequence[Message]) -> tuple[Told, ...]:
    """Return the amounts that the user told in a conversation, the newest first.

    Those of a message that something was done for belong to that: tasks with amounts are no list of amounts.
    """
    spoken = _spoken(history)
    ledgers: list[_Ledger] = []
    for place, (message, reply) in enumerate(spoken):
        if reply is not None and reply.note.did:
            continue
        last = ledgers[-1] if ledgers else None
        since = place - last.place if last is not None else 0
        if last is not None and since <= _MOST_BETWEEN:
            between = spoken[last.place + 1 : place]
            is_next = all(_is_about_sums(one) for _, one in between)
            is_step = is_step_on_result(message.content, last.series, is_current=_is_current(between))
            was_asked = _was_asked(spoken[last.place : place])
            change = (
                None
                if is_step
                else changed_by(message.content, last.series, is_next=is_next, was_asked=was_asked)
            )
            if change is not None:
                ledgers[-1] = _Ledger(change.series, place, last.series)
                continue
        series = read_series(message.content) or _one_told(message.content)
        if series is not None:
            ledgers.append(_Ledger(series, place))
    return tuple(_told(one, spoken) for one in reversed(ledgers))


def _one_told(text: str) -> Series | None:
    """Return the one amount that a text tells; None for a text that is a sum of its own."""
    return None if has_plain_sum(read_quantities(text)) else read_one(text)


_MOST_BETWEEN = 5
"""How many messages later an amount still joins those told, or corrects one."""
_Spoken = Sequence[tuple[Message, Message | None]]


class _Ledger(NamedTuple):
    series: Series
    place: int
    """Which of the user's messages last told or corrected one."""
    former: Series | None = None


def _spoken(history: Sequence[Message]) -> _Spoken:
    """Return the user's messages, each with the reply to it."""
    found: list[tuple[Message, Message | None]] = []
    reply: Message | None = None
    for message in reversed(history[-_MOST_MESSAGES:]):
        if message.role is not Role.USER:
            reply = message
        elif not message.deleted:
            found.append((message, reply))
            reply = None
    return found[::-1]


def _told(ledger: _Ledger, spoken: _Spoken) -> Told:
    behind = spoken[ledger.place + 1 :]
    is_current = _is_current(behind)
    is_close = is_current and all(_is_about_sums(reply) for _, reply in behind)
    was_asked = _was_asked(spoken[ledger.place :])
    return Told(ledger.series, len(behind), is_current, is_close, was_asked, ledger.former)


def _was_asked(spoken: _Spoken) -> bool:
    """Return whether something was worked out in answer to some messages."""
    return any(reply is not None and _SUM in reply.note.kinds for _, reply in spoken)


def _is_current(behind: _Spoken) -> bool:
    """Return whether no other sum was worked out in the messages behind some amounts."""
    return not any(
        reply is not None and _SUM in reply.note.kinds and _has_own_numbers(message.content)
        for message, reply in behind
    )


def _is_about_sums(reply: Message | None) -> bool:
    return reply is not None and set(reply.note.kinds) <= {_SUM, _RECALL}


def _has_own_numbers(text: str) -> bool:
    return len(read_quantities(text).numbers) >= _FEWEST_NUMBERS


_LONGEST_QUESTION, _MOST_SENTENCES = 600, 8
"""How much of a text is looked through for a question."""


def find_question(text: str, read_told: Callable[[], Sequence[Told]]) -> Found | None:
    """Return what the first sentences of a text ask about its own amounts, else about those told before; None
    where they ask nothing of them.
    """
    if (changed := told_change(text, read_told)) is not None:
        return _asked_of_changed(text, *changed)
    if (further := _further(text, read_told)) is not None:
        return further
    series = read_series(text)
    if series is not None:
        return _asked_beside(text, series)
    if _tells_others(text, read_told):
        return None
    last = next(iter(read_told()), None) if read_quantities(text).numbers else None
    if last is not None and _is_step(text, last):
        return None
    ends = [end for _, end in sentence_spans(text[:_LONGEST_QUESTION])][:_MOST_SENTENCES]
    for end in reversed(ends):
        words = text[:end]
        if may_ask(words) and (found := _asked_of_told(words, read_told())) is not None:
            return found
    *before, (start, end) = [*sentence_spans(text[:_LONGEST_QUESTION])][:_MOST_SENTENCES] or [(0, 0)]
    if before and may_ask(text[start:end]):  # behind a remark
        found = _asked_of_told(text[start:end], read_told())
        return None if found is None else found._replace(end=end)
    return None


def _tells_others(text: str, read_told: Callable[[], Sequence[Told]]) -> bool:
    """Return whether a text tells several numbers of its own, so that it asks nothing of those told before:
    ``hemmed for 14, a zip 18.50. Total?``
    """
    own = {one.value for one in read_quantities(text).numbers if not (one.is_percent or one.is_part)}
    if len(own) < _FEWEST_NUMBERS:
        return False
    numbers = (one for told in read_told() for row in told.series.rows for one in row.numbers)
    return len(own - {one.value for one in numbers if one is not None}) >= _FEWEST_NUMBERS


def told_change(text: str, read_told: Callable[[], Sequence[Told]]) -> tuple[Change, Told] | None:
    """Return what a text changes of the amounts told last, and these; None where it changes none."""
    if len(text) > _LONGEST_QUESTION or not any(mark.isdigit() for mark in text):
        return None
    last = next(iter(read_told()), None)
    if last is None or last.since >= _MOST_BETWEEN or _is_step(text, last):
        return None
    change = changed_by(text, last.series, is_next=last.is_close, was_asked=last.was_asked)
    return None if change is None else (change, last)


def _is_step(text: str, told: Told) -> bool:
    return is_step_on_result(text, told.series, is_current=told.is_current)


def _further(text: str, read_told: Callable[[], Sequence[Told]]) -> Found | None:
    """Return what a text asks of the total of its own amounts, else of those told last."""
    own = read_series(text)
    asked = text if own is None else text[own.end :]
    question = on_total(asked)
    last = next(iter(read_told()), None) if own is None and question else None
    series = own if own is not None else last.series if last is not None and last.is_current else None
    if not question or series is None or len(series.columns) > 1 or len(series.rows) < _FEWEST_NUMBERS:
        return None
    return Found(Question(Asked.FURTHER, is_bare=True), series, question.strip(" .;:-"), len(text))


def _asked_of_changed(text: str, change: Change, told: Told) -> Found | None:
    """Return what a text asks of the amounts that it changes; their total where one was before."""
    behind = text[change.end :].strip()
    question = read_question(behind, change.series, is_close=True) if behind else None
    if question is None and (told.was_asked or change.asks_to_add):
        question = Question(Asked.TOTAL, is_bare=True)
    return None if question is None else Found(question, change.series, behind, len(text))


def _asked_beside(text: str, series: Series) -> Found | None:
    """Return what a text asks of its own amounts, behind them or in their heading."""
    behind = text[series.end :]
    for end in reversed([end for _, end in sentence_spans(behind)]):
        words = behind[:end].strip(" -.,;:\u2013\u2014\n\t")
        question = read_question(words, series, is_close=True)
        if question is not None and series.asked_end and question.asked is Asked.COUNT:
            question = replace(question, asked=Asked.TOTAL)  # the numbers are counts themselves
        if question is not None:
            return Found(question, series, words, series.end + end)
    if (asked := _asked_in_heading(series)) is not None:
        return asked
    said = words_of(series.heading)
    first = next((word for word in said if word not in _POLITE), "")
    if first not in _REQUESTS and not series.asked_end:
        return None
    is_sure = bool(_SUMMING & set(said))
    question = read_question(series.heading, replace(series, heading=""), is_close=is_sure)
    if question is None and first in _REQUESTS and _reckons_all(said):
        question = Question(Asked.TOTAL)
    if question is None and series.asked_end:
        return Found(Question(Asked.TOTAL, is_bare=True), series, text, series.asked_end)
    return None if question is None else Found(question, series, series.heading, series.end)


def _asked_in_heading(series: Series) -> Found | None:
    """Return what the last clause of a heading asks: ``Claims for May, what is the total?``."""
    if not series.heading.rstrip().endswith("?"):
        return None
    clause = series.heading.replace(":", ",").replace(".", ",").rpartition(",")[2].strip()
    question = read_question(clause, replace(series, heading=""), is_close=True)
    return None if question is None else Found(question, series, clause, series.end)


def _reckons_all(said: Sequence[str]) -> bool:
    """Return whether a heading asks for nothing but amounts to be worked out: ``compute my hours``."""
    words = [word for word in said if word[0].isalnum() and word not in _POLITE]
    return len(words) <= _MOST_HEADING_WORDS and words[0] in _RECKONING and words[-1] in _RECKONED


_RECKONING = frozenset("calculate compute tally total sum".split())
_RECKONED = frozenset(
    "hours minutes days miles km expenses costs spending spend sales takings income earnings wages tips bills"
    " amounts figures numbers prices these those this donations mileage claims payments".split()
)
"""Nouns of amounts that a sum is made of."""
_MOST_HEADING_WORDS = 6
_SUMMING = frozenset({"up", "together", "total", "sum", "altogether", "average", "these", "those", "them"})


_POLITE = frozenset("please pls can could would you just hey hi ok okay so and quick question ,".split())


def _asked_of_told(words: str, told: Sequence[Told]) -> Found | None:
    bare: Found | None = None
    if (former := _asked_of_former(words, told)) is not None:
        return former
    for place, one in enumerate(told):
        if len(one.series.rows) < _FEWEST_NUMBERS:
            continue  # one number is a fact, not a list
        question = read_question(words, one.series, is_close=one.is_close)
        if question is None:
            continue
        found = Found(question, one.series, words, len(words))
        if not question.is_bare:
            return found
        if place == 0 and one.is_current and one.since <= _MOST_SINCE:
            bare = found
    return bare


def _asked_of_former(words: str, told: Sequence[Told]) -> Found | None:
    """Return what a question asks of the last amounts as they were before their last change: ``how much was
    it before that?``
    """
    question, mark, _ = words.lower().partition(" before")
    last = next(iter(told), None)
    if not mark or last is None or last.former is None or last.since > _MOST_SINCE:
        return None
    asked = read_question(f"{question}?", last.former, is_close=last.is_close)
    return None if asked is None else Found(asked, last.former, question, len(words))
