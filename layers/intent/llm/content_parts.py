"""Files in the messages of a request, in OpenAI's form; adapters write them in their vendor's.

A model that can't read a file is told of it instead. Which can, the catalogue says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from llm.catalogue import Model

Message = Mapping[str, JsonValue]
PDF = "application/pdf"
IMAGE_TOKENS = 2_000
"""What an image costs at most, about. Source: the vendors' pages on vision."""
_BYTES_PER_FILE_TOKEN = 40


def text_part(text: str) -> dict[str, JsonValue]:
    """A text beside files."""
    return {"type": "text", "text": text}


def file_part(name: str, media_type: str, base64_content: str) -> dict[str, JsonValue]:
    """An image or a PDF."""
    url = f"data:{media_type};base64,{base64_content}"
    if media_type == PDF:
        return {"type": "file", "file": {"filename": name, "file_data": url}}
    return {"type": "image_url", "image_url": {"url": url}}


def content_of(part: Mapping[str, Any]) -> tuple[str, str] | None:
    """Media type and base64 of an image or a PDF; None for any other part."""
    match part:
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            pass
        case {"type": "file", "file": {"file_data": str(url)}}:
            pass
        case _:
            return None
    head, _, content = url.partition(",")
    return head.removeprefix("data:").removesuffix(";base64"), content


def can_read(model: Model | None, media_type: str) -> bool:
    """Whether the model takes files of the type."""
    if model is None:
        return False
    return model.supports_documents if media_type == PDF else model.supports_images


def fitted(messages: Sequence[Message], model: Model | None) -> Sequence[Message]:
    """The messages as the model can take them."""
    if not any(isinstance(message.get("content"), list) for message in messages):
        return messages
    return [_replaced(message, lambda kind, _: can_read(model, kind), _unread) for message in messages]


def without_content(messages: Sequence[Message]) -> Sequence[Message]:
    """The messages with a text in place of each file that has as many tokens, about."""
    return [_replaced(message, lambda *_: False, _as_long) for message in messages]


def _replaced(message: Message, keeps: Any, stand_in: Any) -> Message:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    parts = []
    for part in content:
        found = content_of(part) if isinstance(part, dict) else None
        kept = found is None or keeps(*found)
        parts.append(part if kept else text_part(stand_in(*(found or ("", "")))))
    return {**message, "content": parts}


def _unread(media_type: str, _: str) -> str:
    return f"(A file of the type {media_type}, which you can't read: say so if it matters.)"


def _as_long(media_type: str, content: str) -> str:
    more = len(content) // _BYTES_PER_FILE_TOKEN if media_type == PDF else 0
    return "xxx" * (IMAGE_TOKENS + more)
