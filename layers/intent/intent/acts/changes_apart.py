"""Changes of several agents in one stretch, each with its own time: ``parcels to 9 and rent to Mondays``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from intent.acts.act import ActKind
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import MarkedMessage, MarkedToken
from intent.acts.lexicon import classes_of

_JOINTS = frozenset({"and", ",", ";", "but"})
_SETTING = frozenset("to at on every each daily weekly hourly only just".split())


def with_changes_apart(segments: Sequence[Segment], marked: MarkedMessage) -> tuple[Segment, ...]:
    """Return the segments, each change of another agent with a time of its own as one of its own."""
    return tuple(part for segment in segments for part in _apart(segment, marked))


def _apart(segment: Segment, marked: MarkedMessage) -> Iterator[Segment]:
    begin = segment.start
    if segment.kind is ActKind.CHANGE_AGENT:
        for joint in range(segment.start + 1, segment.end - 2):
            if _joins_changes(marked.tokens[begin : segment.end], joint - begin):
                yield replace(segment, start=begin, end=joint)
                begin = joint
    yield replace(segment, start=begin)


def _joins_changes(tokens: Sequence[MarkedToken], joint: int) -> bool:
    """Return whether a joint stands between what is said of one agent and of another that is named."""
    before, behind = tokens[:joint], tokens[joint + 1 :]
    names = [at for at, one in enumerate(before) if one.mask == _NAME]
    if tokens[joint].token.word not in _JOINTS or not names or len(behind) < _FEWEST:
        return False
    if behind[0].mask != _NAME or behind[1].token.word not in _SETTING or _names_anew(before):
        return False
    return any(one.token.word in _SETTING for one in before[names[-1] + 1 :])


def _names_anew(tokens: Sequence[MarkedToken]) -> bool:
    return any("rename" in classes_of(one.token.word) for one in tokens)


_NAME, _FEWEST = "AGENT", 3
