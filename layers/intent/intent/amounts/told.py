"""Which amounts a text asks about: its own, or those that the conversation was told before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from conversation.messages.models import Message, Role
from conversation.sentences import sentence_spans
from intent.amounts.questions import Question, may_ask, read_question
from intent.amounts.reader import read_series
from intent.amounts.series import Series, words_of
from intent.sums.quantities import read_quantities

_MOST_MESSAGES, _MOST_SINCE = 60, 8
_REQUESTS = frozenset("add sum total calculate put what what's whats how work tally average".split())
_FEWEST_NUMBERS = 2
_SUM = "sum"
"""The kind of a turn that worked something out."""


class Told(NamedTuple):
    """Amounts that were told before. ``since`` counts the user's messages behind them.

    ``is_current``: no other sum was worked out since then, so that "that" may mean them. ``is_close``: they
    were only asked about since then.
    """

    series: Series
    since: int
    is_current: bool
    is_close: bool


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
    found: list[Told] = []
    since, is_current, is_close = 0, True, True
    reply: Message | None = None
    for message in reversed(history[-_MOST_MESSAGES:]):
        if message.role is not Role.USER:
            reply = message
            continue
        if message.deleted:
            continue
        series = read_series(message.content)
        if series is not None and not (reply is not None and reply.note.did):
            found.append(Told(series, since, is_current, is_close and is_current))
        elif reply is not None and _SUM in reply.note.kinds and _has_own_numbers(message.content):
            is_current = False
        is_close = is_close and reply is not None and set(reply.note.kinds) <= {_SUM}
        since += 1
    return tuple(found)


def _has_own_numbers(text: str) -> bool:
    return len(read_quantities(text).numbers) >= _FEWEST_NUMBERS


_LONGEST_QUESTION, _MOST_SENTENCES = 600, 8
"""How much of a text is looked through for a question."""


def find_question(text: str, read_told: Callable[[], Sequence[Told]]) -> Found | None:
    """Return what the first sentences of a text ask about its own amounts, else about those told before; None
    where they ask nothing of them.
    """
    series = read_series(text)
    if series is not None:
        return _asked_beside(text, series)
    ends = [end for _, end in sentence_spans(text[:_LONGEST_QUESTION])][:_MOST_SENTENCES]
    for end in reversed(ends):
        words = text[:end]
        if may_ask(words) and (found := _asked_of_told(words, read_told())) is not None:
            return found
    return None


def _asked_beside(text: str, series: Series) -> Found | None:
    """Return what a text asks of its own amounts, behind them or in their heading."""
    behind = text[series.end :]
    for end in reversed([end for _, end in sentence_spans(behind)]):
        words = behind[:end].strip(" -.,;:\u2013\u2014\n\t")
        question = read_question(words, series, is_close=True)
        if question is not None:
            return Found(question, series, words, series.end + end)
    said = words_of(series.heading)
    first = next((word for word in said if word not in _POLITE), "")
    if first not in _REQUESTS:
        return None
    is_sure = bool(_SUMMING & set(said))
    question = read_question(series.heading, replace(series, heading=""), is_close=is_sure)
    return None if question is None else Found(question, series, series.heading, series.end)


_SUMMING = frozenset({"up", "together", "total", "sum", "altogether", "average"})


_POLITE = frozenset("please pls can could would you just hey hi ok okay so and quick question ,".split())


def _asked_of_told(words: str, told: Sequence[Told]) -> Found | None:
    bare: Found | None = None
    for place, one in enumerate(told):
        question = read_question(words, one.series, is_close=one.is_close)
        if question is None:
            continue
        found = Found(question, one.series, words, len(words))
        if not question.is_bare:
            return found
        if place == 0 and one.is_current and one.since <= _MOST_SINCE:
            bare = found
    return bare
