"""Asks a model by OpenAI's chat-completions protocol, at OpenAI or at any other server that speaks it.

Source of what is sent and how answers are taken: litellm 1.106, which does the same for the same models.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import closing
from typing import Any

from llm.adapters.adapter import ModelAttempt, StreamLink, StreamPiece
from llm.adapters.http_client import HttpClient, encode_json
from llm.adapters.openai_body import chat_arguments
from llm.adapters.server_sent_events import json_events
from llm.errors import ModelMisconfigured, ModelOutputInvalid, TransientModelError
from llm.price_list import estimated_usage, find_cost
from llm.request_types import ModelResponse, TokenUsage, ToolCall
from llm.streamed_answer import StreamedAnswer

OPENAI_URL = "https://api.openai.com/v1"
_THINKING_NAME = re.compile(r"(?:o[1-9]|gpt-[5-9]|gpt-\d\d)(?!\d)")
"""OpenAI's models that think: they take another name for the limit, and mostly no temperature."""
_THOUGHTS = ("think", "thinking")


class OpenAIChat:
    """A `llm.adapters.adapter.ModelAdapter` for one server. ``headers`` are sent with every request."""

    def __init__(
        self, client: HttpClient, *, base_url: str | None, headers: Mapping[str, str] | None = None
    ) -> None:
        self._client = client
        self._url = f"{(base_url or OPENAI_URL).rstrip('/')}/chat/completions"
        self._headers = dict(headers or {})

    def complete(self, attempt: ModelAttempt) -> ModelResponse:
        answer = self._client.post(
            self._url,
            encode_json(_body(attempt)),
            self._signed(attempt),
            timeout_s=attempt.timeout_s,
            total_s=attempt.total_s,
        )
        return _to_response(attempt, answer)

    def stream(self, attempt: ModelAttempt, link: StreamLink) -> Generator[StreamPiece, None, ModelResponse]:
        body = {**_body(attempt), "stream": True, "stream_options": {"include_usage": True}}
        answer, usage, is_finished = StreamedAnswer(), None, False
        arriving = self._client.stream(
            self._url,
            encode_json(body),
            self._signed(attempt),
            link,
            timeout_s=attempt.timeout_s,
            total_s=attempt.total_s,
        )
        with closing(arriving):
            for chunk in json_events(arriving):
                if chunk.get("error") is not None:
                    raise TransientModelError("server_error")
                usage = _usage(chunk) or usage
                choice = _first(chunk.get("choices"))
                is_finished = is_finished or choice.get("finish_reason") is not None
                yield StreamPiece(_add(answer, _object(choice.get("delta"))), answer.size)
        if not is_finished:
            raise ModelOutputInvalid
        usage = usage or estimated_usage(attempt.request, answer.size)
        return answer.to_response(
            usage.prompt, usage.completion, find_cost(attempt.model, usage, attempt.listed)
        )

    def price(self, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
        return find_cost(model, TokenUsage(prompt_tokens, completion_tokens))

    def _signed(self, attempt: ModelAttempt) -> Mapping[str, str]:
        if not attempt.api_key:
            raise ModelMisconfigured("not_configured")
        return {**self._headers, "Authorization": f"Bearer {attempt.api_key}"}


def _body(attempt: ModelAttempt) -> dict[str, Any]:
    name = attempt.model.removeprefix("openai/")
    body = {**chat_arguments(attempt.request), "model": name}
    if _THINKING_NAME.match(name.rpartition("/")[2]):
        body["max_completion_tokens"] = body.pop("max_tokens")
        if attempt.request.thinking != "none":
            body.pop("temperature", None)
    return body


def _to_response(attempt: ModelAttempt, answer: Any) -> ModelResponse:
    """Return the answer in a completion.

    Raises:
        ModelOutputInvalid: it has neither text nor tool calls.
        TransientModelError: it is no completion.
    """
    choices = answer.get("choices") if isinstance(answer, dict) else None
    if choices == []:
        raise ModelOutputInvalid
    message = _first(choices).get("message")
    if not isinstance(message, dict):
        raise TransientModelError("server_error")
    calls = tuple(_tool_call(call) for call in message.get("tool_calls") or ())
    text = message.get("content")
    if text is None and calls:
        text = ""
    if not isinstance(text, str):
        raise ModelOutputInvalid
    usage = _usage(answer) or estimated_usage(attempt.request, len(text.encode()))
    return ModelResponse(
        text=_without_thoughts(text),
        prompt_tokens=usage.prompt,
        completion_tokens=usage.completion,
        cost_usd=find_cost(attempt.model, usage, attempt.listed),
        tool_calls=calls,
    )


def _without_thoughts(text: str) -> str:
    """Some servers write a model's visible thinking before its answer, between tags."""
    for tag in _THOUGHTS:
        if text.lstrip().startswith(f"<{tag}>"):
            _, end, answer = text.partition(f"</{tag}>")
            return answer if end else text
    return text


def _tool_call(call: Any) -> ToolCall:
    function = _object(_object(call).get("function"))
    match _object(call).get("id"), function.get("name"), function.get("arguments"):
        case str(id), str(name), str(arguments):
            return ToolCall(id, name, arguments)
        case _:
            raise ModelOutputInvalid


def _add(answer: StreamedAnswer, delta: Mapping[str, Any]) -> str:
    """Add a delta and return the text it contains; empty when it contains none."""
    for part in delta.get("tool_calls") or ():
        call, function = _object(part), _object(_object(part).get("function"))
        answer.add_call(
            call.get("index"), call.get("id"), function.get("name") or "", function.get("arguments") or ""
        )
    thinking = delta.get("reasoning_content") or delta.get("reasoning")
    answer.add_thinking(thinking if isinstance(thinking, str) else "")
    text = delta.get("content")
    if not isinstance(text, str):
        return ""
    answer.add_text(text)
    return text


def _usage(answer: Mapping[str, Any]) -> TokenUsage | None:
    usage = _object(answer.get("usage"))
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return None
    details = _object(usage.get("prompt_tokens_details"))
    cached, written = details.get("cached_tokens"), details.get("cache_write_tokens")
    return TokenUsage(
        prompt,
        completion,
        cached=cached if isinstance(cached, int) else 0,
        cache_written=written if isinstance(written, int) else 0,
    )


def _first(choices: object) -> Mapping[str, Any]:
    return _object(choices[0]) if isinstance(choices, list) and choices else {}


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
