"""Requests for one more agent: it is a new one, with the values that it is to share with the one before."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Agent
from tests.fakes.data.chat_session import Talk

CONTRACTS = "new contracts from Google Drive every friday at 4pm, by mail to me@acme.example"
TICKETS = "every day at 8 post the open tickets from linear to #dev"


def made(first: str, say: str) -> tuple[Talk, list[Agent]]:
    talk = Talk()
    talk.classify_and_answer(first)
    [before] = talk.agents()
    talk.classify_and_answer(say)
    return talk, [agent for agent in talk.agents() if agent.id != before.id]


@pytest.mark.parametrize(
    ("first", "say", "cron", "places"),
    [
        (CONTRACTS, "and the github prs, same time, same place", "0 16 * * 5", ("me@acme.example",)),
        (
            CONTRACTS,
            "also one for jira changes, same day same hour same place",
            "0 16 * * 5",
            ("me@acme.example",),
        ),
        (
            CONTRACTS,
            "invoices from stripe daily, same time, same address please",
            "0 16 * * *",
            ("me@acme.example",),
        ),
        (
            CONTRACTS,
            "also set up one for new bills from Xero, same time as the contracts one, to b@acme.example",
            "0 16 * * 5",
            ("b@acme.example",),
        ),
        (TICKETS, "another one for sentry, same channel, an hour later", "0 9 * * *", ("#dev",)),
        (TICKETS, "another for datadog, like the linear one but at 10", "0 10 * * *", ("#dev",)),
    ],
)
def test_it_has_the_values_of_the_one_before(
    first: str, say: str, cron: str, places: tuple[str, ...]
) -> None:
    _, [agent] = made(first, say)
    assert agent.schedule is not None
    assert (agent.schedule.cron, agent.delivery.recipients) == (cron, places)


@pytest.mark.parametrize(
    "say", ["and on mondays at the same time", "same time on mondays too", "and one hour later"]
)
def test_words_without_another_job_change_the_one_there_is(say: str) -> None:
    talk, others = made(CONTRACTS, say)
    assert others == []
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron != "0 16 * * 5"


def test_a_quoted_name_in_front_is_its_name_and_no_time() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "set up 'the Monday numbers' - sales from salesforce tuesdays 7am email me@acme.example"
    )
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert (agent.name, agent.what, agent.schedule.cron) == ("the-monday-numbers", "sales", "0 7 * * 2")


def test_a_place_is_not_taken_for_the_job_that_is_asked_for() -> None:
    talk = Talk()
    talk.classify_and_answer("every 30 minutes from https://api.acme.example/health")
    said = talk.classify_and_answer("here in this chat, please")
    assert talk.agents() == []
    assert "What should it watch or report" in said.text


def test_a_chat_is_not_deleted_for_being_the_place_of_results() -> None:
    talk = Talk()
    talk.classify_and_answer("I would like the newest support tickets from Zendesk every hour.")
    talk.classify_and_answer("Here in this chat, please.")
    assert len(talk.agents()) == 1


@pytest.mark.parametrize(
    ("say", "run"),
    [("I got oos and cx, run the latter", "cx"), ("oos and cx are mine, run the first of them", "oos")],
)
def test_of_two_agents_named_before_one_is_meant_by_its_place(say: str, run: str) -> None:
    talk = Talk()
    for name in ("oos", "cx"):
        talk.create(name, sources=["shopify"])
    said = talk.classify_and_answer(say)
    assert said.text.startswith(f"Started {run}.")
    assert said.text.count("Started") == 1


@pytest.mark.parametrize(
    ("did", "undo"),
    [
        ("pause cx", "oop no we still need it today. unpause"),
        ("share cx with everyone", "uh priya says that is too early. unshare"),
    ],
)
def test_a_bare_verb_behind_a_remark_is_done_to_the_one_just_talked_of(did: str, undo: str) -> None:
    talk = Talk()
    before = talk.create("cx", sources=["shopify"])
    talk.classify_and_answer(did)
    talk.classify_and_answer(undo)
    [after] = talk.agents()
    assert (after.status, after.shared) == (before.status, before.shared)


OVERDUE = "every Monday at 8:15 am post the overdue tasks of the Odense project in Asana to #odense"
LATE = "every Monday at 9 am mail me the late orders for Leeds from Shopify, to l@acme.example"
SALES = "every Sunday at 7 pm send me the week's sales from Square, to n@acme.example"


@pytest.mark.parametrize(
    ("first", "say", "label", "word"),
    [
        (OVERDUE, "Super. The same with the Aarhus project, to #aarhus", "the Aarhus project", "aarhus"),
        (OVERDUE, "the same for the Vejle project, to #vejle", "the Vejle project", "vejle"),
        (OVERDUE, "the same thing on the Ribe project please, to #ribe", "the Ribe project", "ribe"),
        (LATE, "the same for York, to y@acme.example", "for York", "york"),
        (SALES, "the same thing for the Salthill shop, to g@acme.example", "Salthill shop", "salthill"),
    ],
)
def test_a_copy_for_something_else_has_that_in_its_label_and_name(
    first: str, say: str, label: str, word: str
) -> None:
    talk, [agent] = made(first, say)
    assert label in agent.what
    assert not {"Odense", "Leeds"} & set(agent.what.split())
    assert word in agent.name
    talk.classify_and_answer(f"pause the {word.title()} one")
    assert [one.name for one in talk.agents() if one.status == "paused"] == [agent.name]


def test_the_same_at_another_time_for_somebody_else_is_a_copy() -> None:
    talk = Talk()
    talk.classify_and_answer("Every Monday at 7 list the sales from Stripe and mail them to ana@example.com")
    before = talk.agents()

    talk.classify_and_answer("and the same on Thursdays, to p.lund@example.com")

    after = talk.agents()
    assert len(after) == 2
    assert before[0] in after
    [copy] = [one for one in after if one not in before]
    assert copy.schedule is not None
    assert copy.schedule.cron == "0 7 * * 4"
    assert copy.delivery.recipients == ("p.lund@example.com",)


@pytest.mark.parametrize(
    ("say", "name"),
    [
        ("every monday at 9 list open bills from Xero to slack #fin, call it bills", "bills"),
        ("daily at 3pm dinner orders from Square to slack #kitchen, call it dinner-orders", "dinner-orders"),
        ("weekdays at 4 closed deals from HubSpot to a@b.example. Name it deals", "deals"),
    ],
)
def test_a_whole_request_with_a_name_at_its_end_leaves_the_one_before_as_it_was(say: str, name: str) -> None:
    talk, others = made(CONTRACTS, say)
    [before] = [agent for agent in talk.agents() if agent.name != name]
    assert [agent.name for agent in others] == [name]
    assert before.delivery.recipients == ("me@acme.example",)


@pytest.mark.parametrize("say", ["no, call it papers", "weekly is enough, call it papers"])
def test_a_name_alone_is_that_of_the_one_before(say: str) -> None:
    talk, others = made(CONTRACTS, say)
    assert others == []
    assert [agent.name for agent in talk.agents()] == ["papers"]
