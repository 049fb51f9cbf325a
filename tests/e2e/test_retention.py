"""Conversations through their last day and beyond, over the twin; and the sweep, killed again and again."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from conversation.clock import FileClock
from conversation.identity import Caller
from conversation.retention.sweep import Sweep, SweepState
from edge.routes import docs
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Put
from storage.tenant_table import Tables
from tests.e2e.test_authorization_matrix import ROWS, Row
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.deployment.twin import ROOT, Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.run.api_operations import operations

pytestmark = pytest.mark.e2e

MORNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
REQUEST = "Create an agent that watches Jira for overdue zebrafish tickets every morning at 9"
RARE = "zebrafish"
BACK = "Sorry, I had to step away. Where were we?"
ERASE = "POST /v1/conversations/{conversation_id}/erasures"
"""Tells nothing, and may be asked for as long as there is anything to erase."""

KILLS = 20
ON_DEMAND = pytest.mark.skipif("LARGE_SWEEP" not in os.environ, reason="LARGE_SWEEP asks for it")
ACME, GLOBEX, INITECH = (Caller(TenantId(name), "maya") for name in ("acme", "globex", "initech"))


@pytest.fixture
def unswept(tmp_path: Path) -> Iterator[Twin]:
    """A twin whose sweep does not come by itself."""
    text = (ROOT / "template.yaml").read_text()
    template = tmp_path / "template.yaml"
    template.write_text(text.replace("rate(1 hour)", "rate(3650 days)"))
    with Twin(tmp_path / "data", clock=MORNING, template=template) as twin:
        yield twin


def command(twin: Twin, *arguments: str) -> str:
    """What ``python -m local retention`` prints for the twin's data and clock."""
    where = ["--data", str(twin.data), "--clock", str(twin.data / "clock")]
    run = subprocess.run(
        [sys.executable, "-m", "local", "retention", *where, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout


def kept_of(twin: Twin, conversation_id: str) -> list[str]:
    """The sort keys of everything the conversation's partition holds."""
    with closing(sqlite3.connect(twin.data / "omniforge.db")) as connection:
        found = connection.execute("select sk from items where pk like ?", (f"%#C#{conversation_id}",))
        return sorted(sort for (sort,) in found)


def named_in_index(twin: Twin, conversation_id: str) -> list[str]:
    """The sort keys of what the search index still has of the conversation."""
    with closing(sqlite3.connect(twin.data / "omniforge.db")) as connection:
        statement = "select sk from items where pk like '%#SEARCH' and (sk like ?1 or body like ?1)"
        return [sort for (sort,) in connection.execute(statement, (f"%{conversation_id}%",))]


def refusals(twin: Twin, token: str, ids: Mapping[str, str]) -> dict[str, int]:
    """What every operation on a conversation, one of its messages or turns answers its owner."""
    answers = {}
    for operation in operations(docs.openapi_document("")):
        row = ROWS.get(operation.name)
        about = {"conversation_id", "message_id", "turn_id"} & set(operation.ids)
        if row is None or row.role is not None or not about or operation.name == ERASE:
            continue
        path = operation.path.format(**{name: ids[name] for name in operation.path_ids})
        named = {name: ids[name] for name in about if name not in operation.path_ids}
        body = None if row.body is None and not named else {**(row.body or {}), **named}
        answers[operation.name] = status_of(twin.request(operation.method, path, token=token, json=body))
    return answers


def tellers(twin: Twin, token: str, conversation_id: str) -> set[str]:
    """The paths of all lists that tell somebody of the conversation, or of what was said in it."""
    told = set()
    for operation in operations(docs.openapi_document("")):
        row = ROWS.get(operation.name, Row(role="unknown"))
        if operation.method != "GET" or operation.ids or operation.is_public or row.role is not None:
            continue
        asked = f"?q={RARE}" if operation.path == "/v1/search" else ""
        answer = twin.request("GET", operation.path + asked, token=token)
        assert answer.status_code == 200, answer.text
        if conversation_id in answer.text or RARE in answer.text:
            told.add(operation.path)
    return told


def status_of(answer: httpx.Response) -> int:
    """The status an answer has; of a stream that ends with a problem, the problem's."""
    _, _, last = answer.text.rpartition("event: error\ndata: ")
    is_refused = answer.headers["content-type"].startswith("text/event-stream") and last != answer.text
    return int(json.loads(last)["status"]) if is_refused else answer.status_code


def test_a_conversation_goes_on_after_29_days_and_is_gone_everywhere_after_31(unswept: Twin) -> None:
    twin, token = unswept, unswept.token()
    begun = twin.chat(REQUEST, token=token).json()
    conversation = begun["conversation_id"]
    twin.set_clock(MORNING + timedelta(days=29))
    token = twin.token()
    back = twin.chat(BACK, token=token, conversation_id=conversation)
    assert back.status_code == 200
    assert re.search(r"jira|overdue|ticket", back.json()["message"]["content"], re.IGNORECASE), back.text
    read = twin.get(f"/v1/conversations/{conversation}", token=token)
    assert datetime.fromisoformat(read["expires_at"]).date() == (MORNING + timedelta(days=59)).date()

    lists = {"/v1/conversations", "/v1/conversations/active", "/v1/export", "/v1/search"}
    eventually(lambda: tellers(twin, token, conversation) >= lists)

    twin.set_clock(MORNING + timedelta(days=29 + 31))
    token = twin.token()
    ids = {
        "conversation_id": conversation,
        "turn_id": back.json()["metadata"]["turn_id"],
        "message_id": back.json()["message"]["id"],
        "user_id": "maya",
    }
    unread = refusals(twin, token, ids)
    assert len(unread) >= 7
    assert [name for name, status in unread.items() if status != 404] == []
    assert tellers(twin, token, conversation) & lists == set()
    assert len(kept_of(twin, conversation)) >= 5

    assert "Would be removed: 1, with 4 messages" in command(twin, "--dry-run")
    assert len(kept_of(twin, conversation)) >= 5
    assert "Removed: 1, with 4 messages" in command(twin)
    assert kept_of(twin, conversation) == ["HEAD"]
    gone = refusals(twin, token, ids)
    assert [name for name, status in gone.items() if status != 404] == []
    assert twin.request("POST", ERASE.split()[1].format(**ids), token=token).status_code == 404
    assert tellers(twin, token, conversation) & lists == set()
    eventually(lambda: not named_in_index(twin, conversation))
    assert "Removed: 0, with 0 messages" in command(twin)


def test_the_twin_sweeps_by_itself_and_its_metrics_say_so(tmp_path: Path) -> None:
    with Twin(tmp_path, clock=MORNING) as twin:
        conversation = twin.chat("Good morning!", token=twin.token()).json()["conversation_id"]
        twin.set_clock(MORNING + timedelta(days=31))
        eventually(lambda: kept_of(twin, conversation) == ["HEAD"])
        said = eventually(lambda: re.search(r"retention swept (.*)", twin.logs))
        assert "removed=1 messages=2" in said[1]


def test_a_tenant_on_legal_hold_reads_on(tmp_path: Path) -> None:
    with Twin(tmp_path, clock=MORNING) as twin:
        conversation = twin.chat("Good morning!", token=twin.token()).json()["conversation_id"]
        admin = twin.token(roles=["admin"])
        held = twin.request("PUT", "/v1/tenant/policy", token=admin, json={"legal_hold": True})
        assert held.status_code == 200
        twin.set_clock(MORNING + timedelta(days=100))
        eventually(lambda: "retention swept" in twin.logs)
        read = twin.get(f"/v1/conversations/{conversation}", token=twin.token())
        assert read["expires_at"] is None


def rows(data: Path, where: str = "1 = 1") -> str:
    """A hash of the stored bytes of some of the items."""
    digest = hashlib.sha256()
    with closing(sqlite3.connect(data / "omniforge.db")) as connection:
        statement = f"select pk, sk, body from items where {where} order by pk, sk"
        for row in connection.execute(statement):
            digest.update(repr(row).encode())
    return digest.hexdigest()


def sweep_until(data: Path, point: str | None) -> int:
    """The exit code of a sweep in a process of its own, which dies at the point."""
    kill = data / "kill"
    if point is not None:
        kill.write_text(f"SIGKILL {point}")
    where = ["--data", str(data), "--clock", str(data / "clock")]
    run = subprocess.run(
        [sys.executable, "-m", "tests.fakes.deployment.killable", "retention", *where],
        cwd=ROOT,
        env={name: os.environ[name] for name in ("PATH", "PYTHONPYCACHEPREFIX")} | {"KILL_FILE": str(kill)},
        capture_output=True,
        text=True,
        check=False,
    )
    kill.unlink(missing_ok=True)
    assert run.returncode in (0, -signal.SIGKILL), run.stderr
    return run.returncode


def seeded(data: Path, now: datetime, *, conversations: int, exchanges: int) -> None:
    """Conversations of two tenants that are due, beside living ones of these and a third."""
    (data / "clock").write_text(now.isoformat())
    with closing(SqliteTable(data / "omniforge.db")) as table:
        day = (now - timedelta(days=3)).date().isoformat()
        table.put(Put({"pk": keys.SWEEP.partition, "sk": keys.SWEEP.sort, "day": day}))
        for number in range(conversations):
            owner = (ACME, GLOBEX)[number % 2]
            begun = now - timedelta(days=31, hours=number % 20)
            write_conversation(table, owner, f"due {number}", begun=begun, exchanges=exchanges)
        for owner in (ACME, GLOBEX, INITECH):
            for number in range(5):
                write_conversation(
                    table, owner, f"live {number}", begun=now - timedelta(days=number), exchanges=3
                )


@pytest.mark.parametrize("conversations", [50, pytest.param(1_000, marks=ON_DEMAND)])
def test_a_sweep_killed_twenty_times_ends_with_exact_counts_and_touches_nothing_else(
    tmp_path: Path, conversations: int
) -> None:
    now, chance = datetime(2026, 4, 20, 8, 0, tzinfo=UTC), random.Random(20_260_420)
    seeded(tmp_path, now, conversations=conversations, exchanges=50)
    living = "pk like 'T#initech#%' or json_extract(body, '$.title') like 'live%'"
    before = rows(tmp_path, living)
    killed = 0
    while killed < KILLS:
        when, request = chance.choice(["before", "after"]), chance.randint(1, 40)
        assert sweep_until(tmp_path, f"{when} request {request}") == -signal.SIGKILL
        killed += 1
    assert sweep_until(tmp_path, None) == 0
    assert rows(tmp_path, living) == before
    with closing(SqliteTable(tmp_path / "omniforge.db")) as table:
        state = Sweep(tables=Tables(table), clock=FileClock(tmp_path / "clock")).state()
    assert state == SweepState(now.date() - timedelta(days=1), conversations, conversations * 100)
    assert _messages_left(tmp_path) == 3 * 5 * 6


def _messages_left(data: Path) -> Any:
    with closing(sqlite3.connect(data / "omniforge.db")) as connection:
        return connection.execute("select count(*) from items where sk like 'M#%'").fetchone()[0]
