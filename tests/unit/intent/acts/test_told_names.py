"""Which words of a message are a name that it gives: where the name begins and ends, and whose it is."""

from __future__ import annotations

import pytest

from intent.acts.act import Thing
from intent.acts.naming.name_edits import Edit, edited
from intent.acts.naming.phrases import find_told_names
from intent.acts.naming.told_name import Form

AGENTS = tuple(Thing(name, name) for name in ("rent-list", "ferry-times"))


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("make an agent called Gate Radar that reads Jira", "Gate Radar"),
        ("a bot named Supper list that gathers the orders", "Supper list"),
        ("an automation titled Money Mondays for unpaid bills", "Money Mondays"),
        ("an agent called late crates on Mondays at 9", "late crates"),
        ("an agent called Slack Roundup which mails jo@acme.io", "Slack Roundup"),
        ("new bot called crate watch reads Zendesk hourly", "crate watch"),
        ("I want one called Cup of Tea from Trello", "Cup of Tea"),
        ("every day at 8 new bills from Xero to a@b.co, with name Billy.", "Billy"),
        ("call it 'Tea & Cake', daily at 8", "Tea & Cake"),
        ("please name it Lift Log, thanks", "Lift Log"),
        ("call it tea rota insted of list", "tea rota"),
        ("its name should be Dock Diary: arrivals", "Dock Diary"),
        ("I already have the name for it: Egg Count", "Egg Count"),
        ("What We Sold, that's the name I want. Sales, daily", "What We Sold"),
        ("Just ferries will do as a name", "ferries"),
        ("set up something that goes by Fee Fox: fees daily", "Fee Fox"),
        ("the name is bad, change to Crates today", "Crates"),
        ("I don't like the name. Lively Lions would be better", "Lively Lions"),
    ],
)
def test_a_name_ends_where_something_else_is_told(message: str, name: str) -> None:
    assert [one.name.text for one in find_told_names(message, AGENTS)][-1:] == [name]


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (
            "rename rent-list to Arrears and ferry times to Boats",
            {"rent-list": "Arrears", "ferry-times": "Boats"},
        ),
        ("Rent List goes by Arrears from now on", {"rent-list": "Arrears"}),
        ("rent-list is now 'Arrears', and it goes out at 9", {"rent-list": "Arrears"}),
        ("change ferry-times's name into Boat Board", {"ferry-times": "Boat Board"}),
        ("could ferry-times be called Boat Board?", {"ferry-times": "Boat Board"}),
        ("the ferry one should be renamed to Boat Board", {"ferry-times": "Boat Board"}),
        ("ferry-times needs a better name, Boat Board.", {"ferry-times": "Boat Board"}),
        ("ferry-times -> Boat Board", {"ferry-times": "Boat Board"}),
    ],
)
def test_a_present_agent_is_told_its_new_name(message: str, told: dict[str, str]) -> None:
    found = find_told_names(message, AGENTS)
    assert {one.owner.name: one.name.text for one in found if one.owner is not None} == told


@pytest.mark.parametrize(
    "message",
    [
        "why is it called rent-list?",
        "is there an agent called Foo?",
        "don't call it Foo",
        "call me a cab",
        "call it a day",
        "call it off",
        "call it something shorter",
        "name it whatever you like",
        "remind me to call Ana",
        "my boss is called Ingrid",
        "rent-list should go by email",
        "the name is too long",
    ],
)
def test_other_words_give_no_name(message: str) -> None:
    assert find_told_names(message, AGENTS) == []


def test_each_of_several_new_agents_has_the_name_before_its_job() -> None:
    found = find_told_names(
        "2 agents. 'cash': cash from Stripe daily. 'leads': leads from HubSpot daily", AGENTS
    )
    assert [(one.form, one.name.text) for one in found] == [(Form.NEW, "cash"), (Form.NEW, "leads")]


@pytest.mark.parametrize(
    ("words", "edit", "name"),
    [
        ("list", Edit.WITHOUT, "rent"),
        ("EU", Edit.BEHIND, "rent-list-eu"),
        ("Old", Edit.BEFORE, "old-rent-list"),
        ("ferry", Edit.WITHOUT, ""),
    ],
)
def test_a_part_of_a_name_is_changed(words: str, edit: Edit, name: str) -> None:
    assert edited("rent-list", words, edit) == name
