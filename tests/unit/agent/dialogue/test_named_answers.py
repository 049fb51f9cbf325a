"""A yes that says the name of what was asked about, of another thing, or of one more."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

ASKED, OTHER = "volunteer-signups", "ticket-sales"


def asked_to_delete() -> Talk:
    talk = Talk()
    for name in (ASKED, OTHER):
        talk.create(name, f"new {name.partition('-')[0]}s", sources=["airtable"])
    assert talk.classify_and_answer(f"delete {ASKED}").text == f"Shall I delete {ASKED}?"
    return talk


@pytest.mark.parametrize(
    "answer",
    [
        "yes, volunteer-signups", "yes, the volunteer-signups agent", "Yes. volunteer-signups.",
        "yes volunteer-signups", "yeah, just volunteer-signups", "yes, that one", "yes the signups one",
        "yep volunteer-signups please", "sure, only volunteer-signups", "ok, that one",
    ],
)  # fmt: skip
def test_a_yes_with_the_name_asked_about_is_a_yes(answer: str) -> None:
    talk = asked_to_delete()
    reply = talk.classify_and_answer(answer)
    assert reply.text.startswith(f"Deleted: {ASKED}.")
    assert [agent.name for agent in talk.agents()] == [OTHER]


@pytest.mark.parametrize("answer", ["yes, ticket-sales", "yes, the ticket-sales one", "ok, ticket-sales"])
def test_a_yes_with_another_name_deletes_nothing_and_asks_about_that(answer: str) -> None:
    talk = asked_to_delete()
    assert talk.classify_and_answer(answer).text == f"Shall I delete {OTHER}?"
    assert len(talk.agents()) == 2


@pytest.mark.parametrize("answer", ["yes, and ticket-sales", "yes, ticket-sales too"])
def test_a_yes_with_one_more_name_asks_about_the_other(answer: str) -> None:
    talk = asked_to_delete()
    reply = talk.classify_and_answer(answer).text
    assert reply.startswith(f"Deleted: {ASKED}.")
    assert f"Shall I delete {OTHER}?" in reply
    assert [agent.name for agent in talk.agents()] == [OTHER]


@pytest.mark.parametrize("answer", ["yes, but what does volunteer-signups do?", "sure, when did it run?"])
def test_a_question_beside_a_yes_still_waits(answer: str) -> None:
    talk = asked_to_delete()
    talk.classify_and_answer(answer)
    assert len(talk.agents()) == 2


@pytest.mark.parametrize(
    "answer",
    ["shift-check", "yes, but make it shift-check", "no, call it shift-check", "ok then, use shift-check"],
)
def test_the_other_name_that_is_asked_for_is_taken(answer: str) -> None:
    talk = Talk()
    for name in ("rota-check", "press-clips"):
        talk.create(name)
    assert "What other name" in talk.classify_and_answer("rename rota-check to press-clips").text
    talk.classify_and_answer(answer)
    assert {agent.name for agent in talk.agents()} == {"shift-check", "press-clips"}


@pytest.mark.parametrize(
    "answer", ["no, never mind, mark call Tom as done", "not now, sorry, tick call Tom off"]
)
def test_who_declines_in_several_breaths_gives_no_list_of_tasks(answer: str) -> None:
    talk = Talk()
    for message in ("add a task to call Tom", "add a task"):
        talk.classify_and_answer(message)
    assert "Done: “call Tom”" in talk.classify_and_answer(answer).text
