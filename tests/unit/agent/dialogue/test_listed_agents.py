"""A message that lists several new agents makes each with its own source, times and place."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

LISTED = [
    (
        (
            "We've got three things I want covered: SLA breaches from Zendesk hourly to #support,"
            " churned accounts"
            " from HubSpot every Monday at 8 to me by mail, and overdue Jira tickets on weekdays at 9 to #eng"
        ),
        [
            ("zendesk", "0 * * * *", ("#support",)),
            ("hubspot", "0 8 * * 1", ()),
            ("jira", "0 9 * * 1-5", ("#eng",)),
        ],
    ),
    (
        (
            "I need these watched:\n- overdue invoices from Xero every Monday at 9 to #billing\n"
            "- unanswered Intercom chats hourly to #support"
        ),
        [("xero", "0 9 * * 1", ("#billing",)), ("intercom", "0 * * * *", ("#support",))],
    ),
    (
        (
            "I'd like two reports; one on expiring contracts in Salesforce on the first of the month at 8 to"
            " legal@acme.co; the other on open Jira bugs every weekday at 9 to #dev"
        ),
        [("salesforce", "0 8 1 * *", ("legal@acme.co",)), ("jira", "0 9 * * 1-5", ("#dev",))],
    ),
    (
        (
            "please make me a daily digest of GitHub issues at 8 in #dev, a weekly digest of Stripe"
            " payouts on"
            " Fridays at 3 in #finance and a monthly one of Datadog incidents on the 1st at 9 in #ops"
        ),
        [
            ("github", "0 8 * * *", ("#dev",)),
            ("stripe", "0 15 * * 5", ("#finance",)),
            ("datadog", "0 9 1 * *", ("#ops",)),
        ],
    ),
    (
        "1. open tickets from Zendesk daily at 8 to #support 2. late orders from Shopify daily at 9 to #shop",
        [("zendesk", "0 8 * * *", ("#support",)), ("shopify", "0 9 * * *", ("#shop",))],
    ),
    (
        "every Monday at 8: open invoices from Xero to #billing, new leads from HubSpot to #sales",
        [("xero", "0 8 * * 1", ("#billing",)), ("hubspot", "0 8 * * 1", ("#sales",))],
    ),
    (
        (
            "could you watch these for me: failed builds from GitHub hourly to #dev; new reviews on"
            " Tripadvisor"
            " every day at 10 by mail to desk@hotel.example"
        ),
        [("github", "0 * * * *", ("#dev",)), ("tripadvisor", "0 10 * * *", ("desk@hotel.example",))],
    ),
    (
        (
            "Can you check Sentry for new errors every 30 minutes and post them to #dev, and also list"
            " the PRs on"
            " GitHub that wait for review every morning at 9 to #reviews?"
        ),
        [("sentry", "*/30 * * * *", ("#dev",)), ("github", "0 9 * * *", ("#reviews",))],
    ),
]


@pytest.mark.parametrize(("say", "wanted"), LISTED)
def test_each_of_several_listed_agents_is_made(
    say: str, wanted: list[tuple[str, str, tuple[str, ...]]]
) -> None:
    talk = Talk()
    talk.classify_and_answer(say)
    made = [
        (agent.sources[0], agent.schedule.cron if agent.schedule else "", agent.delivery.recipients)
        for agent in talk.agents()
    ]
    assert sorted(made) == sorted(wanted)


@pytest.mark.parametrize(
    ("say", "what"),
    [
        (LISTED[0][0], {"SLA breaches", "churned accounts", "overdue Jira tickets"}),
        (LISTED[1][0], {"overdue invoices", "unanswered Intercom chats"}),
        (LISTED[2][0], {"expiring contracts", "open Jira bugs"}),
    ],
)
def test_what_introduces_a_list_is_no_part_of_a_job(say: str, what: set[str]) -> None:
    talk = Talk()
    talk.classify_and_answer(say)
    assert {agent.what for agent in talk.agents()} == what


@pytest.mark.parametrize(
    "say",
    [
        "Every Monday at 8 mail me open invoices, late payments and new customers from Xero to dana@acme.co",
        "post new orders from Shopify to #shop every day at 8, and every day at 17 too",
        "Check Zendesk for urgent tickets every hour, and post them to #support",
        "send new orders from Shopify to #shop at 8 every day, weekdays only, no weekends",
    ],
)
def test_parts_of_one_request_make_one_agent(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer(say)
    assert len(talk.agents()) == 1


def test_a_task_behind_a_list_is_added_too() -> None:
    talk = Talk()
    talk.classify_and_answer(f"{LISTED[6][0]}. Also remind me tomorrow at 9 to call the bank.")
    assert len(talk.agents()) == 2
    assert [task.title for task in talk.tasks.list(talk.caller, completed=None, limit=9)[0]] == [
        "call the bank"
    ]


@pytest.mark.parametrize(
    "say",
    [
        "I want the open tickets from Zendesk and the overdue bugs from Jira every day at 9 to #support",
        "mail me new payments from Stripe and PayPal to a@acme.co daily at 8",
    ],
)
def test_one_agent_reads_all_sources_that_its_request_names(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert len(agent.sources) == 2
