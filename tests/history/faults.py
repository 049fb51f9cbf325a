"""Faults of storage requests and models, drawn from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from random import Random


class Fault(StrEnum):
    """A fault of one storage request."""

    EXCEPTION = "refused before it took effect"
    LOST_RESPONSE = "took effect, response lost for good"
    RESENT = "took effect, response lost, sent again"
    BELATED = "given up, took effect later all the same"
    THROTTLED = "throttled for a while"
    CONFLICT = "in conflict with a transaction for a while"
    KILLED_BEFORE = "process killed before it"
    KILLED_AFTER = "process killed after it took effect"
    FROZEN = "process stands still beyond its lease"


BUG = "our own code or a model failed"
"""The fault of an answer that is being produced; all others are of storage requests."""

KILLS = frozenset({Fault.KILLED_BEFORE, Fault.KILLED_AFTER})
WAITS = frozenset({Fault.THROTTLED, Fault.CONFLICT})
HARMLESS = WAITS | {Fault.RESENT}
"""The request succeeds in the end; only the storage layer should notice the fault."""
FAILURES = frozenset({Fault.EXCEPTION, Fault.LOST_RESPONSE, Fault.BELATED})
"""The process learns that its request failed, but not whether it took effect."""


REAL_RATES = {
    Fault.EXCEPTION: 0.005,
    Fault.LOST_RESPONSE: 0.005,
    Fault.KILLED_BEFORE: 0.005,
    Fault.KILLED_AFTER: 0.005,
    Fault.THROTTLED: 0.01,
    Fault.CONFLICT: 0.01,
    Fault.RESENT: 0.01,
}
"""With real processes one request in a hundred fails, and one in a hundred kills the process."""
REAL_BUGS = 0.01


class Faults:
    """A random source of faults. Rates are shares of all requests; their sum is below 1."""

    def __init__(self, draw: Random, rates: Mapping[Fault, float], *, bugs: float = 0.0) -> None:
        self._draw = draw
        self._rates = dict(rates)
        self._bugs = bugs

    def draw_fault(self) -> Fault | None:
        """Draw the fault of this request, or None."""
        chance = self._draw.random()
        for fault, rate in self._rates.items():
            chance -= rate
            if chance < 0:
                return fault
        return None

    def is_bug(self) -> bool:
        """Draw whether the answer that is being produced fails."""
        return self._draw.random() < self._bugs

    def stop(self) -> None:
        """Stop all faults."""
        self._rates.clear()
        self._bugs = 0.0
