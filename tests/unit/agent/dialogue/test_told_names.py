"""An agent is called what its owner calls it, however that is said; a name says nothing else in a message."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (
            "Make an agent called Monday Moves that lists new tickets from Zendesk Tuesdays at 8, to a@b.co",
            "monday-moves",
        ),
        (
            "New agent, its name is Run Report: every Tuesday at 8 am new tickets from Zendesk, to a@b.co",
            "run-report",
        ),
        (
            "Tuesdays at 8 am new tickets from Zendesk, to a@b.co. Ticket Tide would be a nice name",
            "ticket-tide",
        ),
        (
            "set up Ticket Tide, a bot that lists new tickets from Zendesk Tuesdays at 8 am to a@b.co",
            "ticket-tide",
        ),
        (
            "an agent that mails a@b.co new tickets from Zendesk Tuesdays at 8 am and is called Ticket Tide",
            "ticket-tide",
        ),
        ("create agent Till Tide: new tickets from Zendesk Tuesdays at 8 am, to a@b.co", "till-tide"),
        ("Slack Tide: new tickets from Zendesk Tuesdays at 8 am, to a@b.co", "slack-tide"),
    ],
)
def test_a_new_agent_has_the_name_that_is_told(message: str, name: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)
    (agent,) = talk.agents()
    assert (agent.name, agent.sources) == (name, ("zendesk",))
    assert agent.delivery.recipients == ("a@b.co",)
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 8 * * 2"


@pytest.mark.parametrize(
    ("message", "names"),
    [
        (
            (
                "make two agents: 'lag check' every day at 6am, failed rows from Snowflake to #data, and"
                " 'late vans' weekdays at 8 am, late vans from Airtable by mail to a@b.co"
            ),
            {"lag-check": ("snowflake",), "late-vans": ("airtable",)},
        ),
        (
            (
                "Two bots please. The first, dawn-orders, posts new orders from Shopify to #shop weekdays at"
                " 8am. The second, dusk-fees, mails the day's fees from Stripe to a@b.co every day at 6pm."
            ),
            {"dawn-orders": ("shopify",), "dusk-fees": ("stripe",)},
        ),
        (
            (
                "New bots:\n1. Dawn Leads - new leads from HubSpot, weekdays 8am, #sales\n2. Dusk Cash - the"
                " day's payments from Stripe, daily 6pm, a@b.co"
            ),
            {"dawn-leads": ("hubspot",), "dusk-cash": ("stripe",)},
        ),
        (
            (
                "two agents: one called Stock East, low stock from Shopify daily at 7 am to e@b.co, and one"
                " called Stock West, low stock from Airtable daily at 8 am to w@b.co"
            ),
            {"stock-east": ("shopify",), "stock-west": ("airtable",)},
        ),
    ],
)
def test_each_of_several_new_agents_has_its_own_name(message: str, names: dict[str, tuple[str, ...]]) -> None:
    talk = Talk()
    talk.classify_and_answer(message)
    assert {agent.name: agent.sources for agent in talk.agents()} == names


def test_a_name_is_kept_until_the_rest_is_told() -> None:
    talk = Talk()
    talk.classify_and_answer("I'd love a new agent and I already have the name for it: Egg Count")
    talk.classify_and_answer("add up yesterday's eggs from Lightspeed, every day at 5 am, to Slack #barn")
    (agent,) = talk.agents()
    assert (agent.name, agent.sources) == ("egg-count", ("lightspeed",))


@pytest.mark.parametrize(
    "message",
    [
        "rename it to Debt Diary, please",
        "the name is bad, change to Debt Diary today",
        "I'd rather it was called Debt Diary",
        "from now on arrears-new goes by Debt Diary :)",
        "Who named it arrears-new?? Debt Diary will do as a name",
        "arrears-new, the name is dull, make it Debt Diary",
        "give arrears new another name: Debt Diary",
        "its new name: Debt Diary",
    ],
)
def test_a_present_agent_gets_another_name_and_stays_as_it_is(message: str) -> None:
    talk = Talk()
    before = talk.create("arrears-new", sources=("xero",))
    talk.classify_and_answer("when does arrears-new run?")
    talk.classify_and_answer(message)
    (agent,) = talk.agents()
    assert (agent.name, agent.sources, agent.schedule) == ("debt-diary", ("xero",), before.schedule)


def test_two_agents_are_renamed_at_once() -> None:
    talk = Talk()
    talk.create("food-bot")
    talk.create("bar-bot")
    talk.classify_and_answer("food-bot should be called lunch menu. Oh and bar-bot, make that drinks menu")
    assert {agent.name for agent in talk.agents()} == {"lunch-menu", "drinks-menu"}


def test_a_renaming_and_another_change_of_it_are_both_made() -> None:
    talk = Talk()
    talk.classify_and_answer("new tickets from Zendesk weekdays at 9 am to a@b.co, named desk-notes")
    talk.classify_and_answer("desk-notes is now 'Dawn Notes', and it goes out at 9:15 am instead of 9")
    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert (agent.name, agent.schedule.cron) == ("dawn-notes", "15 9 * * 1-5")


@pytest.mark.parametrize(
    "message",
    [
        "I need lock-list a second time, named Lock Sunday, only on Sundays at 10 am",
        "copy Lock List as Lock Sunday, Sundays at 10 am",
        "make a twin of lock-list, Sundays at 10 am, and call it Lock Sunday",
        'duplicate lock-list -> "Lock Sunday", Sundays at 10 am',
    ],
)
def test_a_copy_has_the_name_that_is_told(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("rusty locks from Airtable every day at 7 am to a@b.co, named lock-list")
    talk.classify_and_answer(message)
    crons = {agent.name: agent.schedule.cron for agent in talk.agents() if agent.schedule is not None}
    assert crons == {"lock-list": "0 7 * * *", "lock-sunday": "0 10 * * 0"}


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("take the word test out of its name", "pay-final"),
        ("test-pay-final isn't a test any more so drop the word test from its name", "pay-final"),
        ("add EU to the name", "test-pay-final-eu"),
    ],
)
def test_a_part_of_a_name_is_changed(message: str, name: str) -> None:
    talk = Talk()
    talk.create("test-pay-final")
    talk.classify_and_answer(message)
    assert [agent.name for agent in talk.agents()] == [name]


def test_a_name_says_nothing_of_times_and_places() -> None:
    talk = Talk()
    talk.classify_and_answer("rusty locks from Airtable every day at 7 am to a@b.co, named Slack Sunday")
    talk.classify_and_answer("move Slack Sunday to Fridays at 8 am")
    talk.classify_and_answer("pause slack sunday")
    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert (agent.schedule.cron, agent.status, agent.delivery.channels) == ("0 8 * * 5", "paused", ("email",))


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("'bye paint' on my list ought to read 'buy paint', sorry", "buy paint"),
        ("change my to-do 'bye paint' into 'buy paint and tape'", "buy paint and tape"),
        ("bye paint -> buy paint", "buy paint"),
        ("I meant 'buy paint', not 'bye paint'", "buy paint"),
    ],
)
def test_a_task_gets_the_title_said_beside_its_own(message: str, title: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add a task bye paint")
    talk.classify_and_answer("add a task ring the bank")
    talk.classify_and_answer(message)
    tasks = {task.title for task in talk.tasks.list(talk.caller, completed=None, limit=9)[0]}
    assert tasks == {title, "ring the bank"}
