"""JSON schemas of other servers, rebuilt from the keywords that we know. Pure.

A foreign schema may be as hostile as any other input: a pattern that takes a regular-expression engine years,
references that unfold to gigabytes or never end. So no schema from outside is handed to a validator, and
models get a copy that holds nothing but known keywords, with every reference unfolded. Nothing here compiles
or runs a pattern.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import isfinite

from pydantic import JsonValue

from tools.remote.foreign_text import clean_text

MAX_NODES = 1_000
"""The most schemas in one schema, with its references unfolded."""
MAX_LEVELS = 24
MAX_SCHEMA_BYTES = 8_192
"""The most bytes of the copy: it is sent with every model call of a run."""
MAX_COMPARED_VALUES = 50
MAX_DESCRIPTION_CHARACTERS = 500
MAX_NAME_CHARACTERS = 128

_TYPES = frozenset({"object", "array", "string", "integer", "number", "boolean", "null"})
_NUMBERS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_COUNTS = frozenset({"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"})
_CHOICES = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_WITH_PARTS = _CHOICES | {"properties", "items", "additionalProperties"}
_DEFINITIONS = ("$defs", "definitions")

Schema = dict[str, JsonValue]


class SchemaRefused(ValueError):
    """The schema is not one, or unfolds to more than a tool may have."""


def clean_schema(schema: JsonValue) -> Schema:
    """Returns the schema with nothing but known keywords and without references.

    Left out are patterns, conditions and everything unknown: the copy accepts what the original accepts, and
    more. A reference that leads back to itself stands for any value.

    Raises:
        SchemaRefused: it is not the schema of an object, or too large.
    """
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        raise SchemaRefused("not the schema of an object")
    clean = _Cleaner(schema).cleaned(schema, 0, ())
    if len(json.dumps(clean, ensure_ascii=False).encode()) > MAX_SCHEMA_BYTES:
        raise SchemaRefused("too large")
    return clean


def fits(value: JsonValue, schema: JsonValue) -> bool:
    """Whether the value has the types, fields and values that a cleaned schema asks for.

    Other keywords and long lists of values are not checked. Each part of the value is compared with one
    schema, so it takes time proportional to the value's size.
    """
    if not isinstance(schema, Mapping):
        return True
    if not _has_type(value, schema.get("type")) or not _is_among(value, schema):
        return False
    if isinstance(value, Mapping):
        properties = schema.get("properties")
        if not all(name in value for name in _list(schema.get("required"))):
            return False
        if isinstance(properties, Mapping):
            # By the value's fields, not the schema's: a list of empty objects must stay cheap.
            return all(fits(part, properties.get(name)) for name, part in value.items())
    if isinstance(value, list) and "prefixItems" not in schema:
        return all(fits(item, schema.get("items")) for item in value)
    return True


class _Cleaner:
    """Rebuilds one schema; counts the schemas it made, across all references."""

    def __init__(self, root: Mapping[str, JsonValue]) -> None:
        self._definitions = {
            f"#/{place}/{name}": definition
            for place in _DEFINITIONS
            if isinstance(named := root.get(place), Mapping)
            for name, definition in named.items()
        }
        self._left = MAX_NODES

    def cleaned(self, schema: JsonValue, level: int, unfolding: tuple[str, ...]) -> Schema:
        self._left -= 1
        if self._left < 0 or level > MAX_LEVELS:
            raise SchemaRefused("too large")
        if isinstance(schema, bool):
            return {}
        if not isinstance(schema, Mapping):
            raise SchemaRefused("not a schema")
        clean: Schema = {}
        if isinstance(reference := schema.get("$ref"), str):
            clean |= self._referred(reference, level, unfolding)
        for keyword, value in schema.items():
            if keyword in _PLAIN:
                clean[keyword] = _PLAIN[keyword](value)
            elif keyword in _WITH_PARTS:
                clean |= self._with_parts(keyword, value, level + 1, unfolding)
        return clean

    def _with_parts(self, keyword: str, value: JsonValue, level: int, unfolding: tuple[str, ...]) -> Schema:
        """Returns a keyword whose value holds schemas; nothing for the tuples of older drafts."""
        if keyword == "properties":
            parts = _mapping(value).items()
            return {keyword: {_name(key): self.cleaned(part, level, unfolding) for key, part in parts}}
        if keyword in _CHOICES:
            return {keyword: [self.cleaned(part, level, unfolding) for part in _list(value)]}
        if isinstance(value, bool):
            return {keyword: value}
        return {} if isinstance(value, list) else {keyword: self.cleaned(value, level, unfolding)}

    def _referred(self, reference: str, level: int, unfolding: tuple[str, ...]) -> Schema:
        if reference in unfolding or reference not in self._definitions:
            return {}
        return self.cleaned(self._definitions[reference], level + 1, (*unfolding, reference))


def _mapping(value: JsonValue) -> Mapping[str, JsonValue]:
    if not isinstance(value, Mapping):
        raise SchemaRefused("not a schema")
    return value


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _name(name: str) -> str:
    """Returns the name of a field as it is: the server must get it back unchanged."""
    if not name.isprintable() or len(name) > MAX_NAME_CHARACTERS:
        raise SchemaRefused("a field with an unusable name")
    return name


def _type(value: JsonValue) -> JsonValue:
    names = value if isinstance(value, list) else [value]
    if not 0 < len(names) <= len(_TYPES) or not all(
        isinstance(name, str) and name in _TYPES for name in names
    ):
        raise SchemaRefused("an unknown type")
    return value


def _number(value: JsonValue) -> JsonValue:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise SchemaRefused("a bound that is no number")
    return value


def _names(value: JsonValue) -> JsonValue:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise SchemaRefused("required names that are none")
    return [_name(str(name)) for name in value]


def _text(value: JsonValue) -> JsonValue:
    return clean_text(value, MAX_DESCRIPTION_CHARACTERS) if isinstance(value, str) else ""


def _values(value: JsonValue) -> JsonValue:
    if not isinstance(value, list) or not value:
        raise SchemaRefused("a choice of nothing")
    return value


def _same(value: JsonValue) -> JsonValue:
    return value


_PLAIN: Mapping[str, Callable[[JsonValue], JsonValue]] = {
    "type": _type,
    "description": _text,
    "format": _text,
    "required": _names,
    "enum": _values,
    "const": _same,
    "default": _same,
    "nullable": bool,
    "uniqueItems": bool,
    **dict.fromkeys(_NUMBERS | _COUNTS, _number),
}


def _has_type(value: JsonValue, named: JsonValue) -> bool:
    names = named if isinstance(named, list) else [named]
    return named is None or any(_is_a(value, str(name)) for name in names)


def _is_a(value: JsonValue, name: str) -> bool:
    match name:
        case "object":
            return isinstance(value, Mapping)
        case "array":
            return isinstance(value, list)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "integer":
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return is_number and value == int(value)  # type: ignore[arg-type]
        case _:
            return isinstance(value, int | float) and not isinstance(value, bool)


def _is_among(value: JsonValue, schema: Mapping[str, JsonValue]) -> bool:
    choices = _list(schema.get("enum")) or ([schema["const"]] if "const" in schema else [])
    return not choices or len(choices) > MAX_COMPARED_VALUES or value in choices
