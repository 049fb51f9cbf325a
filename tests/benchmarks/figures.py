"""A measured figure, its limit, and how both are printed. Nothing here measures anything."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

SAMPLES = 5


@dataclass(frozen=True, slots=True)
class Limit:
    """What a figure should not exceed, or not fall below."""

    kind: Literal["≤", "≥"]
    value: float

    def holds(self, value: float) -> bool:
        """Whether the figure is on the right side."""
        return value <= self.value if self.kind == "≤" else value >= self.value


def at_most(value: float) -> Limit:
    """A figure that should be small."""
    return Limit("≤", value)


def at_least(value: float) -> Limit:
    """A figure that should be large."""
    return Limit("≥", value)


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the report. ``limit`` None: it is there to be seen."""

    name: str
    value: float
    unit: str
    limit: Limit | None = None

    def line(self) -> str:
        """The figure beside its limit."""
        text = f"  {self.name:<68}{_number(self.value):>10} {self.unit:<14}"
        if self.limit is None:
            return text.rstrip()
        verdict = "ok" if self.limit.holds(self.value) else "MISSED"
        return f"{text}{self.limit.kind} {_number(self.limit.value):<7} {verdict}"


Report: TypeAlias = Iterator[Figure | str]
"""What a group of figures yields as it measures: figures, and remarks such as why something was left out."""

Group: TypeAlias = Callable[[], Report]


def median_of(measure: Callable[[], float], samples: int = SAMPLES) -> float:
    """The middle one of several measurements."""
    return statistics.median(measure() for _ in range(samples))


def machine_load() -> str:
    """How busy the machine is, as a line."""
    one, five, fifteen = os.getloadavg()
    return f"load {one:.2f} {five:.2f} {fifteen:.2f} on {os.cpu_count()} cores"


def _number(value: float) -> str:
    if value == int(value):
        return str(int(value))
    return f"{value:.0f}" if abs(value) >= 1_000 else f"{value:.3g}" if abs(value) < 10 else f"{value:.1f}"
