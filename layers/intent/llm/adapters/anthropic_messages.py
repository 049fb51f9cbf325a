"""Asks a model by Anthropic's messages protocol.

Source of what is sent and how answers are taken: litellm 1.106, which does the same for the same models.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import closing
from typing import Any

from pydantic import JsonValue

from llm.adapters.adapter import ModelAttempt, StreamLink, StreamPiece
from llm.adapters.conversation_turns import Block, split_instructions
from llm.adapters.http_client import HttpClient, encode_json
from llm.adapters.openai_body import is_thinking
from llm.adapters.server_sent_events import json_events
from llm.catalogue import Model
from llm.content_parts import PDF
from llm.errors import ModelMisconfigured, ModelOutputInvalid, TransientModelError
from llm.price_list import estimated_usage, find_cost
from llm.request_types import ModelRequest, ModelResponse, TokenUsage, ToolCall, ToolSchema
from llm.streamed_answer import StreamedAnswer

ANTHROPIC_URL = "https://api.anthropic.com"
_VERSION = "2023-06-01"
_STRUCTURED = "structured-outputs-2025-11-13"
_CHOICES = {"auto": {"type": "auto"}, "none": {"type": "none"}, "required": {"type": "any"}}


class AnthropicMessages:
    """A `llm.adapters.adapter.ModelAdapter` for Anthropic's models of the catalogue."""

    def __init__(self, client: HttpClient, *, base_url: str | None) -> None:
        base = (base_url or ANTHROPIC_URL).rstrip("/")
        self._client = client
        self._url = base if base.endswith("/v1/messages") else f"{base.removesuffix('/v1')}/v1/messages"

    def complete(self, attempt: ModelAttempt) -> ModelResponse:
        answer = self._client.post(
            self._url,
            encode_json(_body(attempt)),
            _headers(attempt),
            timeout_s=attempt.timeout_s,
            total_s=attempt.total_s,
        )
        return _to_response(attempt, answer)

    def stream(self, attempt: ModelAttempt, link: StreamLink) -> Generator[StreamPiece, None, ModelResponse]:
        arriving = self._client.stream(
            self._url,
            encode_json({**_body(attempt), "stream": True}),
            _headers(attempt),
            link,
            timeout_s=attempt.timeout_s,
            total_s=attempt.total_s,
        )
        read = _StreamReader()
        with closing(arriving):
            for event in json_events(arriving):
                yield StreamPiece(read.add(event), read.answer.size)
        return read.to_response(attempt)

    def price(self, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
        return find_cost(model, TokenUsage(prompt_tokens, completion_tokens))


class _Blocks:
    """Anthropic's form of content blocks."""

    def text(self, text: str) -> Block:
        return {"type": "text", "text": text}

    def call(self, call_id: str, name: str, arguments: dict[str, Any]) -> Block:
        return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}

    def result(self, call_id: str, text: str) -> Block:
        return {"type": "tool_result", "tool_use_id": call_id, "content": text}

    def file(self, media_type: str, base64_content: str) -> Block:
        kind = "document" if media_type == PDF else "image"
        return {"type": kind, "source": {"type": "base64", "media_type": media_type, "data": base64_content}}


def _headers(attempt: ModelAttempt) -> Mapping[str, str]:
    if not attempt.api_key:
        raise ModelMisconfigured("not_configured")
    headers = {"x-api-key": attempt.api_key, "anthropic-version": _VERSION}
    return headers if attempt.request.schema is None else {**headers, "anthropic-beta": _STRUCTURED}


def _body(attempt: ModelAttempt) -> dict[str, Any]:
    request, model = attempt.request, attempt.listed
    blocks = _Blocks()
    system, turns = split_instructions(request.messages, blocks)
    body: dict[str, Any] = {
        "model": attempt.model.removeprefix("anthropic/"),
        "messages": turns,
        "max_tokens": request.max_tokens,
    }
    if system:
        body["system"] = [blocks.text(text) for text in system]
    if is_thinking(request):
        body |= thinking_fields(str(request.thinking))
    elif model is None or model.supports_temperature:
        body["temperature"] = request.temperature
    if request.schema is not None:
        body["output_format"] = {"type": "json_schema", "schema": _closed(request.schema)}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
        if request.tool_choice is not None:
            body["tool_choice"] = _choice(request, model)
    return body


def thinking_fields(effort: str) -> dict[str, Any]:
    """Return the fields that ask one of Anthropic's models to think."""
    return {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": effort}}


def _choice(request: ModelRequest, model: Model | None) -> dict[str, str]:
    choice = str(request.tool_choice)
    if model is not None and not model.supports_forced_tools and choice != "none":
        return _CHOICES["auto"]
    return _CHOICES.get(choice) or {"type": "tool", "name": choice}


def _tool(tool: ToolSchema) -> dict[str, Any]:
    return {
        "type": "custom",
        "name": tool.name,
        "description": tool.description,
        "input_schema": dict(tool.parameters),
    }


def _closed(schema: Mapping[str, JsonValue]) -> dict[str, Any]:
    """The schema with every object closed, which structured output demands."""

    def close(value: Any) -> Any:
        if isinstance(value, list):
            return [close(each) for each in value]
        if not isinstance(value, Mapping):
            return value
        closed = {name: close(each) for name, each in value.items()}
        return {**closed, "additionalProperties": False} if value.get("type") == "object" else closed

    closed: dict[str, Any] = close(schema)
    return closed


def _to_response(attempt: ModelAttempt, answer: Any) -> ModelResponse:
    """Return the answer in a message.

    Raises:
        ModelOutputInvalid: it has neither text nor tool calls.
        TransientModelError: it is no message.
    """
    content = answer.get("content") if isinstance(answer, dict) else None
    if not isinstance(content, list) or not all(isinstance(block, dict) for block in content):
        raise TransientModelError("server_error")
    texts = [str(block.get("text", "")) for block in content if block.get("type") == "text"]
    calls = tuple(_tool_call(block) for block in content if block.get("type") == "tool_use")
    if not texts and not calls:
        raise ModelOutputInvalid
    text = "".join(texts)
    usage = _usage(answer.get("usage")) or estimated_usage(attempt.request, len(text.encode()))
    return ModelResponse(
        text=text,
        prompt_tokens=usage.prompt,
        completion_tokens=usage.completion,
        cost_usd=find_cost(attempt.model, usage, attempt.listed),
        tool_calls=calls,
    )


def _tool_call(block: Mapping[str, Any]) -> ToolCall:
    match block.get("id"), block.get("name"), block.get("input"):
        case str(id), str(name), dict(arguments):
            return ToolCall(id, name, json.dumps(arguments))
        case _:
            raise ModelOutputInvalid


class _StreamReader:
    """Reads the events of a streamed message."""

    def __init__(self) -> None:
        self.answer = StreamedAnswer()
        self._usage: dict[str, Any] = {}
        self._is_finished = False

    def add(self, event: Mapping[str, Any]) -> str:
        """Add an event and return the text it contains.

        Raises:
            TransientModelError: the provider failed in the middle of the stream.
        """
        match event.get("type"):
            case "message_start":
                self._note_usage(_object(event.get("message")).get("usage"))
            case "content_block_start":
                return self._begin(event.get("index"), _object(event.get("content_block")))
            case "content_block_delta":
                return self._go_on(event.get("index"), _object(event.get("delta")))
            case "message_delta":
                self._note_usage(event.get("usage"))
                self._is_finished |= _object(event.get("delta")).get("stop_reason") is not None
            case "error":
                raise TransientModelError("server_error")
            case _:
                pass
        return ""

    def to_response(self, attempt: ModelAttempt) -> ModelResponse:
        """Return the complete answer.

        Raises:
            ModelOutputInvalid: the stream ended before it, or it is empty.
        """
        if not self._is_finished:
            raise ModelOutputInvalid
        usage = _usage(self._usage) or estimated_usage(attempt.request, self.answer.size)
        return self.answer.to_response(
            usage.prompt, usage.completion, find_cost(attempt.model, usage, attempt.listed)
        )

    def _begin(self, index: Any, block: Mapping[str, Any]) -> str:
        if block.get("type") == "tool_use":
            self.answer.add_call(index, block.get("id"), block.get("name") or "", "")
        elif block.get("type") == "text":
            return self._text(block.get("text"))
        return ""

    def _go_on(self, index: Any, delta: Mapping[str, Any]) -> str:
        match delta.get("type"):
            case "text_delta":
                return self._text(delta.get("text"))
            case "input_json_delta":
                self.answer.add_call(index, None, "", delta.get("partial_json") or "")
            case "thinking_delta":
                self.answer.add_thinking(delta.get("thinking") or "")
            case _:
                pass
        return ""

    def _text(self, text: object) -> str:
        if not isinstance(text, str):
            return ""
        self.answer.add_text(text)
        return text

    def _note_usage(self, usage: object) -> None:
        # The counts at the end replace those at the beginning; some servers report only either.
        self._usage |= {name: count for name, count in _object(usage).items() if count is not None}


def _usage(usage: object) -> TokenUsage | None:
    counts = _object(usage)
    fresh, completion = counts.get("input_tokens"), counts.get("output_tokens")
    if not isinstance(fresh, int) or not isinstance(completion, int):
        return None
    cached = counts.get("cache_read_input_tokens") or 0
    written = counts.get("cache_creation_input_tokens") or 0
    return TokenUsage(fresh + cached + written, completion, cached=cached, cache_written=written)


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
