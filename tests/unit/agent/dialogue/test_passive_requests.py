"""Requests in the passive voice, by a noun, or of several things of which one is only described."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentStatus
from tests.fakes.data.chat_session import Talk

WEEKDAYS = {"cron": "0 8 * * 1-5", "text": "Weekdays at 8:00 AM", "time_zone": "UTC"}


def talk_with_agents() -> Talk:
    talk = Talk()
    for name, what in (
        ("backup-report", "failed backups"),
        ("invoices", "open invoices"),
        ("rota", "shifts"),
    ):
        talk.create(name, what, sources=["xero"], schedule=WEEKDAYS)
    return talk


def paused(talk: Talk) -> set[str]:
    return {agent.name for agent in talk.agents() if agent.status is AgentStatus.PAUSED}


def open_titles(talk: Talk) -> list[str]:
    return [task.title for task in talk.tasks.list(talk.caller, completed=False, limit=9)[0]]


@pytest.mark.parametrize(
    "say",
    [
        "rota can be paused for now",
        "rota should be switched off",
        "could rota be put on hold?",
        "rota needs to be paused",
        "give rota a rest",
        "Delete rota. No, hang on, only pause it",
    ],
)
def test_it_is_paused(say: str) -> None:
    talk = talk_with_agents()
    talk.classify_and_answer(say)
    assert paused(talk) == {"rota"}


@pytest.mark.parametrize(
    "say",
    [
        "rota can't be paused",
        "why should rota be paused?",
        "if rota can be paused, tell me",
        "rota should not be switched off",
    ],
)
def test_it_is_not_paused(say: str) -> None:
    talk = talk_with_agents()
    talk.classify_and_answer(say)
    assert paused(talk) == set()


@pytest.mark.parametrize("say", ["cancel the pause", "rota can go again", "ok, it may go again"])
def test_a_pause_is_lifted(say: str) -> None:
    talk = talk_with_agents()
    talk.classify_and_answer("pause rota")
    talk.classify_and_answer(say)
    assert paused(talk) == set()


@pytest.mark.parametrize(
    ("say", "off"),
    [
        ("except for rota, pause them all", {"backup-report", "invoices"}),
        ("apart from rota, everything can be paused", {"backup-report", "invoices"}),
        ("leave rota alone but pause all the others", {"backup-report", "invoices"}),
        ("keep rota running and pause the rest", {"backup-report", "invoices"}),
        ("leave rota as it is and pause the backup one", {"backup-report"}),
        ("keep rota and invoices on, but pause backup-report", {"backup-report"}),
    ],
)
def test_what_is_left_out_first_stays_as_it_is(say: str, off: set[str]) -> None:
    talk = talk_with_agents()
    talk.classify_and_answer(say)
    assert paused(talk) == off


def test_the_lot_is_all_of_them() -> None:
    talk = talk_with_agents()
    talk.classify_and_answer("pause the lot")
    assert paused(talk) == {"backup-report", "invoices", "rota"}


def test_one_that_is_described_goes_with_one_that_is_named() -> None:
    talk = talk_with_agents()
    said = talk.classify_and_answer("get rid of the backup one and also the old invoices one")
    assert "backup-report" in said.text
    assert "invoices" in said.text
    assert "rota" not in said.text


@pytest.mark.parametrize(
    ("say", "left"),
    [
        ("the seed catalogue can be deleted", ["call the choir master"]),
        ("the choir one can go", ["order the seed catalogue"]),
        ("the choir master is no longer needed", ["order the seed catalogue"]),
        ("the seed catalogue can be ticked off", ["call the choir master"]),
        (
            "the seed catalogue should be finished by Friday",
            ["call the choir master", "order the seed catalogue"],
        ),
    ],
)
def test_of_a_task(say: str, left: list[str]) -> None:
    talk = Talk()
    talk.classify_and_answer("add a task: order the seed catalogue")
    talk.classify_and_answer("add a task: call the choir master")

    talk.classify_and_answer(say)

    assert sorted(open_titles(talk)) == left


@pytest.mark.parametrize("say", ["same with bills", "the same for bills please", "same goes for bills"])
def test_the_last_deed_is_done_to_another_agent(say: str) -> None:
    talk = talk_with_agents()
    talk.create("bills", "unpaid bills", sources=["xero"], schedule=WEEKDAYS)
    talk.classify_and_answer("pause rota")

    talk.classify_and_answer(say)

    assert paused(talk) == {"rota", "bills"}
    assert len(talk.agents()) == 4


@pytest.mark.parametrize("say", ["yes, both", "yes both", "yes to both", "yes, all of them"])
def test_a_yes_to_all_that_is_asked_about_is_a_yes(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add a task: check the minibar")
    talk.classify_and_answer("add a task: wake-up call")
    talk.classify_and_answer("the minibar one and the wake-up call can both be deleted")

    talk.classify_and_answer(say)

    assert open_titles(talk) == []


def test_an_agent_reads_what_its_people_moved_to() -> None:
    talk = talk_with_agents()
    talk.classify_and_answer("we have moved from Xero to QuickBooks, so invoices has to read QuickBooks now")
    [agent] = [agent for agent in talk.agents() if agent.name == "invoices"]
    assert agent.sources == ("quickbooks",)


def test_a_command_behind_a_reason_is_carried_out() -> None:
    talk = talk_with_agents()
    talk.classify_and_answer("there is strike at the port, please put rota on hold")
    assert paused(talk) == {"rota"}


@pytest.mark.parametrize(
    "say",
    [
        "I was wrong, rota must not be paused",
        "rota should not be paused after all",
        "don't pause rota",
        "rota needn't be paused though",
    ],
)
def test_what_should_not_have_been_paused_runs_again(say: str) -> None:
    talk = talk_with_agents()
    talk.classify_and_answer("pause rota and invoices")
    talk.classify_and_answer(say)

    assert paused(talk) == {"invoices"}


@pytest.mark.parametrize("say", ["rota should not be paused", "backup-report must not be paused"])
def test_what_is_not_paused_stays_as_it_is(say: str) -> None:
    talk = talk_with_agents()
    talk.classify_and_answer("pause invoices")
    talk.classify_and_answer(say)

    assert paused(talk) == {"invoices"}


def test_an_agent_that_watches_a_page_is_the_website_one() -> None:
    talk = talk_with_agents()
    talk.classify_and_answer("watch https://example.com every 15 minutes")
    talk.classify_and_answer("pause the website one")

    assert paused(talk) == {"example-com-watch"}


@pytest.mark.parametrize(
    ("say", "name"),
    [
        ("it is parcels which has to go", "parcels"), ("parcels has to go", "parcels"),
        ("it's parcels that must be deleted", "parcels"), ("the one that must go is parcels", "parcels"),
    ],
)  # fmt: skip
def test_what_has_to_go_is_asked_about_before_it_is_deleted(say: str, name: str) -> None:
    talk = Talk()
    talk.create("parcels", "late parcels")
    talk.create("stock", "low stock")
    assert talk.classify_and_answer(say).text == f"Shall I delete {name}?"


def test_what_has_to_go_somewhere_stays() -> None:
    talk = Talk()
    talk.create("parcels", "late parcels")
    assert "delete" not in talk.classify_and_answer("parcels has to go to Ana").text


@pytest.mark.parametrize(
    "say",
    [
        "Ah non! I have confused the two. Parcels must come back please, it is the one which I need each day",
        "parcels has to come back", "parcels must come back please",
    ],
)  # fmt: skip
def test_what_was_deleted_must_come_back(say: str) -> None:
    talk = Talk()
    talk.create("parcels", "late parcels")
    talk.create("stock", "low stock")
    talk.classify_and_answer("delete parcels")
    talk.classify_and_answer("yes")
    talk.classify_and_answer(say)
    assert {one.name for one in talk.agents()} == {"parcels", "stock"}


@pytest.mark.parametrize(
    "say",
    [
        "Please give to parcels the new name paket, it is easier for my team",
        "give parcels the name paket", "let parcels have the name paket from now on",
    ],
)  # fmt: skip
def test_an_agent_is_given_a_name_and_nothing_else_is_done(say: str) -> None:
    talk = Talk()
    talk.create("parcels", "late parcels")
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.name == "paket"
    assert not agent.shared


def test_a_name_that_is_asked_for_renames_nothing() -> None:
    talk = Talk()
    talk.create("parcels", "late parcels")
    talk.classify_and_answer("give me the name of the person who runs parcels")
    assert [one.name for one in talk.agents()] == ["parcels"]
