"""Questions that only name another agent ask of it what was asked of the one before."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk


def talk_of_two() -> Talk:
    talk = Talk()
    daily = Schedule(cron="0 7 * * *", time_zone="UTC", text="Daily at 7:00 AM")
    weekly = Schedule(cron="0 15 * * 2", time_zone="UTC", text="Every Tuesday at 3:00 PM")
    mail = {"channels": ["email"], "recipients": ["jo@shop.example"]}
    talk.create("stock-daily", "low stock", sources=("shopify",), schedule=daily, delivery=mail)
    slack = {"channels": ["slack"], "recipients": ["#returns"]}
    talk.create("returns", "returned parcels", sources=("sendcloud",), schedule=weekly, delivery=slack)
    return talk


@pytest.mark.parametrize(
    ("question", "further", "answer"),
    [
        ("when does stock-daily run next?", "and returns?", "returns next runs"),
        ("has stock-daily run already?", "and returns?", "returns hasn't run yet"),
        ("who gets stock-daily?", "what about returns?", "returns posts to Slack (#returns)."),
        ("what does returns read?", "and stock-daily?", "stock-daily reads Shopify."),
        ("is returns paused?", "and the other one?", "stock-daily is active"),
    ],
)
def test_another_agent_is_asked_the_same(question: str, further: str, answer: str) -> None:
    talk = talk_of_two()
    talk.classify_and_answer(question)
    assert answer in talk.classify_and_answer(further).text


def test_a_name_behind_no_question_shows_the_agent() -> None:
    talk = talk_of_two()
    talk.classify_and_answer("hello there")
    assert "low stock" in talk.classify_and_answer("and stock-daily?").text


@pytest.mark.parametrize("question", ["is anything on hold at the moment?", "which of them are on ice?"])
def test_what_is_on_hold_are_the_paused_agents(question: str) -> None:
    talk = talk_of_two()
    talk.classify_and_answer("pause returns")
    talk.classify_and_answer("thanks")
    said = talk.classify_and_answer(question).text
    assert "returns" in said
    assert "stock-daily" not in said


def test_a_hold_on_chats_is_still_a_legal_one() -> None:
    assert "legal hold" in talk_of_two().classify_and_answer("are any chats on hold?").text


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("how do I put something on my to-do list?", "add a task"),
        ("which company is behind this?", "open-source"),
    ],
)
def test_questions_about_the_product_are_no_requests_for_the_list(question: str, part: str) -> None:
    assert part in Talk().classify_and_answer(question).text


@pytest.mark.parametrize(
    "question",
    [
        "Nothing of mine runs at the weekend, does it?",
        "nothing runs on a Saturday, or does it?",
        "which of my agents run on Sundays?",
    ],
)
def test_days_behind_a_question_which_agents_run_on_others_ask_the_same(question: str) -> None:
    talk = talk_of_two()

    first = talk.classify_and_answer(question).text
    assert "stock-daily" in first
    assert "returns" not in first
    further = talk.classify_and_answer("what about Tuesdays?").text
    assert "stock-daily" in further
    assert "returns" in further


def test_a_day_behind_a_question_about_one_agent_is_of_that_one() -> None:
    talk = talk_of_two()
    talk.classify_and_answer("when does returns run?")
    assert "stock-daily" not in talk.classify_and_answer("what about Fridays?").text
