"""Requests in the form of a question, and what is said to be enough, change an agent."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Agent
from tests.fakes.data.chat_session import Talk

CREATE = "Every weekday at 8 mail me the new bookings from Salesforce to office@savanna.example"
OLD, NEW = "office@savanna.example", "maria@northlake.example"


def changed(message: str) -> Agent:
    talk = Talk()
    talk.classify_and_answer(CREATE)
    talk.classify_and_answer(message)
    [agent] = talk.agents()
    return agent


@pytest.mark.parametrize(
    "say",
    [
        f"thats great thank you. can you also snd it to {NEW}, she is new here",
        f"lovely, thank you. could you also mail it to {NEW}, she starts today",
        f"great, thanks. would you send it to {NEW} too, she is my deputy",
        f"can you please also forward it to {NEW}, she covers for me",
        f"Thank you! Could you email it to {NEW} as well?",
    ],
)
def test_a_question_that_asks_to_send_adds_the_address(say: str) -> None:
    assert set(changed(say).delivery.recipients) == {OLD, NEW}


@pytest.mark.parametrize(
    "say",
    [
        f"does it also go to {NEW}?",
        f"can you tell me whether it goes to {NEW}?",
        f"could you check if {NEW} gets it?",
    ],
)
def test_a_question_about_an_address_changes_nothing(say: str) -> None:
    assert changed(say).delivery.recipients == (OLD,)


@pytest.mark.parametrize(
    ("say", "schedule"),
    [
        ("once a week, on Mondays at 9, is enough", "Mondays at 9:00 AM"),
        ("Once a week, Fridays at 4 pm, is plenty.", "Fridays at 4:00 PM"),
        ("every Monday is plenty", "Mondays at 8:00 AM"),
        ("Once a day, at 7 in the morning, is plenty.", "Daily at 7:00 AM"),
        ("once a week, on Mondays at 9, is enough?", "Weekdays at 8:00 AM"),
    ],
)
def test_what_is_enough_is_a_change_unless_it_is_asked(say: str, schedule: str) -> None:
    found = changed(say).schedule
    assert found is not None
    assert found.text == schedule
