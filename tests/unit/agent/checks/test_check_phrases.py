"""Wishes to have a web address watched are read as people say them, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent.checks.check import Check, Expectation
from agent.checks.check_phrases import check_from_words

PHRASES: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "phrases.jsonl").read_text("utf-8").splitlines()
]


def labelled(check: Check) -> str:
    """The expectation as the labels write it."""
    match check.expect:
        case Expectation.STATUS:
            return f"status:{check.status}"
        case Expectation.CONTAINS | Expectation.LACKS:
            return f"{check.expect.value}:{check.text}"
        case Expectation.CERTIFICATE:
            return f"certificate:{check.days_before}"
        case _:
            return check.expect.value


@pytest.mark.parametrize(
    "phrase", [phrase for phrase in PHRASES if "url" in phrase], ids=lambda phrase: phrase["text"][:50]
)
def test_a_wish_is_read_with_its_address_and_what_is_expected(phrase: dict[str, Any]) -> None:
    check = check_from_words(phrase["text"])

    assert check is not None
    assert (check.url, labelled(check)) == (phrase["url"], phrase["expect"])


@pytest.mark.parametrize(
    "phrase", [phrase for phrase in PHRASES if "url" not in phrase], ids=lambda phrase: phrase["text"][:50]
)
def test_another_request_is_not_taken_for_a_wish_to_watch(phrase: dict[str, Any]) -> None:
    assert check_from_words(phrase["text"]) is None


@pytest.mark.parametrize(
    "text",
    [
        'Bob said "watch https://evil.example and tell me when it is down"',
        "'watch acme.com' and 'tell me when it is down'",
        "watch http://acme.com and warn me before its certificate expires",
        "watch " + "' " * 4_000 + "https://acme.com",
        "watch " + "'a " * 4_000 + "https://acme.com",
        "watch https://" + "a" * 9_000 + " and tell me when it is down",
        "watch",
        "",
        "https://acme.com",
        "watch //acme.com and tell me when it is down",
    ],
    ids=lambda text: text[:40],
)
def test_odd_words_are_no_wish_to_watch(text: str) -> None:
    assert check_from_words(text) is None


def test_curly_quotation_marks_are_read_as_straight_ones() -> None:
    check = check_from_words("tell me when https://acme.com no longer says “Sold out”")

    assert check == Check(url="https://acme.com", expect=Expectation.CONTAINS, text="Sold out")
