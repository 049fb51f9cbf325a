"""A scripted answer as a stream of server-sent events: which frames there are, and what breaks them off.

The server is `tests.fakes.models.model_server`; its docstring says what each field of a reply does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.fakes.models.model_script import Reply

BREAKING = frozenset({"reset", "stall", "trickle", "unended", "malformed", "broken"})
"""Modes that take effect amid the deltas."""
DONE = b"data: [DONE]\n\n"
COMMENT = b": still here\n\n"
_PIECES_OF_ARGUMENTS = 3


def frame(data: Mapping[str, Any]) -> bytes:
    """One event."""
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def deltas(reply: Reply) -> list[dict[str, Any]]:
    """What the assistant says and calls, in the order it is sent; with mode ``truncated`` half of it."""
    said: list[dict[str, Any]] = [{"content": piece} for piece in reply.deltas()]
    if reply.mode == "truncated":
        said = said[: len(said) // 2]
    return [*said, *_calls(reply)]


def breaks_at(reply: Reply, count: int) -> int:
    """Before which of so many deltas the mode takes effect."""
    if reply.mode not in BREAKING:
        return count + 1
    return count // 2 if reply.breaks_after is None else reply.breaks_after


def opening(reply: Reply, model: str) -> bytes:
    """The frame before the first delta."""
    return _chunk(model, {"role": "assistant", "content": None if reply.text() is None else ""})


def middle(delta: Mapping[str, Any], model: str) -> bytes:
    """The frame of one delta."""
    return _chunk(model, delta)


def closing(reply: Reply, model: str, *, with_usage: bool) -> bytes:
    """Why it ended, what it took if that was asked for, and the end."""
    finished = "length" if reply.mode == "truncated" else reply.finished
    told = frame({**_envelope(model), "choices": [], "usage": USAGE}) if with_usage and reply.usage else b""
    return _chunk(model, {}, finished) + told + DONE


USAGE = {"prompt_tokens": 600, "completion_tokens": 80, "total_tokens": 680}


def malformed() -> bytes:
    """A frame that is no JSON."""
    return b'data: {"choices": [{"delta": {"content": "hal\n\n'


def broken() -> bytes:
    """What a provider sends when it fails after it began."""
    return frame({"error": {"message": "scripted refusal", "type": "server_error", "code": None}})


def _chunk(model: str, delta: Mapping[str, Any], finish_reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": dict(delta), "finish_reason": finish_reason}
    return frame({**_envelope(model), "choices": [choice]})


def _envelope(model: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion.chunk",
        "created": 1_750_000_000,
        "model": model,
    }


def _calls(reply: Reply) -> Iterator[dict[str, Any]]:
    for place, call in enumerate(reply.tool_calls):
        arguments = call["arguments"]
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        head = {"index": place, "id": f"call_{place}", "type": "function"}
        yield {"tool_calls": [{**head, "function": {"name": call["name"], "arguments": ""}}]}
        size = len(text) // _PIECES_OF_ARGUMENTS + 1
        for start in range(0, len(text), size):
            yield {"tool_calls": [{"index": place, "function": {"arguments": text[start : start + size]}}]}
