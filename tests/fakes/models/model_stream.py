"""The server-sent events of a scripted reply, and the modes that break the stream.

The server is `tests.fakes.models.model_server`; its docstring explains each field of a reply.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.fakes.models.model_script import Reply

BREAKING = frozenset({"reset", "stall", "trickle", "unended", "malformed", "broken"})
"""Modes that take effect between two deltas."""
DONE = b"data: [DONE]\n\n"
COMMENT = b": still here\n\n"
_PIECES_OF_ARGUMENTS = 3


def frame(data: Mapping[str, Any]) -> bytes:
    """Encode one event."""
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def deltas(reply: Reply) -> list[dict[str, Any]]:
    """Return the deltas of text and tool calls in sending order; with mode ``truncated`` half of the text."""
    said: list[dict[str, Any]] = [{"content": piece} for piece in reply.deltas()]
    if reply.mode == "truncated":
        said = said[: len(said) // 2]
    return [*said, *_calls(reply)]


def breaks_at(reply: Reply, count: int) -> int:
    """Return the index of the delta before which the mode takes effect; above ``count`` if it never does."""
    if reply.mode not in BREAKING:
        return count + 1
    return count // 2 if reply.breaks_after is None else reply.breaks_after


def opening(reply: Reply, model: str) -> bytes:
    """Return the frame before the first delta."""
    return _chunk(model, {"role": "assistant", "content": None if reply.text() is None else ""})


def middle(delta: Mapping[str, Any], model: str) -> bytes:
    """Return the frame of one delta."""
    return _chunk(model, delta)


def closing(reply: Reply, model: str, *, with_usage: bool) -> bytes:
    """Return the frames with the finish reason, with the usage if requested, and with the end mark."""
    finished = "length" if reply.mode == "truncated" else reply.finished
    told = frame({**_envelope(model), "choices": [], "usage": USAGE}) if with_usage and reply.usage else b""
    return _chunk(model, {}, finished) + told + DONE


def completion(reply: Reply, model: str) -> dict[str, Any]:
    """Return a reply in one piece."""
    text = reply.text()
    truncated = reply.mode == "truncated" and text is not None
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1_750_000_000,
        "model": model,
        "choices": [
            {
                "index": 0,
                "finish_reason": "length" if truncated else reply.finished,
                "message": {
                    "role": "assistant",
                    "content": text[: len(text) // 2] if truncated and text else text,
                    **_whole_calls(reply),
                },
            }
        ],
        "usage": USAGE,
    }


def _whole_calls(reply: Reply) -> dict[str, Any]:
    calls = [
        {
            "id": f"call_{place}",
            "type": "function",
            "function": {
                "name": call["name"],
                "arguments": call["arguments"]
                if isinstance(call["arguments"], str)
                else json.dumps(call["arguments"]),
            },
        }
        for place, call in enumerate(reply.tool_calls)
    ]
    return {"tool_calls": calls} if calls else {}


USAGE = {"prompt_tokens": 600, "completion_tokens": 80, "total_tokens": 680}


def malformed() -> bytes:
    """Return a frame that is not JSON."""
    return b'data: {"choices": [{"delta": {"content": "hal\n\n'


def broken() -> bytes:
    """Return the frame of a provider that fails in the middle of a stream."""
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
