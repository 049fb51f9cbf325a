"""Runs of one tenant do not delay another's: what a tenant may have under way, over the real function."""

from __future__ import annotations

import json
import sqlite3
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conversation.clock import SystemClock
from conversation.limits.concurrency import RunSlots, TooManyRuns
from conversation.limits.quotas import StockLimits
from conversation.tenants.policy import Grant
from conversation.tenants.store import TenantStore
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.aws.proxy_events import Context, request
from tests.fakes.deployment import functions
from tests.fakes.run.clocks import ManualClock

ACME, NEIGHBOUR = TenantId("acme"), TenantId("acme-eu")
LONG = timedelta(minutes=6)


class Deployment:
    """The functions that start and execute runs, over one file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        settings = functions.settings(
            folder,
            OMNIFORGE_RUN_QUEUE=f"sqlite:///{folder}/runs.db",
            OMNIFORGE_TENANT_SECRETS=f"file://{folder}/secrets.json",
            OMNIFORGE_STRONG_MODELS="",
        )
        self.workspace: ModuleType = functions.load("workspace", settings)
        self.runs: ModuleType = functions.load("agent_runs", settings)
        self.tables = Tables(SqliteTable(folder / "omniforge.db"))

    def ask(self, method: str, path: str, tenant: TenantId, body: object = None) -> dict[str, Any]:
        sent = request(method, path, tenant=tenant, body=body)
        answer = functions.invoke(self.workspace, sent)
        assert answer.status < 300, answer.body
        return dict(answer.json)

    def start_run(self, tenant: TenantId) -> tuple[str, str]:
        """Start a run of a new agent; its id, and the queue's message about it."""
        agent = self.ask("POST", "/v1/agents", tenant, {"what": "pages that changed"})
        run = self.ask("POST", f"/v1/agents/{agent['id']}/runs", tenant, {})
        asked = {"tenant": tenant, "user": "maya", "agent_id": agent["id"], "run_id": run["id"]}
        return str(run["id"]), json.dumps(asked)

    def deliver(self, body: str) -> dict[str, Any]:
        """Invoke the function with the message."""
        event = {"Records": [{"messageId": "1", "body": body}]}
        return dict(self.runs.handler(event, Context()))

    def run(self, run_id: str, tenant: TenantId) -> dict[str, Any]:
        return self.ask("GET", f"/v1/runs/{run_id}", tenant)

    def waiting(self) -> list[tuple[str, float, str]]:
        with closing(sqlite3.connect(self.folder / "runs.db")) as connection:
            rows = connection.execute("select body, delay_s, tenant from queue").fetchall()
        return [(str(body), float(delay_s), str(tenant)) for body, delay_s, tenant in rows]


@pytest.fixture
def deployment(tmp_path: Path) -> Deployment:
    return Deployment(tmp_path)


def test_a_run_beyond_what_its_tenant_may_have_under_way_waits_and_no_neighbour_does(
    deployment: Deployment,
) -> None:
    theirs, asked = deployment.start_run(ACME)
    ours, asked_by_neighbour = deployment.start_run(NEIGHBOUR)
    slots = RunSlots(tables=deployment.tables, clock=SystemClock(), lifetime=LONG)
    with ExitStack() as under_way:
        for _ in range(StockLimits().runs_at_once):
            under_way.enter_context(slots.hold(ACME))
        assert deployment.deliver(asked) == {"batchItemFailures": []}
        assert deployment.waiting() == [(asked, 30.0, "acme")]
        assert (deployment.run(theirs, ACME)["status"], deployment.run(theirs, ACME)["attempt"]) == (
            "queued",
            0,
        )
        deployment.deliver(asked_by_neighbour)
        assert deployment.run(ours, NEIGHBOUR)["status"] == "failed"  # there is no model
    deployment.deliver(asked)
    assert deployment.run(theirs, ACME)["attempt"] == 1


def test_a_slot_is_free_again_when_its_run_has_ended(deployment: Deployment) -> None:
    for _ in range(StockLimits().runs_at_once + 1):
        run_id, asked = deployment.start_run(ACME)
        deployment.deliver(asked)
        assert deployment.run(run_id, ACME)["status"] == "failed"
    assert deployment.waiting() == []


def test_operators_say_how_many_runs_a_tenant_has_under_way() -> None:
    tables, clock = Tables(SqliteTable(":memory:")), ManualClock()
    TenantStore(tables=tables, clock=clock).register(ACME, grant=Grant(runs_at_once=1))
    slots = RunSlots(tables=tables, clock=clock, lifetime=LONG)
    with slots.hold(ACME), pytest.raises(TooManyRuns), slots.hold(ACME):
        pass
    with slots.hold(ACME):
        pass


def test_the_slot_of_a_function_that_died_is_free_after_a_while() -> None:
    tables, clock = Tables(SqliteTable(":memory:")), ManualClock()
    TenantStore(tables=tables, clock=clock).register(ACME, grant=Grant(runs_at_once=1))
    slots = RunSlots(tables=tables, clock=clock, lifetime=LONG)
    died = slots.hold(ACME)
    died.__enter__()
    clock.advance(LONG.total_seconds() - 1)
    with pytest.raises(TooManyRuns), slots.hold(ACME):
        pass
    clock.advance(1)
    with slots.hold(ACME):
        pass
