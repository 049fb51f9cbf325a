"""What follows a new task or a new agent with a job of its own is another one, and no change of the first."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def dues(talk: Talk) -> dict[str, str]:
    return {
        task.title: f"{task.due_date:%d.%m.}" if task.due_date else ""
        for task in talk.turn("", "").situation.read_tasks()
    }


def talk_of(*messages: str) -> Talk:
    talk = Talk()
    for message in messages:
        talk.classify_and_answer(message)
    return talk


@pytest.mark.parametrize(
    ("say", "title", "due"),
    [
        ("and fix the hoover at the dentists, by wednesday", "fix the hoover at the dentists", "04.02."),
        ("also friday invoice mrs doyle", "invoice mrs doyle", "06.02."),
        ("and draft the chapter 2 intro, due monday", "draft the chapter 2 intro", "02.02."),
        ("also tomorrow at 5 call mum", "call mum", "31.01."),
    ],
)  # fmt: skip
def test_another_thing_to_do_is_another_task(say: str, title: str, due: str) -> None:
    talk = talk_of("put order floor wax on my list for thursday", say)

    assert dues(talk) == {"order floor wax": "05.02.", title: due}


@pytest.mark.parametrize(
    ("say", "due"), [("and put it for friday", "06.02."), ("also on friday please", "06.02.")]
)
def test_a_time_alone_is_that_of_the_task_before(say: str, due: str) -> None:
    assert dues(talk_of("put order floor wax on my list for thursday", say)) == {"order floor wax": due}


@pytest.mark.parametrize(
    ("first", "say", "sources", "cron"),
    [
        ("weekdays at 7:30 am post the new requests from Zendesk to slack #repairs",
         "also on fridays at 4pm email the unpaid rents from Xero to lease@oakrow.example",
         "xero", "0 16 * * 5"),
        ("every day at 10 am post tonight's bookings from our google sheet to slack #floor",
         "and sundays at 8pm email the week's takings from QuickBooks to owner@luna.example", "quickbooks",
         "0 20 * * 0"),
    ],
)  # fmt: skip
def test_another_systems_data_at_their_own_time_are_another_agents(
    first: str, say: str, sources: str, cron: str
) -> None:
    talk = talk_of(first)
    [before] = talk.agents()

    talk.classify_and_answer(say)

    [new] = [agent for agent in talk.agents() if agent.id != before.id]
    assert new.schedule is not None
    assert (new.sources, new.schedule.cron) == ((sources,), cron)
    assert before in talk.agents()


def test_the_same_results_sent_elsewhere_too_are_no_other_agents() -> None:
    talk = talk_of(
        "every day at 10 am post the new bugs from jira to slack #floor", "also post them to #dev on fridays"
    )

    [agent] = talk.agents()
    assert agent.delivery.recipients == ("#floor", "#dev")


def test_tasks_in_sentences_of_their_own_are_as_many_as_the_heading_says() -> None:
    talk = talk_of("2 things for my list. ring the plumber on friday. order the boiler part")

    assert dues(talk) == {"ring the plumber": "06.02.", "order the boiler part": ""}


def test_a_fact_to_keep_behind_a_request_is_kept_beside_it() -> None:
    talk = talk_of(
        "every day at 10 the new bookings from OpenTable into slack #floor."
        " oh and the wine order is with Pia, keep that"
    )

    [agent] = talk.agents()
    assert agent.sources == ("opentable",)
    assert "Pia" in talk.classify_and_answer("who is the wine order with?").text


def test_what_a_report_is_for_is_neither_its_job_nor_its_time() -> None:
    talk = talk_of(
        "need the week's wedding orders out of Shopify every thurs morning 6.30"
        " so i know what to buy at market, here"
    )

    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == "30 6 * * 4"
    assert "wedding orders" in agent.what


def test_a_word_of_its_name_tells_which_agent_is_meant() -> None:
    talk = talk_of(
        "Please set up: daily at 9:00, new requests from Gmail, to Slack #intake",
        "Another one: Mondays at 10:00, late deliveries from Jira, same Slack channel",
        "And Gmail only on weekdays",
    )

    crons = {agent.sources: agent.schedule.cron for agent in talk.agents() if agent.schedule}
    assert crons == {("gmail",): "0 9 * * 1-5", ("jira",): "0 10 * * 1"}


def test_days_in_a_sentence_of_their_own_belong_to_the_times_before() -> None:
    talk = talk_of(
        "twice a day, 4am and 1pm, I need the wholesale orders from Shopify in slack #bakehouse."
        " Monday to Saturday, we're shut Sundays"
    )

    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 4,13 * * 1,2,3,4,5,6"


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("put order nappies on my list for thursday and ring Ava's mum",
         {"order nappies": "05.02.", "ring Ava's mum": ""}),
        ("put order nappies on my list and ring mum on friday", {"order nappies": "", "ring mum": "06.02."}),
        ("can you please add to my list: order nappies, ring mum",  {"order nappies": "", "ring mum": ""}),
    ],
)  # fmt: skip
def test_what_follows_the_list_is_another_task(say: str, expected: dict[str, str]) -> None:
    assert dues(talk_of(say)) == expected


def test_two_days_of_one_time_are_one_agents() -> None:
    talk = talk_of(
        "need something that pings me in slack #growth every mon and thu 9am with new signups from hubspot"
    )

    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 9 * * 1,4"


def test_a_request_of_its_own_is_no_choice_of_an_example() -> None:
    talk = talk_of(
        "I am a plumber, I need help to organise",
        "every friday at 5pm I want to know which invoices in QuickBooks are not paid, mail b@agua.example",
    )

    [agent] = talk.agents()
    assert agent.sources == ("quickbooks",)
    assert "invoices" in agent.what
