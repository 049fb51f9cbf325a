"""Stored messages as the client keeps them: UIMessages, each as its stream left it.

The answer to a proposal is not a message of its own: it and the reply to it are parts of the message that
made the proposal. A message of the user has the id that its client gave it, an answer that of its turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conversation.clock import to_text
from conversation.messages.models import Message, Role
from edge.wires.ai_sdk.chunks import CONFIRM, message_metadata, proposal_id, tool_input, tool_output
from edge.wires.ai_sdk.requests import YES
from edge.wires.wire import ANSWERS, CLIENT_MESSAGE_ID, History, WaitingMessage

UiMessage = dict[str, Any]


def ui_messages(history: History) -> Sequence[UiMessage]:
    """The messages of a conversation, oldest first, with those that are not answered yet."""
    made: list[UiMessage] = []
    for message in history.messages:
        if message.deleted:
            continue
        proposing = made[-1] if made and made[-1]["role"] == "assistant" else None
        asked = message.metadata.get(ANSWERS) if message.role is Role.USER else None
        if proposing is not None and asked is not None and _answer(proposing, asked, message.content == YES):
            continue
        if message.role is Role.ASSISTANT:
            _add_answer(made, message)
        else:
            made.append(_of_user(message))
    made.extend(map(_waiting, history.waiting))
    return [_without_closed(each, is_last=each is made[-1]) for each in made]


def _of_user(message: Message) -> UiMessage:
    return {
        "id": message.metadata.get(CLIENT_MESSAGE_ID, message.id),
        "role": str(message.role),
        "parts": [{"type": "text", "text": message.content}],
    }


def _waiting(message: WaitingMessage) -> UiMessage:
    return {
        "id": message.metadata.get(CLIENT_MESSAGE_ID, message.turn_id),
        "role": "user",
        "parts": [{"type": "text", "text": message.content}],
    }


def _add_answer(made: list[UiMessage], message: Message) -> None:
    """Add an answer, to the message before it where that one's proposal was just answered."""
    parts = list(_answer_parts(message))
    metadata = message_metadata(
        {
            **message.metadata,
            "conversation_id": message.conversation_id,
            "turn_id": message.turn_id,
            "persisted": True,
        },
        message_id=message.id,
        created_at=to_text(message.created_at),
    )
    if made and made[-1]["role"] == "assistant" and made[-1].pop("answered", False):
        made[-1]["parts"] += parts
        made[-1]["metadata"] = {**made[-1]["metadata"], **metadata}
        return
    made.append({"id": message.turn_id, "role": "assistant", "parts": parts, "metadata": metadata})


def _answer_parts(message: Message) -> Iterator[Mapping[str, Any]]:
    yield {"type": "step-start"}
    for number, tool in enumerate(_tools(message), 1):
        yield _tool_part(f"{message.turn_id}-{number}", tool)
        yield {"type": "step-start"}
    if message.content:
        yield {"type": "text", "text": message.content, "state": "done"}
    if message.metadata.get("asks_yes_or_no"):
        yield {
            **_dynamic(proposal_id(message.turn_id), CONFIRM),
            "state": "approval-requested",
            "input": {"question": message.content},
            "approval": {"id": message.turn_id},
        }


def _tools(message: Message) -> Iterator[Mapping[str, Any]]:
    calls = message.metadata.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        # Replies stored by earlier versions hold only the names of tools.
        yield call if isinstance(call, dict) else {"name": str(call)}


def _dynamic(call_id: str, name: str) -> dict[str, Any]:
    return {"type": "dynamic-tool", "toolCallId": call_id, "toolName": name, "providerExecuted": True}


def _tool_part(call_id: str, tool: Mapping[str, Any]) -> Mapping[str, Any]:
    common = {**_dynamic(call_id, tool["name"]), "input": tool_input(tool.get("arguments") or "")}
    if tool.get("ok", True):
        return {**common, "state": "output-available", "output": tool_output(tool)}
    return {**common, "state": "output-error", "errorText": tool.get("error_code") or "failed"}


def _answer(proposing: UiMessage, asked: object, approved: bool) -> bool:
    """Answer the open proposal of a message; False if it has none of that turn."""
    for part in proposing["parts"]:
        if part.get("state") == "approval-requested" and part["approval"]["id"] == asked:
            part["state"] = "output-available" if approved else "output-denied"
            part["approval"] = {"id": asked, "approved": approved}
            if approved:
                part["output"] = {"approved": True}
            proposing["answered"] = True
            return True
    return False


def _without_closed(message: UiMessage, *, is_last: bool) -> UiMessage:
    """The message without a proposal that can't be answered any more: something else was said since."""
    parts = [part for part in message["parts"] if is_last or part.get("state") != "approval-requested"]
    return {name: value for name, value in {**message, "parts": parts}.items() if name != "answered"}
