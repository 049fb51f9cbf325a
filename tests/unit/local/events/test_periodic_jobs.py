"""What the twin does by itself every so often, under a clock that is set."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from local.events.periodic_jobs import JobRunner, PeriodicJob, build_jobs
from local.proxy.functions import FunctionFailed
from local.template.resources import Rule
from local.template.sam_translation import TemplateInvalid
from storage.sqlite.table import SqliteTable
from storage.table import Key, Put
from tests.fakes.deployment.gateways import stack_of
from tests.fakes.run.clocks import ManualClock

HOUR_S = 3_600.0
FINISH_EVENTS = """
      Handler: app.finish
      Events:
        Often: {Type: Schedule, Properties: {Schedule: rate(5 minutes)}}"""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SqliteTable]:
    with closing(SqliteTable(tmp_path / "table.db")) as table:
        yield table


def test_a_rate_of_the_template_is_a_rule_of_its_function(tmp_path: Path) -> None:
    stack = stack_of(tmp_path, ("\n      Handler: app.finish\n      Events:", FINISH_EVENTS))
    assert stack.rules == (Rule("FinishOften", "Finish", every_s=300.0),)


def test_a_schedule_the_twin_can_not_keep_is_named(tmp_path: Path) -> None:
    edit = (
        "\n      Handler: app.finish\n      Events:",
        FINISH_EVENTS.replace("rate(5 minutes)", "cron(0 9)"),
    )
    with pytest.raises(TemplateInvalid, match="FinishOften"):
        stack_of(tmp_path, edit)


def test_a_job_is_done_once_a_period_and_once_for_all_it_missed() -> None:
    clock, done = ManualClock(), list[datetime]()
    jobs = JobRunner([PeriodicJob(HOUR_S, done.append)], clock.now())
    for seconds in (0.0, HOUR_S - 1, 1.0, 1.0, 50 * HOUR_S, 1.0):
        clock.advance(seconds)
        jobs.run_due(clock.now())
    assert len(done) == 2


def test_a_clock_that_is_set_back_begins_a_period_anew() -> None:
    clock, done = ManualClock(), list[datetime]()
    clock.advance(50 * HOUR_S)
    jobs = JobRunner([PeriodicJob(HOUR_S, done.append)], clock.now())
    clock.advance(-49 * HOUR_S)
    jobs.run_due(clock.now())
    assert done == []
    clock.advance(HOUR_S)
    jobs.run_due(clock.now())
    assert len(done) == 1


def test_a_function_gets_an_event_as_eventbridge_sends_it(tmp_path: Path) -> None:
    clock, events = ManualClock(), list[tuple[str, str, str]]()

    def invoke(function: str, event: dict[str, Any]) -> None:
        events.append((function, event["detail-type"], event["time"]))

    rules = (Rule("RetentionFunctionSweep", "RetentionFunction", HOUR_S),)
    jobs = JobRunner(build_jobs(rules, invoke, f"sqlite:///{tmp_path}/table.db"), clock.now())
    clock.advance(HOUR_S)
    jobs.run_due(clock.now())
    assert events == [("RetentionFunction", "Scheduled Event", "2026-01-30T10:00:00.000Z")]


def test_a_function_that_fails_is_invoked_again_when_it_is_due(tmp_path: Path) -> None:
    clock, tries = ManualClock(), list[str]()

    def invoke(function: str, event: dict[str, Any]) -> None:
        tries.append(function)
        raise FunctionFailed("ValueError", "what was said")

    rules = (Rule("RetentionFunctionSweep", "RetentionFunction", HOUR_S),)
    jobs = JobRunner(build_jobs(rules, invoke, f"sqlite:///{tmp_path}/table.db"), clock.now())
    for _ in range(2):
        clock.advance(HOUR_S)
        jobs.run_due(clock.now())
    assert len(tries) == 2


def test_what_outlived_its_time_is_taken_away_as_dynamodb_does(table: SqliteTable, tmp_path: Path) -> None:
    clock = ManualClock()
    now = int(clock.now().timestamp())
    ages: dict[str, int | str] = {"past": now - 1, "coming": now + 7_200, "text": str(now - 1)}
    for name, expires_at in ages.items():
        table.put(Put({"pk": "p", "sk": name, "expires_at": expires_at}))
    table.put(Put({"pk": "p", "sk": "none"}))
    jobs = JobRunner(build_jobs((), lambda *_: None, f"sqlite:///{tmp_path}/table.db"), clock.now())
    clock.advance(HOUR_S)
    jobs.run_due(clock.now())
    assert [name for name in (*ages, "none") if table.get(Key("p", name)) is None] == ["past"]
