"""One SQLite file serves several processes, outlives any of them, and learns new indexes."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from storage import keys
from storage.errors import StorageMisconfigured, StorageUnavailable
from storage.factory import open_table
from storage.sqlite.table import SqliteTable
from storage.table import Add, Index, Key, NotExists, Put, Query, Update

HEAD = Key("T#acme#C#1", "HEAD")
LAYER = Path(keys.__file__).parents[1]

WORKER = """
import sys
from storage.errors import TransactionRefused
from storage.sqlite.table import SqliteTable
from storage.table import Add, Equals, Key, NotExists, Put, Update

table, name, rounds = SqliteTable(sys.argv[1]), sys.argv[2], int(sys.argv[3])
head = Key("T#acme#C#1", "HEAD")
print("ready", flush=True)
sys.stdin.readline()
done = 0
while done < rounds:
    count = (table.get(head) or {}).get("count", 0)
    condition = Equals("count", count) if count else NotExists()
    try:
        table.transact([
            Put({"pk": head.partition, "sk": f"M#{count + 1:06d}", "writer": name}, (NotExists(),)),
            Update(head, (Add("count", 1),), (condition,)),
        ])
    except TransactionRefused:
        continue
    done += 1
    print(count + 1, flush=True)
"""


def worker(path: Path, name: str, rounds: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, str(path), name, str(rounds)],
        env=os.environ | {"PYTHONPATH": str(LAYER)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("\n")
    process.stdin.flush()


def test_two_processes_append_to_one_conversation_without_loss(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    processes = [worker(path, name, 100) for name in ("one", "two")]
    for process in processes:
        begin(process)
    acknowledged = [int(line) for process in processes for line in process.communicate()[0].split()]
    assert [process.returncode for process in processes] == [0, 0]
    with closing(SqliteTable(path)) as table:
        head = table.get(HEAD)
        messages = table.query(Query(HEAD.partition, 300, prefix="M#")).items
    assert sorted(acknowledged) == list(range(1, 201))
    assert head is not None
    assert head["count"] == len(messages) == 200
    assert sorted(str(item["writer"]) for item in messages) == ["one"] * 100 + ["two"] * 100


def test_what_was_acknowledged_survives_the_death_of_its_process(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with worker(path, "one", 1_000_000) as process:
        begin(process)
        assert process.stdout is not None
        acknowledged = [int(process.stdout.readline()) for _ in range(50)]
        process.send_signal(signal.SIGKILL)
        acknowledged += [
            int(line) for line in process.communicate()[0].splitlines(keepends=True) if line.endswith("\n")
        ]
    with closing(SqliteTable(path)) as table:
        head = table.get(HEAD)
        messages = table.query(Query(HEAD.partition, len(acknowledged) + 100, prefix="M#")).items
        # The lock died with its holder.
        table.update(Update(HEAD, (Add("count", 1),)))
    assert head is not None
    assert head["count"] == len(messages) >= acknowledged[-1] >= 50


def test_a_file_gets_an_index_that_is_new_with_all_its_items(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with closing(SqliteTable(path, indexes=())) as table:
        table.put(Put({"pk": "T#acme#X", "sk": "1", "kind": "T#acme#odd", "at": "2026"}))
    with closing(SqliteTable(path, indexes=(Index("by_kind", "kind", "at"),))) as table:
        assert len(table.query(Query("T#acme#odd", 9, index="by_kind")).items) == 1


@pytest.mark.parametrize("newest_first", [False, True])
def test_every_query_is_answered_from_an_index(tmp_path: Path, newest_first: bool) -> None:
    path = tmp_path / "table.db"
    after = {"pk": "T#acme#C#1", "sk": "HEAD", "by_user": "T#acme#U#maya", "updated_at": "1"}
    statements: list[str] = []
    with closing(SqliteTable(path)) as table:
        with table._connections.read_connection() as connection:
            connection.set_trace_callback(statements.append)
        table.query(Query(after["by_user"], 5, index="by_user", newest_first=newest_first, after=after))
        table.query(Query(HEAD.partition, 5, prefix="M#", newest_first=newest_first))
    with closing(sqlite3.connect(path)) as connection:
        plans = [connection.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall() for statement in statements]
    assert [[step[3].split(" USING ")[0] for step in plan] for plan in plans] == [
        ["SEARCH items"],
        ["SEARCH items"],
    ]
    assert "(<expr>=? AND <expr>" in plans[0][0][3]


def test_a_file_that_another_process_keeps_locked_is_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with (
        closing(SqliteTable(path, wait_s=0)) as table,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageUnavailable):
            table.put(Put({"pk": HEAD.partition, "sk": HEAD.sort}))
        assert table.get(HEAD) is None
        other.execute("ROLLBACK")
        table.put(Put({"pk": HEAD.partition, "sk": HEAD.sort}, (NotExists(),)))


def test_a_file_that_is_no_database_is_told_from_one_that_is_busy(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Things to do: " * 100)
    with pytest.raises(StorageMisconfigured, match=r"notes\.txt"):
        SqliteTable(path)


def test_a_file_in_a_missing_folder_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable):
        SqliteTable(tmp_path / "missing" / "table.db")


def test_a_table_is_opened_by_the_path_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for target in (f"sqlite:///{tmp_path}/absolute.db", "sqlite:///relative.db"):
        table = open_table(target)
        assert isinstance(table, SqliteTable)
        table.close()
    assert {entry.name for entry in tmp_path.glob("*.db")} == {"absolute.db", "relative.db"}


def test_a_table_in_a_file_is_opened_without_boto3() -> None:
    script = """
import sys
from storage.factory import open_table
open_table("sqlite:///:memory:")
print("boto3" in sys.modules)
"""
    environment = os.environ | {"PYTHONPATH": str(LAYER)}
    answer = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert answer.stdout == "False\n"
