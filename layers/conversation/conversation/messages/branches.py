"""The branch of a conversation: which of its messages are active. Pure functions.

Messages are only ever appended. An edited message stays in place and its replacement is appended at the end;
the conversation's path leaves out what lies between. After an edit of the fifth of ten messages, the path is
1 to 4 and everything from 11 on, stored as ``1-4,11``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

Segment: TypeAlias = tuple[int, int]
"""The first and the last sequence number, both inclusive."""

MAX_SEGMENTS = 50
MAX_SKIPPED = 80
"""Up to this many inactive messages between two segments are read along, which is cheaper than another
request.
"""


class BranchPath(NamedTuple):
    """The active messages: closed segments, oldest first, and everything from ``start`` on."""

    closed: tuple[Segment, ...] = ()
    start: int = 1

    @classmethod
    def from_segments(cls, segments: Sequence[Segment], start: int) -> BranchPath:
        """The path of these segments; adjacent segments are merged."""
        closed: list[Segment] = []
        for low, high in segments:
            follows = bool(closed) and closed[-1][1] + 1 == low
            closed.append((closed.pop()[0] if follows else low, high))
        follows = bool(closed) and closed[-1][1] + 1 == start
        start = closed.pop()[0] if follows else start
        return cls(tuple(closed), start)

    @classmethod
    def parse(cls, text: str | None) -> BranchPath:
        """The path from which `to_text` made the text; None: no message was ever edited."""
        if text is None:
            return cls()
        *closed, start = text.split(",")
        return cls(parse_segments(",".join(closed)), int(start))

    def to_text(self) -> str:
        """The path as it is stored on a head."""
        return ",".join([*(f"{low}-{high}" for low, high in self.closed), str(self.start)])

    @property
    def is_whole(self) -> bool:
        """Whether every message is active."""
        return not self.closed and self.start == 1

    def has(self, sequence: int) -> bool:
        """Whether the message with this sequence number is active."""
        return sequence >= self.start or any(low <= sequence <= high for low, high in self.closed)

    def segments(self, last: int) -> tuple[Segment, ...]:
        """The segments of all active messages in a conversation of ``last`` messages."""
        return (*self.closed, (self.start, last)) if self.start <= last else self.closed

    def count(self, last: int) -> int:
        """The number of active messages in a conversation of ``last`` messages."""
        return sum(high - low + 1 for low, high in self.segments(last))

    def after_replacing(self, sequence: int, last: int) -> BranchPath:
        """The path after the message at ``sequence`` is replaced: what came before it, and everything after
        ``last``.
        """
        before = [(low, min(high, sequence - 1)) for low, high in self.segments(last) if low < sequence]
        return BranchPath.from_segments(before, last + 1)

    def ranges(self, low: int, high: int, *, newest_first: bool) -> Iterator[BranchRange]:
        """The ranges to read, in order, for the active messages from ``low`` to ``high``."""
        stretches: list[BranchRange] = []
        for begin, end in self.segments(high):
            if end >= low and begin <= high:
                _join(stretches, BranchRange(max(begin, low), min(end, high)))
        return reversed(stretches) if newest_first else iter(stretches)


class BranchRange(NamedTuple):
    """A range of messages to read with one query; ``skipped`` of them are not active."""

    low: int
    high: int
    skipped: int = 0


def parse_segments(text: str) -> tuple[Segment, ...]:
    """The segments from which `segments_to_text` made the text."""
    pairs = (part.split("-") for part in text.split(",") if part)
    return tuple((int(low), int(high)) for low, high in pairs)


def segments_to_text(segments: Sequence[Segment]) -> str:
    """The segments as they are stored with a replaced message."""
    return ",".join(f"{low}-{high}" for low, high in segments)


def _join(stretches: list[BranchRange], following: BranchRange) -> None:
    latest = stretches[-1] if stretches else None
    skipped = latest.skipped + following.low - latest.high - 1 if latest else 0
    if latest is None or skipped > MAX_SKIPPED:
        stretches.append(following)
    else:
        stretches[-1] = BranchRange(latest.low, following.high, skipped)
