from __future__ import annotations

import json
import logging
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest

from conversation.clock import Deadline
from conversation.retention.sweep import Sweep
from edge.observability import RequestLog, log_internal_error
from resilience.trace_context import TraceContext
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.data.scripted_turns import MAYA
from tests.fakes.run.clocks import ManualClock


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_an_event_is_one_line_of_json_with_its_request_and_tenant(
    journal: RequestLog, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.configure("INFO")
    with journal.for_request("r-1", "acme"):
        logging.getLogger("omniforge.turns").warning(
            "keyword fallback used", extra={"reason": 'a\n{"level":"X"}'}
        )
    logging.getLogger("llm.completion").error("outside of a request")

    # A model call that another test gave up on may still report its end, in lines or in metrics.
    said = {line["message"]: line for line in lines(capsys) if "message" in line}
    inside, outside = said["keyword fallback used"], said["outside of a request"]
    assert inside["level"] == "WARNING"
    assert (inside["message"], inside["reason"]) == ("keyword fallback used", 'a\n{"level":"X"}')
    assert (inside["service"], inside["request_id"], inside["tenant_id"]) == ("chat", "r-1", "acme")
    assert "request_id" not in outside


@pytest.mark.slow
def test_a_sweep_is_measured_and_a_dry_run_is_not(
    journal: RequestLog, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.configure("WARNING")
    clock = ManualClock()
    with closing(SqliteTable(":memory:")) as table:
        write_conversation(table, MAYA, "old", begun=clock.now() - timedelta(days=31))
        sweep = Sweep(tables=Tables(table), clock=clock)
        for dry_run in (True, False):
            with journal.for_request("r-1"):
                sweep.run(Deadline.after(clock, 1e9), dry_run=dry_run)

    (metrics,) = (line for line in lines(capsys) if "retention_conversations_removed" in line)
    assert metrics["retention_conversations_removed"] == [1]
    assert metrics["retention_messages_removed"] == [2]
    assert metrics["retention_conversations_busy"] == [0]


def test_what_is_below_the_level_is_measured_and_not_written(
    journal: RequestLog, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.configure("INFO")
    log = logging.getLogger("omniforge.turns")
    with journal.for_request("r-1", "acme"):
        log.debug("context assembled", extra={"message_count": 7, "total_tokens": 900, "budget": 2_000})
        log.debug("message stored", extra={"conversation_id": "c1", "role": "user", "message_count": 41})
        log.debug("message stored", extra={"conversation_id": "c1", "role": "assistant", "message_count": 42})

    (metrics,) = lines(capsys)
    assert metrics["cold_starts"] == [1]
    assert metrics["context_messages_included"] == [7]
    assert metrics["context_tokens_used"] == [900]
    assert metrics["conversation_message_count"] == [41, 42]
    assert (metrics["request_id"], metrics["tenant_id"]) == ("r-1", "acme")
    assert metrics["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["stage", "service"]]
    assert (metrics["stage"], metrics["service"]) == ("local", "chat")


def test_only_the_first_request_of_an_environment_is_a_cold_start(
    journal: RequestLog, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.configure("INFO")
    for request_id in ("r-1", "r-2"):
        with journal.for_request(request_id):
            logging.getLogger("omniforge.turns").debug("turn conflict")

    first, second = lines(capsys)
    assert (first["cold_starts"], first["turn_conflicts"]) == ([1], [1])
    assert "cold_starts" not in second
    assert second["turn_conflicts"] == [1]


def test_the_lines_of_a_request_name_its_trace(
    journal: RequestLog, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.configure("INFO")
    monkeypatch.setenv(
        "_X_AMZN_TRACE_ID", "Root=1-67891233-abcdef012345678912345678;Parent=463ac35c9f6413ad;Sampled=1"
    )
    sent = TraceContext.from_traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    for trace in (sent, None):
        with journal.for_request("r-1", trace=trace):
            logging.getLogger("omniforge.turns").info("conversation created")

    by_client, by_lambda = (line for line in lines(capsys) if "message" in line)
    assert by_client["trace_id"] == "4bf92f3577b34da6a3ce929d0e0e4736"
    assert by_lambda["trace_id"] == "67891233abcdef012345678912345678"
    assert by_client["xray_trace_id"] == by_lambda["xray_trace_id"] == "1-67891233-abcdef012345678912345678"


def test_a_decision_is_measured_and_counted_by_who_made_it(
    journal: RequestLog, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.configure("INFO")
    decided = {"latency_ms": 12, "confidence": 0.9, "source": "offline", "model": None}
    with journal.for_request("r-1"):
        logging.getLogger("omniforge.turns").info("intent decided", extra=decided)

    event, counted, measured = sorted(
        lines(capsys), key=lambda line: ("_aws" in line, "_aws" in line and "source" not in line)
    )
    assert event["message"] == "intent decided"
    assert (counted["intent_classification_method"], counted["source"]) == ([1], "offline")
    assert measured["intent_classification_latency_ms"] == [12]
    assert measured["intent_confidence"] == [0.9]


def test_a_request_without_measurements_publishes_none(
    journal: RequestLog, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.configure("INFO")
    for _ in range(2):
        with journal.for_request("r-1"):
            pass

    (cold,) = lines(capsys)
    assert cold["cold_starts"] == [1]


def test_an_event_that_lacks_a_field_harms_nobody(
    journal: RequestLog, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.configure("INFO")
    with journal.for_request("r-1"):
        logging.getLogger("omniforge.turns").debug("context assembled")

    (metrics,) = lines(capsys)
    assert not [name for name in metrics if name.startswith("context")]


def test_a_fault_is_written_down_without_its_text(
    journal: RequestLog, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.configure("INFO")
    log_internal_error(ValueError("hunter2"))

    (line,) = lines(capsys)
    assert line["error_type"] == "ValueError"
    assert "hunter2" not in json.dumps(line)


def test_a_fault_names_the_places_of_ours_it_went_through(
    journal: RequestLog, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.configure("INFO")
    from edge.adapters.queues import QueuedTurn

    try:
        QueuedTurn.from_body("{}")
    except KeyError as error:
        log_internal_error(error)

    (line,) = lines(capsys)
    assert [place.partition(":")[0] for place in line["places"]] == ["edge.adapters.queues"]
