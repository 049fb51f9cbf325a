"""A message of a user as the client of each wire sends it, beside the same one over our own routes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Body = Mapping[str, Any]


class WireTurn(NamedTuple):
    """How a wire is told a message."""

    path: str
    body: Callable[[str, str, int], Body]
    """Of the conversation's id, the text, and a number that no other message has."""
    own_path: str
    """Our own route that answers in the same way: in one piece, or streamed."""


def own_body(conversation: str, text: str, _number: int) -> Body:
    """The message over our own routes."""
    return {"message": text, "conversation_id": conversation}


def _ai_sdk(conversation: str, text: str, number: int) -> Body:
    said = {"id": f"said-{number}", "role": "user", "parts": [{"type": "text", "text": text}]}
    return {"id": conversation, "messages": [said], "trigger": "submit-message"}


def _ag_ui(conversation: str, text: str, number: int) -> Body:
    said = {"id": f"said-{number}", "role": "user", "content": text}
    run = {"threadId": conversation, "runId": f"run-{number}", "state": {}, "forwardedProps": {}}
    return {**run, "messages": [said], "tools": [], "context": []}


def _chatkit(conversation: str, text: str, number: int) -> Body:
    content = [{"type": "input_text", "text": text}]
    said = {"content": content, "attachments": [], "inference_options": {}}
    params = {"thread_id": conversation, "input": said}
    metadata = {"message_id": f"said-{number}"}
    return {"type": "threads.add_user_message", "params": params, "metadata": metadata}


def _a2a(method: str) -> Callable[[str, str, int], Body]:
    def call(conversation: str, text: str, number: int) -> Body:
        said = {
            "messageId": f"said-{number}",
            "role": "ROLE_USER",
            "contextId": conversation,
            "parts": [{"text": text}],
        }
        return {"jsonrpc": "2.0", "id": number, "method": method, "params": {"message": said}}

    return call


def _completion(*, stream: bool) -> Callable[[str, str, int], Body]:
    def completion(conversation: str, text: str, number: int) -> Body:
        before = [
            {"role": "user", "content": f"Number {number}"},
            {"role": "assistant", "content": "Hello", "conversation_id": conversation},
        ]
        said = {"role": "user", "content": text}
        return {"model": "omniforge", "messages": [*before, said], "stream": stream}

    return completion


def _response(*, stream: bool) -> Callable[[str, str, int], Body]:
    def response(conversation: str, text: str, number: int) -> Body:
        said = {"input": text, "conversation": conversation, "metadata": {"number": str(number)}}
        return {"model": "omniforge", "stream": stream, **said}

    return response


_WHOLE, _STREAMED = "/v1/chat", "/v1/chat/stream"
WIRE_TURNS: Mapping[str, WireTurn] = {
    "AI SDK": WireTurn("/ai-sdk/chat", _ai_sdk, _STREAMED),
    "AG-UI": WireTurn("/ag-ui", _ag_ui, _STREAMED),
    "ChatKit": WireTurn("/chatkit", _chatkit, _STREAMED),
    "A2A": WireTurn("/a2a", _a2a("SendMessage"), _WHOLE),
    "A2A, streamed": WireTurn("/a2a", _a2a("SendStreamingMessage"), _STREAMED),
    "OpenAI completions": WireTurn("/openai/v1/chat/completions", _completion(stream=False), _WHOLE),
    "OpenAI completions, streamed": WireTurn(
        "/openai/v1/chat/completions", _completion(stream=True), _STREAMED
    ),
    "OpenAI responses": WireTurn("/openai/v1/responses", _response(stream=False), _WHOLE),
    "OpenAI responses, streamed": WireTurn("/openai/v1/responses", _response(stream=True), _STREAMED),
}
