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


def test_every_expression_matches_every_generated_text_in_50_ms() -> None:
    pumped = pump()
    assert pumped.returncode == 0, pumped.stdout + pumped.stderr


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
