"""The trace that the current request belongs to, as W3C Trace Context and X-Ray write it.

A trace joins what several services do for one request. Its id comes from the client, else from Lambda. A
thread that works for the request finds it with `current_trace`. Nothing here records a trace.
Source: https://www.w3.org/TR/trace-context/, and X-Ray's "Tracing header".
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

TRACEPARENT = "traceparent"
"""The header that carries the trace from one service to the next."""

_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?")
_XRAY_ROOT = re.compile(r"(?:^|;)\s*Root=1-([0-9a-f]{8})-([0-9a-f]{24})(?=;|$)")
_SAMPLED = 0x01


class TraceContext(NamedTuple):
    """A trace and our part of it."""

    trace_id: str
    """32 hexadecimal digits. X-Ray writes the same as ``1-``, eight digits, ``-`` and the others."""
    span_id: str
    """16 hexadecimal digits that stand for what this process does for the request."""
    is_sampled: bool
    """Whether somebody records the trace."""

    @property
    def traceparent(self) -> str:
        """The header that makes the next service's part a part of ours."""
        return f"00-{self.trace_id}-{self.span_id}-{_SAMPLED if self.is_sampled else 0:02x}"

    @classmethod
    def from_traceparent(cls, header: str | None) -> TraceContext | None:
        """The trace of a client's header; None when it has not the form of one."""
        found = _TRACEPARENT.fullmatch(header.strip()) if header else None
        if found is None:
            return None
        version, trace_id, parent_id, flags, rest = found.groups()
        # A later version may add fields at the end, the first one has none.
        is_known = version != "ff" and not (version == "00" and rest)
        if not is_known or not int(trace_id, 16) or not int(parent_id, 16):
            return None
        return cls(trace_id, new_span_id(), bool(int(flags, 16) & _SAMPLED))

    @classmethod
    def from_xray(cls, header: str | None) -> TraceContext | None:
        """The trace that Lambda or API Gateway has begun; None when the header names none."""
        found = _XRAY_ROOT.search(header) if header else None
        if found is None or header is None:
            return None
        return cls(found[1] + found[2], new_span_id(), "Sampled=1" in header)

    @classmethod
    def begin(cls) -> TraceContext:
        """A trace that nobody records."""
        return cls(secrets.token_hex(16), new_span_id(), is_sampled=False)


_CURRENT: ContextVar[TraceContext | None] = ContextVar("trace", default=None)


def new_span_id() -> str:
    """Return an id for a part of a trace."""
    return secrets.token_hex(8)


def current_trace() -> TraceContext | None:
    """The trace of the request that this thread works for; None outside of requests."""
    return _CURRENT.get()


def trace_headers() -> dict[str, str]:
    """The headers that a request to another service carries; none outside of requests."""
    trace = current_trace()
    return {TRACEPARENT: trace.traceparent} if trace is not None else {}


@contextmanager
def traced(trace: TraceContext) -> Iterator[TraceContext]:
    """Make the trace the current one in the ``with`` block, and in the threads begun there."""
    token = _CURRENT.set(trace)
    try:
        yield trace
    finally:
        _CURRENT.reset(token)
