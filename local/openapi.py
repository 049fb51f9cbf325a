"""The description of the whole API, made from the routes of all functions.

``python -m local.openapi`` writes it where `edge.documents` serves it from; a test holds the committed one to
the routes.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from edge import documents
from edge.api import Api
from edge.frame_views import TurnEvent
from edge.views import ProblemView

FUNCTIONS = ("chat", "conversations", "workspace", "tenants")
PATH = Path(documents.__file__).with_name("openapi.json")

_ENVIRONMENT = {
    "OMNIFORGE_STAGE": "local",
    "OMNIFORGE_TABLE": "sqlite:///:memory:",
    "OMNIFORGE_INTENT_MODEL": "",
}
_COMPONENT = "#/components/schemas/{model}"
_POWERTOOLS_OWN = ("HTTPValidationError", "ValidationError", "ResponseValidationError")
_PROBLEM = {
    "description": "A refusal; its code says which.",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}


def describe() -> dict[str, Any]:
    """The OpenAPI 3.1 document of all functions together."""
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {"Problem": ProblemView.model_json_schema()}
    frames = TypeAdapter[Any](TurnEvent).json_schema(ref_template=_COMPONENT, mode="serialization")
    streamed = frames.pop("$defs") | {"TurnEvent": frames}
    for api in _apis():
        one = json.loads(api.get_openapi_json_schema(title="OmniForge", version="1"))
        for path, operations in one["paths"].items():
            paths.setdefault(path, {}).update(operations)
        schemas |= one["components"]["schemas"]
    schemas = streamed | schemas
    for operation in _operations(paths):
        _complete(operation)
    for name in _POWERTOOLS_OWN:
        schemas.pop(name, None)
    return _document(paths, schemas)


def write() -> None:
    """Put the description where it is served from."""
    PATH.write_text(json.dumps(describe(), indent=1, ensure_ascii=False) + "\n")


def _apis() -> Iterator[Api]:
    # A function reads its settings while it is imported; the routes are the same whatever they are.
    os.environ.update({name: value for name, value in _ENVIRONMENT.items() if name not in os.environ})
    for name in FUNCTIONS:
        yield importlib.import_module(f"functions.{name}.app").api


def _operations(paths: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for operations in paths.values():
        yield from operations.values()


def _complete(operation: dict[str, Any]) -> None:
    operation["responses"]["default"] = _PROBLEM
    if "204" in operation["responses"]:
        operation["responses"]["204"] = {"description": "Done; there is nothing to say."}


def _document(paths: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "OmniForge",
            "version": "1",
            "description": "A multi-tenant chat that remembers, understands and acts.",
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    }


if __name__ == "__main__":
    write()
