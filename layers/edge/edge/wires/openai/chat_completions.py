"""Chat completions: their requests, and the frames of a turn as chunks or as one completion.

Source: `CompletionCreateParams`, `ChatCompletion` and `ChatCompletionChunk` of the package `openai`, 2.54.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from conversation.identity import TurnId
from conversation.threads.questions import question_of
from edge.http.request_models import MAX_CLIENT_ID
from edge.http.server_sent_events import Frame
from edge.wires.openai.errors import error_fields, invalid, validated
from edge.wires.openai.ids import conversation_id
from edge.wires.wire import WireRequest

ASSISTANT = "omniforge"
"""The model that is the assistant itself: it chooses a language model, or none, for each message."""
END = b"data: [DONE]\n\n"
MAX_MODEL_NAME = 255

ANSWER_CHANGED: Mapping[str, Any] = {
    "message": "The answer was begun anew. The same request gets it.",
    "type": "server_error",
    "param": None,
    "code": "answer_restarted",
}
ANSWERED_LATER = "Earlier messages take longer. The message is stored; the same request gets its answer."

ModelName = Annotated[str, StringConstraints(min_length=1, max_length=MAX_MODEL_NAME)]
QuestionId = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CLIENT_ID)]


class _StreamOptions(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    include_usage: bool | None = None


class ChatBody(BaseModel):
    """The body of a request. Members that tune a language model may be anything, and are not read."""

    model_config = ConfigDict(extra="ignore", strict=True)

    model: ModelName
    messages: Annotated[list[JsonValue], Field(min_length=1)]
    stream: bool | None = None
    stream_options: _StreamOptions | None = None
    n: int | None = None
    tools: list[JsonValue] | None = None
    functions: list[JsonValue] | None = None
    modalities: list[JsonValue] | None = None
    response_format: dict[str, JsonValue] | None = None
    answers: QuestionId | None = None
    """The question that the message answers. It is ours: OpenAI's clients send it as ``extra_body``."""


def parse_chat(request: WireRequest) -> ChatBody:
    """The body of a request for an answer.

    Raises:
        Problem: it has another form, or asks for what an assistant can't give.
    """
    body = validated(ChatBody, request.body)
    if body.n not in (None, 1):
        raise invalid("n", "one answer is given.")
    for name in ("tools", "functions"):
        require_no_tools(name, getattr(body, name))
    if body.modalities not in (None, ["text"]):
        raise invalid("modalities", "answers are texts.")
    require_text_format("response_format", body.response_format)
    return body


def require_no_tools(param: str, tools: list[JsonValue] | None) -> None:
    """Refuse tools that the client would have to run: the assistant uses those of its tenant."""
    if tools:
        raise invalid(param, "the assistant uses its own tools, none of the client's.")


def require_text_format(param: str, wanted: Mapping[str, JsonValue] | None) -> None:
    """Refuse an answer in a form that no assistant promises."""
    if wanted is not None and wanted.get("type", "text") != "text":
        raise invalid(param, "answers are texts.")


def model_of(name: str) -> str | None:
    """The language model that a request names; None: the assistant chooses one."""
    return None if name == ASSISTANT else name


def created_at(turn_id: str) -> int:
    """When a turn began, in seconds."""
    turn = TurnId.parse(turn_id)
    return int(turn.made_at().timestamp()) if turn else 0


def usage_of(metadata: Mapping[str, Any]) -> Mapping[str, int]:
    """The tokens of all language models that were asked."""
    used = metadata.get("usage") or {}
    sent, received = int(used.get("prompt_tokens", 0)), int(used.get("completion_tokens", 0))
    return {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received}


def asked_in(turn_id: str, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """The member ``question`` of an answer that asks something; no member of any other answer.

    It is ours: OpenAI has no place for choices, and in completions none for a yes or a no.
    """
    question = question_of(turn_id, metadata)
    return {} if question is None else {"question": question._asdict()}


def completion(model: str, reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """The completion for the data of the frame ``done``."""
    turn_id, named = reply["metadata"]["turn_id"], conversation_id(reply["conversation_id"])
    message = {
        "role": "assistant",
        "content": reply["message"]["content"],
        "refusal": None,
        "conversation_id": named,
        **asked_in(turn_id, reply["metadata"]),
    }
    return {
        "id": f"chatcmpl-{turn_id}",
        "object": "chat.completion",
        "created": created_at(turn_id),
        "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": usage_of(reply["metadata"]),
        "conversation_id": named,
    }


class ChunkWriter:
    """Writes the chunks of one streamed completion.

    What was sent can't be taken back. After ``restarting``, text is held until it goes on where the sent one
    ended; if the answer turns out to be another one, the stream ends with an error, and the same request
    gets the stored answer.
    """

    def __init__(self, model: str, *, include_usage: bool) -> None:
        self._model = model
        self._include_usage = include_usage
        self._common: dict[str, Any] = {}
        self._sent, self._restarted = "", ""
        self._is_restarted = False

    def write(self, frame: Frame) -> bytes:
        """What the client gets for a frame; the last one ends the stream."""
        if frame.name in ("decision", "tool"):
            return b""  # they have no place in a completion, and are made only where they are read
        written = b"".join(map(_event, self._chunks(frame)))
        return written + END if frame.name in ("done", "accepted", "error") else written

    def _chunks(self, frame: Frame) -> Iterator[Mapping[str, Any]]:
        data = frame.members
        match frame.name:
            case "turn":
                yield self._begin(data)
            case "thinking" if data["stage"] == "restarting":
                self._is_restarted, self._restarted = True, ""
            case "chunk":
                yield from self._text(data["text"])
            case "done" if not data["message"]["content"].startswith(self._sent):
                yield {"error": ANSWER_CHANGED}
            case "done":
                yield from self._text(data["message"]["content"][len(self._sent) :], is_rest=True)
                # A repeated request gets the answer of the first one's turn, whose question it is.
                asked = asked_in(data["metadata"]["turn_id"], data["metadata"])
                yield self._chunk(asked, finish_reason="stop")
                if self._include_usage:
                    yield {**self._common, "choices": [], "usage": usage_of(data["metadata"])}
            case "accepted":
                yield {"error": error_fields({"code": "timeout", "detail": ANSWERED_LATER})}
            case "error":
                yield {"error": error_fields(data)}
            case _:
                pass  # stages have no place in a completion

    def _begin(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        self._common = {
            "id": f"chatcmpl-{data['turn_id']}",
            "object": "chat.completion.chunk",
            "created": created_at(data["turn_id"]),
            "model": self._model,
            "conversation_id": conversation_id(data["conversation_id"]),
        }
        return self._chunk({"role": "assistant", "content": ""})

    def _text(self, text: str, *, is_rest: bool = False) -> Iterator[Mapping[str, Any]]:
        if self._is_restarted and not is_rest:
            self._restarted += text
            if not self._restarted.startswith(self._sent):
                return
            text = self._restarted[len(self._sent) :]
        if text:
            self._sent += text
            yield self._chunk({"content": text})

    def _chunk(self, delta: Mapping[str, Any], *, finish_reason: str | None = None) -> Mapping[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        usage = {"usage": None} if self._include_usage else {}
        return {**self._common, "choices": [choice], **usage}


def _event(data: Mapping[str, Any]) -> bytes:
    return f"data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()
