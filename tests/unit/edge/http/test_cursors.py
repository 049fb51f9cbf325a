from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta

import pytest

from edge.http import cursors
from edge.http.problems import Problem
from tests.fakes.run.bad_inputs import row

NOW = datetime(2026, 3, 1, tzinfo=UTC)
QUERY = ("conversations", "acme", "maya", "50")
POSITION = {"pk": "T#acme#C#1", "sk": "HEAD", "updated_at": "2026-02-01T00:00:00.000Z"}


def code_for(cursor: str, *, query: tuple[str, ...] = QUERY, now: datetime = NOW) -> str:
    with pytest.raises(Problem) as refused:
        cursors.decode_cursor(cursor, query=query, now=now)
    return refused.value.code


def text_of(content: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()


@row("H6")
def test_a_cursor_leads_back_to_its_position_for_a_day() -> None:
    cursor = cursors.encode_cursor(POSITION, query=QUERY, now=NOW)

    assert cursors.decode_cursor(cursor, query=QUERY, now=NOW + timedelta(hours=24)) == POSITION
    assert code_for(cursor, now=NOW + timedelta(hours=24, seconds=1)) == "cursor_expired"


@row("H5")
@pytest.mark.parametrize(
    "query",
    [
        ("conversations", "acme", "maya", "49"),
        ("conversations", "acme", "bob", "50"),
        ("conversations", "acme-eu", "maya", "50"),
        ("runs", "acme", "maya", "50"),
        ("conversations", "acme", "maya", "5", "0"),
    ],
)
def test_a_cursor_of_another_query_is_invalid(query: tuple[str, ...]) -> None:
    assert code_for(cursors.encode_cursor(POSITION, query=QUERY, now=NOW), query=query) == "cursor_invalid"


@row("H2")
def test_no_bit_of_a_cursor_can_be_changed() -> None:
    cursor = cursors.encode_cursor(POSITION, query=QUERY, now=NOW).encode()

    for place in range(len(cursor)):
        for bit in range(7):
            changed = bytearray(cursor)
            changed[place] ^= 1 << bit
            assert code_for(changed.decode()) == "cursor_invalid"


@row("H3")
@pytest.mark.parametrize("length", [0, 8, 15, 31])
def test_a_shorter_digest_proves_nothing(length: int) -> None:
    cursor = cursors.encode_cursor(POSITION, query=QUERY, now=NOW)
    content = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    content["d"] = content["d"][:length]

    assert (
        code_for(
            base64.urlsafe_b64encode(json.dumps(content, separators=(",", ":")).encode())
            .rstrip(b"=")
            .decode()
        )
        == "cursor_invalid"
    )


@row("H3")
def test_no_part_of_a_cursor_is_one() -> None:
    cursor = cursors.encode_cursor(POSITION, query=QUERY, now=NOW)

    assert {code_for(cursor[:length]) for length in range(len(cursor))} == {"cursor_invalid"}


@pytest.mark.parametrize(
    "content",
    [
        POSITION,
        {"p": POSITION},
        {"p": POSITION, "t": 1, "d": "x"},
        {"p": {"pk": 1}, "t": 1, "d": ""},
        {"p": [], "t": 1, "d": ""},
        {"p": POSITION, "t": True, "d": ""},
        {"p": POSITION, "t": "1", "d": ""},
        [],
        "x",
        None,
    ],
)
def test_what_we_did_not_make_is_no_cursor(content: object) -> None:
    assert code_for(text_of(content)) == "cursor_invalid"


@pytest.mark.parametrize("cursor", ["", "é", "%00", "====", "AAAA", "[" * 5_000, text_of([[]] * 500)])
def test_what_is_not_even_base64_is_no_cursor(cursor: str) -> None:
    assert code_for(cursor) == "cursor_invalid"


def test_deeply_nested_content_is_no_cursor() -> None:
    assert code_for(base64.urlsafe_b64encode(b"[" * 100_000).rstrip(b"=").decode()) == "cursor_invalid"
