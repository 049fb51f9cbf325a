"""JSON schemas for tools from function signatures, and validation of their arguments and results."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter, ValidationError, create_model
from pydantic.json_schema import GenerateJsonSchema

from tools.errors import ToolError

MAX_ARGUMENTS_CHARACTERS = 32_768
MAX_DEPTH = 64
"""The most levels of arguments and results: far more than tools need, far less than Python's stack."""
_MOST_PROBLEMS = 5


class _UntitledSchema(GenerateJsonSchema):
    """Generates schemas without titles: they repeat the names and cost tokens on every turn."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False


@dataclass(frozen=True)
class Signature:
    """The arguments of a tool's function, without its leading context, and its return type."""

    description: str
    schema: Mapping[str, JsonValue]
    _arguments: type[BaseModel]
    _returns: TypeAdapter[Any]

    @classmethod
    def of(cls, function: Callable[..., Any]) -> Signature:
        """Reads the signature of a typed function whose first parameter is the context."""
        hints = get_type_hints(function, include_extras=True)
        parameters = list(inspect.signature(function).parameters.values())[1:]
        fields: dict[str, Any] = {
            parameter.name: (
                hints[parameter.name],
                ... if parameter.default is parameter.empty else parameter.default,
            )
            for parameter in parameters
        }
        arguments = create_model(
            "Arguments", __config__=ConfigDict(extra="forbid", strict=True, title=None), **fields
        )
        schema = arguments.model_json_schema(schema_generator=_UntitledSchema)
        schema.pop("title", None)
        paragraph = inspect.getdoc(function) or ""
        description = " ".join(paragraph.split("\n\n", 1)[0].split())
        return cls(description, schema, arguments, TypeAdapter(hints["return"]))

    @property
    def argument_names(self) -> frozenset[str]:
        """The names of the arguments."""
        return frozenset(self._arguments.model_fields)

    def result_schema(self) -> dict[str, JsonValue]:
        """The schema of the result as it is passed on."""
        schema = self._returns.json_schema(schema_generator=_UntitledSchema, mode="serialization")
        schema.pop("title", None)
        return schema

    def validate_arguments(self, given: Mapping[str, JsonValue]) -> dict[str, Any]:
        """Validates the arguments and returns the values to call the function with.

        Raises:
            ToolError: invalid_arguments; the message names the arguments but not their values.
        """
        try:
            checked = self._arguments.model_validate_json(json.dumps(given))
        except ValidationError as error:
            raise ToolError("invalid_arguments", _problems(error)) from None
        return {name: getattr(checked, name) for name in self._arguments.model_fields}

    def validate_result(self, returned: object) -> JsonValue:
        """Validates the returned value and converts it to JSON values.

        Raises:
            ToolError: result_invalid, when the value does not fit the function's return type.
        """
        try:
            checked = self._returns.validate_python(returned)
        except ValidationError:
            raise ToolError("result_invalid", "The tool's result is not what it promises.") from None
        data: JsonValue = self._returns.dump_python(checked, mode="json")
        return data


def parse_arguments(given: str | Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Parses the arguments as a model wrote them; an empty text means no arguments.

    Raises:
        ToolError: invalid_arguments.
    """
    if not isinstance(given, str):
        return given
    if len(given) > MAX_ARGUMENTS_CHARACTERS:
        raise ToolError("invalid_arguments", "The arguments are too long.")
    try:
        read = json.loads(given or "{}", parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ToolError("invalid_arguments", "The arguments are not valid JSON.") from None
    if not isinstance(read, dict):
        raise ToolError("invalid_arguments", "The arguments must be a JSON object.")
    if is_deeper_than(read, MAX_DEPTH):
        raise ToolError("invalid_arguments", f"The arguments have more than {MAX_DEPTH} levels.")
    return read


def check_size(data: JsonValue, max_bytes: int) -> None:
    """Checks that the result fits into that many bytes and into `MAX_DEPTH` levels of JSON.

    Raises:
        ToolError: too_large, or result_invalid for a value JSON can't represent.
    """
    try:
        size = len(json.dumps(data, ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError, RecursionError):
        raise ToolError("result_invalid", "The tool's result can't be passed on.") from None
    if size > max_bytes:
        raise ToolError("too_large", f"The tool's result is larger than {max_bytes} bytes.")
    if is_deeper_than(data, MAX_DEPTH):
        raise ToolError("result_invalid", f"The tool's result has more than {MAX_DEPTH} levels.")


def is_deeper_than(value: object, depth: int) -> bool:
    """Whether the value has more levels of lists and objects; takes time proportional to its size."""
    level = _parts([value])
    for _ in range(depth):
        level = [part for outer in level for part in _parts(outer)]
    return bool(level)


def _parts(value: object) -> Sequence[object]:
    """Returns the lists and objects directly in the value."""
    if isinstance(value, Mapping):
        return [part for part in value.values() if isinstance(part, Mapping | list | tuple)]
    if isinstance(value, list | tuple):
        return [part for part in value if isinstance(part, Mapping | list | tuple)]
    return ()


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _problems(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"{'.'.join(map(str, problem['loc']))[:64]}: {problem['msg']}" for problem in problems]
    return "; ".join(lines[:_MOST_PROBLEMS])
