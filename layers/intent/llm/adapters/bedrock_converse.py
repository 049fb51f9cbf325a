"""Asks a model by Bedrock's Converse and ConverseStream.

botocore brings the credentials, the signature and the event stream; the request goes over our own client,
because a boto3 client knows no deadline per call and cannot be hung up on.
Source of what is sent and how answers are taken: litellm 1.106, which does the same for the same models.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any
from urllib.parse import quote

from llm.adapters.adapter import ModelAttempt, StreamLink, StreamPiece
from llm.adapters.anthropic_messages import thinking_fields
from llm.adapters.conversation_turns import Block, split_instructions
from llm.adapters.http_client import HttpClient, encode_json
from llm.adapters.openai_body import is_thinking
from llm.catalogue import Model
from llm.errors import ModelMisconfigured, ModelOutputInvalid, TransientModelError, error_of_status
from llm.price_list import estimated_usage, find_cost
from llm.request_types import ModelRequest, ModelResponse, TokenUsage, ToolCall
from llm.streamed_answer import StreamedAnswer

_SCHEMA_TOOL = "json_tool_call"
"""The tool whose arguments are an answer in a schema's form."""
_CHOICES: Mapping[str, dict[str, Any]] = {"auto": {"auto": {}}, "required": {"any": {}}}


class BedrockConverse:
    """A `llm.adapters.adapter.ModelAdapter` for Bedrock's models of the catalogue.

    ``region`` None: as botocore finds it. ``base_url`` None: the region's own.
    """

    def __init__(self, client: HttpClient, *, region: str | None, base_url: str | None) -> None:
        self._client = client
        self._region = region
        self._base_url = base_url
        self._sign: Callable[[str, bytes, str], Mapping[str, str]] | None = None

    def complete(self, attempt: ModelAttempt) -> ModelResponse:
        url = self._url(attempt, "converse")
        body = encode_json(_body(attempt.request, attempt.listed))
        answer = self._client.post(
            url,
            body,
            self._signed(attempt, url, body),
            timeout_s=attempt.timeout_s,
            total_s=attempt.total_s,
        )
        return _to_response(attempt, answer)

    def stream(self, attempt: ModelAttempt, link: StreamLink) -> Generator[StreamPiece, None, ModelResponse]:
        url = self._url(attempt, "converse-stream")
        body = encode_json(_body(attempt.request, attempt.listed))
        arriving = self._client.stream(
            url,
            body,
            self._signed(attempt, url, body),
            link,
            timeout_s=attempt.timeout_s,
            total_s=attempt.total_s,
        )
        read = _StreamReader(is_structured=attempt.request.schema is not None)
        with closing(arriving):
            for name, event in _events(arriving):
                yield StreamPiece(read.add(name, event), read.answer.size)
        return read.to_response(attempt)

    def price(self, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
        return find_cost(model, TokenUsage(prompt_tokens, completion_tokens))

    def _url(self, attempt: ModelAttempt, operation: str) -> str:
        base = self._base_url or f"https://bedrock-runtime.{self._region}.amazonaws.com"
        if self._base_url is None and self._region is None:
            raise ModelMisconfigured("not_configured")
        model = quote(attempt.model.removeprefix("bedrock/"), safe="")
        return f"{base.rstrip('/')}/model/{model}/{operation}"

    def _signed(self, attempt: ModelAttempt, url: str, body: bytes) -> Mapping[str, str]:
        if attempt.api_key:
            return {"Authorization": f"Bearer {attempt.api_key}"}
        if self._sign is None:
            self._sign = _signer()
        return self._sign(url, body, self._region or "us-east-1")


def _signer() -> Callable[[str, bytes, str], Mapping[str, str]]:
    """A function that signs a request with the process's AWS credentials, renewed as botocore sees fit."""
    from botocore.auth import SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.exceptions import BotoCoreError
    from botocore.session import Session

    credentials = Session().get_credentials()

    def sign(url: str, body: bytes, region: str) -> Mapping[str, str]:
        if credentials is None:
            raise ModelMisconfigured("not_configured")
        request = AWSRequest("POST", url, {"Content-Type": "application/json"}, body)
        try:
            SigV4Auth(credentials.get_frozen_credentials(), "bedrock", region).add_auth(request)
        except BotoCoreError:
            raise ModelMisconfigured("not_configured") from None
        return dict(request.headers.items())

    return sign


class _Blocks:
    """Bedrock's form of content blocks, of one request."""

    def __init__(self) -> None:
        self._files = 0

    def text(self, text: str) -> Block:
        return {"text": text}

    def call(self, call_id: str, name: str, arguments: dict[str, Any]) -> Block:
        return {"toolUse": {"toolUseId": call_id, "name": name, "input": arguments}}

    def result(self, call_id: str, text: str) -> Block:
        return {"toolResult": {"toolUseId": call_id, "content": [{"text": text}]}}

    def file(self, media_type: str, base64_content: str) -> Block:
        self._files += 1
        kind, source = media_type.rpartition("/")[2], {"bytes": base64_content}
        if kind == "pdf":
            # A name of the user's could say something to the model; two may not be the same.
            return {"document": {"format": kind, "name": f"file {self._files}", "source": source}}
        return {"image": {"format": kind, "source": source}}


def _body(request: ModelRequest, model: Model | None) -> dict[str, Any]:
    blocks = _Blocks()
    system, turns = split_instructions(request.messages, blocks)
    body: dict[str, Any] = {"messages": turns, "inferenceConfig": {"maxTokens": request.max_tokens}}
    if system:
        body["system"] = [blocks.text(text) for text in system]
    if is_thinking(request):
        body["additionalModelRequestFields"] = thinking_fields(str(request.thinking))
    elif model is None or model.supports_temperature:
        body["inferenceConfig"]["temperature"] = request.temperature
    if tools := _tools(request):
        body["toolConfig"] = {"tools": tools, **_choice(request, model)}
    return body


def _tools(request: ModelRequest) -> list[dict[str, Any]]:
    offered = [(tool.name, tool.description, dict(tool.parameters)) for tool in request.tools]
    if request.schema is not None:
        offered.append((_SCHEMA_TOOL, _SCHEMA_TOOL, dict(request.schema)))
    return [
        {"toolSpec": {"name": name, "description": description, "inputSchema": {"json": parameters}}}
        for name, description, parameters in offered
    ]


def _choice(request: ModelRequest, model: Model | None) -> dict[str, Any]:
    can_force = (model is None or model.supports_forced_tools) and not is_thinking(request)
    if request.schema is not None and not request.tools:
        return {"toolChoice": {"tool": {"name": _SCHEMA_TOOL}}} if can_force else {}
    choice = request.tool_choice
    if choice is None or choice == "none":
        return {}  # Converse has no way to forbid the tools it is told of
    if not can_force:
        return {"toolChoice": _CHOICES["auto"]}
    return {"toolChoice": _CHOICES.get(choice) or {"tool": {"name": choice}}}


def _to_response(attempt: ModelAttempt, answer: Any) -> ModelResponse:
    """Return the answer of a Converse call.

    Raises:
        ModelOutputInvalid: it has neither text nor tool calls.
        TransientModelError: it is no answer of Converse.
    """
    message = _object(_object(_object(answer).get("output")).get("message"))
    content = message.get("content")
    if not isinstance(content, list):
        raise TransientModelError("server_error")
    texts = [str(block["text"]) for block in content if "text" in _object(block)]
    used = [_object(block["toolUse"]) for block in content if "toolUse" in _object(block)]
    structured = attempt.request.schema is not None
    calls = tuple(_tool_call(use) for use in used if not (structured and use.get("name") == _SCHEMA_TOOL))
    if structured:
        # A model that may not be forced sometimes writes the answer instead of calling the tool.
        forms = [json.dumps(use.get("input")) for use in used if use.get("name") == _SCHEMA_TOOL]
        texts = forms[:1] or texts
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


def _tool_call(use: Mapping[str, Any]) -> ToolCall:
    match use.get("toolUseId"), use.get("name"), use.get("input"):
        case str(id), str(name), dict(arguments):
            return ToolCall(id, name, json.dumps(arguments))
        case _:
            raise ModelOutputInvalid


def _events(pieces: Iterable[bytes]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the name and content of each event of AWS's event stream.

    Raises:
        ModelUnavailable: a frame is broken, or the provider reports an error, such as a throttled call.
    """
    from botocore.eventstream import EventStreamBuffer, ParserError

    buffer = EventStreamBuffer()
    for piece in pieces:
        buffer.add_data(piece)
        try:
            for frame in buffer:
                told = frame.to_response_dict()
                if told["status_code"] != 200:
                    raise _error_of_event(told["headers"])
                yield str(told["headers"].get(":event-type")), _object(json.loads(told["body"]))
        except (ParserError, ValueError):
            raise TransientModelError("server_error") from None


def _error_of_event(headers: Mapping[str, Any]) -> Exception:
    match str(headers.get(":exception-type", "")).casefold():
        case "throttlingexception":
            return error_of_status(429)
        case "validationexception":
            return error_of_status(400)
        case _:
            return error_of_status(500)


class _StreamReader:
    """Reads the events of ConverseStream."""

    def __init__(self, *, is_structured: bool) -> None:
        self.answer = StreamedAnswer()
        self._is_structured = is_structured
        self._forms: set[Any] = set()
        self._usage: TokenUsage | None = None
        self._is_finished = False

    def add(self, name: str, event: Mapping[str, Any]) -> str:
        """Add an event and return the text it contains."""
        match name:
            case "contentBlockStart":
                self._begin(event.get("contentBlockIndex"), _object(event.get("start")))
            case "contentBlockDelta":
                return self._go_on(event.get("contentBlockIndex"), _object(event.get("delta")))
            case "messageStop":
                self._is_finished = True
            case "metadata":
                self._usage = _usage(event.get("usage"))
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
        usage = self._usage or estimated_usage(attempt.request, self.answer.size)
        return self.answer.to_response(
            usage.prompt, usage.completion, find_cost(attempt.model, usage, attempt.listed)
        )

    def _begin(self, index: Any, start: Mapping[str, Any]) -> None:
        use = _object(start.get("toolUse"))
        if self._is_structured and use.get("name") == _SCHEMA_TOOL:
            self._forms.add(index)
        elif use:
            self.answer.add_call(index, use.get("toolUseId"), use.get("name") or "", "")

    def _go_on(self, index: Any, delta: Mapping[str, Any]) -> str:
        arguments = _object(delta.get("toolUse")).get("input")
        text = arguments if index in self._forms else delta.get("text")
        if isinstance(text, str):
            self.answer.add_text(text)
            return text
        if isinstance(arguments, str):
            self.answer.add_call(index, None, "", arguments)
        thinking = _object(delta.get("reasoningContent")).get("text")
        self.answer.add_thinking(thinking if isinstance(thinking, str) else "")
        return ""


def _usage(usage: object) -> TokenUsage | None:
    counts = _object(usage)
    fresh, completion = counts.get("inputTokens"), counts.get("outputTokens")
    if not isinstance(fresh, int) or not isinstance(completion, int):
        return None
    cached = counts.get("cacheReadInputTokens") or 0
    written = counts.get("cacheWriteInputTokens") or 0
    return TokenUsage(fresh + cached + written, completion, cached=cached, cache_written=written)


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
