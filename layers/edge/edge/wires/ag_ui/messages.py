"""Messages as the client keeps them: an answer, the tools it used and their results, and what is stored.

An answer to a question that was given as one (`resume`) is no message of its own. A message of the user has
the id that its client gave it, an answer that of its turn.

Source: `Message` of the npm package `@ag-ui/core`, 1.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from conversation.messages.models import CLIENT_MESSAGE_ID, Message, Role
from conversation.threads.questions import ANSWERS
from edge.wires.shown_files import FileLinks, ShownFile, shown_files
from edge.wires.wire import History

ClientMessage = Mapping[str, Any]


def answer_message(turn_id: str, text: str) -> ClientMessage:
    """The text of an answer."""
    return {"id": turn_id, "role": "assistant", "content": text}


def calls_id(turn_id: str) -> str:
    """The id of the message that holds an answer's tool calls."""
    return f"{turn_id}-tools"


def tool_messages(turn_id: str, tools: Sequence[Mapping[str, Any]]) -> Iterator[ClientMessage]:
    """The message with an answer's tool calls, and one for each result; none where no tool was used."""
    if not tools:
        return
    calls = [
        {
            "id": call_id(turn_id, number),
            "type": "function",
            "function": {"name": tool["name"], "arguments": tool.get("arguments") or "{}"},
        }
        for number, tool in enumerate(tools, 1)
    ]
    yield {"id": calls_id(turn_id), "role": "assistant", "toolCalls": calls}
    for number, tool in enumerate(tools, 1):
        named = call_id(turn_id, number)
        yield {"id": result_id(named), "role": "tool", "toolCallId": named, "content": result_of(tool)}


def call_id(turn_id: str, number: int) -> str:
    """The id of the tool call that was an answer's first, second ..."""
    return f"{turn_id}-{number}"


def result_id(named: str) -> str:
    """The id of the message with a tool call's result."""
    return f"{named}-result"


def result_of(tool: Mapping[str, Any]) -> str:
    """What is told of a tool's result."""
    told: dict[str, Any] = {"ok": tool.get("ok", True), "elapsed_ms": tool.get("elapsed_ms")}
    if not told["ok"]:
        told["error"] = tool.get("error_code") or "failed"
    return json.dumps({name: value for name, value in told.items() if value is not None})


def stored_messages(history: History) -> Sequence[ClientMessage]:
    """The messages of a conversation, oldest first, with those that are not answered yet."""
    messages = [
        made for each in history.messages if not each.deleted for made in _messages_of(each, history.files)
    ]
    waiting = (
        _user_message(each.turn_id, each.content, each.metadata, shown_files(each.attachments, history.files))
        for each in history.waiting
        if ANSWERS not in each.metadata
    )
    return [*messages, *waiting]


def _messages_of(message: Message, links: FileLinks) -> Iterator[ClientMessage]:
    if message.role is Role.ASSISTANT:
        yield from tool_messages(message.turn_id, tuple(_tools(message)))
        yield answer_message(message.turn_id, message.content)
    elif ANSWERS not in message.metadata:
        files = shown_files(message.attachments, links)
        yield _user_message(message.id, message.content, message.metadata, files)


def _user_message(
    own_id: str, content: str, metadata: Mapping[str, Any], files: Iterable[ShownFile]
) -> ClientMessage:
    sent = list(map(_file_part, files))
    said: Any = [{"type": "text", "text": content}, *sent] if sent else content
    return {"id": metadata.get(CLIENT_MESSAGE_ID, own_id), "role": "user", "content": said}


def _file_part(shown: ShownFile) -> Mapping[str, Any]:
    return {
        "type": "image" if shown.is_image else "document",
        "source": {"type": "url", "value": shown.url, "mimeType": shown.file.media_type},
        "metadata": {"filename": shown.file.name},
    }


def _tools(message: Message) -> Iterator[Mapping[str, Any]]:
    calls = message.metadata.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        # Replies stored by earlier versions hold only the names of tools.
        yield call if isinstance(call, dict) else {"name": str(call)}
