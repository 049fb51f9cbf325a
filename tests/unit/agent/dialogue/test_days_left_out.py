"""Days on which an agent doesn't run: told beside the request for it, or when it is stopped for them."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentStatus, Schedule
from tests.fakes.data.chat_session import Talk

ORDERS = "Every day at 5 pm mail the orders from Shopify to baker@acme.example"


def only_cron(talk: Talk) -> str:
    [agent] = talk.agents()
    assert agent.schedule is not None
    return agent.schedule.cron


@pytest.mark.parametrize(
    ("say", "days"),
    [
        (f"{ORDERS}. Except the Monday, we are closed.", "0,2,3,4,5,6"),
        (f"{ORDERS}. Except Monday, we're closed then.", "0,2,3,4,5,6"),
        (f"{ORDERS}, but not on Sundays, shop is shut", "1,2,3,4,5,6"),
        (f"{ORDERS}. Tuesday is our day off.", "0,1,3,4,5,6"),
        (f"{ORDERS}. On Mondays we're closed so then not", "0,2,3,4,5,6"),
        (f"{ORDERS}. Exception: Wednesdays", "0,1,2,4,5,6"),
        (f"{ORDERS}, Wednesdays excluded", "0,1,2,4,5,6"),
        (f"{ORDERS}. The only day we don't need it is Sunday.", "1,2,3,4,5,6"),
        (f"{ORDERS}. Saturdays and Sundays can be skipped.", "1-5"),
        (f"{ORDERS}. I'm off on Fridays, so skip those.", "0,1,2,3,4,6"),
        (f"{ORDERS}. Nothing on Sundays please", "1,2,3,4,5,6"),
        (f"{ORDERS}. On Mondays don't bother.", "0,2,3,4,5,6"),
    ],
)
def test_a_day_left_out_beside_a_request_is_left_out(say: str, days: str) -> None:
    talk = Talk()
    talk.classify_and_answer(say)
    assert only_cron(talk) == f"0 17 * * {days}"


@pytest.mark.parametrize(
    ("say", "days"),
    [
        ("Fridays at 5 pm mail the exceptions report from Shopify to b@acme.example", "5"),
        (f"{ORDERS}. On Sundays we have a stall at the market.", "*"),
        (f"We never have time on Mondays. {ORDERS}", "*"),
    ],
)
def test_a_day_that_is_only_told_of_is_not_left_out(say: str, days: str) -> None:
    talk = Talk()
    talk.classify_and_answer(say)
    assert only_cron(talk) == f"0 17 * * {days}"


@pytest.mark.parametrize(
    ("say", "days"),
    [
        ("pause van-orders, but only on Fridays", "0,1,2,3,4,6"),
        ("pause van-orders, just on Sundays", "1,2,3,4,5,6"),
        ("stop van-orders on fridays", "0,1,2,3,4,6"),
        ("turn van-orders off on weekends", "1-5"),
        ("can you switch off van-orders on Sundays?", "1,2,3,4,5,6"),
        ("pause the van orders. only at weekends please", "1-5"),
        ("please pause van-orders, only Mondays and Tuesdays though", "0,3,4,5,6"),
        ("hold van-orders on Fridays", "0,1,2,3,4,6"),
        ("pause van-orders but not on Fridays", "5"),
        ("pause van-orders and only run it on Fridays", "5"),
    ],
)
def test_an_agent_stopped_on_some_days_runs_on_the_others(say: str, days: str) -> None:
    talk = Talk()
    talk.create("van-orders", schedule=Schedule(cron="0 9 * * *", time_zone="UTC"))
    talk.classify_and_answer(say)
    assert only_cron(talk) == f"0 9 * * {days}"
    assert talk.agents()[0].status is AgentStatus.ACTIVE


@pytest.mark.parametrize("say", ["pause van-orders", "stop van-orders for good", "pause it until Friday"])
def test_an_agent_stopped_without_days_is_paused(say: str) -> None:
    talk = Talk()
    talk.create("van-orders", schedule=Schedule(cron="0 9 * * *", time_zone="UTC"))
    talk.classify_and_answer(say)
    assert only_cron(talk) == "0 9 * * *"
    assert talk.agents()[0].status is AgentStatus.PAUSED
