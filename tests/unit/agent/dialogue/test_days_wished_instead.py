"""Changes that tell why the present day does not suit, and then which one to take instead."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk


def talk_of(cron: str) -> Talk:
    talk = Talk()
    schedule = Schedule(cron=cron, time_zone="UTC", text="as now")
    talk.create("accruals", "open accruals", sources=["netsuite"], schedule=schedule)
    talk.classify_and_answer("show accruals")
    return talk


@pytest.mark.parametrize(
    "say",
    [
        "My apologies, the ledger is not closed until the 5th. The 3rd is too early, kindly use the 5th.",
        "The 3rd is too early, kindly take the 5th.",
        "The 3rd is too early. use the 5th.",
        "the 3rd is too early, the 5th please",
        "the ledger is not closed until the 5th. Use the 5th.",
        "on the 3rd the books are still open, so take the 5th",
        "use the 5th",
    ],
)
def test_the_day_that_is_taken_instead_is_the_new_one_and_nothing_else_changes(say: str) -> None:
    talk = talk_of("15 8 3 * *")
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert (agent.schedule.cron, agent.sources) == ("15 8 5 * *", ("netsuite",))


@pytest.mark.parametrize(
    ("say", "cron"),
    [
        ("the till isn't closed until noon. 8 is too early, please use 1pm", "0 13 * * 1"),
        ("the sheet isn't filled in before 9. So please use 9:30.", "30 9 * * 1"),
        ("Monday is too early, kindly use Tuesday.", "0 8 * * 2"),
        ("our boiler man comes on the 5th. Use the back door", "0 8 * * 1"),
    ],
)
def test_what_is_told_of_the_reason_is_no_time(say: str, cron: str) -> None:
    talk = talk_of("0 8 * * 1")
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == cron


@pytest.mark.parametrize(
    ("say", "source"),
    [
        ("please use the ledger instead of netsuite", "ledger"),
        ("read it from Xero instead of netsuite", "xero"),
        ("it should read Stripe in place of netsuite", "stripe"),
        ("use SharePoint instead", "sharepoint"),
        ("please use netsuite rather than the ledger", "netsuite"),
    ],
)
def test_the_source_before_instead_of_is_the_wanted_one(say: str, source: str) -> None:
    talk = talk_of("0 8 * * 1")
    talk.classify_and_answer(say)
    assert [agent.sources for agent in talk.agents()] == [(source,)]
