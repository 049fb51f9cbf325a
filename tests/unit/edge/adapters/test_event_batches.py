from __future__ import annotations

from typing import Any

from edge.adapters.event_batches import process_fifo_batch
from edge.adapters.queues import QueuedTurn
from tests.fakes.aws.proxy_events import Context


def record(number: int, conversation_id: str, body: str | None = None) -> dict[str, Any]:
    waiting = f'{{"tenant":"acme","conversation":"{conversation_id}"}}'
    return {
        "messageId": str(number),
        "body": waiting if body is None else body,
        "attributes": {"MessageGroupId": conversation_id},
        "eventSource": "aws:sqs",
    }


def failed(result: Any) -> list[str]:
    return [item["itemIdentifier"] for item in result["batchItemFailures"]]


def test_only_what_failed_comes_again_with_what_waits_behind_it() -> None:
    worked: list[str] = []

    def work(waiting: QueuedTurn) -> None:
        worked.append(waiting.conversation_id)
        if waiting.conversation_id == "bad":
            raise TypeError("planted")

    event = {"Records": [record(1, "bad"), record(2, "good"), record(3, "bad"), record(4, "good")]}

    assert failed(process_fifo_batch(event, Context(), work)) == ["1", "3"]
    assert worked == ["bad", "good", "good"]


def test_what_only_shares_a_group_with_what_failed_is_done() -> None:
    worked: list[str] = []

    def work(waiting: QueuedTurn) -> None:
        worked.append(waiting.conversation_id)
        if waiting.conversation_id == "bad":
            raise TypeError("planted")

    records = [record(number, name) for number, name in enumerate(("bad", "good", "bad"))]
    event = {"Records": [{**each, "attributes": {"MessageGroupId": "one"}} for each in records]}

    assert failed(process_fifo_batch(event, Context(), work)) == ["0", "2"]
    assert worked == ["bad", "good"]


def test_a_batch_that_failed_as_a_whole_is_an_answer_too() -> None:
    event = {"Records": [record(1, "x", "{"), record(2, "y", '{"tenant":"*","conversation":"y"}')]}

    assert failed(process_fifo_batch(event, Context(), lambda waiting: None)) == ["1", "2"]


def test_an_empty_batch_is_done() -> None:
    assert failed(process_fifo_batch({"Records": [record(1, "x")]}, Context(), lambda waiting: None)) == []
