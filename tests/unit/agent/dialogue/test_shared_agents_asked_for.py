"""Questions which agents the others see, and whether something is deleted, are answered by what there is."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

_DAILY = {"cron": "0 7 * * *", "time_zone": "UTC"}
_QUESTIONS = (
    "what have I shared?", "which agents are shared?", "what is shared?", "what of mine is shared now?",
    "is anything of mine shared?",
)  # fmt: skip


def with_agents(*, is_shared: bool) -> Talk:
    talk = Talk()
    talk.create("late-parcels", "parcels that are late", sources=["dhl"], schedule=_DAILY, shared=is_shared)
    talk.create("low-stock", "articles to order", sources=["shopify"], schedule=_DAILY)
    return talk


@pytest.mark.parametrize("question", _QUESTIONS)
def test_the_shared_agents_are_listed(question: str) -> None:
    said = with_agents(is_shared=True).classify_and_answer(question).text
    assert said == "late-parcels runs daily at 7:00 AM and reports here, shared with your workspace."


@pytest.mark.parametrize("question", _QUESTIONS)
def test_none_is_listed_where_none_is_shared(question: str) -> None:
    said = with_agents(is_shared=False).classify_and_answer(question).text
    assert said.startswith("None of your agents is shared.")


def test_those_that_are_not_shared_are_listed() -> None:
    said = with_agents(is_shared=True).classify_and_answer("which of my agents are not shared?").text
    assert said == "low-stock runs daily at 7:00 AM and reports here."


@pytest.mark.parametrize(
    "question", ["how do I share an agent?", "can I share a task?", "what happens when an agent is shared?"]
)
def test_a_question_about_sharing_lists_nothing(question: str) -> None:
    assert "late-parcels" not in with_agents(is_shared=True).classify_and_answer(question).text


def test_what_was_just_deleted_is_gone() -> None:
    talk = with_agents(is_shared=False)
    talk.classify_and_answer("delete low-stock")
    talk.classify_and_answer("yes")
    assert talk.classify_and_answer("is it gone?").text.startswith("Yes, I deleted low-stock.")


def test_what_was_just_paused_is_not_gone() -> None:
    talk = with_agents(is_shared=False)
    talk.classify_and_answer("pause low-stock")
    assert "It is paused." in talk.classify_and_answer("is it gone?").text


def test_the_only_agent_is_asked_about_where_both_are_to_go() -> None:
    talk = Talk()
    talk.create("low-stock", "articles to order")
    assert talk.classify_and_answer("delete both").text == "Shall I delete low-stock?"
    assert talk.classify_and_answer("no").effects == ()
    assert talk.classify_and_answer("pause both").text == "Do you mean that I should pause low-stock?"


def test_an_agent_is_shared_once_however_often_it_is_said() -> None:
    talk = with_agents(is_shared=False)
    said = talk.classify_and_answer(
        "I would like that all the team can see low-stock and use it, not only me. Is possible to share it?"
    ).text
    assert said == "low-stock is now shared: everybody in your workspace can see and run it."


def test_whether_others_see_an_agent_is_asked_in_any_order() -> None:
    said = with_agents(is_shared=True).classify_and_answer("And low-stock, this one they see too?").text
    assert said.startswith("No, low-stock is private")
