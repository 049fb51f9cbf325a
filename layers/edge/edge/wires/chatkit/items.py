"""Threads and their items: a conversation's messages, and the choices that the newest answer offers.

Source: `Thread` and `ThreadItem` of the package `openai-chatkit`, 1.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from conversation.clock import to_text
from conversation.identity import TurnId
from conversation.messages.models import Conversation, Message, Role
from conversation.threads.questions import question_of
from edge.wires.chatkit.requests import ANSWER
from edge.wires.shown_files import FileLinks, ShownFile, no_links, shown_files
from edge.wires.wire import History

Item = Mapping[str, Any]
YES, NO = "Yes", "No"
_SAID, _ANSWERED, _CHOICE, _POSTED = "msg_", "ans_", "ask_", "post_"


def thread(thread_id: str, created_at: datetime, *, title: str | None = None, items: Any = None) -> Item:
    """A thread with a page of its items; None: with none of them."""
    named = {} if title is None else {"title": title}
    return {
        "id": thread_id,
        **named,
        "created_at": to_text(created_at),
        "status": {"type": "active"},
        "items": items or {"data": [], "has_more": False},
        "metadata": {},
    }


def thread_of(conversation: Conversation) -> Item:
    """A stored conversation as a thread without its items."""
    return thread(conversation.id, conversation.created_at, title=conversation.title)


def user_item(turn_id: str, thread_id: str, text: str, files: Iterable[ShownFile] = ()) -> Item:
    """The item of a user's message."""
    return {
        **_base(_SAID, turn_id, thread_id),
        "type": "user_message",
        "content": [{"type": "input_text", "text": text}],
        "attachments": list(map(_attachment, files)),
        "inference_options": {},
    }


def _attachment(shown: ShownFile) -> Item:
    told = {"id": shown.file.id, "name": shown.file.name, "mime_type": shown.file.media_type}
    if shown.is_image:
        return {**told, "type": "image", "preview_url": shown.url}
    # The protocol has no address for other files; its metadata is ours.
    return {**told, "type": "file", "metadata": {"url": shown.url}}


def answer_item(turn_id: str, thread_id: str, text: str | None) -> Item:
    """The item of an answer; text None: nothing was said yet."""
    content = [] if text is None else [text_part(text)]
    return {**_base(_ANSWERED, turn_id, thread_id), "type": "assistant_message", "content": content}


def answer_id(turn_id: str) -> str:
    """The id of the item of a turn's answer."""
    return f"{_ANSWERED}{_ulid(turn_id)}"


def text_part(text: str) -> Mapping[str, Any]:
    """A text of an answer."""
    return {"type": "output_text", "text": text, "annotations": []}


def choice_item(turn_id: str, thread_id: str, metadata: Mapping[str, Any]) -> Item | None:
    """The buttons below an answer: its options, or yes and no; None when it offers nothing."""
    question = question_of(turn_id, metadata)
    if question is None:
        return None
    texts = question.options or (YES, NO)
    buttons = [
        {
            "type": "Button",
            "label": text,
            "onClickAction": {"type": ANSWER, "payload": {"turn_id": turn_id, "text": text}},
        }
        for text in texts
    ]
    widget = {"type": "Card", "children": [{"type": "Col", "gap": 2, "children": buttons}]}
    return {**_base(_CHOICE, turn_id, thread_id), "type": "widget", "widget": widget}


def items_of(history: History, thread_id: str) -> Sequence[Item]:
    """The items of a conversation, oldest first, with those that wait for their answer."""
    messages = [each for each in history.messages if not each.deleted]
    items = [item for each in messages for item in _items(each, thread_id, history.files)]
    if messages and not history.waiting and messages[-1].role is Role.ASSISTANT:
        choice = choice_item(messages[-1].turn_id, thread_id, messages[-1].metadata)
        items += [] if choice is None else [choice]
    waiting = (
        user_item(each.turn_id, thread_id, each.content, shown_files(each.attachments, history.files))
        for each in history.waiting
    )
    return [*items, *waiting]


def _items(message: Message, thread_id: str, links: FileLinks = no_links) -> Iterator[Item]:
    if message.role is Role.USER:
        files = shown_files(message.attachments, links)
        yield user_item(message.turn_id, thread_id, message.content, files)
    elif message.role is Role.ASSISTANT and "run_id" not in message.metadata:
        yield answer_item(message.turn_id, thread_id, message.content)
    elif message.role is Role.ASSISTANT:
        said = answer_item(message.turn_id, thread_id, message.content)
        yield {**said, "id": f"{_POSTED}{message.id}", "created_at": to_text(message.created_at)}


def message_of_item(history: History, item_id: str) -> Message | None:
    """The stored message of an item; None when it is not among them."""
    for message in history.messages:
        if not message.deleted and item_id in (each["id"] for each in _items(message, "")):
            return message
    return None


def turn_of_waiting(history: History, item_id: str) -> str | None:
    """The turn of the item of a message that is not answered yet; None: it is none such."""
    found = (each.turn_id for each in history.waiting if f"{_SAID}{_ulid(each.turn_id)}" == item_id)
    return next(found, None)


def _base(prefix: str, turn_id: str, thread_id: str) -> Item:
    turn = TurnId.parse(turn_id)
    made = {} if turn is None else {"created_at": to_text(turn.made_at())}
    return {"id": f"{prefix}{_ulid(turn_id)}", "thread_id": thread_id, **made}


def _ulid(turn_id: str) -> str:
    turn = TurnId.parse(turn_id)
    return turn.ulid if turn else turn_id
