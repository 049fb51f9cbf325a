"""Several new agents in one sentence: each has its own times, and shares what is said once."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

Made = tuple[str, str, tuple[str, ...]]


def made(say: str) -> set[Made]:
    talk = Talk()
    talk.classify_and_answer(say)
    return {
        (agent.sources[0], agent.schedule.cron if agent.schedule else "", agent.delivery.recipients)
        for agent in talk.agents()
    }


ME, BOSS = ("me@a.co",), ("bo@a.co",)
ORDERS = ("shopify", "0 9 * * *", ME)


@pytest.mark.parametrize(
    ("say", "wanted"),
    [
        (
            (
                "Can you send the bookings from Calendly to me@a.co weekdays at 8 and the"
                " cancellations from Calendly on Sundays at 6pm to bo@a.co?"
            ),
            {("calendly", "0 8 * * 1-5", ME), ("calendly", "0 18 * * 0", BOSS)},
        ),
        (
            (
                "Mail me@a.co the orders from Shopify daily at 9 and also the refunds from"
                " Stripe on Fridays at 10."
            ),
            {ORDERS, ("stripe", "0 10 * * 5", ME)},
        ),
        (
            "mail me@a.co the orders from Shopify daily at 9, also on Fridays at 10 the refunds from Stripe",
            {ORDERS, ("stripe", "0 10 * * 5", ME)},
        ),
        (
            "Mail me@a.co the orders from Shopify at 9 every day and the refunds at 10 every Friday",
            {ORDERS, ("shopify", "0 10 * * 5", ME)},
        ),
        (
            "I need orders from Shopify daily at 9 and refunds from Stripe daily at 8 to me@a.co",
            {ORDERS, ("stripe", "0 8 * * *", ME)},
        ),
        (
            (
                "send the orders from Shopify to me@a.co at 9 every day and the new reviews from"
                " Trustpilot at 4pm on Thursdays"
            ),
            {ORDERS, ("trustpilot", "0 16 * * 4", ME)},
        ),
        (
            "orders from Shopify to me@a.co daily at 9 plus refunds from Stripe to bo@a.co on Fridays at 10",
            {ORDERS, ("stripe", "0 10 * * 5", BOSS)},
        ),
        (
            (
                "every day at 9 the orders from shopify to me@a.co, also every monday at 10 the"
                " tickets from zendesk to me@a.co"
            ),
            {ORDERS, ("zendesk", "0 10 * * 1", ME)},
        ),
        (
            (
                "Every day at 9 mail me@a.co the orders from Shopify, also new grants from"
                " Airtable on Thursdays at 10"
            ),
            {ORDERS, ("airtable", "0 10 * * 4", ME)},
        ),
    ],
)
def test_each_has_its_own_time_and_place(say: str, wanted: set[Made]) -> None:
    assert made(say) == wanted


@pytest.mark.parametrize(
    "say",
    [
        "Every day at 9 mail me@a.co the orders and the refunds from Shopify",
        "Pull the orders from Shopify daily at 9 and mail them to me@a.co",
        "mail the orders, refunds and returns from Shopify to me@a.co daily at 9",
    ],
)
def test_a_job_with_several_things_and_one_time_is_one_agent(say: str) -> None:
    assert made(say) == {ORDERS}


def test_a_job_with_two_times_is_one_agent() -> None:
    say = "Every Monday at 9 and every Friday at 10 mail me@a.co the orders from Shopify"
    assert len(made(say)) == 1


@pytest.mark.parametrize("task", ["remind me to call mum on Fridays at 10", "call mum on Fridays at 10"])
def test_a_deed_of_the_users_own_is_a_task(task: str) -> None:
    talk = Talk()
    talk.classify_and_answer(f"every day at 9 the orders from Shopify to me@a.co, also {task}")
    assert len(talk.agents()) == 1
    assert [one.title for one in talk.tasks.list(talk.caller, completed=None, limit=9)[0]] == ["call mum"]


@pytest.mark.parametrize(
    ("request_", "task"),
    [
        ("Every weekday at 4pm post the tickets from Freshdesk.", "Also remind me tomorrow to feed the cat."),
        ("weekly list of unpaid invoices from Xero to ar@a.co", "and remind me on Friday to feed the cat"),
    ],
)
def test_what_a_new_agent_lacks_is_asked_though_a_task_is_added_beside_it(request_: str, task: str) -> None:
    talk = Talk()
    said = talk.classify_and_answer(f"{request_} {task}")
    assert "feed the cat" in said.text
    assert "?" in said.text
    assert said.note.draft is not None


@pytest.mark.parametrize(
    "things",
    [
        "tickets that nobody has answered yet",
        "invoices which are not paid",
        "members who never showed up",
    ],
)
def test_a_denial_about_the_things_turns_no_place_down(things: str) -> None:
    talk = Talk()
    talk.classify_and_answer(f"Every weekday at 4pm mail the {things} from Freshdesk to me@a.co")
    [agent] = talk.agents()
    assert agent.delivery.recipients == ME
