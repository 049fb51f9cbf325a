"""What is told of something else than an agent, or as the reason of a command, sets no schedule."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentStatus
from tests.fakes.data.chat_session import Talk

CREATE = "Every weekday at 8 mail me the new bookings from Salesforce to office@savanna.example"
BEFORE = "Weekdays at 8:00 AM"


def said_after_creation(message: str) -> tuple[AgentStatus, str]:
    talk = Talk()
    talk.classify_and_answer(CREATE)
    talk.classify_and_answer(message)
    [agent] = talk.agents()
    assert agent.schedule is not None
    return agent.status, agent.schedule.text


@pytest.mark.parametrize(
    "say",
    [
        "pause it, we have a long weekend",
        "pause it, long weekend",
        "stop it over the weekend break",
        "pause it please, we are away this weekend",
        "pause it for now, the office is shut on Monday",
        "switch it off, we have a bank holiday on Friday",
        "pause it. We have a long weekend.",
        "please pause it, my boss is off on Thursdays",
        "pause it because we have a long weekend",
    ],
)
def test_a_command_in_plain_form_is_carried_out_whatever_days_its_reason_names(say: str) -> None:
    assert said_after_creation(say) == (AgentStatus.PAUSED, BEFORE)


@pytest.mark.parametrize(
    "say",
    [
        "By the way, the trip goes to Whitby and the coach leaves at 7.45.",
        "By the way, our bus comes at 6.30",
        "My train leaves at 8.15 on Friday",
        "the meeting starts at 10 today, by the way",
        "my boss arrives at 9",
        "the museum opens at 11 on Sundays",
        "oh, and the plumber comes at 2 pm",
        "her flight lands at 18:40",
        "run it, my boss has a meeting on Friday",
        "don't pause it, we work on Saturday",
    ],
)
def test_what_is_told_of_something_else_is_no_change(say: str) -> None:
    assert said_after_creation(say) == (AgentStatus.ACTIVE, BEFORE)


@pytest.mark.parametrize(
    ("say", "schedule"),
    [
        ("the report starts at 6 pm", "Weekdays at 6:00 PM"),
        ("it comes at 7 please", "Weekdays at 7:00 AM"),
        ("it should leave at 7 am", "Weekdays at 7:00 AM"),
        ("pause it on Fridays", "Mondays, Tuesdays, Wednesdays and Thursdays at 8:00 AM"),
        ("pause it on fridays, we are closed then", "Mondays, Tuesdays, Wednesdays and Thursdays at 8:00 AM"),
        ("the shop opens at 9 on Mondays, so make it 7", "Weekdays at 7:00 AM"),
    ],
)
def test_what_is_said_of_the_agent_is_a_change(say: str, schedule: str) -> None:
    assert said_after_creation(say) == (AgentStatus.ACTIVE, schedule)


@pytest.mark.parametrize(
    ("say", "schedule"),
    [
        ("no need for it on a Saturday though, we don't drive Sundays", "Every day except Saturday"),
        ("no need for it on Saturdays, we're closed Sundays", "Every day except Saturday"),
        ("not on Saturdays, because we don't open on Sundays", "Every day except Saturday"),
        ("not on the Sunday please, the Monday I am closed", "Mondays to Saturdays"),
        ("not on Sundays, we never work Mondays", "Mondays to Saturdays"),
        ("never on Sunday, we don't work on Sundays", "Mondays to Saturdays"),
        ("skip Saturdays, Mondays we are shut", "Tuesdays, Wednesdays, Thursdays, Fridays and Sundays"),
        ("no need for it on Sundays", "Mondays to Saturdays"),
    ],
)
def test_a_reason_beside_a_day_left_out_is_no_day_that_is_wanted(say: str, schedule: str) -> None:
    talk = Talk()
    talk.classify_and_answer(
        "Every day at 8 am mail me the bookings from Salesforce to office@savanna.example"
    )
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.text == f"{schedule} at 8:00 AM"
