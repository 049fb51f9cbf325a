"""What stands behind the list in a request for a task is another task: ``put milk on my list, ring mum``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.learned.act_model import RankedKind, Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.lexicon import LEADS, LIST_NOUNS, classes_of
from intent.acts.task_titles import names_deed
from intent.acts.tokens import Token

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
    if first is None or not _holds_title(tokens[segment.start : first]):
        return None
    joints = (at for at in range(first + 1, segment.end - 1) if tokens[at].word in _JOINTS)
    return next((at for at in joints if names_deed(Clause(marked.text, tokens[at + 1 : segment.end]))), None)


def _holds_title(tokens: Sequence[Token]) -> bool:
    """Return whether words before a list say what goes on it: ``put milk on``, and not ``please add to``."""
    words = (token.word for token in tokens if token.word not in _NO_TITLE)
    return any(word[0].isalnum() and "add" not in classes_of(word) for word in words)


_NO_TITLE = LEADS | _OWN | frozenset("to on onto in for me can could would will you i want need like".split())
