from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from local.events.table_stream import TableStream, restore_dead_writes
from local.proxy.functions import FunctionFailed
from local.template.resources import StreamConsumer
from storage.sqlite.table import SqliteTable
from storage.table import Delete, Item, Key, Put, Set, Update

QUEUED = {
    "eventName": ["INSERT"],
    "dynamodb": {"Keys": {"sk": {"S": [{"prefix": "R#"}]}}, "NewImage": {"status": {"S": ["queued"]}}},
}
AGENTS = {"dynamodb": {"Keys": {"sk": {"S": ["AGENT"]}}}}
CONSUMER = StreamConsumer("Table", "", "Follow", batch_size=10, filters=(QUEUED, AGENTS), max_age_s=100)

Records = list[dict[str, Any]]


class Follower:
    """A function that notes what it is given, and fails for sort keys it is told to fail for."""

    def __init__(self) -> None:
        self.seen: Records = []
        self.failing: set[str] = set()

    def __call__(self, _: str, event: dict[str, Any]) -> dict[str, Any]:
        for record in event["Records"]:
            if record["dynamodb"]["Keys"]["sk"]["S"] in self.failing:
                return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]}]}
            self.seen.append(record)
        return {"batchItemFailures": []}

    def names(self) -> list[str]:
        return [f"{record['eventName']} {record['dynamodb']['Keys']['sk']['S']}" for record in self.seen]


def item(sort: str, **more: Any) -> Item:
    return {"pk": "T#acme#X", "sk": sort, **more}


@pytest.fixture
def table(tmp_path: Path) -> SqliteTable:
    return SqliteTable(tmp_path / "omniforge.db")


@pytest.fixture
def stream(tmp_path: Path, table: SqliteTable) -> TableStream:
    return TableStream(str(tmp_path / "omniforge.db"), CONSUMER)


def kept(tmp_path: Path) -> int:
    with closing(sqlite3.connect(tmp_path / "omniforge.db")) as connection:
        return int(connection.execute("select count(*) from writes").fetchone()[0])


def test_the_life_of_an_item_is_told_in_order_with_what_it_was_and_is(
    table: SqliteTable, stream: TableStream
) -> None:
    follow = Follower()
    table.put(Put(item("AGENT", name="a", tags=frozenset({"x"}), count=1)))
    table.update(Update(Key("T#acme#X", "AGENT"), (Set("name", "b"),)))
    table.delete(Delete(Key("T#acme#X", "AGENT")))
    assert stream.process_batch(follow, 0)
    assert follow.names() == ["INSERT AGENT", "MODIFY AGENT", "REMOVE AGENT"]
    changed, gone = (record["dynamodb"] for record in follow.seen[1:])
    assert (changed["OldImage"]["name"], changed["NewImage"]["name"]) == ({"S": "a"}, {"S": "b"})
    assert (changed["NewImage"]["tags"], changed["NewImage"]["count"]) == ({"SS": ["x"]}, {"N": "1"})
    assert "NewImage" not in gone


def test_only_what_a_filter_lets_pass_reaches_the_function(table: SqliteTable, stream: TableStream) -> None:
    follow = Follower()
    for each in (item("R#1", status="queued"), item("R#2", status="running"), item("M#1"), item("AGENT#")):
        table.put(Put(each))
    table.update(Update(Key("T#acme#X", "R#2"), (Set("status", "queued"),)))
    assert stream.process_batch(follow, 0)
    assert follow.names() == ["INSERT R#1"]


def test_what_no_filter_could_let_pass_is_not_even_kept(
    tmp_path: Path, table: SqliteTable, stream: TableStream
) -> None:
    table.put(Put(item("M#000000000001", content="hello")))
    assert kept(tmp_path) == 0


def test_writing_an_item_as_it_is_tells_nothing(table: SqliteTable, stream: TableStream) -> None:
    follow = Follower()
    for _ in range(2):
        table.put(Put(item("AGENT", name="a")))
    stream.process_batch(follow, 0)
    assert follow.names() == ["INSERT AGENT"]


def test_a_refused_transaction_tells_nothing(tmp_path: Path, table: SqliteTable, stream: TableStream) -> None:
    from storage.errors import TransactionRefused
    from storage.table import NotExists

    table.put(Put(item("HEAD")))
    with pytest.raises(TransactionRefused):
        table.transact([Put(item("AGENT")), Put(item("HEAD"), (NotExists(),))])
    assert kept(tmp_path) == 0


def test_what_was_worked_on_is_not_told_again(table: SqliteTable, stream: TableStream) -> None:
    follow = Follower()
    table.put(Put(item("AGENT")))
    stream.process_batch(follow, 0)
    stream.process_batch(follow, 0)
    assert len(follow.seen) == 1


def test_what_failed_comes_again_with_what_follows_it_and_nothing_before_it(
    table: SqliteTable, stream: TableStream
) -> None:
    follow = Follower()
    follow.failing = {"R#2"}
    for number in (1, 2, 3):
        table.put(Put(item(f"R#{number}", status="queued")))
    assert not stream.process_batch(follow, 0)
    assert follow.names() == ["INSERT R#1"]
    follow.failing = set()
    assert stream.process_batch(follow, 0)
    assert follow.names() == ["INSERT R#1", "INSERT R#2", "INSERT R#3"]


def test_a_function_that_fails_gets_the_whole_batch_again(table: SqliteTable, stream: TableStream) -> None:
    def failing(_: str, event: dict[str, Any]) -> None:
        raise FunctionFailed("ValueError", "")

    follow = Follower()
    table.put(Put(item("AGENT")))
    assert not stream.process_batch(failing, 0)
    assert stream.process_batch(follow, 0)
    assert follow.names() == ["INSERT AGENT"]


def test_what_can_not_be_followed_is_given_up_when_it_is_too_old(tmp_path: Path, table: SqliteTable) -> None:
    follow = Follower()
    follow.failing = {"R#1"}
    with closing(TableStream(str(tmp_path / "omniforge.db"), replace(CONSUMER, bisects=True))) as stream:
        for number in (1, 2):
            table.put(Put(item(f"R#{number}", status="queued")))
        [(written,)] = connection_rows(tmp_path, "select min(at) from writes")
        assert not stream.process_batch(follow, written + 101)  # the batch is halved
        assert not stream.process_batch(follow, written + 100)
        assert not stream.process_batch(follow, written + 101)
        assert stream.process_batch(follow, written + 102)
    assert follow.names() == ["INSERT R#2"]


def test_what_was_there_before_anybody_followed_is_told_once(tmp_path: Path, table: SqliteTable) -> None:
    table.put(Put(item("AGENT")))
    follow = Follower()
    for _ in range(2):
        with closing(TableStream(str(tmp_path / "omniforge.db"), CONSUMER)) as stream:
            stream.process_batch(follow, 0)
    assert follow.names() == ["INSERT AGENT"]


def test_a_template_that_follows_more_is_told_more(tmp_path: Path, table: SqliteTable) -> None:
    path, follow = str(tmp_path / "omniforge.db"), Follower()
    TableStream(path, CONSUMER).close()
    with closing(TableStream(path, replace(CONSUMER, filters=()))) as stream:
        table.put(Put(item("M#1")))
        stream.process_batch(follow, 0)
    assert follow.names() == ["INSERT M#1"]


def test_what_a_killed_process_wrote_is_told_by_another(
    tmp_path: Path, table: SqliteTable, stream: TableStream
) -> None:
    script = (
        "import os, sys; from storage.sqlite.table import SqliteTable; from storage.table import Put;"
        "SqliteTable(sys.argv[1]).put(Put({'pk': 'T#acme#X', 'sk': 'AGENT'})); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "omniforge.db")], env=roots(), check=False)
    follow = Follower()
    stream.process_batch(follow, 0)
    assert follow.names() == ["INSERT AGENT"]


def test_one_process_reads_until_it_is_gone(tmp_path: Path, table: SqliteTable) -> None:
    path, follow = str(tmp_path / "omniforge.db"), Follower()
    reading = subprocess.Popen(
        [sys.executable, "-c", READ_ONE, path], env=roots(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert reading.stdout
    assert reading.stdout.readline() == b"ready\n"
    with closing(TableStream(path, CONSUMER)) as stream:
        table.put(Put(item("AGENT")))
        assert stream.process_batch(follow, 1)
        assert follow.names() == []
        reading.kill()
        reading.communicate()
        assert stream.process_batch(follow, 2)
    assert follow.names() == ["INSERT AGENT"]


READ_ONE = """
import sys
from local.template.resources import StreamConsumer
from local.events.table_stream import TableStream, restore_dead_writes
from storage.sqlite.table import SqliteTable
from storage.table import Put

table = SqliteTable(sys.argv[1])
filters = ({"dynamodb": {"Keys": {"sk": {"S": ["AGENT"]}}}},)
stream = TableStream(sys.argv[1], StreamConsumer("Table", "", "Follow", 10, filters, 100))
table.put(Put({"pk": "T#acme#Y", "sk": "AGENT"}))
stream.process_batch(lambda name, event: {}, 0)
print("ready", flush=True)
sys.stdin.read()
"""


def roots() -> dict[str, str]:
    kept = {"PYTHONPYCACHEPREFIX": os.environ["PYTHONPYCACHEPREFIX"]}
    return {"PYTHONPATH": ":".join(path for path in sys.path if path), **kept}


def connection_rows(tmp_path: Path, statement: str) -> list[Any]:
    with closing(sqlite3.connect(tmp_path / "omniforge.db")) as connection:
        return connection.execute(statement).fetchall()


POISONED = replace(CONSUMER, max_retries=2, bisects=True, batch_size=8)


def poison(table: SqliteTable) -> Follower:
    """Eight runs, of which the function can't follow the third."""
    for number in range(1, 9):
        table.put(Put(item(f"R#{number}", status="queued")))
    follow = Follower()
    follow.failing = {"R#3"}
    return follow


def halved(follow: Follower) -> Any:
    """Fails like the product: as a whole when the first of several writes fails."""

    def invoke(name: str, event: dict[str, Any]) -> Any:
        result = follow(name, event)
        first = event["Records"][0]["dynamodb"]["SequenceNumber"]
        if len(event["Records"]) > 1 and {"itemIdentifier": first} in result["batchItemFailures"]:
            raise FunctionFailed("WriteFailed", "")
        return result

    return invoke


def test_what_keeps_failing_is_isolated_and_all_others_are_told(tmp_path: Path, table: SqliteTable) -> None:
    path = str(tmp_path / "omniforge.db")
    follow = poison(table)
    with closing(TableStream(path, POISONED)) as stream:
        tries = [stream.process_batch(halved(follow), 0) for _ in range(9)]
    # One that reports it, three that halve what is left, and three that try it alone.
    assert tries == [False] * 7 + [True, True]
    assert follow.names() == [f"INSERT R#{number}" for number in (1, 2, 4, 5, 6, 7, 8)]
    [(dead,)] = connection_rows(tmp_path, "select count(*) from dead_writes")
    assert dead == 1


def test_dead_writes_that_are_restored_are_told_again(tmp_path: Path, table: SqliteTable) -> None:
    path = str(tmp_path / "omniforge.db")
    follow = poison(table)
    with closing(TableStream(path, POISONED)) as stream:
        for _ in range(9):
            stream.process_batch(halved(follow), 0)
        follow.failing, follow.seen = set(), []
        assert restore_dead_writes(path) == {"Follow": 1}
        assert restore_dead_writes(path) == {}
        assert stream.process_batch(halved(follow), 0)
    assert follow.names() == ["INSERT R#3"]


def test_two_functions_are_told_the_same_and_neither_waits_for_the_other(
    tmp_path: Path, table: SqliteTable, stream: TableStream
) -> None:
    stuck, follow = Follower(), Follower()
    stuck.failing = {"R#1"}
    with closing(TableStream(str(tmp_path / "omniforge.db"), replace(CONSUMER, function="Other"))) as other:
        for number in (1, 2):
            table.put(Put(item(f"R#{number}", status="queued")))
        assert not stream.process_batch(stuck, 0)
        assert other.process_batch(follow, 0)
    assert follow.names() == ["INSERT R#1", "INSERT R#2"]


def test_the_lanes_of_a_function_share_its_writes_and_one_item_stays_in_one(
    tmp_path: Path, table: SqliteTable
) -> None:
    path, lanes = str(tmp_path / "omniforge.db"), replace(CONSUMER, lanes=3)
    streams = [TableStream(path, lanes, lane) for lane in range(3)]
    for number in range(9):
        table.put(Put({"pk": f"T#acme#A#{number}", "sk": "AGENT", "name": "a"}))
        table.update(Update(Key(f"T#acme#A#{number}", "AGENT"), (Set("name", "b"),)))
    followers = [Follower() for _ in streams]
    for stream, follow in zip(streams, followers, strict=True):
        while connection_rows(tmp_path, f"select 1 from writes where slot % 3 = {streams.index(stream)}"):
            assert stream.process_batch(follow, 0)
        stream.close()
    told = [[record["dynamodb"]["Keys"]["pk"]["S"] for record in follow.seen] for follow in followers]
    assert [len(each) for each in told] == [6, 6, 6]
    assert all(first == second for each in told for first, second in zip(each[::2], each[1::2], strict=True))


def test_writes_that_wait_in_a_file_of_before_are_told_to_every_function(
    tmp_path: Path, table: SqliteTable
) -> None:
    path = str(tmp_path / "omniforge.db")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("create table changes (id integer primary key, at real, old text, new text)")
        connection.execute("create table watched (keys text primary key)")
        connection.execute(
            "create trigger stream_insert after insert on items begin insert into changes (at, new)"
            " values (0, new.body); end"
        )
    table.put(Put(item("AGENT")))
    told = []
    for name in ("One", "Other"):
        follow = Follower()
        with closing(TableStream(path, replace(CONSUMER, function=name))) as stream:
            stream.process_batch(follow, 0)
        told.append(follow.names())
    assert told == [["INSERT AGENT"]] * 2
