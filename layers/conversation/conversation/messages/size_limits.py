"""The limits of what is stored of a message: its text, and the messages between a model and its tools."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pydantic import JsonValue

ToolMessage: TypeAlias = Mapping[str, JsonValue]

MAX_STORED_BYTES = 300_000
"""A longer reply is cut and marked ``truncated``: an item holds at most 400 KB."""

MAX_TOOL_MESSAGES_BYTES = 64 * 1024
"""For all tool messages of one reply: every later turn reads them together with the reply."""


def truncate_to_bytes(text: str, max_bytes: int) -> str:
    """The longest beginning of the text that has at most so many bytes in UTF-8."""
    return text.encode()[:max_bytes].decode(errors="ignore")


def bounded_content(content: str) -> tuple[str, bool]:
    """The text of at most `MAX_STORED_BYTES`, and whether it was cut."""
    start = truncate_to_bytes(content, MAX_STORED_BYTES)
    return start, start != content


def tool_messages_to_text(messages: Sequence[ToolMessage]) -> str | None:
    """The messages as JSON of at most `MAX_TOOL_MESSAGES_BYTES`, None when there are none.

    To fit, long contents are cut first, then the last messages dropped.
    """
    if not messages:
        return None
    kept = list(messages)
    if _size(kept) > MAX_TOOL_MESSAGES_BYTES:
        share = MAX_TOOL_MESSAGES_BYTES // (2 * len(kept))
        kept = [_cut(message, share) for message in kept]
    while _size(kept) > MAX_TOOL_MESSAGES_BYTES:
        kept.pop()
    return _tool_json(kept)


def tool_messages_from_text(text: str) -> tuple[ToolMessage, ...]:
    """The messages that `tool_messages_to_text` wrote."""
    return tuple(json.loads(text))


def _cut(message: ToolMessage, max_bytes: int) -> ToolMessage:
    content = message.get("content")
    if not isinstance(content, str):
        return message
    start = truncate_to_bytes(content, max_bytes)
    return message if start == content else {**message, "content": start, "truncated": True}


def _size(messages: Sequence[ToolMessage]) -> int:
    return len(_tool_json(messages).encode())


def _tool_json(messages: Sequence[ToolMessage]) -> str:
    return json.dumps(messages, separators=(",", ":"), ensure_ascii=False)
