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


@pytest.mark.parametrize(
    ("message", "source", "recipients"),
    [
        (
            "every Monday at 8 send me the leads without an owner from HubSpot at me@x.com",
            "hubspot",
            ("me@x.com",),
        ),
        ("send the rooms not cleaned yet from Opera to ann@x.com daily at 8", "opera", ("ann@x.com",)),
        (
            "We live in Aircall. Mondays at 9 I'd like to get the calls nobody returned by mail to ann@x.com",
            "aircall",
            ("ann@x.com",),
        ),
        ("Mail me the cancellations from Cloudbeds every day at 7am at me@x.com", "cloudbeds", ("me@x.com",)),
        ("Ironclad: expiring contracts. daily at 6am. slack #morning", "ironclad", ("#morning",)),
    ],
)
def test_what_a_job_leaves_out_turns_no_place_down(
    message: str, source: str, recipients: tuple[str, ...]
) -> None:
    agent = made(message)
    assert agent.sources == (source,)
    assert agent.delivery.recipients == recipients


def test_an_agent_checks_a_system_that_is_named_behind_the_verb() -> None:
    message = (
        "set up an agent that checks Coupa for suppliers without a certificate every day at 9, tells me here"
    )
    assert made(message).sources == ("coupa",)


def test_an_address_that_mails_come_to_gets_no_results() -> None:
    agent = made("mail me the complaints that came in at help@x.com, from Gmail, daily at 8")
    assert "help@x.com" not in agent.delivery.recipients


def test_an_address_is_no_job() -> None:
    agent = made(
        "Our team lives in Trello. Mondays at 9 I'd like to get the cards stuck in review by mail to bo@x.com"
    )
    assert agent.what == "cards stuck in review"
