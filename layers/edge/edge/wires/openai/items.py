"""Messages as the items of responses and conversations.

What an answer proposes is an item of its own, ``mcp_approval_request``, that an ``mcp_approval_response``
answers. Tools ran here, and their calls are no items.

Source: `ConversationItem` and `ResponseOutputItem` of the package `openai`, 2.54.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from conversation.messages.models import Message, Role
from edge.wires.openai.ids import answer_item_id, approval_item_id, user_item_id
from edge.wires.shown_files import FileLinks, ShownFile, shown_files
from edge.wires.wire import History

Item = Mapping[str, Any]
Status = Literal["in_progress", "completed", "incomplete"]


def answer_item(turn_id: str, text: str | None, status: Status = "completed") -> Item:
    """The item of an answer; text None: nothing was said yet."""
    content = [] if text is None else [text_part(text)]
    return {
        "id": answer_item_id(turn_id),
        "type": "message",
        "role": "assistant",
        "status": status,
        "content": content,
    }


def text_part(text: str) -> Mapping[str, Any]:
    """A text of an answer."""
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def proposal_item(turn_id: str, question: str) -> Item:
    """The item of what an answer proposes."""
    return {
        "id": approval_item_id(turn_id),
        "type": "mcp_approval_request",
        "server_label": "omniforge",
        "name": "confirm",
        "arguments": json.dumps({"question": question}, ensure_ascii=False),
    }


def output_items(turn_id: str, text: str, metadata: Mapping[str, Any]) -> Sequence[Item]:
    """The items of an answered turn."""
    said = answer_item(turn_id, text)
    return [said, proposal_item(turn_id, text)] if metadata.get("asks_yes_or_no") else [said]


def conversation_items(history: History) -> Sequence[Item]:
    """The items of a conversation, oldest first, with the messages that are not answered yet."""
    stored = (item for each in history.messages for item in _items_of(each, history.files))
    return [*stored, *_waiting(history)]


def _items_of(message: Message, links: FileLinks) -> Iterator[Item]:
    if message.deleted:
        return
    if message.role is Role.ASSISTANT:
        yield from output_items(message.turn_id, message.content, message.metadata)
    else:
        yield _user_item(message.id, message.content, shown_files(message.attachments, links))


def _waiting(history: History) -> Iterator[Item]:
    return (
        _user_item(each.turn_id.replace(".", ""), each.content, shown_files(each.attachments, history.files))
        for each in history.waiting
    )


def _user_item(message_id: str, text: str, files: Iterable[ShownFile]) -> Item:
    return {
        "id": user_item_id(message_id),
        "type": "message",
        "role": "user",
        "status": "completed",
        "content": [{"type": "input_text", "text": text}, *map(_file_part, files)],
    }


def _file_part(shown: ShownFile) -> Mapping[str, Any]:
    if shown.is_image:
        return {"type": "input_image", "detail": "auto", "image_url": shown.url}
    return {"type": "input_file", "filename": shown.file.name, "file_url": shown.url}
