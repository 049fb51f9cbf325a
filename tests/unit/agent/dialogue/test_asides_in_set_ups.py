"""Questions about the product in the middle of a set-up, and parts of a new agent that answers give."""

from __future__ import annotations

import pytest

from agent.workspace.delivery_targets import Channel
from tests.fakes.data.chat_session import Talk

UNSURE = "Our practice manager told me to try this. honestly not sure what it's for?"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("do the results come by email or only in here", "by e-mail"),
        ("are the results kept somewhere", "30 days"),
        ("is it free", "billed"),
        ("who else can see that", "Colleagues"),
    ],
)
def test_a_question_after_examples_is_answered_and_the_examples_may_still_be_taken(
    question: str, said: str
) -> None:
    talk = Talk()
    talk.classify_and_answer(UNSURE)

    assert said in talk.classify_and_answer(question).text
    assert talk.classify_and_answer("the first one").text.startswith("OK: list who didn't come")


def test_an_example_is_taken_by_asking_for_it() -> None:
    talk = Talk()
    talk.classify_and_answer(UNSURE)

    assert talk.classify_and_answer("do the first one please").text.startswith("OK: list who didn't come")


def test_a_question_in_a_set_up_is_answered_and_what_is_missing_is_asked_again() -> None:
    talk = Talk()
    talk.classify_and_answer("list the unpaid invoices from xero")

    said = talk.classify_and_answer("do the results get mailed or do I need to look here")

    assert said.text.startswith("Into the conversation")
    assert said.text.endswith("where should I send the results: by e-mail, to Slack or here?")


def test_a_request_that_begins_like_a_question_is_a_request() -> None:
    talk = Talk()

    talk.classify_and_answer("do the invoices report every monday at 9 from xero, here")

    assert [agent.sources for agent in talk.agents()] == [("xero",)]


@pytest.mark.parametrize(
    ("answer", "channel", "recipient"),
    [
        (
            "Weekday mornings at 7:30 would be wonderful, just email it to marge@b.co",
            Channel.EMAIL,
            "marge@b.co",
        ),
        ("mondays at 8, just mail it to bo@b.co please", Channel.EMAIL, "bo@b.co"),
        ("every friday at 3 is great, only slack it to #money", Channel.SLACK, "#money"),
        ("mondays at 8 would be lovely, just send them by mail to bo@b.co", Channel.EMAIL, "bo@b.co"),
        ("mondays at 8 and just email me at bo@b.co", Channel.EMAIL, "bo@b.co"),
    ],
)
def test_the_address_beside_the_way_is_kept(answer: str, channel: Channel, recipient: str) -> None:
    talk = Talk()
    talk.classify_and_answer("list the unpaid invoices from xero")

    talk.classify_and_answer(answer)

    [agent] = talk.agents()
    assert agent.delivery.channels == (channel,)
    assert agent.delivery.recipients == (recipient,)


@pytest.mark.parametrize(
    ("unsure", "told", "job", "source"),
    [
        (
            "I wouldn't know where to start, service calls come in all day and all land in Housecall Pro",
            "Well, what I really lose track of is the calls nobody's been assigned to yet. A list would do",
            "the calls nobody's been assigned to yet", "Housecall",
        ),
        (
            "i dont know where to begin, honestly. we run a salon, and bookings end up in Calendly",
            "what bugs me is the people who cancel late. could I get a list",
            "the people who cancel late", "Calendly",
        ),
        (
            "no clue where to begin. it is orders all day long and every one of them goes into Shopify",
            "what we keep forgetting is the parcels without a tracking number. could I have a list",
            "the parcels without a tracking number", "Shopify",
        ),
    ],
)  # fmt: skip
def test_the_job_is_what_the_trouble_is_and_its_source_what_was_named_before(
    unsure: str, told: str, job: str, source: str
) -> None:
    talk = Talk()
    talk.classify_and_answer(unsure)

    said = talk.classify_and_answer(told)

    assert said.text.startswith(f"OK: {job}, from {source}.")


@pytest.mark.parametrize(
    "question",
    [
        "whats the due date on it now",
        "what date is it due now",
        "what day is it due",
        "whats its deadline",
        "when is it due",
    ],
)
def test_when_the_task_just_changed_is_due_is_told(question: str) -> None:
    talk = Talk()
    talk.create("rota", "shifts", sources=["deputy"])
    talk.classify_and_answer("add a task: submit lunch count")
    talk.classify_and_answer("submit lunch count has to be in by friday")

    assert talk.classify_and_answer(question).text.startswith("“submit lunch count” is due Friday")


def test_the_date_of_today_is_still_told_beside_a_task() -> None:
    talk = Talk()
    talk.classify_and_answer("add a task: submit lunch count by friday")

    assert talk.classify_and_answer("what's the date today").text.startswith("Today is")


@pytest.mark.parametrize(
    "aside",
    [
        "omg sorry the dog just ate a crayon. purple tongue. anyway",
        "ugh my boss just walked in and spilled coffee all over the desk. ok",
        "hang on, the baby is crying",
    ],
)
def test_what_happens_around_somebody_is_no_part_of_the_job(aside: str) -> None:
    talk = Talk()
    talk.classify_and_answer("summarise my Jira tickets every monday at 9")

    assert "where should I send" in talk.classify_and_answer(aside).text.replace("Where", "where")
    talk.classify_and_answer("here in the chat")

    assert [agent.brief for agent in talk.agents()] == ["summarise my Jira tickets every monday at 9"]


@pytest.mark.parametrize(
    "rule",
    [
        "it should leave out the closed ones",
        "it must skip closed ones",
    ],
)
def test_how_the_job_is_to_be_done_is_kept_whatever_was_asked(rule: str) -> None:
    talk = Talk()
    talk.classify_and_answer("summarise my Jira tickets every monday at 9")
    talk.classify_and_answer(rule)
    talk.classify_and_answer("here in the chat")

    assert "closed ones" in talk.agents()[0].brief


def test_a_job_of_another_system_takes_the_place_of_the_one_before() -> None:
    talk = Talk()
    talk.classify_and_answer("summarise my Jira tickets every monday at 9")
    talk.classify_and_answer("sorry, I meant the GitHub issues")
    talk.classify_and_answer("here")

    (agent,) = talk.agents()
    assert agent.sources == ("github",)
    assert "Jira" not in f"{agent.what} {agent.brief}"
