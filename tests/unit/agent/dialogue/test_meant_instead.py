"""What a deed that was taken back was meant for: it is done to that one, with the usual question."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def talk_with_two() -> Talk:
    talk = Talk()
    for name in ("bus-delays", "bell-test"):
        talk.create(name, f"what {name.partition('-')[0]} is about", sources=["deputy"])
    return talk


@pytest.mark.parametrize(
    "meant",
    [
        "it was bell-test i wanted to delete",
        "i meant bell-test",
        "bell-test is the one i wanted gone",
        "it should have been bell-test",
        "it's bell-test that should go",
        "sorry, bell-test was supposed to be deleted",
    ],
)
def test_after_a_deletion_was_undone_the_one_meant_is_asked_about(meant: str) -> None:
    talk = talk_with_two()
    for message in ("get rid of bus-delays", "yes", "oops wrong one!! bring it back please"):
        talk.classify_and_answer(message)

    said = talk.classify_and_answer(meant)

    assert said.text == "Shall I delete bell-test?"
    talk.classify_and_answer("yes")
    assert [agent.name for agent in talk.agents()] == ["bus-delays"]


def test_after_a_pause_was_undone_the_one_meant_is_paused() -> None:
    talk = talk_with_two()
    for message in ("pause bus-delays", "undo that", "i meant bell-test"):
        talk.classify_and_answer(message)

    assert {agent.name: agent.status.value for agent in talk.agents()} == {
        "bus-delays": "active", "bell-test": "paused",
    }  # fmt: skip


def test_without_an_undo_it_is_a_remark() -> None:
    talk = talk_with_two()

    said = talk.classify_and_answer("it was bell-test i wanted to delete last week but i forgot")

    assert not said.effects
