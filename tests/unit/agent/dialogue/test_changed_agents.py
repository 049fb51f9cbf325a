"""Changes of agents in people's own words: what is turned down goes, and what isn't spoken of stays."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Agent
from tests.fakes.data.chat_session import Talk

MONDAYS = {"cron": "0 9 * * 1", "text": "Mondays at 9:00 AM", "time_zone": "UTC"}
DAILY = {"cron": "0 8 * * *", "text": "Daily at 8:00 AM", "time_zone": "UTC"}
IN_SLACK = {"channels": ["slack"], "recipients": ["#sales"]}


def changed(message: str, **fields: object) -> tuple[Agent, str]:
    """Return the agent lead-list after a message, and the reply."""
    talk = Talk()
    defaults: dict[str, object] = {"sources": ["hubspot"], "schedule": MONDAYS, "delivery": IN_SLACK}
    talk.create("lead-list", "new leads without an owner", **{**defaults, **fields})
    reply = talk.classify_and_answer(message)
    (agent,) = talk.agents()
    return agent, reply.text


@pytest.mark.parametrize(
    "message",
    [
        "nobody looks into slack here. mail lead-list to jo@acme.io",
        "we did away with Slack, so lead-list should go by email to jo@acme.io",
        "lead-list by mail to jo@acme.io and no longer to Slack",
        "lead-list: no more slack please, jo@acme.io gets it by mail",
        "send lead-list to jo@acme.io",
    ],
)
def test_results_go_where_they_are_wanted_and_no_longer_where_they_were(message: str) -> None:
    delivery = changed(message)[0].delivery
    assert (delivery.channels, delivery.recipients) == (("email",), ("jo@acme.io",))


def test_results_go_to_another_address_as_well_where_that_is_said() -> None:
    message = "let Jo have lead-list too, jo@acme.io. Not instead of, as well as"
    delivery = changed(message, delivery={"channels": ["email"], "recipients": ["ann@acme.io"]})[0].delivery
    assert delivery.recipients == ("ann@acme.io", "jo@acme.io")


def test_only_the_address_that_is_named_gives_way_to_another() -> None:
    both = {"channels": ["email"], "recipients": ["ann@acme.io", "bob@acme.io"]}
    delivery = changed("lead-list to jo@acme.io instead of bob@acme.io", delivery=both)[0].delivery
    assert delivery.recipients == ("ann@acme.io", "jo@acme.io")


@pytest.mark.parametrize(
    ("message", "cron"),
    [
        ("lead-list should come two hours later than it does now", "0 10 * * *"),
        ("lead-list, but leave out the weekends please, we're shut", "0 8 * * 1-5"),
        ("push lead-list to 9:30 instead of 8, same days", "30 9 * * *"),
    ],
)
def test_a_time_is_read_beside_the_one_that_it_changes(message: str, cron: str) -> None:
    schedule = changed(message, schedule=DAILY)[0].schedule
    assert schedule is not None
    assert schedule.cron == cron


def test_a_job_that_names_a_day_changes_no_schedule() -> None:
    agent, _ = changed("lead-list should also mention what came in on sunday", schedule=DAILY)
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 8 * * *"


def test_a_source_gives_way_to_the_one_that_data_moved_to() -> None:
    agent, _ = changed("the leads aren't in HubSpot any more, lead-list has to read Airtable now")
    assert agent.sources == ("airtable",)


@pytest.mark.parametrize("message", ["rename lead-list to new-leads", "lead-list at 10 instead of 9"])
def test_what_an_agent_lacks_is_not_said_again_at_a_change_of_something_else(message: str) -> None:
    _, reply = changed(message)
    assert "now" in reply
    assert "Before it can work" not in reply
