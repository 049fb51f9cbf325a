"""What stands behind the list in a request for a task is another task: ``put milk on my list, ring mum``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.learned.act_model import RankedKind, Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.lexicon import LIST_NOUNS
from intent.acts.task_titles import names_deed

_JOINTS = frozenset({"and", ",", "plus", "also"})
_OWN = frozenset({"my", "our", "the"})
_ADDED = (RankedKind(ActKind.ADD_TASK, 1.0),)


def with_next_tasks_apart(segments: Sequence[Segment], marked: MarkedMessage) -> tuple[Segment, ...]:
    """Return the segments, each deed behind the list of a request for a task as one of its own."""
    return tuple(part for segment in segments for part in _apart(segment, marked))


def _apart(segment: Segment, marked: MarkedMessage) -> Iterator[Segment]:
    place = _next_deed(segment, marked) if segment.kind is ActKind.ADD_TASK else None
    if place is None:
        yield segment
        return
    yield replace(segment, end=place)
    yield replace(segment, start=place, ranked=_ADDED)


def _next_deed(segment: Segment, marked: MarkedMessage) -> int | None:
    """Return the place of the joint behind the list that a deed follows; None where none does."""
    tokens = tuple(one.token for one in marked.tokens)
    listed = (
        at for at in range(segment.start + 1, segment.end)
        if tokens[at].word in LIST_NOUNS and tokens[at - 1].word in _OWN
    )  # fmt: skip
    first = next(listed, None)
    if first is None or first - segment.start <= _MOST_BEFORE_TITLE:
        return None
    joints = (at for at in range(first + 1, segment.end - 1) if tokens[at].word in _JOINTS)
    return next((at for at in joints if names_deed(Clause(marked.text, tokens[at + 1 : segment.end]))), None)


_MOST_BEFORE_TITLE = 3
"""``put on my list milk and bread``: the titles are behind the list."""
