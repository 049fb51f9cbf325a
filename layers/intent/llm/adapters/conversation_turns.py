"""Turns a question's messages, which are in OpenAI's form, into turns of content blocks.

Anthropic and Bedrock want the instructions apart and the roles in alternation; they differ only in how they
write a block.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from pydantic import JsonValue

from llm.content_parts import content_of
from llm.errors import RequestRejected

Block = dict[str, Any]

_NOTE = "Operator note (not from the user): the following is an instruction."
_EMPTY = "(empty)"
"""Stands for an empty text, which these providers refuse."""


class BlockForms(Protocol):
    """How a provider writes the blocks of a message."""

    def text(self, text: str) -> Block:
        """Return a block of text."""

    def call(self, call_id: str, name: str, arguments: dict[str, Any]) -> Block:
        """Return a tool call of the model."""

    def result(self, call_id: str, text: str) -> Block:
        """Return the result of a tool call."""

    def file(self, media_type: str, base64_content: str) -> Block:
        """Return an image or a PDF."""


def split_instructions(
    messages: Sequence[Mapping[str, JsonValue]], forms: BlockForms
) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the instructions at the beginning and the turns after them.

    Raises:
        RequestRejected: there is no turn, or a tool call of an earlier answer has no JSON object.
    """
    count = next(
        (place for place, said in enumerate(messages) if said.get("role") != "system"), len(messages)
    )
    turns: list[dict[str, Any]] = []
    for message in messages[count:]:
        role = "assistant" if message.get("role") == "assistant" else "user"
        if not turns or turns[-1]["role"] != role:
            turns.append({"role": role, "content": []})
        turns[-1]["content"] += _blocks(message, forms)
    if not turns:
        raise RequestRejected
    return [_text(message) for message in messages[:count]], turns


def parse_arguments(text: str) -> dict[str, Any]:
    """Return the arguments of a tool call; an empty text has none.

    Raises:
        RequestRejected: they are not a JSON object.
    """
    try:
        arguments = json.loads(text or "{}")
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        raise RequestRejected
    return arguments


def _blocks(message: Mapping[str, JsonValue], forms: BlockForms) -> list[Block]:
    text = _text(message)
    match message.get("role"):
        case "tool":
            return [forms.result(str(message.get("tool_call_id")), text or _EMPTY)]
        case "system":
            return [forms.text(_NOTE), forms.text(text or _EMPTY)]
        case "assistant":
            calls = [_call(call, forms) for call in _list(message.get("tool_calls"))]
            return [*([forms.text(text)] if text else []), *calls] or [forms.text(_EMPTY)]
        case _:
            return [*_parts(message, forms)] or [forms.text(text or _EMPTY)]


def _parts(message: Mapping[str, JsonValue], forms: BlockForms) -> Iterator[Block]:
    """The blocks of a message with files; none without."""
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        found = content_of(part) if isinstance(part, dict) else None
        if found is not None:
            yield forms.file(*found)
        elif isinstance(part, dict):
            yield forms.text(str(part.get("text") or _EMPTY))


def _call(call: Any, forms: BlockForms) -> Block:
    function = call["function"]
    return forms.call(call["id"], function["name"], parse_arguments(function["arguments"]))


def _text(message: Mapping[str, JsonValue]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
