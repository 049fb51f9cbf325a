"""The operations of the wires, which the API's description leaves out, and how clients call them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from edge.wires.table import WIRES
from tests.fakes.run.api_operations import PARAMETER, Operation

_PATHS = {
    (route.method, route.path.replace("<", "{").replace(">", "}"))
    for wire in WIRES
    for route in wire.routes
    if not route.is_public
}
PUBLIC = frozenset(
    f"{route.method} {route.path}" for wire in WIRES for route in wire.routes if route.is_public
)
"""What needs no token, and says the same to everybody."""
OPERATIONS = tuple(
    Operation(method, path, tuple(PARAMETER.findall(path)), is_public=False)
    for method, path in sorted(_PATHS)
)


def _ag_ui_run(conversation: str, message: str, number: int) -> Mapping[str, Any]:
    said = {"id": f"said-{number}", "role": "user", "content": message}
    return {"threadId": conversation, "runId": f"run-{number}", "messages": [said]}


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


def _a2a_call(conversation: str, message: str, number: int) -> Mapping[str, Any]:
    """Mostly a message; else another method, that names a conversation or a task of one."""
    said = {
        "messageId": f"said-{number}",
        "role": "ROLE_USER",
        "contextId": conversation,
        "parts": [{"text": message}],
    }
    task = {"id": f"{conversation}.01JDZZZZZZZZZZZZZZZZZZZZZZ"}
    method, params = (
        ("SendMessage", {"message": said}),
        ("SendStreamingMessage", {"message": said}),
        ("ListTasks", {"contextId": conversation, "includeArtifacts": True}),
        ("ListTasks", {"includeArtifacts": True}),
        ("SendMessage", {"message": {**said, "taskId": task["id"]}}),
        ("GetTask", task),
        ("SubscribeToTask", task),
        ("CancelTask", task),
    )[number % 8]
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _chatkit_request(conversation: str, message: str, number: int) -> Mapping[str, Any]:
    """Mostly a message; else another request about a thread or an item of it."""
    said = {"content": [{"type": "input_text", "text": message}], "attachments": [], "inference_options": {}}
    thread, item = {"thread_id": conversation}, {"item_id": "ans_01JDZZZZZZZZZZZZZZZZZZZZZZ"}
    answer = {"turn_id": f"{conversation}.01JDZZZZZZZZZZZZZZZZZZZZZZ", "text": "Yes"}
    kind, params = (
        ("threads.add_user_message", {**thread, "input": said}),
        ("threads.create", {"input": said}),
        ("threads.get_by_id", thread),
        ("threads.list", {"limit": 50}),
        ("items.list", {**thread, "limit": 50}),
        ("threads.add_user_message", {**thread, "input": said}),
        ("threads.retry_after_item", {**thread, **item}),
        ("threads.custom_action", {**thread, "action": {"type": "omniforge.answer", "payload": answer}}),
        ("threads.sync_custom_action", {**thread, "action": {"type": "omniforge.stop"}}),
        ("threads.update", {**thread, "title": message}),
        ("items.feedback", {**thread, "item_ids": [item["item_id"]], "kind": "positive"}),
        ("threads.delete", thread),
    )[number % 12]
    return {"type": kind, "params": params, "metadata": {}}


def _no_members(_conversation: str, _message: str, _number: int) -> Mapping[str, Any]:
    return {}


_BODIES: Mapping[str, Callable[[str, str, int], Mapping[str, Any]]] = {
    "POST /a2a": _a2a_call,
    "POST /ag-ui": _ag_ui_run,
    "POST /ai-sdk/chat": _ai_sdk_chat,
    "POST /chatkit": _chatkit_request,
    "POST /openai/v1/chat/completions": _completion,
    "POST /openai/v1/responses": _response,
    "POST /openai/v1/conversations": _no_members,
}
_WITHOUT_BODY = frozenset({"POST /ag-ui/threads/{thread_id}/stop", "POST /ai-sdk/chat/{chat_id}/stop"})


def body_of(operation: Operation, *, conversation: str, message: str, number: int) -> Any:
    """The body of a call that says something in a conversation; None: the operation takes none.

    Raises:
        KeyError: nobody has said here how the operation is called.
    """
    if operation.method == "GET" or operation.name in _WITHOUT_BODY:
        return None
    return _BODIES[operation.name](conversation, message, number)
