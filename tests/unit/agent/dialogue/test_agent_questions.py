"""A question about an agent is answered by what it asks, and changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.workspace.agents import AgentChange, Schedule
from agent.workspace.delivery_targets import Channel, Delivery
from conversation.identity import Caller
from intent.acts.agent_questions import read_question
from storage.keys import TenantId
from tests.fakes.data.chat_session import Talk
from tests.fakes.run.clocks import ManualClock

WEDNESDAY = datetime(2026, 3, 11, 10, 20, tzinfo=UTC)


def set_up() -> Talk:
    talk = Talk(Caller(TenantId("acme"), "maya"), time_zone="UTC", clock=ManualClock(WEDNESDAY))
    mail = Delivery(channels=(Channel.EMAIL,), recipients=("office@ashby.org",))
    mondays = Schedule(cron="0 9 * * 1", text="Mondays at 9:00 AM")
    talk.create("donor-thanks", sources=("salesforce",), schedule=mondays, delivery=mail)
    posts = Delivery(channels=(Channel.SLACK,), recipients=("#finance",))
    twice = Schedule(cron="30 16 * * 2,4", text="Tuesdays and Thursdays at 4:30 PM")
    late = talk.create("late-invoices", sources=("xero",), schedule=twice, delivery=posts)
    talk.store.update(talk.caller, late.id, AgentChange.model_validate({"status": "paused"}))
    talk.create("stock-check", what="stock that runs low")
    return talk


NEEDS_XERO = (
    "No, late-invoices can't work yet. Before it can work: connect Xero. To post to Slack I need the link"
    " that Slack gives out for a channel (“Incoming” under its apps). Paste it here: I keep it sealed."
)
ANSWERS = (
    ("when does donor-thanks run next?", "donor-thanks next runs Monday, March 16 at 9:00 AM."),
    ("which address gets donor-thanks?", "donor-thanks mails office@ashby.org."),
    ("what does late-invoices read?", "late-invoices reads Xero."),
    ("Is late-invoices paused at the moment?", "Yes, late-invoices is paused."),
    ("does donor-thanks come on Fridays too?", "No, donor-thanks runs only Mondays at 9:00 AM."),
    ("so on Tuesdays I get nothing from donor-thanks?", "Right, donor-thanks runs only Mondays at 9:00 AM."),
    ("can my colleagues see donor-thanks?", "No, donor-thanks is private: only you can see it."),
    ("does stock-check start on its own?", "No, stock-check runs only when you ask."),
    ("does late-invoices already work?", NEEDS_XERO),
    ("is late-invoices working?", NEEDS_XERO),
    ("what does late-invoices still need?", NEEDS_XERO.removeprefix("No, ")),
    (
        "I can't for the life of me remember which day donor-thanks comes",
        "donor-thanks runs Mondays at 9:00 AM.",
    ),
    (
        "so on Friday 20 March there is nothing from donor-thanks, am I right?",
        "Right, donor-thanks doesn't run on Friday, March 20; it next runs Monday, March 16 at 9:00 AM.",
    ),
    (
        "which one is switched off?",
        "late-invoices runs Tuesdays and Thursdays at 4:30 PM and posts to Slack (#finance), paused.",
    ),
)


PAUSED = "late-invoices runs Tuesdays and Thursdays at 4:30 PM and posts to Slack (#finance), paused."


@pytest.mark.parametrize(
    "question",
    [
        "right so what's off now?",
        "what's still off?",
        "what is paused right now?",
        "which are off at the moment?",
        "He who asks the way does not get lost: which one is paused now?",
        "I never know; which ones are still off?",
    ],
)
def test_a_question_for_a_state_lists_the_agents_in_it_whatever_was_talked_of(question: str) -> None:
    talk = set_up()
    talk.classify_and_answer("what does donor-thanks read?")
    assert talk.classify_and_answer(question).text == PAUSED


@pytest.mark.parametrize("question", ["which ones go to my email?", "which ones go to the email"])
def test_a_question_for_a_way_lists_the_agents_that_take_it(question: str) -> None:
    talk = set_up()
    talk.classify_and_answer("what does late-invoices read?")
    said = talk.classify_and_answer(question).text
    assert "donor-thanks" in said
    assert "late-invoices" not in said


@pytest.mark.parametrize(("question", "answer"), ANSWERS)
def test_an_answer_says_what_was_asked_and_nothing_changes(question: str, answer: str) -> None:
    talk = set_up()
    before = talk.agents()
    reply = talk.classify_and_answer(question)

    assert reply.text == answer
    assert talk.agents() == before


def test_a_question_without_a_name_is_about_the_agent_just_spoken_of() -> None:
    talk = set_up()
    talk.classify_and_answer("who gets donor-thanks?")

    assert talk.classify_and_answer("at what time?").text == "donor-thanks runs Mondays at 9:00 AM."


@pytest.mark.parametrize(
    "request_",
    [
        "could donor-thanks run at 10?",
        "make it Tuesdays instead?",
        "can you pause it?",
        "tell me when stock runs low",
        "would you let Ana see it?",
    ],
)
def test_a_request_in_the_form_of_a_question_is_none(request_: str) -> None:
    assert read_question(request_, is_marked=request_.endswith("?")) is None


def test_what_was_arranged_a_while_ago_is_no_change() -> None:
    talk = set_up()
    before = talk.agents()
    talk.classify_and_answer(
        "Some days ago I arranged something here about donor-thanks, but I cannot recall for which day"
    )

    assert talk.agents() == before


def test_the_time_between_two_clock_times_is_counted() -> None:
    reply = set_up().classify_and_answer("how many minutes are from 05:20 to 13:45?")

    assert reply.text == "505 minutes: 8 hours and 25 minutes."


def test_a_question_whether_something_is_needed_gets_no_yes_to_another_question() -> None:
    reply = set_up().classify_and_answer("does my computer have to stay on for that?")

    assert reply.text.startswith("Agents and reminders work where the service runs")


def test_who_may_use_it_is_answered_whoever_is_named() -> None:
    talk = set_up()
    talk.classify_and_answer("share donor-thanks with the team")
    reply = talk.classify_and_answer("so my colleague Hakan can use it now?")
    assert reply.text.startswith("Yes, donor-thanks is shared")


def test_what_a_deletion_would_do_is_told_and_not_done() -> None:
    talk = set_up()
    reply = talk.classify_and_answer("what happens if I delete donor-thanks?")
    assert "30 days" in reply.text
    assert not reply.effects
    assert len(talk.agents()) == 3


def test_a_likely_question_about_the_product_is_answered_with_a_doubt() -> None:
    reply = set_up().classify_and_answer("how does it get into my Google account?")
    assert reply.text.startswith("I'm not sure what you mean. If it's about this chat: ")
    assert "connect" in reply.text


def test_a_sure_question_about_the_product_is_answered_without_one() -> None:
    reply = set_up().classify_and_answer("what are my choices for where an agent sends its stuff?")
    assert reply.text.startswith("Into the conversation where the agent was made.")
    assert "Slack" in reply.text


@pytest.mark.parametrize("question", ["and?", "well?", "any news?"])
def test_a_question_without_words_is_about_the_run_just_started(question: str) -> None:
    talk = set_up()
    talk.classify_and_answer("run donor-thanks")
    assert "donor-thanks" in talk.classify_and_answer(question).text


def test_words_that_lead_over_are_no_part_of_a_command() -> None:
    talk = set_up()
    talk.classify_and_answer("what's paused?")
    assert "late-invoices is active again" in talk.classify_and_answer("go on then, turn that back on").text


def test_to_show_an_agent_is_not_to_share_it() -> None:
    talk = set_up()
    talk.classify_and_answer("tell me about donor-thanks")
    reply = talk.classify_and_answer("show it")
    assert "Mondays at 9:00 AM" in reply.text
    assert not reply.effects


def test_a_question_who_sees_an_agent_shares_nothing() -> None:
    talk = set_up()
    talk.classify_and_answer("only the boss sees donor-thanks, right?")
    assert not any(agent.shared for agent in talk.agents())


@pytest.mark.parametrize(
    "message",
    [
        "how many agents have I got and when do they run?",
        "show my agents with their schedules",
        "what agents do I have, and where do they send their results?",
    ],
)
def test_a_list_says_when_its_agents_run_where_that_is_asked_for(message: str) -> None:
    said = set_up().classify_and_answer(message).text

    assert "You have 3 agents." in said
    assert "late-invoices: runs Tuesdays and Thursdays at 4:30 PM" in said
    assert "stock-check: runs only when you ask" in said


def test_the_agent_is_the_only_one_whatever_was_talked_of_last() -> None:
    talk = Talk()
    talk.create("late-invoices", sources=("xero",))
    talk.classify_and_answer("remind me tomorrow at 9 to send the VAT return")

    said = talk.classify_and_answer("Is the agent already working?").text

    assert said.startswith("No, late-invoices can't work yet.")


def test_where_data_are_ends_no_connection() -> None:
    talk = Talk()
    talk.classify_and_answer("the ward keeps running out of cannulas and nobody tells stores")

    assert "nothing to remove" not in talk.classify_and_answer("its in a sheet on sharepoint").text


@pytest.mark.parametrize(
    "question",
    [
        "Is it possible to stop an agent for some weeks without deleting it?",
        "can one delete an agent by mistake?",
        "could I pause an agent while I'm away?",
    ],
)
def test_a_question_about_any_agent_does_nothing_to_the_only_one(question: str) -> None:
    talk = Talk()
    agent = talk.create("deadline-week", "deadlines of the week", sources=["notion"])
    said = talk.classify_and_answer(question)
    assert not said.effects
    assert "deadline-week" not in said.text
    assert talk.agents() == [agent]


@pytest.mark.parametrize(
    "question", ["is that London time?", "in which time zone is that?", "is that 8 my time?"]
)
def test_the_zone_is_told_where_it_is_asked_for(question: str) -> None:
    talk = Talk()
    talk.classify_and_answer("every weekday at 8 list the open invoices from Xero here")

    assert "(UTC)" in talk.classify_and_answer(question).text


@pytest.mark.parametrize(
    "question",
    ["should rota be on Thursdays?", "should rota run daily or weekly?", "should rota go to Slack instead?"],
)
def test_a_question_what_should_be_changes_nothing(question: str) -> None:
    talk = Talk()
    talk.create(
        "rota", "shifts", schedule={"cron": "0 9 * * 1", "time_zone": "UTC", "text": "Mondays at 9 AM"}
    )
    before = talk.agents()

    assert talk.classify_and_answer(question).text.startswith("rota:")
    assert talk.agents() == before
