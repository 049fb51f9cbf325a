"""Cron expressions that people type into a request: they say when, and are no words of another slot."""

from __future__ import annotations

from dataclasses import replace

from intent.acts.act import Span
from intent.acts.clauses import Clause
from intent.acts.parts import Part
from intent.acts.tokens import Token, tokenise
from intent.times.typed_cron import typed_cron_place

_AROUND = frozenset(
    "a the cron crontab schedule scheduled expression on at with by to run runs it is".split()
)
"""Words that lead to an expression."""


def beside_typed_cron(part: Part) -> Part:
    """Return the part with its slots beside a cron expression: of ``snowflake, cron 0 6 * * *`` the source
    is ``snowflake``.
    """
    place = _place(part.clause)
    if place is None:
        return part
    tagged = {
        slot: kept
        for slot, spans in part.tagged.items()
        if (kept := tuple(left for span in spans if (left := _beside(span, *place)) is not None))
    }
    return replace(part, tagged=tagged)


def _place(clause: Clause) -> tuple[int, int] | None:
    """Return where an expression stands in the message of a clause; None without one."""
    found = typed_cron_place(clause.message[clause.start : clause.end])
    return None if found is None else (clause.start + found[0], clause.start + found[1])


def _beside(span: Span, start: int, end: int) -> Span | None:
    """Return the words of a slot before an expression in them, or else those behind it; None for none."""
    if span.end <= start or end <= span.start:
        return span
    before = tokenise(span.text[: max(0, start - span.start)])
    while before and (not before[-1].is_word or before[-1].word in _AROUND):
        before = before[:-1]
    if before:
        return Span(span.text[: before[-1].end], span.start, span.start + before[-1].end)
    begin = max(0, end - span.start)
    behind = [token for token in tokenise(span.text[begin:]) if token.is_word]
    return _behind(span, begin, behind[0]) if behind else None


def _behind(span: Span, begin: int, first: Token) -> Span:
    start = begin + first.start
    return Span(span.text[start:], span.start + start, span.end)
