"""A part of a message that is one act: its words, its kind and its tagged spans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from intent.acts.act import ActKind, Span
from intent.acts.clauses import Clause
from intent.acts.tokens import Token


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the message; ``sure`` is how probable its kind is."""

    clause: Clause
    kind: ActKind
    sure: float
    tagged: Mapping[str, tuple[Span, ...]]
    shared: Mapping[str, Span] = field(default_factory=dict)
    """The slots that words before several requests say of all of them."""
    is_one_more: bool = False
    """Whether it asks for another new agent than the part before it."""
    pieces: tuple[tuple[Token, ...], ...] = ()
    """The words of each of several tasks that it lists or reports on; empty: it is one whole."""
    is_filler: bool = False
    """Whether it does nothing by itself: it only tells numbers."""


def words_of(part: Part, slot: str) -> Clause | None:
    """Return the tagged words of a slot as a clause; None when there are none."""
    spans = part.tagged.get(slot, ())
    tokens = tuple(
        token
        for token in part.clause.tokens
        if any(span.start <= token.start and token.end <= span.end for span in spans)
    )
    return Clause(part.clause.message, tokens) if tokens else None


def listed(spans: Sequence[Span]) -> Span:
    """Return several places as one text; what stands between them is left out."""
    text = ", ".join(span.text for span in spans)
    return Span(text, spans[0].start, spans[-1].end)


def hull(message: str, spans: Sequence[Span]) -> Span:
    """Return the text from the first to the last of several places."""
    start, end = min(span.start for span in spans), max(span.end for span in spans)
    return Span(message[start:end], start, end)


def beside_name(part: Part, name: Span | None) -> Part:
    """Return the part without the new name, which may have the words of another one in it."""
    if name is None:
        return part
    tokens = part.clause.tokens
    kept = tuple(one for one in tokens if one.end <= name.start or one.start >= name.end)
    return replace(part, clause=replace(part.clause, tokens=kept)) if kept else part
