"""JSON that another server sent, read within limits: of what passes, nothing else has to check the form."""

from __future__ import annotations

import json
from math import isfinite

from pydantic import JsonValue

from tools.argument_schema import MAX_DEPTH, is_deeper_than
from tools.errors import ToolError

MAX_DIGITS = 100


def parse_json(body: bytes | str) -> JsonValue:
    """Parses a body as strict JSON: valid UTF-8, finite numbers of a usual size, at most `MAX_DEPTH` levels.

    Raises:
        ToolError: result_invalid.
    """
    try:
        text = body if isinstance(body, str) else body.decode()
        value: JsonValue = json.loads(
            text, parse_constant=_no_constant, parse_float=_finite, parse_int=_usual
        )
        # Escapes may stand for half a character, which no other program would accept from us.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise ToolError("result_invalid", "The skill's server sent something that is not JSON.") from None
    if is_deeper_than(value, MAX_DEPTH):
        raise ToolError("result_invalid", f"The skill's server sent more than {MAX_DEPTH} levels of JSON.")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(text)
    return number


def _usual(text: str) -> int:
    # An integer of a thousand digits doesn't fit into a float, and takes quadratic time to print.
    if len(text) > MAX_DIGITS:
        raise ValueError(text)
    return int(text)
