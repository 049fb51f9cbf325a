"""The day before is that of what is reported, or the day that an agent runs on."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def crons(message: str) -> str:
    talk = Talk()
    talk.classify_and_answer(message)
    [agent] = talk.agents()
    assert agent.schedule is not None
    return agent.schedule.cron


@pytest.mark.parametrize(
    ("message", "cron"),
    [
        ("At 8.15 Mon-Fri I need any reading in Google Sheets that went over 8 the day before. Mail a@b.co",
         "15 8 * * 1-5"),
        ("every weekday at 8 mail ann@b.co the orders from Shopify of the day before", "0 8 * * 1-5"),
        ("Mon-Fri at 8:10 mail ann@b.co the sales in Stripe from the day before", "10 8 * * 1-5"),
        ("every Tuesday at 9 mail ann@b.co the Zendesk tickets closed the day before", "0 9 * * 2"),
        ("every Monday morning mail ann@b.co what was sold in Shopify the day before", "0 9 * * 1"),
        ("every weekday at 7:30 mail ann@b.co the readings in Google Sheets for the day before",
         "30 7 * * 1-5"),
    ],
)  # fmt: skip
def test_what_happened_the_day_before_leaves_the_days_of_an_agent(message: str, cron: str) -> None:
    assert crons(message) == cron


@pytest.mark.parametrize(
    ("message", "cron"),
    [
        ("The board meets every Tuesday at 9. Mail ann@b.co the agenda items from Asana the day before",
         "0 9 * * 1"),
        ("each Friday we invoice; mail ann@b.co open jobs from Google Sheets the day before at noon",
         "0 12 * * 4"),
        ("Our stocktake is every Friday. The day before at 4pm mail ann@b.co low stock from Google Sheets",
         "0 16 * * 4"),
        ("Tuesdays at 9 we meet the closed-deals team, so mail a@b.co the deals in HubSpot the day before",
         "0 9 * * 1"),
    ],
)  # fmt: skip
def test_an_agent_runs_the_day_before_an_event(message: str, cron: str) -> None:
    assert crons(message) == cron
