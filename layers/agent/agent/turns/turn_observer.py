"""What a turn took and did, logged as one event when it ends. Knows the turn's events only.

Tiers, fallbacks and model calls are logged where they happen; `edge.event_metrics` says what is measured.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Mapping
from contextlib import closing

from pydantic import JsonValue

from agent.turn_events import Accepted, Done, Thinking, ToolUsed, TurnEvent, TurnStarted
from conversation.clock import Clock

LOG = logging.getLogger("omniforge.turns")

ADMITTING, WAITING = "admitting", "waiting"


def observed(events: Generator[TurnEvent, None, None], clock: Clock) -> Generator[TurnEvent, None, None]:
    """Yield the events of a turn, and log what it took and did before its last one."""
    watch = _TurnWatch(clock)
    with closing(events):
        for event in events:
            watch.hear(event)
            yield event


class _TurnWatch:
    """Adds up the stages of one turn, which its events mark."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = self._entered = clock.monotonic()
        self._stage = ADMITTING
        self._took_s: dict[str, float] = {}

    def hear(self, event: TurnEvent) -> None:
        """Take note of an event; the last one logs the turn."""
        match event:
            case TurnStarted():
                # What follows is between two stages and takes no time of its own.
                self._enter("")
            case Thinking():
                self._enter(event.stage)
            case ToolUsed():
                LOG.debug("tool used", extra={"tool": event.name, "outcome": "ok" if event.ok else "failed"})
            case Done():
                answer = event.answer
                replayed = {"replayed": 1} if answer.replayed else _usage(answer.metadata)
                self._log(answer.turn_id, replayed)
            case Accepted():
                self._log(event.turn_id, {"accepted": 1})
            case _:
                pass

    def _enter(self, stage: str) -> None:
        now = self._clock.monotonic()
        if self._stage:
            self._took_s[self._stage] = self._took_s.get(self._stage, 0.0) + now - self._entered
        self._stage, self._entered = stage, now

    def _log(self, turn_id: str, told: Mapping[str, JsonValue]) -> None:
        self._enter("")
        took_ms = {f"{stage}_ms": round(seconds * 1000) for stage, seconds in self._took_s.items()}
        waited = {"waited": 1} if WAITING in self._took_s else {}
        latency_ms = round((self._entered - self._began) * 1000)
        LOG.debug(
            "turn ended", extra={"turn_id": turn_id, "latency_ms": latency_ms, **took_ms, **waited, **told}
        )


def _usage(metadata: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """What models used for the reply; nothing where none was asked."""
    usage = metadata.get("usage")
    return usage if isinstance(usage, dict) and usage.get("model_calls") else {}
