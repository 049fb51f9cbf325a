from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from edge.adapters.crash_marks import MAX_DEATHS, CrashMarks
from edge.adapters.event_batches import WriteFailed, process_batch, process_stream_batch
from edge.event_metrics import EVENT_METRICS
from storage.dynamodb.attribute_values import to_wire
from storage.table import SCHEMA_VERSION, Item, Key
from tests.fakes.aws.proxy_events import Context

SECRET = "what somebody wrote"


def record(number: int, old: Item | None, new: Item | None) -> dict[str, Any]:
    item = new or old or {}
    images = {"OldImage": old, "NewImage": new}
    return {
        "eventName": "MODIFY",
        "dynamodb": {
            "Keys": to_wire({"pk": item["pk"], "sk": item["sk"]}),
            "SequenceNumber": f"{number:021}",
            **{name: to_wire(image) for name, image in images.items() if image is not None},
        },
    }


def item(sort: str, **more: Any) -> Item:
    return {"pk": "T#acme#X", "sk": sort, "v": 1, **more}


def failed(result: dict[str, list[dict[str, str]]]) -> list[str]:
    return [each["itemIdentifier"] for each in result["batchItemFailures"]]


def processed(
    records: list[dict[str, Any]],
    marks: Path,
    work: Callable[[Key, Item | None, Item | None], None],
    *,
    redrive: bool = False,
) -> list[str]:
    """Process a batch and return the numbers of what failed in it."""
    event = {"Records": records, **({"redrive": True} if redrive else {})}
    return failed(process_stream_batch(event, Context(), work, marks=CrashMarks(marks), limit_s=60))


def test_every_write_is_given_with_what_was_and_is(tmp_path: Path) -> None:
    seen: list[tuple[Key, Item | None, Item | None]] = []
    writes = [(None, item("A", n=1)), (item("A", n=1), item("A", n=2)), (item("A", n=2), None)]
    records = [record(number, old, new) for number, (old, new) in enumerate(writes)]
    assert processed(records, tmp_path, lambda *change: seen.append(change)) == []
    assert seen == [(Key("T#acme#X", "A"), old, new) for old, new in writes]


def test_what_follows_a_failure_waits_for_it(tmp_path: Path) -> None:
    seen: list[str] = []

    def work(key: Key, old: Item | None, new: Item | None) -> None:
        seen.append(key.sort)
        if key.sort == "B":
            raise ValueError(SECRET)

    records = [record(number, None, item(sort)) for number, sort in enumerate("ABC")]
    assert processed(records, tmp_path, work) == [f"{1:021}"]
    assert seen == ["A", "B"]


def test_a_batch_whose_first_write_fails_ends_with_an_error_so_that_it_is_halved(tmp_path: Path) -> None:
    def work(*_: object) -> None:
        raise ValueError(SECRET)

    records = [record(number, None, item("A")) for number in range(2)]
    with pytest.raises(WriteFailed):
        processed(records, tmp_path, work)
    assert processed(records[:1], tmp_path, work) == [f"{0:021}"]


@pytest.mark.parametrize(
    "unknown",
    [
        {**item("A"), "v": SCHEMA_VERSION + 2},
        {**item("A"), "v": SCHEMA_VERSION - 2},
        {**item("A"), "pk": "NEW#1"},
    ],
)
def test_a_record_that_is_not_known_is_left_out_and_counted(
    unknown: Item, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[str] = []
    records = [record(0, None, unknown), record(1, None, item("B"))]
    assert processed(records, tmp_path, lambda key, *_: seen.append(key.sort)) == []
    assert seen == ["B"]
    [skipped] = [each for each in caplog.records if each.msg == "record skipped"]
    assert [each.field for each in EVENT_METRICS["record skipped"]] == ["records"]
    assert skipped.__dict__["records"] == 1


def test_a_write_that_takes_too_long_fails_before_the_function_does(tmp_path: Path) -> None:
    over = Event()
    event = {"Records": [record(0, None, item("A"))]}
    marks = CrashMarks(tmp_path)

    def hang(*_: object) -> None:
        over.wait()

    result = process_stream_batch(event, Context(), hang, marks=marks, limit_s=0.05)
    over.set()
    assert failed(result) == [f"{0:021}"]


def test_without_an_order_only_what_failed_comes_again(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    seen: list[str] = []

    def work(body: str) -> None:
        seen.append(body)
        if body == "bad":
            raise ValueError(SECRET)

    bodies = {"1": "good", "2": "bad", "3": "good"}
    event = {"Records": [{"messageId": number, "body": body} for number, body in bodies.items()]}
    assert failed(process_batch(event, Context(), work)) == ["2"]
    assert seen == ["good", "bad", "good"]
    assert SECRET not in caplog.text


DYING = """
import os, sys
from pathlib import Path
from threading import Event
from tests.unit.edge.adapters.test_stream_batches import item, processed, record

def work(key, old, new):
    print(key.sort, flush=True)
    if key.sort == "DEADLY":
        os._exit(9)

records = [record(number, None, item(sort)) for number, sort in enumerate(("FIRST", "DEADLY", "LAST"))]
assert processed(records, Path(sys.argv[1]), work) == [f"{1:021}"]
"""


def handled_by_a_process(marks: Path) -> list[str]:
    """What a process of its own handles of a batch with a deadly write in it, until it dies or is done."""
    command = [sys.executable, "-c", DYING, str(marks)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()


def test_a_write_on_which_processes_died_fails_untried_until_it_is_redriven(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    died = [handled_by_a_process(marks) for _ in range(MAX_DEATHS)]
    assert died == [["FIRST", "DEADLY"]] * MAX_DEATHS
    assert handled_by_a_process(marks) == ["FIRST"]
    deadly, seen = record(1, None, item("DEADLY")), list[str]()
    assert processed([deadly], marks, lambda key, *_: seen.append(key.sort)) == [f"{1:021}"]
    assert seen == []
    assert processed([deadly], marks, lambda key, *_: seen.append(key.sort), redrive=True) == []
    assert seen == ["DEADLY"]


def test_a_write_that_fails_and_leaves_its_process_alive_is_never_left_out(tmp_path: Path) -> None:
    def work(*_: object) -> None:
        raise ValueError(SECRET)

    records = [record(0, None, item("A"))]
    assert [processed(records, tmp_path, work) for _ in range(MAX_DEATHS + 2)] == [[f"{0:021}"]] * (
        MAX_DEATHS + 2
    )


def test_writes_are_handled_where_no_marks_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    seen: list[str] = []
    records = [record(0, None, item("A"))]
    assert processed(records, tmp_path / "file", lambda key, *_: seen.append(key.sort)) == []
    assert seen == ["A"]
