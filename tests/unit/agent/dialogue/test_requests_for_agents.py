"""Requests for new agents as people make them: which of their words are the job, the source, the schedule."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.dialogue.agent_acts.request_parts import parts_of
from agent.dialogue.agent_acts.schedules import requested_schedule
from agent.dialogue.agent_acts.source_words import find_source
from agent.dialogue.agent_acts.sources import read_source
from intent.acts.on_request import is_on_request
from tests.fakes.data.chat_session import Talk

NOW = datetime(2026, 3, 2, 10, tzinfo=UTC)


def talking() -> Talk:
    return Talk(time_zone="Europe/London")


def say(talk: Talk, *messages: str) -> str:
    """Say the messages and return the last reply."""
    return [talk.classify_and_answer(message).text for message in messages][-1]


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("the claims are kept in Guidewire, and the list belongs in Slack", "guidewire"),
        ("I am the office of the Museo Civico, excuse my English: they are in our Airtable", "airtable"),
        ("todays airport pickups out of icabbi", "icabbi"),
        ("get the girls hours out of deputy", "deputy"),
        ("failed Airflow DAG runs of the last day", "airflow"),
        ("send Globex the redlined contract", ""),
        ("the orders from customer Brightwater, data is in Odoo", "odoo"),
        ("open purchase orders from SAP Ariba", "sap ariba"),
        ("products that are out of stock", ""),
        ("the readings in the fridge book", "fridge book"),
    ],
)
def test_a_source_is_a_service_or_a_name_in_a_place_of_data(words: str, source: str) -> None:
    assert find_source(words) == source


@pytest.mark.parametrize("words", ["if thats a faff just do", "don't know", "every morning"])
def test_words_without_the_shape_of_a_name_are_no_source(words: str) -> None:
    assert read_source(words) == ""


@pytest.mark.parametrize(
    ("words", "is_story"),
    [
        ("Every evening I go through all orders", True),
        ("half my evenings go on working out who hasn't paid", True),
        ("each quarter, when the return is due, I sit until nine", True),
        ("every evening I'd like the orders of the day", False),
        ("Mondays at 9 a list of customers we haven't called", False),
        ("could you look every evening at the orders I haven't packed", False),
    ],
)
def test_what_people_tell_of_their_work_is_no_wish(words: str, is_story: bool) -> None:
    assert [part.is_story for part in parts_of(words)] == [is_story]


def test_the_job_of_a_story_is_what_is_looked_for_and_its_time_is_only_proposed() -> None:
    talk = talking()
    reply = say(
        talk,
        "Every evening I go through the whole of Shopify looking for orders with no tracking number,"
        " takes me an hour",
    )
    assert reply.startswith("OK: orders with no tracking number, from Shopify. When should it run")
    assert "daily at 6:00 PM, for example" in reply
    assert talk.agents() == []

    say(talk, "weekdays at 7:30, here")
    (agent,) = talk.agents()
    assert (agent.name, agent.schedule and agent.schedule.cron) == ("shopify-orders-monitor", "30 7 * * 1-5")


def test_a_change_of_what_was_proposed_keeps_the_rest_of_it() -> None:
    talk = talking()
    say(talk, "Each morning I phone hauliers to ask where is my truck. It is all in Samsara")
    say(talk, "yes, but not on Sundays, and mail it to ana@example.com")
    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.text == "Mondays to Saturdays at 9:00 AM"


@pytest.mark.parametrize(
    "words",
    [
        "It must not run of its own accord; I shall start it by hand",
        "No timetable, I'd start it myself when I need it",
        "to be started by me alone",
        "it shouldn't have a timetable",
    ],
)
def test_an_agent_may_be_wished_without_a_schedule(words: str) -> None:
    assert is_on_request(words, is_answer=False)


@pytest.mark.parametrize(
    "words", ["each Monday I start it by hand", "don't run it by itself on Sundays", "we do it by hand"]
)
def test_how_it_is_done_today_and_exceptions_are_no_wish_for_no_schedule(words: str) -> None:
    assert not is_on_request(words, is_answer=False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("daily at 16:00. sorry 15:30. and not on Saturdays", "Every day except Saturday at 3:30 PM"),
        ("every day 14:00. no, 13:45. and sunday not, we are closed", "Mondays to Saturdays at 1:45 PM"),
        (
            "every other Friday at 2 would be ideal, if that's not possible every Friday",
            "Every other week on Friday at 2:00 PM, starting March 6, 2026",
        ),
        (
            "on the last day of each month at 5 pm, even when that day is a Sunday",
            "The last day of every month at 5:00 PM",
        ),
    ],
)
def test_a_schedule_may_be_told_in_steps(words: str, said: str) -> None:
    found = requested_schedule(words, now=NOW, zone="Europe/London")
    assert found is not None
    assert found.schedule is not None
    assert found.schedule.text == said


def test_what_else_a_schedule_may_mean_is_asked_with_what_is_missing() -> None:
    reply = say(talking(), "every second Wednesday at 9 the open risks from Jira")
    assert "Do you mean every other week on Wednesday at 9:00 AM" in reply
    assert "the second Wednesday of every month at 9:00 AM" in reply
    assert "When should it run" not in reply


def test_two_agents_of_one_message_have_each_its_own_source_and_the_same_address() -> None:
    talk = talking()
    say(
        talk,
        "two jobs: every tues 7am the allergen changes from Nutritics to ana@example.com, and fridays at 4pm"
        " the no-shows from ResDiary to the same address",
    )
    agents = {agent.sources: agent for agent in talk.agents()}
    assert agents.keys() == {("nutritics",), ("resdiary",)}
    assert {agent.delivery.recipients for agent in agents.values()} == {("ana@example.com",)}


def test_numbered_requests_may_be_for_an_agent_and_a_task() -> None:
    talk = talking()
    say(
        talk,
        "Two things. 1) mondays 8am, all my Salesforce opps with no next step filled in, slack #pod-west. 2)"
        " don't let me forget to send Globex the contract by Thursday",
    )
    assert [agent.sources for agent in talk.agents()] == [("salesforce",)]
    (task,) = talk.tasks.list(talk.caller, completed=False, limit=5)[0]
    assert task.title == "send Globex the contract"


def test_an_exception_told_behind_a_request_belongs_to_it() -> None:
    talk = talking()
    say(talk, "daily 16:00 open alarms from Ignition, here. and not on saturdays")
    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.text == "Every day except Saturday at 4:00 PM"


@pytest.mark.parametrize(
    "question",
    [
        "I think I follow. And may what it finds be sent by ordinary email, to a clerk say?",
        "For our register: after how many days are the data kept here deleted? I am merely asking.",
    ],
)
def test_a_question_about_the_product_begins_no_agent(question: str) -> None:
    talk = talking()
    assert not say(talk, question).startswith("OK:")


def test_somebody_unsure_how_often_gets_a_usual_time() -> None:
    talk = talking()
    reply = say(talk, "id like to know wich toys hardly sell, its all in lightspeed. dunno how often tho")
    assert reply.startswith("OK: wich toys hardly sell, from Lightspeed, every Monday at 9:00 AM. Where")


def test_who_doubts_what_they_asked_for_gets_what_they_name_instead() -> None:
    talk = talking()
    say(talk, "every other friday at 5pm can u get the girls hours out of deputy and mail to ana@example.com")
    reply = say(talk, "o if thats a faff just do every friday")
    assert reply.endswith("now runs Fridays at 5:00 PM.")


def test_who_doubts_it_before_the_agent_is_saved_changes_the_unfinished_one() -> None:
    talk = talking()
    say(talk, "every other friday at 5pm can u get the girls hours out of deputy")
    say(talk, "o if thats a faff just do every friday", "here")
    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.text == "Fridays at 5:00 PM"


def test_the_number_of_a_request_is_no_time() -> None:
    talk = talking()
    say(
        talk,
        "1. weekdays 9:30 unassigned tickets from Zendesk, here 2. remind me to renew the cert by 20 March",
    )
    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.text == "Weekdays at 9:30 AM"


@pytest.mark.parametrize(
    "messages",
    [
        ("Every day at 7 read https://shop.example/Prices and list here what costs over 20",),
        (
            "I want a list of the open grants every Monday at 9, here in the chat",
            "https://shop.example/Prices",
        ),
    ],
)
def test_a_web_address_is_where_the_data_are_and_not_where_the_results_go(messages: tuple[str, ...]) -> None:
    talk = talking()
    reply = say(talk, *messages)

    (agent,) = talk.agents()
    assert agent.sources == ("https://shop.example/Prices",)
    assert agent.delivery.recipients == ()
    assert "reads https://shop.example/Prices" in reply


def test_results_go_to_the_web_address_behind_to() -> None:
    talk = talking()
    say(talk, "every day at 8 post the new tickets from Zendesk to https://hooks.example/abc")

    (agent,) = talk.agents()
    assert agent.sources == ("zendesk",)
    assert agent.delivery.recipients == ("https://hooks.example/abc",)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("ok, Deirdre says the till is Square", "square"),
        ("Tom said he doesn't know", ""),
        ("it's in Koha", "koha"),
        ("was it monday or friday I said in the end", ""),
        ("in the end it is Koha", "koha"),
    ],
)
def test_the_source_is_what_something_is_said_to_be_and_not_who_said_it(words: str, name: str) -> None:
    assert find_source(words, told=words) == name
