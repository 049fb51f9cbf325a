"""Deeds that their own sentence takes back, places of an agent that are dropped, and times elsewhere."""

from __future__ import annotations

import pytest

from agent.workspace.delivery_targets import Channel
from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    "message",
    [
        "the dentist, i think that's done.. no wait, that was ella's appointment not mine. leave that one",
        "tick off the dentist. no, wait, leave it open",
    ],
)
def test_a_deed_that_is_taken_back_is_not_done(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add a task: see the dentist")

    said = talk.classify_and_answer(message)

    assert not said.effects
    assert len(talk.tasks.list(talk.caller, completed=False, limit=5)[0]) == 1


def test_a_service_is_not_disconnected_where_an_agent_that_does_not_use_it_was_shown() -> None:
    talk = Talk()
    talk.create("digest", "news", delivery={"channels": ("email",)})
    talk.classify_and_answer("show digest")

    assert "isn't connected" in talk.classify_and_answer("remove slack").text
    assert talk.agents()[0].delivery.channels == (Channel.EMAIL,)


@pytest.mark.parametrize(
    ("more", "place"),
    [("and in London?", "In London it is 9:00 AM"), ("Berlin time please", "In Berlin it is 10:00")],
)
def test_the_time_elsewhere_is_told_after_the_time(more: str, place: str) -> None:
    talk = Talk()
    talk.classify_and_answer("what time is it in Tokyo?")

    assert talk.classify_and_answer(more).text.startswith(place)


def test_a_place_alone_asks_for_no_time() -> None:
    assert "In Berlin it is" not in Talk().classify_and_answer("Berlin time please").text
