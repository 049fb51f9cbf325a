"""How a scripted reply looks on each vendor's wire.

`wire_of` finds the wire by the path of a request: OpenAI's (`tests.fakes.models.model_stream`), Anthropic's
messages, or Bedrock's Converse and ConverseStream. A wire has the same functions as `model_stream`.
"""

from __future__ import annotations

import binascii
import json
import struct
from collections.abc import Mapping
from typing import Any, Protocol

from tests.fakes.models import model_stream
from tests.fakes.models.model_script import Reply

PIECE_OF_ARGUMENTS = 9


class Wire(Protocol):
    """Encodes a reply in one piece, or as a stream of deltas."""

    @property
    def content_type(self) -> str:
        """The media type of a stream."""

    def completion(self, reply: Reply, model: str) -> dict[str, Any]: ...
    def opening(self, reply: Reply, model: str) -> bytes: ...
    def deltas(self, reply: Reply) -> list[dict[str, Any]]: ...
    def middle(self, delta: Mapping[str, Any], model: str) -> bytes: ...
    def closing(self, reply: Reply, model: str, *, with_usage: bool) -> bytes: ...
    def malformed(self) -> bytes: ...
    def broken(self) -> bytes: ...
    def comment(self) -> bytes: ...


def wire_of(path: str) -> Wire:
    """Return the wire that a request to this path is answered on."""
    if path.endswith("/messages"):
        return AnthropicWire()
    if path.endswith(("/converse", "/converse-stream")):
        return BedrockWire()
    return OpenAIWire()


class OpenAIWire:
    """OpenAI's chat completions."""

    content_type = "text/event-stream"

    def completion(self, reply: Reply, model: str) -> dict[str, Any]:
        return model_stream.completion(reply, model)

    def opening(self, reply: Reply, model: str) -> bytes:
        return model_stream.opening(reply, model)

    def deltas(self, reply: Reply) -> list[dict[str, Any]]:
        return model_stream.deltas(reply)

    def middle(self, delta: Mapping[str, Any], model: str) -> bytes:
        return model_stream.middle(delta, model)

    def closing(self, reply: Reply, model: str, *, with_usage: bool) -> bytes:
        return model_stream.closing(reply, model, with_usage=with_usage)

    def malformed(self) -> bytes:
        return model_stream.malformed()

    def broken(self) -> bytes:
        return model_stream.broken()

    def comment(self) -> bytes:
        return model_stream.COMMENT


def _arguments(call: Mapping[str, Any]) -> dict[str, Any]:
    arguments = call["arguments"]
    parsed: dict[str, Any] = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
    return parsed


def _parts(call: Mapping[str, Any]) -> list[str]:
    text = json.dumps(_arguments(call))
    return [text[at : at + PIECE_OF_ARGUMENTS] for at in range(0, len(text), PIECE_OF_ARGUMENTS)]


class AnthropicWire:
    """Anthropic's messages."""

    content_type = "text/event-stream"

    def completion(self, reply: Reply, model: str) -> dict[str, Any]:
        text = reply.text()
        blocks: list[dict[str, Any]] = [] if text is None else [{"type": "text", "text": text}]
        for place, call in enumerate(reply.tool_calls):
            blocks.append(
                {"type": "tool_use", "id": f"call_{place}", "name": call["name"], "input": _arguments(call)}
            )
        return {
            "id": "msg_scripted",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": blocks,
            "stop_reason": self._stop_reason(reply),
            "stop_sequence": None,
            "usage": {"input_tokens": 600, "output_tokens": 80},
        }

    def opening(self, reply: Reply, model: str) -> bytes:
        empty = {**self.completion(reply, model), "content": [], "stop_reason": None}
        return self._event({"type": "message_start", "message": empty})

    def deltas(self, reply: Reply) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = []
        if reply.text() is not None:
            said = [{"type": "text_delta", "text": piece} for piece in reply.deltas()]
            events += self._block(0, {"type": "text", "text": ""}, said)
        for place, call in enumerate(reply.tool_calls):
            start = {"type": "tool_use", "id": f"call_{place}", "name": call["name"], "input": {}}
            parts = [{"type": "input_json_delta", "partial_json": part} for part in _parts(call)]
            events += self._block(place + (reply.text() is not None), start, parts)
        return events

    def middle(self, delta: Mapping[str, Any], model: str) -> bytes:
        return self._event(delta)

    def closing(self, reply: Reply, model: str, *, with_usage: bool) -> bytes:
        stop = {"stop_reason": self._stop_reason(reply), "stop_sequence": None}
        ended = {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 80}}
        return self._event(ended) + self._event({"type": "message_stop"})

    def malformed(self) -> bytes:
        return b'event: content_block_delta\ndata: {"type": "content_block_delta", "delta": {"te\n\n'

    def broken(self) -> bytes:
        error = {"type": "overloaded_error", "message": "scripted refusal"}
        return self._event({"type": "error", "error": error})

    def comment(self) -> bytes:
        return self._event({"type": "ping"})

    def _block(
        self, index: int, start: Mapping[str, Any], deltas: list[dict[str, str]]
    ) -> list[dict[str, Any]]:
        middle = [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        return [
            {"type": "content_block_start", "index": index, "content_block": start},
            *middle,
            {"type": "content_block_stop", "index": index},
        ]

    def _stop_reason(self, reply: Reply) -> str:
        return "tool_use" if reply.tool_calls else "end_turn"

    def _event(self, data: Mapping[str, Any]) -> bytes:
        return b"event: %b\ndata: %b\n\n" % (str(data["type"]).encode(), json.dumps(data).encode())


class BedrockWire:
    """Bedrock's Converse and ConverseStream."""

    content_type = "application/vnd.amazon.eventstream"
    _usage: Mapping[str, int] = {"inputTokens": 600, "outputTokens": 80, "totalTokens": 680}

    def completion(self, reply: Reply, model: str) -> dict[str, Any]:
        text = reply.text()
        blocks: list[dict[str, Any]] = [] if text is None else [{"text": text}]
        for place, call in enumerate(reply.tool_calls):
            use = {"toolUseId": f"call_{place}", "name": call["name"], "input": _arguments(call)}
            blocks.append({"toolUse": use})
        return {
            "output": {"message": {"role": "assistant", "content": blocks}},
            "stopReason": self._stop_reason(reply),
            "usage": dict(self._usage),
            "metrics": {"latencyMs": 1},
        }

    def opening(self, reply: Reply, model: str) -> bytes:
        return self._event("messageStart", {"role": "assistant"})

    def deltas(self, reply: Reply) -> list[dict[str, Any]]:
        said = [
            {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": piece}}}
            for piece in reply.deltas()
        ]
        events: list[dict[str, Any]] = [*said]
        if said:
            events.append({"contentBlockStop": {"contentBlockIndex": 0}})
        for place, call in enumerate(reply.tool_calls, start=1 if said else 0):
            use = {"toolUseId": f"call_{place - bool(said)}", "name": call["name"]}
            events.append({"contentBlockStart": {"contentBlockIndex": place, "start": {"toolUse": use}}})
            events += [
                {"contentBlockDelta": {"contentBlockIndex": place, "delta": {"toolUse": {"input": part}}}}
                for part in _parts(call)
            ]
            events.append({"contentBlockStop": {"contentBlockIndex": place}})
        return events

    def middle(self, delta: Mapping[str, Any], model: str) -> bytes:
        ((name, event),) = delta.items()
        return self._event(name, event)

    def closing(self, reply: Reply, model: str, *, with_usage: bool) -> bytes:
        stop = self._event("messageStop", {"stopReason": self._stop_reason(reply)})
        metrics = {"latencyMs": 1}
        return stop + self._event("metadata", {"usage": dict(self._usage), "metrics": metrics})

    def malformed(self) -> bytes:
        frame = bytearray(self._event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "x"}}))
        frame[-1] ^= 0xFF
        return bytes(frame)

    def broken(self) -> bytes:
        headers = {":message-type": "exception", ":exception-type": "internalServerException"}
        return _frame(headers, {"message": "scripted refusal"})

    def comment(self) -> bytes:
        return self._event("ping", {})

    def _stop_reason(self, reply: Reply) -> str:
        return "tool_use" if reply.tool_calls else "end_turn"

    def _event(self, name: str, event: Mapping[str, Any]) -> bytes:
        kinds = {":message-type": "event", ":event-type": name, ":content-type": "application/json"}
        return _frame(kinds, event)


def _frame(headers: Mapping[str, str], payload: Mapping[str, Any]) -> bytes:
    """A frame of AWS's event stream."""
    encoded = b"".join(
        struct.pack("!B", len(name)) + name.encode() + struct.pack("!BH", 7, len(value)) + value.encode()
        for name, value in headers.items()
    )
    body = json.dumps(payload).encode()
    prelude = struct.pack("!II", len(encoded) + len(body) + 16, len(encoded))
    framed = prelude + struct.pack("!I", binascii.crc32(prelude)) + encoded + body
    return framed + struct.pack("!I", binascii.crc32(framed))
