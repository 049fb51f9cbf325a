"""An agent is made from labelled fields, and reads the system that the message tells of beside them."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Agent
from tests.fakes.data.chat_session import Talk


def made(message: str) -> Agent:
    talk = Talk()
    talk.classify_and_answer(message)
    [agent] = talk.agents()
    return agent


@pytest.mark.parametrize(
    "message",
    [
        "new agent. name: churn, source: Stripe, job: lost customers, schedule: mon 06:00, output: #infra",
        "name: churn\nsource: Stripe\nwhat: lost customers\nwhen: mondays at 6am\nto: #infra",
        "Agent: churn; Data: Stripe; Job: lost customers; When: Mondays 6 am; Send to: #infra",
        "new - name = churn - source = Stripe - job = lost customers - when = mondays 6am - to = #infra",
    ],
)
def test_labelled_fields_are_those_of_the_agent(message: str) -> None:
    agent = made(message)
    assert agent.name == "churn"
    assert agent.sources == ("stripe",)
    assert agent.what == "lost customers"
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 6 * * 1"
    assert agent.delivery.recipients == ("#infra",)


def test_a_list_of_points_makes_no_agent() -> None:
    talk = Talk()
    talk.classify_and_answer("Note to self: agenda for Monday: budget, hiring, office")
    assert talk.agents() == []


@pytest.mark.parametrize(
    ("message", "source"),
    [
        (
            (
                "We had it all in a ledger, and since Maureen retired it's all in Salesforce. My boss brought"
                " it up in supervision yesterday. What I'm after is the people whose direct debit lapsed, on"
                " the first of every month at nine, emailed to me@a.org"
            ),
            "salesforce",
        ),
        (
            "send the orders from Shopify to me@a.co at 9 every day",
            "shopify",
        ),
    ],
)
def test_the_system_is_the_one_that_data_are_kept_in(message: str, source: str) -> None:
    assert made(message).sources == (source,)


@pytest.mark.parametrize(
    "message",
    [
        "No no no. THURSDAY. Tuesday's useless, the bank file isn't in yet",
        "no!! Thursday. Tuesday's far too early",
        "No. Thursdays. On Tuesday's nothing is in",
    ],
)
def test_a_day_that_is_no_good_is_no_system(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("Arrears list from PropertyMe, every Tuesday 9am, to trust@a.com")
    talk.classify_and_answer(message)
    [agent] = talk.agents()
    assert agent.sources == ("propertyme",)
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 9 * * 4"
