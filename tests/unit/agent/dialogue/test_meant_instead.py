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


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("show bus-delays", "bell-test: what bell is about from Deputy"),
        ("when does bus-delays run?", "bell-test: what bell is about from Deputy"),
        ("run bus-delays", "Started bell-test."),
        ("what did bus-delays find?", "bell-test hasn't run yet."),
        ("send bus-delays to bo@b.co", "What should change about bell-test"),
        ("hello", "bell-test: what bell is about from Deputy"),
    ],
)
@pytest.mark.parametrize("meant", ["i meant bell-test", "no sorry, i meant bell-test"])
def test_the_agent_that_was_meant_is_asked_the_same_and_never_paused(
    before: str, said: str, meant: str
) -> None:
    talk = talk_with_two()
    talk.classify_and_answer(before)

    assert talk.classify_and_answer(meant).text.startswith(said)
    assert all(agent.status == "active" for agent in talk.agents())


def test_the_agent_that_was_not_meant_goes_on() -> None:
    talk = talk_with_two()
    for message in ("pause bus-delays", "i meant bell-test"):
        talk.classify_and_answer(message)

    assert {agent.name: agent.status.value for agent in talk.agents()} == {
        "bus-delays": "active", "bell-test": "paused",
    }  # fmt: skip
