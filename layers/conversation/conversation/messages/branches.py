"""Which of a conversation's messages are active. Pure.

Messages are only ever appended. A message that is edited stays where it is; what replaces it goes behind
everything, and the conversation's path leaves out what stood between: after an edit of the fifth of ten
messages the path is 1 to 4 and from 11 on, ``1-4,11`` as it is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

Segment: TypeAlias = tuple[int, int]
"""Sequences from the first to the second, both inclusive."""

MAX_SEGMENTS = 50
MAX_READ_THROUGH = 80
"""So many inactive messages between two segments are rather read along than asked around."""


class BranchPath(NamedTuple):
    """The active messages: closed segments, oldest first, and everything from ``start`` on."""

    closed: tuple[Segment, ...] = ()
    start: int = 1

    @classmethod
    def of(cls, segments: Sequence[Segment], start: int) -> BranchPath:
        """The path of these segments; neighbours become one."""
        closed: list[Segment] = []
        for low, high in segments:
            follows = bool(closed) and closed[-1][1] + 1 == low
            closed.append((closed.pop()[0] if follows else low, high))
        follows = bool(closed) and closed[-1][1] + 1 == start
        start = closed.pop()[0] if follows else start
        return cls(tuple(closed), start)

    @classmethod
    def parse(cls, text: str | None) -> BranchPath:
        """The path that `to_text` wrote; None: nothing was ever edited."""
        if text is None:
            return cls()
        *closed, start = text.split(",")
        return cls(segments_of(",".join(closed)), int(start))

    def to_text(self) -> str:
        """As it is stored on a head."""
        return ",".join([*(f"{low}-{high}" for low, high in self.closed), str(self.start)])

    @property
    def is_whole(self) -> bool:
        """Whether every message is active."""
        return not self.closed and self.start == 1

    def has(self, sequence: int) -> bool:
        """Whether the message at the place is active."""
        return sequence >= self.start or any(low <= sequence <= high for low, high in self.closed)

    def segments(self, last: int) -> tuple[Segment, ...]:
        """All active messages of a conversation with so many."""
        return (*self.closed, (self.start, last)) if self.start <= last else self.closed

    def count(self, last: int) -> int:
        """How many messages are active of so many."""
        return sum(high - low + 1 for low, high in self.segments(last))

    def replacing(self, sequence: int, last: int) -> BranchPath:
        """The path on which something else follows what came before the message at the place."""
        before = [(low, min(high, sequence - 1)) for low, high in self.segments(last) if low < sequence]
        return BranchPath.of(before, last + 1)

    def stretches(self, low: int, high: int, *, newest_first: bool) -> Iterator[Stretch]:
        """What to read, in order, for the active messages from ``low`` to ``high``."""
        stretches: list[Stretch] = []
        for begin, end in self.segments(high):
            if end >= low and begin <= high:
                _join(stretches, Stretch(max(begin, low), min(end, high)))
        return reversed(stretches) if newest_first else iter(stretches)


class Stretch(NamedTuple):
    """Messages to read in one go; ``skipped`` of them are not active."""

    low: int
    high: int
    skipped: int = 0


def segments_of(text: str) -> tuple[Segment, ...]:
    """The segments that `segments_to_text` wrote."""
    pairs = (part.split("-") for part in text.split(",") if part)
    return tuple((int(low), int(high)) for low, high in pairs)


def segments_to_text(segments: Sequence[Segment]) -> str:
    """As they are kept with a message that was replaced."""
    return ",".join(f"{low}-{high}" for low, high in segments)


def _join(stretches: list[Stretch], following: Stretch) -> None:
    latest = stretches[-1] if stretches else None
    skipped = latest.skipped + following.low - latest.high - 1 if latest else 0
    if latest is None or skipped > MAX_READ_THROUGH:
        stretches.append(following)
    else:
        stretches[-1] = Stretch(latest.low, following.high, skipped)
