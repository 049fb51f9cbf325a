from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.http.json_body import MAX_BODY_BYTES, MAX_DEPTH, parse_json, parse_object
from edge.http.problems import Problem


def code_for(body: str | None, *, is_base64: bool = False) -> str:
    with pytest.raises(Problem) as refused:
        parse_object(body, is_base64=is_base64)
    return refused.value.code


@pytest.mark.parametrize("body", [None, ""])
def test_no_body_is_missing(body: str | None) -> None:
    assert code_for(body) == "body_missing"


@pytest.mark.parametrize(
    "body",
    [
        "{",
        '{"a":1,}',
        "\ufeff{}",
        '{"a":NaN}',
        '{"a":-Infinity}',
        "{}{}",
        "{'a':1}",
        '{"a":01}',
        '"a',
        '"\\',
        "nul",
    ],
)
def test_what_is_not_json_is_refused(body: str) -> None:
    assert code_for(body) == "json_invalid"


@pytest.mark.parametrize("body", ["[]", '"x"', "1", "true", "null"])
def test_only_an_object_will_do(body: str) -> None:
    assert code_for(body) == "body_not_object"


@pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 5_000, str(2**63), str(-(2**63) - 1)])
def test_a_number_nobody_can_hold_is_out_of_range(number: str) -> None:
    assert code_for(f'{{"a":{number}}}') == "json_number_range"


@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 0.1, 1e308])
def test_a_number_that_fits_arrives_unchanged(number: float) -> None:
    assert parse_object(json.dumps({"a": number})) == {"a": number}


@pytest.mark.parametrize("body", ["[" * 2_000, '{"a":' * 100_000, '{"a":["' + "\\" * 8 + '",' + "[" * 99])
def test_nesting_is_measured_before_it_is_parsed(body: str) -> None:
    assert code_for(body) == "json_too_deep"


def test_the_deepest_allowed_nesting_is_parsed_and_one_more_is_not() -> None:
    deepest = '{"a":' + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1) + "}"

    assert parse_object(deepest)
    assert code_for(f'{{"a":{deepest}}}') == "json_too_deep"


def test_brackets_in_a_text_are_no_nesting() -> None:
    text = '[{"\\' * 1_000

    assert parse_object(json.dumps({"a": text})) == {"a": text}


@pytest.mark.parametrize("body", ['{"a":1,"a":2}', '{"a":{"b":1,"b":1}}', '{"a":1,"\\u0061":2}'])
def test_a_key_named_twice_is_refused_at_any_depth(body: str) -> None:
    assert code_for(body) == "json_duplicate_key"


@pytest.mark.parametrize("body", ['{"a":"\\ud800"}', '{"\\udfff":1}', '{"a":["\\ud83d"]}'])
def test_half_a_surrogate_pair_is_refused(body: str) -> None:
    assert code_for(body) == "unicode_invalid"


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert parse_object('{"a":"\\ud83d\\ude00"}') == {"a": "\U0001f600"}


@pytest.mark.parametrize("body", ['{"a":"x\\u0000"}', '{"\\u0000":1}', '{"a":{"b":["\\u0000"]}}'])
def test_nul_is_refused_in_texts_and_keys(body: str) -> None:
    assert code_for(body) == "unicode_control"


@pytest.mark.parametrize("text", ["\uffff\ufdd0", "e\u0301", "\x1b[2J", "a\nb"])
def test_every_other_character_is_kept_as_it_was_sent(text: str) -> None:
    assert parse_object(json.dumps({"a": text})) == {"a": text}


@pytest.mark.parametrize("body", ["!!!!", "//4=", "a", "=A=="])
def test_base64_that_holds_no_utf8_is_refused(body: str) -> None:
    assert code_for(body, is_base64=True) == "body_encoding"


def test_a_base64_body_is_decoded() -> None:
    assert parse_object(base64.b64encode(b'{"a":1}').decode(), is_base64=True) == {"a": 1}


@pytest.mark.parametrize("is_base64", [True, False])
def test_a_body_is_measured_before_anything_else(is_base64: bool) -> None:
    assert code_for("A" * (MAX_BODY_BYTES * 2), is_base64=is_base64) == "body_too_large"


@given(st.text(alphabet='{}[]",:\\u0d8ac1eE+-. \n\x00\ufeff', max_size=60))
def test_any_text_is_parsed_as_the_standard_library_would_or_refused(text: str) -> None:
    try:
        value = parse_json(text)
    except Problem:
        return
    assert json.dumps(value) == json.dumps(json.loads(text))


def test_a_text_that_never_ends_costs_no_more_than_one_that_does() -> None:
    """Scanned again from each of its escaped quotes, an unclosed string would take minutes."""
    assert code_for('{"a":"' + '\\"' * 500_000) == "json_invalid"
