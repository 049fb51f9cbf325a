"""A tool as another server describes it, and the digests by which a change of it is noticed. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from tools.remote.tool_schema import Schema, SchemaRefused, clean_schema

MAX_NAME_CHARACTERS = 128
DESCRIPTION, ARGUMENTS, RESULT, ANNOTATIONS = "description", "arguments", "result", "annotations"
PARTS = (DESCRIPTION, ARGUMENTS, RESULT, ANNOTATIONS)
_DIGEST_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """Everything a server says of a tool that decides how models use it, unchanged."""

    name: str
    description: str = ""
    input_schema: JsonValue = field(default=None, repr=False)
    output_schema: JsonValue = field(default=None, repr=False)
    annotations: JsonValue = field(default=None, repr=False)

    @classmethod
    def of(cls, listed: JsonValue) -> ToolDefinition | None:
        """Reads one tool of a server's list; None when it has no usable name."""
        if not isinstance(listed, Mapping):
            return None
        name, description = listed.get("name"), listed.get("description")
        if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME_CHARACTERS or not name.isprintable():
            return None
        return cls(
            name=name,
            description=description if isinstance(description, str) else "",
            input_schema=listed.get("inputSchema"),
            output_schema=listed.get("outputSchema"),
            annotations=listed.get("annotations"),
        )

    @property
    def hash(self) -> str:
        """The SHA-256, in hexadecimal, of the canonical JSON of all parts and the name."""
        return _digest([self.name, *self._values()])

    @property
    def parts(self) -> dict[str, str]:
        """A short digest of each of `PARTS`, which says what changed."""
        values = zip(PARTS, self._values(), strict=True)
        return {part: _digest(value)[:_DIGEST_CHARACTERS] for part, value in values}

    def parameters(self) -> Schema | None:
        """Returns the schema of the arguments that models get; None: it can't be used."""
        return _cleaned(self.input_schema)

    def result_schema(self) -> Schema | None:
        """Returns the schema that results are compared with; None: there is none, or it can't be used."""
        return _cleaned(self.output_schema)

    def _values(self) -> list[JsonValue]:
        return [self.description, self.input_schema, self.output_schema, self.annotations]


def _cleaned(schema: JsonValue) -> Schema | None:
    try:
        return clean_schema(schema)
    except SchemaRefused:
        return None


def _digest(value: JsonValue) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
