"""The parameters of a simulated run. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from tests.history.faults import HARMLESS, Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """The writers of a run and the rates of its faults. By default nothing fails."""

    processes: int = 3
    writers: int = 3
    messages: int = 4
    conversations: int = 1
    rates: Mapping[Fault, float] = field(default_factory=dict)
    """Shares of all storage requests."""
    bugs: float = 0.0
    """The share of answers that fail while they are produced."""
    lost_replies: float = 0.0
    """The share of replies that never reach their client."""
    patience_s: tuple[float, float] = (25.0, 29.0)
    """The range of callers' timeouts."""
    long_thoughts: float = 0.0
    """The share of answers that take longer than a lease."""
    latency_s: tuple[float, float] = (0.001, 0.008)
    """The range of the latency, one way to the table or back."""
    skew_s: float = 0.5
    """The maximal offset of a process's clock."""
    max_messages: int = 20
    """The number of messages that a turn reads."""
    keyed_share: float = 0.9
    """The share of messages sent with an Idempotency-Key."""

    @classmethod
    def from_random(cls, draw: Random) -> Circumstances:
        """Draw random parameters with up to four kinds of faults; more would hide each other."""
        kinds = draw.sample(list(Fault), draw.randint(0, 4))
        max_messages = draw.choice((2, 20))
        return cls(
            processes=draw.randint(1, 3),
            writers=draw.randint(2, 4),
            messages=draw.randint(1, 4),
            conversations=draw.randint(1, 2),
            rates={kind: draw.choice((0.05, 0.15) if kind in HARMLESS else (0.005, 0.02)) for kind in kinds},
            bugs=draw.choice((0.0, 0.0, 0.05)),
            lost_replies=draw.choice((0.0, 0.05)),
            patience_s=draw.choice(((25.0, 29.0), (2.0, 29.0))),
            long_thoughts=draw.choice((0.0, 0.0, 0.1)),
            latency_s=draw.choice(((0.001, 0.008), (0.001, 0.5))),
            skew_s=draw.choice((0.0, 0.5)),
            max_messages=max_messages,
            # Without a key, a repeated message is recognised only among the messages that a turn reads.
            keyed_share=0.9 if max_messages == 20 else 1.0,
        )
