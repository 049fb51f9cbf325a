"""Deeds that the words ask for, and no others: remarks, bare names, new names, musings, times said beside."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Agent, AgentStatus
from intent.acts.slot_types import may_be_title
from tests.fakes.data.chat_session import Talk

DAILY = {"cron": "0 8 * * *", "text": "Daily at 8:00 AM", "time_zone": "UTC"}


def talk_with(*names: str) -> Talk:
    talk = Talk()
    for name in names:
        talk.create(name, f"what {name.partition('-')[0]} is about", sources=["deputy"], schedule=DAILY)
    return talk


def told(talk: Talk, *messages: str) -> str:
    """Return the last reply to several messages."""
    return [talk.classify_and_answer(message) for message in messages][-1].text


def agents(talk: Talk) -> dict[str, Agent]:
    return {agent.name: agent for agent in talk.agents()}


def dues(talk: Talk) -> dict[str, str]:
    tasks = talk.tasks.list(talk.caller, completed=None)[0]
    return {task.title: str(task.due_at or task.due_date or "") for task in tasks}


@pytest.mark.parametrize(
    "remark",
    [
        "only the new one, the old one's dead",
        "salamat po! God bless",
        "lista niezapłaconych faktur",
        "thank you all the same and a good day",
        "just the second half of it, you're right",
    ],
)
def test_a_remark_is_no_title_and_a_yes_to_the_question_adds_nothing(remark: str) -> None:
    talk = Talk()
    told(talk, remark, "yes")
    assert not may_be_title(remark)
    assert dues(talk) == {}


@pytest.mark.parametrize("name", ["key-stock", "the key-stock one", "ok key-stock"])
def test_a_name_alone_shows_the_agent_and_starts_no_run(name: str) -> None:
    talk = talk_with("key-stock", "leads")
    reply = told(talk, "list my agents", name)
    assert "Started" not in reply
    assert reply.startswith("key-stock:")


@pytest.mark.parametrize(
    "message",
    ["no tell you what, call it payroll, sounds posher", "nah, name it payroll",
     "hmm on reflection call it payroll, its shorter"],
)  # fmt: skip
def test_another_name_for_the_agent_just_renamed_is_given(message: str) -> None:
    talk = talk_with("wages-new", "orders-cakes")
    reply = told(talk, "rename wages-new to wages", message)
    assert reply == "wages is now called payroll."
    assert sorted(agents(talk)) == ["orders-cakes", "payroll"]
    assert agents(talk)["payroll"].instructions == ""


def test_what_others_need_is_the_reason_and_no_task_beside_the_reminder() -> None:
    talk = Talk()
    told(
        talk, "Callum's mum needs the code or she'll go mad. remind me thursday at 3 to send the code to her"
    )
    assert dues(talk) == {"send the code to her": "2026-02-05 15:00:00"}


def test_the_last_words_tick_off_the_task_whatever_is_told_before_them() -> None:
    talk = Talk()
    reply = told(talk, "remind me friday at 3 to send the code",
                 "ach i'll no wait til friday, that's it sent. tick it off")  # fmt: skip
    assert reply == "Done: “send the code” is ticked off."


def test_musings_before_a_command_for_the_list_are_no_task() -> None:
    talk = Talk()
    told(talk, "bingo prizes, choir lady, bus for the trip... my heads like a sieve today."
               " put 'buy bingo prizes' down for friday")  # fmt: skip
    assert list(dues(talk)) == ["buy bingo prizes"]


@pytest.mark.parametrize(
    "message", ["and book teh bus, thats for the 20th", "also book the bus, for the 20th"]
)
def test_a_time_beside_a_new_thing_to_do_moves_no_task_before(message: str) -> None:
    talk = Talk()
    told(talk, "remind me to ring the choir lady tomorrow at 11", message)
    assert dues(talk)["ring the choir lady"] == "2026-01-31 11:00:00"
    assert max(dues(talk).values()) == "2026-02-20"


def test_one_change_of_two_tasks_counts_from_the_own_day_of_each() -> None:
    talk = Talk()
    told(talk, "add ring the choir tomorrow", "add post the parcels on friday", "push both back a week")
    assert dues(talk) == {"ring the choir": "2026-02-07", "post the parcels": "2026-02-13"}


def test_the_day_before_counts_from_the_date_told_in_the_sentence_before() -> None:
    talk = Talk()
    reply = told(talk, "the inspector is coming friday. can you put down check the folder for the day before")
    assert list(dues(talk).values()) == ["2026-02-05"]
    assert "did not do" not in reply


def test_what_has_happened_is_told_and_no_wish_for_an_agent() -> None:
    talk = talk_with("key-stock")
    reply = told(talk, "mate ive lost track, somebody has been mucking about in here while i was away."
                       " what agents are there?")  # fmt: skip
    assert "When should it run" not in reply
    assert list(agents(talk)) == ["key-stock"]


@pytest.mark.parametrize(
    ("message", "result"),
    [
        ("whats 1240 + 385.50 + 96? flour, butter, yeast for this week", "1,240 + 385.50 + 96 = 1,721.50"),
        ("btw whats 85 + 129.90 quick", "85 + 129.90 = 214.90"),
        ("flour, butter and yeast, 12.50 + 8 + 3.20 please", "12.50 + 8 + 3.20 = 23.70"),
    ],
)
def test_an_expression_is_worked_out_whatever_stands_beside_it(message: str, result: str) -> None:
    assert told(Talk(), message) == result


@pytest.mark.parametrize(
    ("message", "cron"),
    [
        ("and every day is too much, only mondays. 8 is grand", "0 8 * * 1"),
        ("daily is too often, just tuesdays and fridays", "0 8 * * 2,5"),
        ("also 6pm instead of 8", "0 18 * * *"),
    ],
)
def test_a_time_that_is_too_much_or_replaced_gives_way_to_the_other(message: str, cron: str) -> None:
    talk = talk_with("key-stock")
    told(talk, "what does key-stock do?", message)
    schedule = agents(talk)["key-stock"].schedule
    assert schedule is not None
    assert schedule.cron == cron


def test_results_posted_to_slack_are_not_mailed_because_the_job_is_about_emails() -> None:
    talk = talk_with("leads")
    message = "could you get me the unanswered emails from Gmail every weekday 9am, then post to Slack #in?"
    reply = told(talk, f"{message} Is that possible?")
    (new,) = [one for name, one in agents(talk).items() if name != "leads"]
    assert (new.delivery.channels, new.delivery.recipients) == (("slack",), ("#in",))
    assert "Say the change and name the agent" not in reply


def test_the_other_two_are_those_not_named_before_and_one_of_them_may_be_left_on() -> None:
    talk = talk_with("newsletter-2025", "leads", "rent-check")
    told(talk, "can u delete newsletter-2025 and pause the other two, im off till jan", "yes")
    assert {name: one.status for name, one in agents(talk).items()} == dict.fromkeys(
        ("leads", "rent-check"), AgentStatus.PAUSED
    )
    told(talk, "wait no, leave rent-check on")
    assert agents(talk)["rent-check"].status is AgentStatus.ACTIVE
    assert agents(talk)["leads"].status is AgentStatus.PAUSED
