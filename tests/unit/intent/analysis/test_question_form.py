"""Which messages only ask."""

from __future__ import annotations

import pytest

from intent.acts.act import Act, ActKind, Span
from intent.analysis.question_form import only_asks


def job(message: str, **slots: str) -> Act:
    """The act of a new agent that a message was read as."""
    return Act(
        ActKind.CREATE_AGENT,
        Span(message, 0, len(message)),
        slots={name: Span(text, 0, len(text)) for name, text in slots.items()},
    )


@pytest.mark.parametrize(
    "message",
    [
        "how do I stop outlook from sending me meeting reminders",
        "I was wondering whether a solicitor charges by the hour",
        "tell me why the Roman empire fell",
        "Any idea how long passport renewals take?",
        "My knee hurts after every run. Which stretch is any good?",
        "do lawyers charge for the first call",
    ],
)
def test_a_question_only_asks(message: str) -> None:
    assert only_asks(message, [job(message)])


@pytest.mark.parametrize(
    "message",
    [
        "can you send me the open invoices",
        "could I have a list of late payers",
        "is there a way to get the churn from Stripe",
        "tell me when the price drops",
        "do me a monthly statement of hours",
        "have an agent count the sick notes",
        "could something keep an eye on our oven page",
        "Why am I still copying prices by hand? Just pull what changed from the portal",
        "I'd rather not open Trello every day",
    ],
)
def test_a_wish_or_a_command_does_not_only_ask(message: str) -> None:
    assert not only_asks(message, [job(message)])


def test_a_question_of_what_there_is_with_a_time_is_a_job() -> None:
    message = "which orders are late, every morning at 8?"

    assert not only_asks(message, [job(message, when="every morning at 8")])
    assert only_asks("why are orders late every morning?", [job(message, when="every morning")])
