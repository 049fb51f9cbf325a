"""Requests to see runs show runs, and start and set up nothing."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

_DAILY = {"cron": "0 7 * * *", "time_zone": "UTC"}


def with_agents() -> Talk:
    talk = Talk()
    talk.create("late-parcels", "parcels that are late", sources=["dhl"], schedule=_DAILY)
    talk.create("low-stock", "articles to order", sources=["shopify"], schedule=_DAILY)
    return talk


@pytest.mark.parametrize(
    "message",
    [
        "list the runs of low-stock", "list runs of low-stock", "list low-stock's runs",
        "give me the runs of low-stock", "which runs of low-stock were there?",
        "can you list the runs of low-stock from last week?",
    ],
)  # fmt: skip
def test_the_runs_of_one_agent_are_shown(message: str) -> None:
    talk = with_agents()
    reply = talk.classify_and_answer(message)
    assert reply.text.startswith("low-stock hasn't run yet.")
    assert reply.effects == ()


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("list all runs", "There are no runs yet."),
        ("list yesterday's runs", "Nothing ran yesterday."),
        ("list the failed runs", "Nothing failed in the last 24 hours"),
        ("list the next runs", "In the next seven days 2 agents run:"),
        ("show me the runs of next week", "Next week 2 agents run:"),
    ],
)
def test_the_runs_of_all_agents_are_shown(message: str, said: str) -> None:
    reply = with_agents().classify_and_answer(message)
    assert reply.text.startswith(said)
    assert reply.effects == ()
