from __future__ import annotations

import logging
from typing import Any

import pytest

from edge.adapters.event_batches import process_batch, process_stream_batch
from storage.dynamodb.attribute_values import to_wire
from storage.table import Item, Key
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


def test_every_write_is_given_with_what_was_and_is() -> None:
    seen: list[tuple[Key, Item | None, Item | None]] = []
    writes = [(None, item("A", n=1)), (item("A", n=1), item("A", n=2)), (item("A", n=2), None)]
    records = [record(number, old, new) for number, (old, new) in enumerate(writes)]
    assert (
        failed(process_stream_batch({"Records": records}, Context(), lambda *change: seen.append(change)))
        == []
    )
    assert seen == [(Key("T#acme#X", "A"), old, new) for old, new in writes]


def test_what_follows_a_failure_waits_for_it() -> None:
    seen: list[str] = []

    def work(key: Key, old: Item | None, new: Item | None) -> None:
        seen.append(key.sort)
        if key.sort == "B":
            raise ValueError(SECRET)

    records = [record(number, None, item(sort)) for number, sort in enumerate("ABC")]
    assert failed(process_stream_batch({"Records": records}, Context(), work)) == [f"{1:021}"]
    assert seen == ["A", "B"]


def test_an_item_of_a_version_nobody_knows_is_a_failure_of_its_own() -> None:
    records = [record(0, None, {**item("A"), "v": 99})]
    assert failed(process_stream_batch({"Records": records}, Context(), lambda *_: None)) == [f"{0:021}"]


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
