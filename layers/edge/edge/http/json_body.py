"""Parsing of a request body as a JSON object, within limits that hold before and during parsing.

Which fields it may have is decided by `edge.http.request_models`.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from pydantic import JsonValue

from edge.http.problems import Problem

MAX_BODY_BYTES = 1024 * 1024
"""Several times the size of the longest message and metadata with every character escaped."""
MAX_DEPTH = 33
"""Metadata may nest 32 deep, and the body is an object around it."""
MAX_INTEGER = 2**63

# Matches every string, closed or not: otherwise the search would begin again at each quote of an unclosed
# one.
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_BRACKET = re.compile(r"[\[{}\]]")


def parse_object(
    body: str | None, *, is_base64: bool = False, max_bytes: int = MAX_BODY_BYTES
) -> dict[str, JsonValue]:
    """The object a body holds.

    Raises:
        Problem: body_missing, body_too_large, body_encoding, json_invalid, json_too_deep, json_duplicate_key,
            json_number_range, body_not_object, unicode_invalid or unicode_control.
    """
    return _object_in(_text_of(body, is_base64=is_base64, max_bytes=max_bytes))


def checked_body(body: str | None, *, is_base64: bool = False) -> bytes:
    """The checked body as it was sent, for a protocol that parses it itself.

    Raises:
        Problem: as for `parse_object`.
    """
    text = _text_of(body, is_base64=is_base64)
    _object_in(text)
    return text.encode()


def _text_of(body: str | None, *, is_base64: bool, max_bytes: int = MAX_BODY_BYTES) -> str:
    if not body:
        raise Problem("body_missing", "A JSON object is expected as the body.")
    return _decoded(body, max_bytes) if is_base64 else _measured(body, max_bytes)


def _object_in(text: str) -> dict[str, JsonValue]:
    value = parse_json(text)
    if not isinstance(value, dict):
        raise Problem("body_not_object", "The body must be a JSON object.")
    return value


def parse_json(text: str) -> JsonValue:
    """Any JSON value, parsed more strictly than the standard library does; problems as for `parse_object`."""
    _check_depth(text)
    try:
        value: JsonValue = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_integer
        )
    except json.JSONDecodeError:
        raise Problem("json_invalid", "The body is not valid JSON.") from None
    _check_texts(value)
    return value


def _measured(body: str, max_bytes: int) -> str:
    try:
        size = len(body.encode())
    except UnicodeEncodeError:
        raise Problem("body_encoding", "The body is not valid UTF-8.") from None
    _check_size(size, max_bytes)
    return body


def _decoded(body: str, max_bytes: int) -> str:
    _check_size(len(body) * 3 // 4, max_bytes)
    try:
        return base64.b64decode(body, validate=True).decode()
    except (binascii.Error, ValueError):
        raise Problem("body_encoding", "The body is not valid UTF-8.") from None


def _check_size(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise Problem("body_too_large", f"The body may have {max_bytes} bytes.")


def _check_depth(text: str) -> None:
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise Problem("json_too_deep", f"Objects and arrays may nest {MAX_DEPTH} deep.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Problem("json_duplicate_key", "An object names the same key twice.")
    return members


def _constant(_name: str) -> NoReturn:
    raise Problem("json_invalid", "NaN and Infinity are not JSON.")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise Problem("json_number_range", "A number is out of range.")
    return value


def _integer(digits: str) -> int:
    # The length is checked first: converting thousands of digits is slow, and Python refuses it with an error
    # of its own.
    if len(digits) > 20 or not -MAX_INTEGER <= int(digits) < MAX_INTEGER:
        raise Problem("json_number_range", "A whole number has more than 64 bits.")
    return int(digits)


def _check_texts(value: JsonValue) -> None:
    """Refuses lone surrogates, which UTF-8 can't hold, and U+0000, which ends a string in much software.

    The recursion goes no deeper than `MAX_DEPTH`.
    """
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, Mapping):
        for key, member in value.items():
            _check_text(key)
            _check_texts(member)
    elif isinstance(value, list):
        for member in value:
            _check_texts(member)


def _check_text(text: str) -> None:
    if "\0" in text:
        raise Problem("unicode_control", "A text holds the character U+0000.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Problem("unicode_invalid", "A text holds half of a surrogate pair.") from None
