"""Remarks: what only tells something, beside wishes, troubles and commands."""

from __future__ import annotations

import pytest

from intent.acts.remarks import is_remark, laughs


@pytest.mark.parametrize(
    "text",
    [
        "the boss is generous this year",
        "my daughter would have got that quicker, she's eight",
        "it's been raining here all week, the dog refuses to go out",
        "we were packed on tuesday, people were standing",
        "Osei did our roof last year, nice people",
        "my wife chose the hotel, it has a pool",
        "The goats are in the upper field now",
    ],
)
def test_a_sentence_that_only_tells_something_is_a_remark(text: str) -> None:
    assert is_remark(text)


@pytest.mark.parametrize(
    "text",
    [
        "nobody ever checks the fridge temperatures",
        "I need the open orders every Monday at 9",
        "the invoices must be paid by Friday",
        "our stock list goes out of date every week",
        "I'd like someone to watch our competitors' prices",
        "the new prices of Acme",
        "is the hall open?",
        "pause the rota",
        "my agent is slow",
        "customers keep cancelling",
    ],
)
def test_a_wish_a_trouble_or_a_command_is_no_remark(text: str) -> None:
    assert not is_remark(text)


@pytest.mark.parametrize(
    ("text", "is_laugh"),
    [
        ("haha the singer is my brother in law", True),
        ("Rosa next door will be so jealous lol", True),
        ("phew, my husband will faint when he sees that", True),
        ("haha ok, remind me to call Sam tomorrow", False),
        ("lol add milk to my list", False),
        ("haha what is that?", False),
    ],
)
def test_a_laugh_counts_only_where_nothing_is_asked(text: str, *, is_laugh: bool) -> None:
    assert laughs(text) is is_laugh
