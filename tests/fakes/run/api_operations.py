"""The operations of an OpenAPI document, for tests that cover all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

PARAMETER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Operation:
    """One method of one path. ``ids`` are the names of the id parameters in its path or body."""

    method: str
    path: str
    ids: tuple[str, ...]
    is_public: bool

    @property
    def name(self) -> str:
        """``GET /v1/agents/{agent_id}``."""
        return f"{self.method} {self.path}"

    @property
    def path_ids(self) -> tuple[str, ...]:
        """The ids in the path, which are required."""
        return tuple(PARAMETER.findall(self.path))


def operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    """Yield every operation, in the order of the document."""
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            ids = (*PARAMETER.findall(path), *_ids_in_body(document, described))
            security = described.get("security", document.get("security"))
            yield Operation(method.upper(), path, ids, is_public=security == [])


def _ids_in_body(document: Mapping[str, Any], described: Mapping[str, Any]) -> tuple[str, ...]:
    content = described.get("requestBody", {}).get("content", {})
    schema = resolve_reference(document, content.get("application/json", {}).get("schema", {}))
    names = (name for name in schema.get("properties", {}) if name.endswith("_id"))
    # A client's own id is its user's, whatever it says.
    return tuple(name for name in names if name != "client_id")


def resolve_reference(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema, or the one it refers to."""
    if "$ref" not in schema:
        return schema
    found: Mapping[str, Any] = document
    for name in schema["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return resolve_reference(document, found)
