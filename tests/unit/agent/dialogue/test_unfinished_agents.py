"""Agents that aren't finished, changes right after a deed, and what a conversation says there is."""

from __future__ import annotations

import pytest

from agent.dialogue.agent_acts.labels import is_vague, kind_of, label_of
from agent.workspace.agents import Kind
from tests.fakes.data.chat_session import Talk

PARCELS = "watch our parcels and tell me about late ones"
SITE = "keep an eye on https://example.com and tell me if it goes down"


def talking() -> Talk:
    return Talk(time_zone="America/Chicago")


def say(talk: Talk, *messages: str) -> str:
    """Say the messages and return the last reply."""
    return [talk.classify_and_answer(message).text for message in messages][-1]


def test_a_whole_request_begins_its_own_agent_and_the_unfinished_one_is_named() -> None:
    talk = talking()
    reply = say(talk, PARCELS, SITE)

    assert [agent.name for agent in talk.agents()] == ["example-com-watch"]
    assert "The agent for our parcels is still open. Which system or sheet has the data, when" in reply


def test_the_agent_that_was_set_aside_goes_on_where_it_was() -> None:
    talk = talking()
    say(talk, PARCELS, SITE)
    say(talk, "from dhl", "every day at 9, here")

    assert [agent.sources for agent in talk.agents()] == [("dhl",), ("example.com",)]


def test_a_command_to_pause_it_is_no_source() -> None:
    talk = talking()
    reply = say(talk, "watch our parcels and tell me about late ones", "pause it")

    assert reply == "No problem. The agent for our parcels waits; say “go on” when you're ready."


@pytest.mark.parametrize("answer", ["hmm wait, thursday is better, friday I'm at the market", "no, thursday"])
def test_the_time_of_day_stays_when_the_day_of_a_reminder_changes(answer: str) -> None:
    talk = talking()
    say(talk, "remind me to call the bank friday at 4pm", answer)

    (task,) = talk.tasks.list(talk.caller, completed=False, limit=5)[0]
    assert task.due_at is not None
    assert task.due_at.isoformat() == "2026-02-05T16:00:00"


def test_a_bare_hour_corrects_the_time_of_a_reminder() -> None:
    talk = talking()
    assert say(talk, "remind me at 9 tomorrow to call Sam", "8 instead") == (
        "“call Sam” is now due tomorrow at 8:00 AM."
    )


def test_a_reminder_that_is_due_then_already_is_not_said_to_be_changed() -> None:
    talk = talking()
    assert say(talk, "remind me at 9am tomorrow to call Sam", "move it to 9am tomorrow") == (
        "“call Sam” is already due tomorrow at 9:00 AM."
    )


def test_what_is_set_up_are_agents_tasks_and_what_is_not_finished() -> None:
    talk = talking()
    say(talk, SITE, "remind me tomorrow at 3 to order flour")
    reply = say(talk, "set up a report of open orders from shopify", "what have I got set up now?")

    assert "example-com-watch: runs every 5 minutes" in reply
    assert "“order flour”, due tomorrow at 3:00 PM" in reply
    assert "The agent for a report of open orders isn't finished yet." in reply


def test_a_run_at_a_later_time_is_not_started_at_once() -> None:
    talk = talking()
    talk.create("stock-check")
    reply = say(talk, "run stock-check tomorrow morning")

    assert reply.startswith("I can't start stock-check once at a later time")


@pytest.mark.parametrize(
    ("words", "before", "label", "kind"),
    [
        ("a list of unpaid invoices", "", "a list of unpaid invoices", Kind.REPORT),
        ("lists the unpaid invoices", "that", "the unpaid invoices", Kind.REPORT),
        ("mails me new orders", "that", "new orders", Kind.TASK),
        ("track parcels that are late", "", "parcels that are late", Kind.MONITOR),
        ("check whether the backup ran", "", "whether the backup ran", Kind.MONITOR),
        ("mails nobody has answered", "", "mails nobody has answered", Kind.TASK),
    ],
)
def test_a_label_names_the_job_without_its_verb(words: str, before: str, label: str, kind: Kind) -> None:
    assert (label_of(words, before=before), kind_of(words, "")) == (label, kind)


def test_something_is_no_job() -> None:
    assert is_vague("something for me")
    assert not is_vague("late parcels")


@pytest.mark.parametrize(
    ("correction", "cron"),
    [
        ("make that half 6, im out the door by 7", "30 6 * * 1-5"),
        ("actually make it 6:30", "30 6 * * 1-5"),
        ("no, 8", "0 8 * * 1-5"),
    ],
)
def test_a_time_corrected_while_the_job_is_asked_for_is_no_job(correction: str, cron: str) -> None:
    talk = talking()
    reply = say(talk, "weekdays 7am, out of Jobber, email dave@example.com", correction)
    assert talk.agents() == []
    assert "What should it watch or report?" in reply

    say(talk, "a list of the bookings of that day")
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == cron
    assert "bookings" in agent.what
