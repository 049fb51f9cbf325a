"""No regular expression of the product can keep the processor busy, whatever a user writes."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from intent.regular_expressions import LazyPattern, LowerPattern
from tests.expressions.collection import MESSAGE, longest_read
from tests.expressions.process import pump
from tests.fakes.data.chat_session import Talk

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_200)]


PLANTED = {
    "exponential": r"(?:ok|okay?|o|k)*,",
    "exponential in pairs of words": r"^\W*(?:(?:please|please do|do it|it)\W+)*$",
    "quadratic": r"\s+$",
    "cubic": r"a.*b.*c",
}


def test_every_new_expression_matches_every_generated_text_in_50_ms_and_planted_ones_do_not() -> None:
    """What is not new was tried before: ``python -m tests.expressions --record`` says so."""
    plants = [part for expression in PLANTED.values() for part in ("--plant", expression)]
    pumped = pump("--untried", *plants)
    *slow, _slowest, _totals = pumped.stdout.splitlines() or ["", ""]
    assert [line.partition(":")[0] for line in slow] == ["planted"] * len(PLANTED), (
        pumped.stdout + pumped.stderr
    )
    assert pumped.returncode == 1


def test_no_expression_reads_more_of_a_message_than_it_is_tried_on(monkeypatch: pytest.MonkeyPatch) -> None:
    read: dict[str, int] = {}
    for kind in (LazyPattern, LowerPattern):
        for method in ("search", "match", "fullmatch", "finditer", "replace_matches", "text_before"):
            if hasattr(kind, method):
                monkeypatch.setattr(kind, method, recording(getattr(kind, method), read))
    for before in ("", "I want an agent", "add a task to call mom", "delete the jira-agent"):
        for phrase in (
            "yes please, ",
            "every Monday at 9 send overdue tickets to Slack. ",
            "a",
            "what, my tasks ",
        ):
            talk = Talk()
            talk.create("jira-agent", "watches jira")
            for message in (before, phrase * (MESSAGE // len(phrase))):
                talk.classify_and_answer(message) if message else None
    too_long = {module: length for module, length in read.items() if length > longest_read(module)}
    assert (too_long, max(read.values())) == ({}, MESSAGE)


def recording(method: Callable[..., object], read: dict[str, int]) -> Callable[..., object]:
    """Return the method of a pattern, which also notes the longest text by the module that calls it."""

    def recorded(pattern: object, text: str, *arguments: int, **options: str | int) -> object:
        module = sys._getframe(1).f_globals["__name__"]
        read[module] = max(read.get(module, 0), len(text))
        return method(pattern, text, *arguments, **options)

    return recorded
