"""Deeds on agents by place, by contrast and by report: what is turned down or only told of isn't done."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentStatus
from tests.fakes.data.chat_session import Talk

MONDAYS = {"cron": "0 9 * * 1", "text": "Mondays at 9:00 AM", "time_zone": "UTC"}
DAILY = {"cron": "0 6 * * *", "text": "Daily at 6:00 AM", "time_zone": "UTC"}
BY_MAIL = {"channels": ["email"], "recipients": ["ar@acme.io"]}


def three() -> Talk:
    """Return a talk with the agents debtor-list, press-clips and ward-gaps."""
    talk = Talk()
    talk.create("press-clips", "press mentions", sources=["meltwater"], delivery=BY_MAIL)
    talk.create("debtor-list", "overdue invoices", sources=["xero"], schedule=MONDAYS, delivery=BY_MAIL)
    talk.create(
        "ward-gaps", "shifts without a nurse", sources=["rotacloud"], schedule=DAILY, delivery=BY_MAIL
    )
    return talk


def names(talk: Talk) -> list[str]:
    """Return the names of the agents there are."""
    return [agent.name for agent in talk.agents()]


@pytest.mark.parametrize(
    ("message", "gone"),
    [
        ("2nd one can go", ["press-clips"]),
        ("the last one can go", ["ward-gaps"]),
        ("the middle one is obsolete", ["press-clips"]),
        ("3rd one out please", ["ward-gaps"]),
        ("get rid of the third", ["ward-gaps"]),
        ("first one is not needed anymore", ["debtor-list"]),
        ("drop 1 and 3", ["debtor-list", "ward-gaps"]),
        ("bin the first two", ["debtor-list", "press-clips"]),
        ("press-clips has served its purpose", ["press-clips"]),
    ],
)
def test_agents_are_deleted_by_their_place_in_a_list_after_a_yes(message: str, gone: list[str]) -> None:
    talk = three()
    talk.classify_and_answer("list my agents")
    asked = talk.classify_and_answer(message)
    assert "Shall I delete" in asked.text
    reply = talk.classify_and_answer("yes, delete it" if len(gone) == 1 else "yes")
    assert not set(gone) & set(names(talk))
    assert len(talk.agents()) == 3 - len(gone)
    assert "Which one" not in reply.text


@pytest.mark.parametrize(
    "message",
    [
        "I'd rather not have debtor-list deleted, only stopped",
        "I was told to delete debtor-list but I only want it paused for a while",
        (
            "Good morning, I was told I had to delete debtor-list because the shop is closed all of August."
            " I'd really"
            " rather not have it deleted, if I may, only stopped for the time being."
        ),
        "don't delete debtor-list, just pause it",
    ],
)
def test_of_two_deeds_the_one_that_is_wanted_is_done(message: str) -> None:
    talk = three()
    talk.classify_and_answer(message)
    paused = [agent.name for agent in talk.agents() if agent.status is AgentStatus.PAUSED]
    assert (paused, len(talk.agents())) == (["debtor-list"], 3)


def test_a_deed_that_is_only_told_of_is_not_done_again() -> None:
    talk = three()
    talk.classify_and_answer("pause press-clips")
    reply = talk.classify_and_answer("ah my bad, I only had stopped press-clips. Pls resume")
    assert all(agent.status is AgentStatus.ACTIVE for agent in talk.agents())
    assert "active again" in reply.text


@pytest.mark.parametrize(
    ("message", "cron"),
    [
        ("pause press-clips for now, and ward-gaps should come at half five in the morning", "30 5 * * *"),
        ("pause press-clips and ward-gaps must run at 7", "0 7 * * *"),
        ("pause press-clips, but ward-gaps has to come at 8", "0 8 * * *"),
    ],
)
def test_a_pause_of_one_and_a_time_for_another_are_two_deeds(message: str, cron: str) -> None:
    talk = three()
    talk.classify_and_answer(message)
    by_name = {agent.name: agent for agent in talk.agents()}
    assert by_name["press-clips"].status is AgentStatus.PAUSED
    assert by_name["ward-gaps"].status is AgentStatus.ACTIVE
    assert by_name["ward-gaps"].schedule is not None
    assert by_name["ward-gaps"].schedule.cron == cron


@pytest.mark.parametrize(
    "message",
    [
        "From now on show me what press-clips finds right here in the chat, my mailbox is overflowing",
        "stop mailing me press-clips, put it in the chat instead",
        "I'd like to see press-clips here rather than by mail from now on",
    ],
)
def test_results_go_to_the_chat_from_now_on(message: str) -> None:
    talk = three()
    talk.classify_and_answer(message)
    agent = next(agent for agent in talk.agents() if agent.name == "press-clips")
    assert (agent.delivery.channels, agent.status) == (("conversation",), AgentStatus.ACTIVE)


@pytest.mark.parametrize(
    "message",
    [
        "the debtors aren't in Xero any more, debtor-list should read QuickBooks now",
        "debtor-list reads from QuickBooks now, not Xero",
        "debtor-list: the invoices left Xero, they're all in QuickBooks now",
    ],
)
def test_a_source_gives_way_to_another(message: str) -> None:
    talk = three()
    talk.classify_and_answer(message)
    agent = next(agent for agent in talk.agents() if agent.name == "debtor-list")
    assert agent.sources == ("quickbooks",)


def test_what_is_left_after_a_deletion_are_agents() -> None:
    talk = three()
    talk.classify_and_answer("delete press-clips")
    talk.classify_and_answer("yes")
    reply = talk.classify_and_answer("thanks. what's left?")
    assert "debtor-list" in reply.text
    assert "ward-gaps" in reply.text


@pytest.mark.parametrize(
    "message", ["Wait, the boss got back to me, it has to be 180.", "it was the other one"]
)
def test_what_is_no_title_is_never_put_on_the_list(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)
    talk.classify_and_answer("yes")
    assert talk.tasks.list(talk.caller, completed=None, limit=10)[0] == ()


def test_a_yes_to_a_guess_that_commands_something_else_adds_no_task() -> None:
    talk = three()
    talk.classify_and_answer("the thing with the boxes")
    talk.classify_and_answer("yes, delete it")
    assert talk.tasks.list(talk.caller, completed=None, limit=10)[0] == ()


@pytest.mark.parametrize(
    ("message", "cron"),
    [
        ("stop sending ward-gaps on sundays", "0 6 * * 1,2,3,4,5,6"),
        ("stop mailing me ward-gaps at weekends", "0 6 * * 1-5"),
        ("ward-gaps sundays not", "0 6 * * 1,2,3,4,5,6"),
    ],
)
def test_an_agent_that_is_to_stop_on_some_days_goes_on_on_the_others(message: str, cron: str) -> None:
    talk = three()
    talk.classify_and_answer(message)
    agent = next(agent for agent in talk.agents() if agent.name == "ward-gaps")
    assert agent.schedule is not None
    assert (agent.status, agent.schedule.cron) == (AgentStatus.ACTIVE, cron)


@pytest.mark.parametrize("message", ["all the rest can stay", "pause press-clips, everything else can stay"])
def test_what_is_to_stay_is_left_alone(message: str) -> None:
    talk = three()
    reply = talk.classify_and_answer(message)
    assert "?" not in reply.text
    assert all(agent.status is AgentStatus.ACTIVE for agent in talk.agents() if agent.name != "press-clips")


@pytest.mark.parametrize(
    "message",
    [
        "Can you please bring back press-clips?",
        "no rush, but bring back press-clips when you get a chance",
        "can I have press-clips back?",
    ],
)
def test_a_deleted_agent_is_brought_back_by_its_name(message: str) -> None:
    talk = three()
    talk.classify_and_answer("delete press-clips")
    talk.classify_and_answer("yes")
    talk.classify_and_answer(message)
    assert "press-clips" in names(talk)
