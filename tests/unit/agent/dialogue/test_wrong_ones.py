"""Deeds that were meant for another agent, and changes that somebody wants taken back in other words."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk


def talk_with_stale() -> Talk:
    talk = Talk()
    for name in ("stale-leads", "stale-quotes"):
        talk.create(name, name.replace("-", " "))
    return talk


def names(talk: Talk) -> set[str]:
    return {agent.name for agent in talk.agents()}


@pytest.mark.parametrize(
    "message",
    [
        "crap. wrong one. can you get stale-leads back?? its stale-quotes that has to go",
        "oh no, wrong one. bring back stale-leads, it's stale-quotes that should go",
        "I need stale-leads back. stale-quotes is the one to delete",
        "stale-leads back please, stale-quotes was the one I wanted gone",
    ],
)
def test_one_agent_comes_back_and_the_other_is_asked_about(message: str) -> None:
    talk = talk_with_stale()
    talk.classify_and_answer("delete stale-leads")
    talk.classify_and_answer("yes")
    reply = talk.classify_and_answer(message).text
    assert "stale-leads is back" in reply
    assert "Shall I delete stale-quotes?" in reply
    talk.classify_and_answer("yes")
    assert names(talk) == {"stale-leads"}


@pytest.mark.parametrize(
    "message", ["it's stale-quotes that needs pausing", "stale-quotes is the one that should be paused"]
)
def test_the_agent_that_a_sentence_says_a_deed_is_for_gets_it(message: str) -> None:
    talk = talk_with_stale()
    talk.classify_and_answer(message)
    assert [one.name for one in talk.agents() if one.status.value == "paused"] == ["stale-quotes"]


@pytest.mark.parametrize(
    "message",
    ["it was stale-quotes that I deleted a year ago", "is stale-quotes the one to delete?",
     "stale-quotes is the one Jo likes best"],
)  # fmt: skip
def test_what_is_only_told_or_asked_of_an_agent_deletes_none(message: str) -> None:
    talk = talk_with_stale()
    assert "Shall I delete" not in talk.classify_and_answer(message).text
    assert len(names(talk)) == 2


@pytest.mark.parametrize(
    ("message", "cron"),
    [
        (
            "ah non, I look my calendar and it was only for this week!! Put it please like it was before",
            "0 9",
        ),
        ("it was only for this week. make it like before again", "0 9"),
        ("that was just for today, set it back to how it was", "0 9"),
        ("can we have it the way it was?", "0 9"),
        ("leave it as it is now", "0 7"),
        ("was it like that before?", "0 7"),
    ],
)
def test_what_is_wanted_as_before_is_undone(message: str, cron: str) -> None:
    talk = Talk()
    schedule = Schedule(cron="0 9 * * *", time_zone="UTC", text="as now")
    talk.create("social-digest", "posts of the week", schedule=schedule)
    talk.classify_and_answer("social-digest can arrive at 7h in place of 9h")
    talk.classify_and_answer(message)
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == f"{cron} * * *"


@pytest.mark.parametrize(
    ("message", "shared"),
    [
        ("can the rest of the team get access to stale-leads? only that one mind you", {"stale-leads"}),
        ("could my colleagues have access to stale-leads please", {"stale-leads"}),
        ("can the others get to see stale-leads?", {"stale-leads"}),
        ("can my team have access to stale-leads as well? not stale-quotes though", {"stale-leads"}),
        ("share only stale-leads, stale-quotes has everyone's pay in it", {"stale-leads"}),
        ("can everyone in the office see stale-leads?", set()),
        ("does the rest of the team have access to stale-leads?", set()),
        ("who has access to stale-leads?", set()),
    ],
)
def test_access_that_others_are_to_get_is_given_and_no_other(message: str, shared: set[str]) -> None:
    talk = talk_with_stale()
    talk.classify_and_answer(message)
    assert {one.name for one in talk.agents() if one.shared} == shared
