"""Responses: their requests, and the frames of a turn as events or as one response.

Source: `ResponseCreateParams`, `Response` and `ResponseStreamEvent` of the package `openai`, 2.54.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from conversation.messages.models import Message
from edge.http.request_models import MAX_CLIENT_ID
from edge.http.server_sent_events import Frame
from edge.wires.openai.chat_completions import (
    ModelName,
    QuestionId,
    asked_in,
    created_at,
    require_no_tools,
    require_text_format,
    usage_of,
)
from edge.wires.openai.errors import error_fields, invalid, validated
from edge.wires.openai.ids import answer_item_id, conversation_id, response_id
from edge.wires.openai.items import Item, Status, answer_item, output_items, text_part
from edge.wires.wire import WireRequest

MAX_METADATA = 16
MAX_METADATA_KEY = 64
MAX_METADATA_TEXT = 512

_Id = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CLIENT_ID)]
_Metadata = Annotated[
    dict[
        Annotated[str, StringConstraints(max_length=MAX_METADATA_KEY)],
        Annotated[str, StringConstraints(max_length=MAX_METADATA_TEXT)],
    ],
    Field(max_length=MAX_METADATA),
]


class _Named(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    id: _Id


class ResponseBody(BaseModel):
    """The body of a request. Members that tune a language model may be anything, and are not read."""

    model_config = ConfigDict(extra="ignore", strict=True)

    model: ModelName
    input: str | Annotated[list[JsonValue], Field(min_length=1)]
    conversation: _Id | _Named | None = None
    previous_response_id: _Id | None = None
    stream: bool | None = None
    store: bool | None = None
    background: bool | None = None
    instructions: JsonValue = None
    metadata: _Metadata | None = None
    tools: list[JsonValue] | None = None
    text: dict[str, JsonValue] | None = None
    answers: QuestionId | None = None
    """As in a completion's request."""

    @property
    def conversation_id(self) -> str | None:
        """The conversation that is named, in either form."""
        return self.conversation.id if isinstance(self.conversation, _Named) else self.conversation

    @property
    def messages(self) -> Sequence[JsonValue]:
        """The input as items."""
        return [{"role": "user", "content": self.input}] if isinstance(self.input, str) else self.input


def parse_response(request: WireRequest) -> ResponseBody:
    """The body of a request for an answer.

    Raises:
        Problem: it has another form, or asks for what an assistant can't give.
    """
    body = validated(ResponseBody, request.body)
    if body.conversation is not None and body.previous_response_id is not None:
        raise invalid("previous_response_id", "conversation names it already.")
    if body.store is False and request.keeps_history:
        raise invalid("store", "messages are stored here.")
    if body.background:
        raise invalid("background", "a response is made at once, or queued by itself.")
    require_no_tools("tools", body.tools)
    wanted = (body.text or {}).get("format")
    require_text_format("text.format", wanted if isinstance(wanted, dict) else None)
    return body


class Asked:
    """What a response says of its request."""

    def __init__(self, body: ResponseBody | None = None) -> None:
        """None: the request is not known any more."""
        self.model = body.model if body else "omniforge"
        self._previous = body.previous_response_id if body else None
        self._metadata = dict(body.metadata or {}) if body else {}

    def response(
        self,
        turn_id: str,
        conversation: str,
        status: str,
        *,
        output: Sequence[Item] = (),
        metadata: Mapping[str, Any] | None = None,
        error: Mapping[str, Any] | None = None,
    ) -> Mapping[str, Any]:
        """A response; ``metadata`` is that of the answer, None: there is none yet."""
        return {
            "id": response_id(turn_id),
            "object": "response",
            "created_at": created_at(turn_id),
            "status": status,
            "background": False,
            "error": error,
            "incomplete_details": None,
            "instructions": None,
            "metadata": self._metadata,
            "model": self.model,
            "output": list(output),
            "parallel_tool_calls": False,
            "previous_response_id": self._previous,
            "conversation": {"id": conversation_id(conversation)},
            "store": True,
            "text": {"format": {"type": "text"}},
            "tool_choice": "auto",
            "tools": [],
            "temperature": None,
            "top_p": None,
            "truncation": "disabled",
            "usage": _usage(metadata) if metadata is not None else None,
        }

    def answered(self, reply: Mapping[str, Any]) -> Mapping[str, Any]:
        """The response for the data of the frame ``done``."""
        turn_id, metadata = reply["metadata"]["turn_id"], reply["metadata"]
        output = output_items(turn_id, reply["message"]["content"], metadata)
        said = self.response(turn_id, reply["conversation_id"], "completed", output=output, metadata=metadata)
        return {**said, **asked_in(turn_id, metadata)}

    def stored(self, answer: Message) -> Mapping[str, Any]:
        """The response of a stored answer."""
        reply = {
            "conversation_id": answer.conversation_id,
            "message": {"content": answer.content},
            "metadata": {**answer.metadata, "turn_id": answer.turn_id},
        }
        return self.answered(reply)

    def queued(self, turn: Mapping[str, Any]) -> Mapping[str, Any]:
        """The response of a turn that is answered later: it can be retrieved until then."""
        return self.response(turn["turn_id"], turn["conversation_id"], "queued")


def _usage(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    used = usage_of(metadata)
    return {
        "input_tokens": used["prompt_tokens"],
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": used["completion_tokens"],
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": used["total_tokens"],
    }


class EventWriter:
    """Writes the events of one streamed response.

    What ``restarting`` voids is an item that ends as incomplete; the next text begins another one. The
    response at the end has what counts.
    """

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._count = 0
        self._turn: Mapping[str, Any] = {}
        self._output_index = 0
        self._text: str | None = None
        """What was said in the open item; None: none is open."""

    def write(self, frame: Frame) -> bytes:
        """What the client gets for a frame."""
        if frame.name in ("decision", "tool"):
            return b""  # they are no events of a response, and are made only where they are read
        return b"".join(map(self._encoded, self._events(frame)))

    def _encoded(self, event: Mapping[str, Any]) -> bytes:
        numbered = {**event, "sequence_number": self._count}
        self._count += 1
        data = json.dumps(numbered, ensure_ascii=False, separators=(",", ":"))
        return f"event: {event['type']}\ndata: {data}\n\n".encode()

    def _events(self, frame: Frame) -> Iterator[Mapping[str, Any]]:
        data = frame.members
        match frame.name:
            case "turn":
                self._turn = data
                begun = self._asked.response(data["turn_id"], data["conversation_id"], "in_progress")
                yield {"type": "response.created", "response": begun}
                yield {"type": "response.in_progress", "response": begun}
            case "thinking" if data["stage"] == "restarting":
                yield from self._close("incomplete")
            case "chunk":
                yield from self._say(data["text"])
            case "done":
                yield from self._finish(data)
            case "accepted":
                yield from self._close("incomplete")
                yield {"type": "response.queued", "response": self._asked.queued(data)}
            case "error":
                fields = error_fields(data)
                yield {"type": "error", **{name: fields[name] for name in ("code", "message", "param")}}
            case _:
                pass  # stages are no events of a response

    @property
    def _place(self) -> Mapping[str, Any]:
        item = answer_item_id(self._turn["turn_id"])
        return {"item_id": item, "output_index": self._output_index, "content_index": 0}

    def _say(self, text: str) -> Iterator[Mapping[str, Any]]:
        if self._text is None:
            self._text = ""
            item = answer_item(self._turn["turn_id"], None, "in_progress")
            yield {
                "type": "response.output_item.added",
                "output_index": self._output_index,
                "item": item,
            }
            yield {"type": "response.content_part.added", **self._place, "part": text_part("")}
        self._text += text
        yield {"type": "response.output_text.delta", **self._place, "delta": text, "logprobs": []}

    def _close(self, status: Status) -> Iterator[Mapping[str, Any]]:
        if self._text is None:
            return
        yield {"type": "response.output_text.done", **self._place, "text": self._text, "logprobs": []}
        yield {"type": "response.content_part.done", **self._place, "part": text_part(self._text)}
        item = answer_item(self._turn["turn_id"], self._text, status)
        yield {"type": "response.output_item.done", "output_index": self._output_index, "item": item}
        self._text = None
        self._output_index += 1

    def _finish(self, reply: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        if self._text is None:
            yield from self._say("")
        yield from self._close("completed")
        response = self._asked.answered(reply)
        for item in response["output"][1:]:
            for name in ("added", "done"):
                yield {
                    "type": f"response.output_item.{name}",
                    "output_index": self._output_index,
                    "item": item,
                }
        yield {"type": "response.completed", "response": response}
