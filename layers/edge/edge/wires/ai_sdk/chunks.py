"""The frames of a turn as chunks of the UI message stream.

A message has a step for each stretch that ``restarting`` may void: a used tool ends a step unless text was
said in it before. `reset-step` then takes back what the frame voids and no more, but for tools that were used
meanwhile, which are told again.

Source: `uiMessageChunkSchema` and `processUIMessageStream` of the npm package `ai`, 7.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from edge.http.server_sent_events import Frame
from edge.wires.ai_sdk.requests import Approval

HEADERS = {"x-vercel-ai-ui-message-stream": "v1"}
END = b"data: [DONE]\n\n"
CONFIRM = "confirm"
"""The name of the tool call that stands for a proposal."""

Chunk = Mapping[str, Any]


class ChunkWriter:
    """Writes the chunks of one answer."""

    def __init__(
        self, *, continues: Approval | None = None, after: tuple[str, Iterable[Chunk]] | None = None
    ) -> None:
        """``continues``: the answer goes on in the message whose proposal was answered. ``after``: so it does
        for a client that has to be told that message, too; its id and its chunks.
        """
        self._continues = continues
        self._after = after
        self._turn_id = ""
        self._texts = 0
        self._is_text_open = False
        self._has_text = False
        """Whether text was said in the current step."""
        self._tools = 0
        self._step_tools: list[Chunk] = []

    def write(self, frame: Frame) -> bytes:
        """What the client gets for a frame; the last one ends the stream."""
        written = b"".join(map(encode_chunk, self._chunks(frame)))
        return written + END if frame.name in ("done", "accepted", "error") else written

    def _chunks(self, frame: Frame) -> Iterator[Chunk]:
        data = frame.members
        match frame.name:
            case "turn":
                yield from self._start(data)
            case "thinking" if data["stage"] == "restarting":
                yield from self._restart()
            case "thinking":
                yield {"type": "data-stage", "data": data, "transient": True}
            case "decision":
                yield {"type": "data-decision", "data": data, "transient": True}
            case "tool":
                yield from self._tool(data)
            case "chunk":
                yield from self._text(data["text"])
            case "done":
                yield from self._finish(data)
            case "accepted":
                yield from self._end_step()
                yield {"type": "data-accepted", "data": data, "transient": True}
                yield {"type": "finish", "finishReason": "other", "messageMetadata": {"accepted": True}}
            case "error":
                yield {"type": "error", "errorText": error_text(data)}

    def _start(self, data: Mapping[str, Any]) -> Iterator[Chunk]:
        self._turn_id = data["turn_id"]
        place = {"turn_id": self._turn_id, "conversation_id": data["conversation_id"]}
        if self._after is not None:
            message_id, chunks = self._after
            yield {"type": "start", "messageId": message_id, "messageMetadata": place}
            yield from chunks
        elif self._continues is None:
            yield {"type": "start", "messageId": self._turn_id, "messageMetadata": place}
        else:
            # The client goes on with its last message, as long as no other id is named.
            yield {"type": "start", "messageMetadata": place}
            yield answered_proposal(self._continues)
        yield {"type": "start-step"}

    def _text(self, text: str) -> Iterator[Chunk]:
        if not self._is_text_open:
            self._texts += 1
            self._is_text_open = self._has_text = True
            yield {"type": "text-start", "id": self._text_id}
        yield {"type": "text-delta", "id": self._text_id, "delta": text}

    @property
    def _text_id(self) -> str:
        return f"text-{self._texts}"

    def _end_text(self) -> Iterator[Chunk]:
        if self._is_text_open:
            self._is_text_open = False
            yield {"type": "text-end", "id": self._text_id}

    def _tool(self, data: Mapping[str, Any]) -> Iterator[Chunk]:
        yield from self._end_text()
        self._tools += 1
        used = tuple(tool_chunks(f"{self._turn_id}-{self._tools}", data))
        yield from used
        if self._has_text:
            self._step_tools.extend(used)
        else:
            yield {"type": "finish-step"}
            yield {"type": "start-step"}

    def _restart(self) -> Iterator[Chunk]:
        self._is_text_open = self._has_text = False
        yield {"type": "reset-step"}
        yield from self._step_tools
        if self._step_tools:
            self._step_tools.clear()
            yield {"type": "finish-step"}
            yield {"type": "start-step"}

    def _end_step(self) -> Iterator[Chunk]:
        yield from self._end_text()
        yield {"type": "finish-step"}

    def _finish(self, reply: Mapping[str, Any]) -> Iterator[Chunk]:
        yield from self._end_text()
        if reply["metadata"].get("asks_yes_or_no"):
            # A repeated request gets the answer of the first one's turn, whose question it is.
            yield from proposal_chunks(reply["metadata"]["turn_id"], reply["message"]["content"])
        yield {"type": "finish-step"}
        yield {
            "type": "finish",
            "finishReason": "stop",
            "messageMetadata": message_metadata(
                {**reply["metadata"], "conversation_id": reply["conversation_id"]},
                message_id=reply["message"]["id"],
                created_at=reply["message"]["created_at"],
            ),
        }


def encode_chunk(chunk: Chunk) -> bytes:
    """A chunk as a server-sent event."""
    return f"data: {json.dumps(chunk, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


def error_text(problem: Mapping[str, Any]) -> str:
    """A problem as the one text that the client shows, its code at the end."""
    return f"{problem.get('detail') or problem['title']} ({problem['code']})"


def tool_input(arguments: str) -> Any:
    """The arguments of a tool call: a text within an object where they were cut, an empty one without any."""
    try:
        return json.loads(arguments) if arguments else {}
    except json.JSONDecodeError:
        return {"arguments": arguments}


def tool_chunks(call_id: str, tool: Mapping[str, Any]) -> Iterator[Chunk]:
    """A used tool: it ran here, and its result is part of the answer."""
    common = {"toolCallId": call_id, "providerExecuted": True, "dynamic": True}
    yield {
        **common,
        "type": "tool-input-available",
        "toolName": tool["name"],
        "input": tool_input(tool.get("arguments") or ""),
    }
    if tool.get("ok", True):
        yield {**common, "type": "tool-output-available", "output": tool_output(tool)}
    else:
        yield {**common, "type": "tool-output-error", "errorText": tool.get("error_code") or "failed"}


def tool_output(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is told of a tool's result."""
    return {"ok": True, "elapsed_ms": tool.get("elapsed_ms")}


def proposal_id(turn_id: str) -> str:
    """The id of the tool call that stands for a turn's proposal; the approval itself has the turn's."""
    return f"{turn_id}-{CONFIRM}"


def proposal_chunks(turn_id: str, text: str) -> Iterator[Chunk]:
    """The proposal of a turn: a tool call that waits for the user's approval."""
    call_id = proposal_id(turn_id)
    yield {
        "type": "tool-input-available",
        "toolCallId": call_id,
        "toolName": CONFIRM,
        "input": {"question": text},
        "providerExecuted": True,
        "dynamic": True,
    }
    yield {"type": "tool-approval-request", "toolCallId": call_id, "approvalId": turn_id}


def answered_proposal(approval: Approval) -> Chunk:
    """The end of a proposal's tool call."""
    call_id = proposal_id(approval.turn_id)
    if not approval.approved:
        return {"type": "tool-output-denied", "toolCallId": call_id}
    return {
        "type": "tool-output-available",
        "toolCallId": call_id,
        "output": {"approved": True},
        "providerExecuted": True,
        "dynamic": True,
    }


_METADATA = (
    "conversation_id", "turn_id", "options", "asks_yes_or_no", "question", "partial", "persisted",
    "stored_later", "state", "unprocessed", "usage",
)  # fmt: skip
"""What a message's metadata says of how the answer came about; clients send it back with each message."""


def message_metadata(metadata: Mapping[str, Any], *, message_id: str, created_at: str) -> Mapping[str, Any]:
    """The metadata of an answer. What is empty is left out, but for what an answer before may have said."""
    known = {name: metadata[name] for name in _METADATA if metadata.get(name)}
    asked = {"options": [], "asks_yes_or_no": False, "question": None}
    return {**asked, **known, "message_id": message_id, "created_at": created_at}
