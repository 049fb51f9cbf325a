from __future__ import annotations

import pytest

from resilience.deadlines import WorkerThreads
from resilience.trace_context import TraceContext, current_trace, trace_headers, traced

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


def test_a_clients_trace_goes_on_with_a_part_of_our_own() -> None:
    trace = TraceContext.from_traceparent(f"00-{TRACE}-{PARENT}-01")
    assert trace is not None
    assert (trace.trace_id, trace.is_sampled) == (TRACE, True)
    assert trace.span_id != PARENT
    assert trace.traceparent == f"00-{TRACE}-{trace.span_id}-01"


def test_a_later_version_of_the_header_is_read_as_ours() -> None:
    trace = TraceContext.from_traceparent(f"01-{TRACE}-{PARENT}-00-what-comes-later")
    assert trace is not None
    assert (trace.trace_id, trace.is_sampled) == (TRACE, False)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "nonsense",
        f"ff-{TRACE}-{PARENT}-01",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-01-more",
        f"00-{TRACE}-{PARENT}-01\r\nX-Other: 1",
        None,
    ],
)
def test_what_is_no_trace_is_none(header: str | None) -> None:
    assert TraceContext.from_traceparent(header) is None


def test_lambdas_trace_has_the_id_that_xray_shows() -> None:
    trace = TraceContext.from_xray("Root=1-67891233-abcdef012345678912345678;Parent=53995c3f;Sampled=1")
    assert trace is not None
    assert (trace.trace_id, trace.is_sampled) == ("67891233abcdef012345678912345678", True)
    assert TraceContext.from_xray("Self=1-67891233-abcdef012345678912345678") is None


def test_threads_of_a_request_send_its_trace_along_and_others_none() -> None:
    threads = WorkerThreads(1)
    with traced(TraceContext.begin()) as trace:
        sent = threads.start(trace_headers, wait_s=5).result(5)
    assert sent == {"traceparent": trace.traceparent}
    assert current_trace() is None
    assert threads.start(trace_headers, wait_s=5).result(5) == {}
