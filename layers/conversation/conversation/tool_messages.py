"""What a model asked of tools and was answered, cut to what is stored of it with a reply. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pydantic import JsonValue

ToolMessage: TypeAlias = Mapping[str, JsonValue]

MAX_BYTES = 64 * 1024
"""Of all of one reply: every later turn reads them along with the reply."""


def to_text(messages: Sequence[ToolMessage]) -> str | None:
    """The messages as JSON of at most `MAX_BYTES`: long contents are cut first, then the last messages left
    out; None when there is none.
    """
    if not messages:
        return None
    kept = list(messages)
    if _size(kept) > MAX_BYTES:
        share = MAX_BYTES // (2 * len(kept))
        kept = [_cut(message, share) for message in kept]
    while _size(kept) > MAX_BYTES:
        kept.pop()
    return _json(kept)


def from_text(text: str) -> tuple[ToolMessage, ...]:
    """The messages that `to_text` wrote."""
    return tuple(json.loads(text))


def _cut(message: ToolMessage, max_bytes: int) -> ToolMessage:
    content = message.get("content")
    if not isinstance(content, str) or len(content.encode()) <= max_bytes:
        return message
    return {**message, "content": content.encode()[:max_bytes].decode(errors="ignore"), "truncated": True}


def _size(messages: Sequence[ToolMessage]) -> int:
    return len(_json(messages).encode())


def _json(messages: Sequence[ToolMessage]) -> str:
    return json.dumps(messages, separators=(",", ":"), ensure_ascii=False)
