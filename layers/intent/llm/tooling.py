"""What models and tools say to each other, as values: how a tool looks, and a call a model wants made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import JsonValue


class ToolSchema(NamedTuple):
    """A tool as a model sees it; ``parameters`` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]


class ToolCall(NamedTuple):
    """A call a model asks for. ``arguments`` is its JSON text, unchecked; ``id`` pairs it with its answer."""

    id: str
    name: str
    arguments: str
