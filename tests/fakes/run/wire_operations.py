"""The operations of the wires, which the API's description leaves out, and how clients call them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from edge.wires.table import WIRES
from tests.fakes.run.api_operations import PARAMETER, Operation

_PATHS = {
    (route.method, route.path.replace("<", "{").replace(">", "}")) for wire in WIRES for route in wire.routes
}
OPERATIONS = tuple(
    Operation(method, path, tuple(PARAMETER.findall(path)), is_public=False)
    for method, path in sorted(_PATHS)
)


def _ai_sdk_chat(conversation: str, message: str, number: int) -> Mapping[str, Any]:
    said = {"id": f"said-{number}", "role": "user", "parts": [{"type": "text", "text": message}]}
    return {"id": conversation, "messages": [said], "trigger": "submit-message"}


def _completion(conversation: str, message: str, number: int) -> Mapping[str, Any]:
    """It goes on after an answer that the client sends back as it came; every second one is streamed."""
    before = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hello", "conversation_id": conversation},
    ]
    said = {"role": "user", "content": message}
    return {"model": "omniforge", "messages": [*before, said], "stream": number % 2 == 0}


def _response(conversation: str, message: str, number: int) -> Mapping[str, Any]:
    return {"model": "omniforge", "input": message, "conversation": conversation, "stream": number % 2 == 0}


def _no_members(_conversation: str, _message: str, _number: int) -> Mapping[str, Any]:
    return {}


_BODIES: Mapping[str, Callable[[str, str, int], Mapping[str, Any]]] = {
    "POST /ai-sdk/chat": _ai_sdk_chat,
    "POST /openai/v1/chat/completions": _completion,
    "POST /openai/v1/responses": _response,
    "POST /openai/v1/conversations": _no_members,
}
_WITHOUT_BODY = frozenset({"POST /ai-sdk/chat/{chat_id}/stop"})


def body_of(operation: Operation, *, conversation: str, message: str, number: int) -> Any:
    """The body of a call that says something in a conversation; None: the operation takes none.

    Raises:
        KeyError: nobody has said here how the operation is called.
    """
    if operation.method == "GET" or operation.name in _WITHOUT_BODY:
        return None
    return _BODIES[operation.name](conversation, message, number)
