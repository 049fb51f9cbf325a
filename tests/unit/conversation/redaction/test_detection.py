"""Finding secrets in texts: which, where, and at what cost."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from conversation.redaction import masking
from conversation.redaction.kinds import SecretKind
from conversation.redaction.masking import find_secrets, lower_same_length
from tests.evals.secrets import (
    DEV,
    HELD_OUT,
    LEAST_RECALL,
    MOST_FALSE_ALARMS,
    measure_secrets,
    read_secret_cases,
)

LONG = int(os.environ.get("OMNIFORGE_TEST_HOSTILE_CHARACTERS", "32768"))
"""Of a hostile text; it is compared with one an eighth as long. A MiB takes minutes."""

PIECES = {
    "labels": "password ", "glued": "password", "assigned": "password is ", "keys": "api key = ",
    "digits": "1", "spaced digits": "1 ", "card groups": "4111 1111 ", "addresses": "://a:",
    "ibans": "DE89 ", "begun": "sk-", "joined": "sk-a1-", "jwt": "eyJ.", "jwt parts": "eyJaaaaaaaa.",
    "pem": "-----BEGIN PRIVATE KEY----- ", "bearer": "bearer ", "blank": " ", "letters": "aB3",
    "pins": "pin ", "users": "login a/", "quotes": 'key="', "as": "x1y2 as my password ",
    "slack": "hooks.slack.com/services/a/", "persons": "ssn 12-3456 ", "ids": "AKIAIOSFODNN7EXAMPLE ",
}  # fmt: skip


@pytest.mark.parametrize("cases", [DEV, HELD_OUT], ids=["tuned on", "held out"])
def test_nearly_all_secrets_are_found_and_nearly_nothing_else(cases: Path) -> None:
    measured = measure_secrets(read_secret_cases(cases))
    assert measured.recall >= LEAST_RECALL, measured.wrong
    assert measured.false_alarm_rate <= MOST_FALSE_ALARMS, measured.wrong


def test_spans_come_in_the_order_of_the_text_and_do_not_overlap() -> None:
    text = "card 4111 1111 1111 1111, password: sk-proj-abcDEF1234567890abcdef, my pin is 4921"
    found = find_secrets(text)
    assert [span.kind for span in found] == [SecretKind.CARD, SecretKind.API_KEY, SecretKind.PASSWORD]
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert text[found[0].start : found[0].end] == "4111 1111 1111 1111"


def test_lower_case_keeps_every_character_in_its_place() -> None:
    for start in range(0, sys.maxunicode + 1, 1 << 12):
        chunk = "".join(map(chr, range(start, start + (1 << 12))))
        assert len(lower_same_length(chunk)) == len(chunk)
    assert masked_place("\u0130\u0130 password: hunter2") == "hunter2"


@pytest.mark.parametrize("piece", PIECES)
def test_the_work_grows_with_the_text_and_no_faster(piece: str) -> None:
    short, long = (work(PIECES[piece], length) for length in (LONG // 8, LONG))
    assert long <= 8.1 * short + 1_000


def masked_place(text: str) -> str:
    (found,) = find_secrets(text)
    return text[found.start : found.end]


def work(piece: str, length: int) -> int:
    """The calls it takes to look through so many characters, each of which looks at a bounded window."""
    text = piece * (length // len(piece))
    return calls(lambda: masking.find_secrets(text))


def calls(do: Callable[[], object]) -> int:
    count = 0

    def counting(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    earlier = sys.getprofile()
    sys.setprofile(counting)
    try:
        do()
    finally:
        sys.setprofile(earlier)
    return count
