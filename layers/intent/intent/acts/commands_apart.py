"""Commands that are the last sentence behind what is told or answered: ``No, keep it. Just pause it.``"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from intent.acts.act import ActKind
from intent.acts.commands import read_bare_command, read_command
from intent.acts.learned.act_model import RankedKind, Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.plain_answers import leaves_as_is
from intent.acts.task_reading.timed_deeds import is_own_deed

_ENDS = frozenset(".!?;\n")
_AT_LENGTH = frozenset(
    {ActKind.CREATE_AGENT, ActKind.COPY_AGENT, ActKind.CHANGE_AGENT, ActKind.ADD_TASK, ActKind.ANSWER}
)
"""Kinds whose own words may be commands: those of a job, a title, an instruction."""
_DEEDS = frozenset(
    {
        ActKind.PAUSE_AGENT, ActKind.RUN_AGENT, ActKind.DELETE_AGENT, ActKind.SHARE_AGENT,
        ActKind.UNSHARE_AGENT,
    }
)  # fmt: skip
"""Kinds that a plain command alone tells from all others; ``bring it back`` may resume or restore."""
TELLING = frozenset(
    {ActKind.YES, ActKind.NO, ActKind.LATER, ActKind.REMEMBER, ActKind.SMALL_TALK, ActKind.NONE}
)
"""Kinds of a sentence that asks for nothing that is to be done."""


def with_commands_apart(segments: Sequence[Segment], marked: MarkedMessage) -> tuple[Segment, ...]:
    """Return the segments, each command on an agent that is the last sentence of one as one of its own, and
    each deed behind an answer: ``leave it. call the bank tomorrow``.
    """
    return tuple(part for segment in segments for part in _apart(segment, marked))


def _apart(segment: Segment, marked: MarkedMessage) -> Iterator[Segment]:
    for place in (last_sentence(segment, marked), _last_part(segment, marked)):
        own = marked.tokens[place : segment.end]
        kind = None
        if place > segment.start and segment.kind not in _AT_LENGTH:
            # Behind a comma ``it`` is what the words before it mean: ``the second one, run it``.
            is_sentence = marked.tokens[place - 1].token.text[0] in _ENDS
            kind = read_command(own) or (read_bare_command(own) if is_sentence else None)
        if kind in _DEEDS:
            told = tuple(one for one in segment.ranked if one.kind in TELLING)
            yield replace(segment, end=place, ranked=told or (RankedKind(ActKind.NONE, 1.0),))
            yield replace(segment, start=place, ranked=(RankedKind(kind, 1.0),))
            return
    place = last_sentence(segment, marked)
    answers = segment.kind in _ANSWERS or leaves_as_is(marked.tokens[segment.start : place])
    behind = [one.token for one in marked.tokens[place : segment.end]]
    if place > segment.start and answers and is_own_deed(behind):
        yield replace(segment, end=place)
        yield replace(segment, start=place, ranked=(RankedKind(ActKind.ADD_TASK, 1.0),))
    else:
        yield segment


_ANSWERS = frozenset({ActKind.YES, ActKind.NO, ActKind.LATER})


def _last_part(segment: Segment, marked: MarkedMessage) -> int:
    """Return where the part behind the last comma of a segment begins, its start where an agent is named
    before it.
    """
    tokens = marked.tokens
    ends = (at for at in range(segment.end - 2, segment.start, -1) if tokens[at].token.text == ",")
    cut = next(ends, segment.start - 1) + 1
    return segment.start if any(one.mask == "AGENT" for one in tokens[segment.start : cut]) else cut


def last_sentence(segment: Segment, marked: MarkedMessage) -> int:
    """Return where the last sentence of a segment begins."""
    tokens = marked.tokens
    ends = (at for at in range(segment.end - 2, segment.start, -1) if tokens[at].token.text[0] in _ENDS)
    return next(ends, segment.start - 1) + 1
