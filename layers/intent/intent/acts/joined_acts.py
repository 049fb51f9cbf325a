"""Joins neighbouring acts of a message that tell of one thing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from intent.acts.act import Act, ActKind, Meant, Span

_TOLD_AT_LENGTH = frozenset({ActKind.CREATE_AGENT, ActKind.ANSWER, ActKind.REMEMBER, ActKind.COPY_AGENT})
"""Kinds whose neighbours of the same kind are one act unless each has a time of its own."""


def merged(message: str, acts: Sequence[Act], apart: Collection[int]) -> Iterator[Act]:
    """Yield the acts, with neighbours that tell of one thing joined; ``apart``: where others begin."""
    waiting: Act | None = None
    for act in acts:
        is_apart = act.clause.start in apart
        if waiting is not None and not is_apart and _are_one(waiting, act):
            waiting = _joined(message, waiting, act)
            continue
        if waiting is not None:
            yield waiting
        waiting = act
    if waiting is not None:
        yield waiting


def _is_due_of(one: Act, other: Act) -> bool:
    """Return whether a change only says when the task is due that the act before it adds."""
    is_change = one.kind is ActKind.ADD_TASK and other.kind is ActKind.CHANGE_TASK and is_vague(other.meant)
    return is_change and "when" not in one.slots and other.slots.keys() <= {"when", "due"}


def _joined(message: str, one: Act, other: Act) -> Act:
    span = Span(message[one.clause.start : other.clause.end], one.clause.start, other.clause.end)
    return replace(
        one,
        clause=span,
        meant=other.meant if is_vague(one.meant) else one.meant,
        slots={**other.slots, **one.slots},
        several=(*one.several, *other.several),
        adds=one.adds or other.adds,
        removes=one.removes or other.removes,
    )


def _are_one(one: Act, other: Act) -> bool:
    if one.kind is not other.kind:
        return _is_due_of(one, other)
    if one.kind in _TOLD_AT_LENGTH:
        return not ("when" in one.slots and "when" in other.slots)
    if one.kind is ActKind.CHANGE_AGENT:
        same = {thing.id for thing in one.meant.things} == {thing.id for thing in other.meant.things}
        is_open = not (one.slots.keys() & other.slots.keys())
        return is_open and (same or is_vague(one.meant) or is_vague(other.meant))
    if one.kind is ActKind.ADD_TASK:
        return (
            not (one.slots or other.slots) and bool(one.several and other.several) and not _is_command(other)
        )
    return not (one.slots or other.slots or one.several) and (
        one.meant == other.meant or is_vague(other.meant)
    )


def _is_command(act: Act) -> bool:
    """Return whether an act has words before its first title: they may say another list or time."""
    return act.several[0].start > act.clause.start


def is_vague(meant: Meant) -> bool:
    """Return whether nothing was named: it is what was talked about before, if anything."""
    return meant.is_focus or not meant.things
