"""The figures of the last quarter of an hour, added up from the events that are metrics on AWS.

They end with the server, which its workers tell what their functions measure. Nothing here knows a tenant, a
user or a message.
"""

from __future__ import annotations

import logging
import math
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from edge.event_metrics import TURN_STAGES, measured

STEP_S = 5
STEPS = 180
MAX_VALUES = 1_000
"""The values of one metric that are kept of a step; a percentile of more of them would look the same."""

_SUMS = (
    "turns_waited",
    "turns_accepted",
    "turns_replayed",
    "turn_conflicts",
    "turn_cost_usd",
    "turn_prompt_tokens",
    "turn_completion_tokens",
    "model_calls",
    "model_failures",
    "tenant_budgets_reached",
    "runs_ended",
    "runs_failed",
)
_PERCENTILES = ("turn_latency_ms", "request_latency_ms", *(f"turn_{stage}_ms" for stage in TURN_STAGES))
_COUNTERS = ("intent_classification_method", "intent_fallbacks", "tools_used")


@dataclass(slots=True)
class _Step:
    """What was measured within a few seconds."""

    number: int
    sums: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    values: dict[str, list[float]] = field(default_factory=dict)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    waiting: dict[str, int] = field(default_factory=dict)


class Figures(logging.Handler):
    """A log handler that adds events up. Safe to use from several threads.

    ``now`` returns seconds, ``depths`` how many entries wait in each queue.
    """

    def __init__(self, now: Callable[[], float], depths: Callable[[], Mapping[str, int]]) -> None:
        super().__init__(logging.DEBUG)
        self._now = now
        self._depths = depths
        self._steps: deque[_Step] = deque(maxlen=STEPS)
        self._adding = threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        """Add the values of an event's metrics."""
        for each in measured(record):
            self.add(each.metric, each.value, each.dimension[1] if each.dimension else None)

    def add(self, metric: str, value: float, word: str | None) -> None:
        """Add one value; ``word`` is the value of the metric's own dimension, None where it has none."""
        with self._adding:
            step = self._current()
            if word is not None:
                step.counts.setdefault(metric, Counter())[word] += 1
                return
            step.sums[metric] += value
            kept = step.values.setdefault(metric, [])
            if len(kept) < MAX_VALUES:
                kept.append(value)

    def as_json(self) -> dict[str, JsonValue]:
        """The figures of each step in which something happened, oldest first."""
        depths = dict(self._depths())
        with self._adding:
            self._current().waiting = depths
            oldest = self._current().number - STEPS
            return {
                "step_s": STEP_S,
                "steps": STEPS,
                "now": self._current().number,
                "measured": [_as_json(step) for step in self._steps if step.number > oldest],
            }

    def _current(self) -> _Step:
        number = int(self._now() // STEP_S)
        # A clock that was set back goes on in the newest step.
        if not self._steps or self._steps[-1].number < number:
            self._steps.append(_Step(number))
        return self._steps[-1]


def _as_json(step: _Step) -> JsonValue:
    return {
        "at": step.number,
        "turns": len(step.values.get("turn_latency_ms", ())),
        "sums": {name: round(step.sums[name], 9) for name in _SUMS if step.sums[name]},
        "p50": {name: _percentile(step.values[name], 50) for name in _PERCENTILES if name in step.values},
        "p95": {name: _percentile(step.values[name], 95) for name in _PERCENTILES if name in step.values},
        "counts": {name: dict(step.counts[name]) for name in _COUNTERS if name in step.counts},
        "waiting": dict(step.waiting),
    }


def _percentile(values: list[float], percent: int) -> float:
    return sorted(values)[math.ceil(percent / 100 * len(values)) - 1]
