"""JSON of other servers: strict, and no deeper than what comes after it can bear."""

from __future__ import annotations

import json

import pytest

from tools.argument_schema import MAX_DEPTH, check_size, is_deeper_than, parse_arguments
from tools.errors import ToolError
from tools.remote.json_body import parse_json


def test_json_is_read() -> None:
    value = {"text": "Grüße 🌍", "number": 12.5, "none": None, "list": [1, -(2**63)]}

    assert parse_json(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"NaN",
        b"[Infinity]",
        b"1e999",
        b"9" * 101,
        b"9" * 100_000,
        b'"\\ud800"',
        b'{"\\ud800": 1}',
        b'"\xf0\x9f\x92"',
        b"\xff\xfe",
        b"[" * 100_000,
        b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1),
        b'{"x":' * 900 + b"1" + b"}" * 900,
    ],
)
def test_what_is_not_strictly_json_is_refused(body: bytes) -> None:
    with pytest.raises(ToolError) as refused:
        parse_json(body)

    assert refused.value.code == "result_invalid"


def test_levels_are_counted() -> None:
    assert not is_deeper_than("text", 0)
    assert not is_deeper_than([1, {}], 2)
    assert is_deeper_than([1, {}], 1)
    assert not is_deeper_than(parse_json(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH), MAX_DEPTH)


def test_a_deep_result_and_deep_arguments_are_refused() -> None:
    text = '{"x":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1)
    with pytest.raises(ToolError):
        check_size(json.loads(text), 10_000)
    with pytest.raises(ToolError):
        parse_arguments(text)
