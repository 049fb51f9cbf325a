from __future__ import annotations

import logging
from collections.abc import Generator
from typing import Any

import pytest
from pydantic import JsonValue

from agent.turn_events import Accepted, Answer, Done, Thinking, ToolUsed, TurnEvent, TurnStarted
from agent.turns.turn_observer import observed
from tests.fakes.run.clocks import ManualClock

STARTED = TurnStarted("c1.t1", "c1", created=True)
USAGE: dict[str, JsonValue] = {
    "model_calls": 2,
    "prompt_tokens": 90,
    "completion_tokens": 10,
    "cost_usd": 0.002,
}


def answer(clock: ManualClock, *, replayed: bool = False) -> Done:
    return Done(Answer("c1", "c1.t1", "m1", "Hello", clock.now(), {"usage": USAGE}, replayed))


def logged(
    events: Generator[TurnEvent, None, None], clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> list[dict[str, Any]]:
    with caplog.at_level(logging.DEBUG, "omniforge.turns"):
        list(observed(events, clock))
    return [vars(record) for record in caplog.records]


def test_a_turn_tells_how_long_each_of_its_stages_took(caplog: pytest.LogCaptureFixture) -> None:
    clock = ManualClock()

    def turn() -> Generator[TurnEvent, None, None]:
        clock.advance(0.1)
        yield STARTED
        for stage, seconds in (("waiting", 1.0), ("waiting", 0.5), ("reading", 0.2), ("storing", 0.3)):
            yield Thinking(stage)
            clock.advance(seconds)
        yield answer(clock)

    (ended,) = logged(turn(), clock, caplog)
    took = {name: value for name, value in ended.items() if name.endswith("_ms")}
    assert took == {
        "latency_ms": 2100,
        "admitting_ms": 100,
        "waiting_ms": 1500,
        "reading_ms": 200,
        "storing_ms": 300,
    }
    assert (ended["turn_id"], ended["waited"]) == ("c1.t1", 1)
    assert (ended["model_calls"], ended["cost_usd"]) == (2, 0.002)


def test_a_replay_counts_no_model_again(caplog: pytest.LogCaptureFixture) -> None:
    clock = ManualClock()
    (ended,) = logged((event for event in (STARTED, answer(clock, replayed=True))), clock, caplog)
    assert ended["replayed"] == 1
    assert "cost_usd" not in ended


def test_a_tool_is_told_with_its_outcome_and_without_its_arguments(caplog: pytest.LogCaptureFixture) -> None:
    used = ToolUsed("calculator", ok=False, arguments='{"expression": "secret"}')
    told, ended = logged((event for event in (STARTED, used, Accepted("c1.t1", "c1"))), ManualClock(), caplog)
    assert (told["msg"], told["tool"], told["outcome"]) == ("tool used", "calculator", "failed")
    assert "secret" not in str(told)
    assert ended["accepted"] == 1


def test_a_turn_that_nobody_listens_to_any_more_is_ended() -> None:
    closed = []

    def turn() -> Generator[TurnEvent, None, None]:
        try:
            yield STARTED
            yield Thinking("reading")
        finally:
            closed.append(True)

    events = observed(turn(), ManualClock())
    next(events)
    events.close()
    assert closed == [True]
