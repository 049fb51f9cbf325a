"""How an agent is to work from now on, in any form: it is kept as its instruction."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk


def _talk() -> Talk:
    talk = Talk()
    daily = Schedule(cron="0 7 * * *", time_zone="UTC", text="Daily at 7:00 AM")
    talk.create("berth-list", "boats that arrive", schedule=daily)
    talk.create("rota", "shifts")
    return talk


def _instructions(talk: Talk) -> str:
    return next(agent for agent in talk.agents() if agent.name == "berth-list").instructions


@pytest.mark.parametrize(
    "say",
    [
        "restrict berth-list to the north harbour",
        "Since Ole does the yachts now, restict berth-list to the ferries",
        "can you narrow berth-list down to the ferries?",
        "berth-list should ignore canoes",
        "could berth-list also mention who steers them?",
        "it'd help if berth-list also listed the length of each boat",
        "please leave out the canoes in berth-list",
        "in berth-list I only care about boats above 12 metres",
        "I'd like berth-list sorted by length",
        "berth-list is too long, the top 5 will do",
        "I don't need the canoes in berth-list any more",
    ],
)
def test_what_an_agent_is_told_of_its_work_is_kept(say: str) -> None:
    talk = _talk()
    reply = talk.classify_and_answer(say)

    assert _instructions(talk)
    assert say.endswith(_instructions(talk))
    assert "berth-list now follows" in reply.text


@pytest.mark.parametrize(
    "say",
    [
        "can berth-list list names?",
        "what can berth-list show?",
        "add a task to list the canoes in berth-list",
        "limit berth-list to weekdays",
        "just run berth-list",
        "berth-list: only on Mondays",
    ],
)
def test_what_asks_or_says_something_else_is_no_instruction(say: str) -> None:
    talk = _talk()
    talk.classify_and_answer(say)

    assert not _instructions(talk)


def test_what_an_agent_is_like_is_shown_and_no_instruction() -> None:
    talk = Talk()
    before = talk.create("stock-levels", "stock levels", sources=["shopify"])
    said = talk.classify_and_answer("Please show the details of stock-levels.")

    assert said.text.startswith("stock-levels: stock levels")
    assert talk.agents() == [before]
