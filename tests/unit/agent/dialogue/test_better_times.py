"""Times that are better than others, systems before a colon, and remarks before an instruction."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk


def talk_of_feedback() -> Talk:
    talk = Talk()
    schedule = Schedule(cron="0 9 * * 1", time_zone="UTC", text="as now")
    talk.create("beta-feedback", "feedback of the beta", sources=["intercom"], schedule=schedule)
    talk.classify_and_answer("show beta-feedback")
    return talk


@pytest.mark.parametrize(
    ("message", "cron"),
    [
        ("beta-feedback is better on Tuesdays than Mondays", "0 9 * * 2"),
        ("the squad moved, which means beta-feedback is better on Tuesdays than Mondays (same time is fine)",
         "0 9 * * 2"),
        ("Tuesdays would be better than Mondays for beta-feedback, same time", "0 9 * * 2"),
        ("beta-feedback suits us better on Tuesdays than on Mondays", "0 9 * * 2"),
        ("I'd rather have beta-feedback on Tuesdays than Mondays", "0 9 * * 2"),
        ("beta-feedback works better at 10 than at 9", "0 10 * * 1"),
        ("is beta-feedback better on Tuesdays than Mondays?", "0 9 * * 1"),
        ("beta-feedback is better than the old one", "0 9 * * 1"),
    ],
)  # fmt: skip
def test_an_agent_moves_to_the_time_that_is_better(message: str, cron: str) -> None:
    talk = talk_of_feedback()
    talk.classify_and_answer(message)
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == cron


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("good. one more thing, if nothing is open it should not post at all",
         "if nothing is open it should not post at all"),
        ("great, and another thing: it should skip test users", "it should skip test users"),
        ("it should skip test users", "it should skip test users"),
    ],
)  # fmt: skip
def test_an_instruction_is_kept_without_the_remark_before_it(message: str, kept: str) -> None:
    talk = talk_of_feedback()
    talk.classify_and_answer(message)
    assert talk.agents()[0].instructions == kept


@pytest.mark.parametrize(
    ("message", "source"),
    [
        ("pagerduty: open incidents every weekday at 9 to #oncall", "pagerduty"),
        ("jira: open blockers daily at 9 by mail to jo@shop.co", "jira"),
        ("Salesforce: deals without a next step, every Monday at 8am, to #sales", "salesforce"),
    ],
)
def test_a_known_system_before_a_colon_is_the_source_and_no_name(message: str, source: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)
    [agent] = talk.agents()
    assert agent.sources == (source,)
    assert agent.name != source
