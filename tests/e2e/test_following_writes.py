"""What follows from a write: slow titles delay no run, and what can't be followed delays others briefly."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from conversation.identity import Caller, derived_id
from conversation.messages.items import is_active
from conversation.turns.admission import creation_changes
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Put, Set, Update
from tests.fakes.deployment.twin import ROOT, Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

TITLE = Rule("", Reply(content="A slow title", delay_ms=500), prompt="Give the conversation")
UNDERSTOOD = Reply(decision={"action_type": "help", "confidence": 0.95, "entities": {}})
SCHEDULES = "appointments"
"""The table of the file that stands for EventBridge Scheduler."""

MAYA = Caller(TenantId("acme"), "maya")


class Office:
    """Maya's agents."""

    def __init__(self, twin: Twin) -> None:
        self.twin = twin
        self._token = twin.token()

    def agent(self, name: str, **fields: Any) -> str:
        spec = {"name": name, "what": "new tickets", **fields}
        made = self.twin.request("POST", "/v1/agents", token=self._token, json=spec)
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    def run(self, agent_id: str) -> str:
        asked = self.twin.request("POST", f"/v1/agents/{agent_id}/runs", token=self._token, json={})
        assert asked.status_code == 202, asked.text
        return str(asked.json()["id"])

    def begun(self, run_id: str) -> float:
        """How long the run waited until it began, once it has begun."""
        runs = self.twin.get("/v1/runs", token=self._token)["items"]
        [run] = [each for each in runs if each["id"] == run_id]
        if run["started_at"] is None:
            return 0.0
        created, started = (datetime.fromisoformat(run[name]) for name in ("created_at", "started_at"))
        return max((started - created).total_seconds(), 0.001)


def begin_conversations(data: Path, count: int) -> list[str]:
    """Store new conversations with a first message each, as a gateway beside the twin would."""
    now, ids = datetime.now(UTC), [derived_id("slow title", str(number)) for number in range(count)]
    with closing(SqliteTable(data / "omniforge.db")) as table:
        for conversation_id in ids:
            key = keys.message(MAYA.tenant, conversation_id, 1)
            changes = (*creation_changes(MAYA, conversation_id, now, 30), Set("inbox", []))
            message = {"pk": key.partition, "sk": key.sort, "role": "user", "text": "Tell me about bees"}
            table.transact([Update(keys.head(MAYA.tenant, conversation_id), changes), Put(dict(message))])
    return ids


def titled(data: Path, ids: list[str]) -> int:
    with closing(SqliteTable(data / "omniforge.db")) as table:
        heads = [table.get(keys.head(MAYA.tenant, each)) for each in ids]
    assert all(head is not None and is_active(head) for head in heads)
    return sum(head is not None and head.get("title") == "A slow title" for head in heads)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(Script([TITLE], default=UNDERSTOOD)) as running:
        yield running


def test_a_run_behind_a_hundred_slow_titles_begins_before_they_are_given(
    server: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environ = {
        "OMNIFORGE_INTENT_MODEL": "gpt-4o-mini",
        "OMNIFORGE_STRONG_MODELS": "",
        "OMNIFORGE_TITLES": "model",
        "OPENAI_BASE_URL": server.base_url,
        "OPENAI_API_KEY": "test",
    }
    with Twin(tmp_path, environ=environ) as twin:
        office = Office(twin)
        agent = office.agent("reporter")
        eventually(twin.is_model_ready)
        ids = begin_conversations(tmp_path, 100)
        run = office.run(agent)
        waited = eventually(lambda: office.begun(run))
        given = titled(tmp_path, ids)
        eventually(lambda: titled(tmp_path, ids) == len(ids), within_s=60)
    with capsys.disabled():
        print(f"\nthe run began {waited:.2f} s after its write, with {given} of {len(ids)} titles given")
    assert given < len(ids)
    assert waited < 25  # one after the other, the titles take 50 s


def rename_schedules(data: Path, old: str, new: str) -> None:
    with closing(sqlite3.connect(data / "schedules.db", timeout=10)) as connection, connection:
        connection.execute(f"alter table {old} rename to {new}")


def count(data: Path, table: str, file: str) -> int:
    with closing(sqlite3.connect(data / file, timeout=10)) as connection:
        return int(connection.execute(f"select count(*) from {table}").fetchone()[0])


def test_a_write_that_can_not_be_followed_holds_up_others_briefly_and_is_redriven(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Twin(tmp_path) as twin:
        office = Office(twin)
        fine = office.agent("reporter")
        eventually(lambda: not count(tmp_path, "writes", "omniforge.db"))
        rename_schedules(tmp_path, SCHEDULES, "broken")
        office.agent("poisoned", schedule={"cron": "0 9 * * *", "time_zone": "UTC"})
        began = time.monotonic()
        run = office.run(fine)
        eventually(lambda: office.begun(run))
        waited = time.monotonic() - began
        eventually(lambda: count(tmp_path, "dead_writes", "omniforge.db") == 1)

        rename_schedules(tmp_path, "broken", SCHEDULES)
        assert count(tmp_path, SCHEDULES, "schedules.db") == 0
        command = [sys.executable, "-m", "local", "redrive", "--data", str(tmp_path)]
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        eventually(lambda: count(tmp_path, SCHEDULES, "schedules.db") == 1)
    with capsys.disabled():
        print(f"\nthe run behind the poison began after {waited:.1f} s; redrive said: {told.strip()}")
    assert told == "ConsequencesFunction: 1 put back into the table's stream\n"
    assert count(tmp_path, "dead_writes", "omniforge.db") == 0
    assert waited < 60
