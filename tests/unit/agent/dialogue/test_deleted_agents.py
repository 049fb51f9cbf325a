"""Questions whether an agent that was deleted is gone."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def talk_without(name: str) -> Talk:
    talk = Talk()
    for one in ("test-one", "test-two"):
        talk.create(one, "pages without an owner", sources=["notion"])
    for message in (f"delete {name}", "yes"):
        talk.classify_and_answer(message)
    return talk


@pytest.mark.parametrize(
    "message",
    ["and test-one is really gone?", "is test-one deleted?", "so test-one is deleted now?",
     "test-one is gone, right?", "has test-one been removed?"],
)  # fmt: skip
def test_a_deleted_agent_is_said_to_be_gone(message: str) -> None:
    reply = talk_without("test-one").classify_and_answer(message).text
    assert reply.startswith("Yes, test-one is deleted.")


@pytest.mark.parametrize("message", ["does test-one still exist?", "is test-one still there?"])
def test_a_deleted_agent_is_said_not_to_exist(message: str) -> None:
    reply = talk_without("test-one").classify_and_answer(message).text
    assert reply.startswith("No, test-one is deleted.")


@pytest.mark.parametrize("message", ["is test-two gone?", "does test-two still exist?"])
def test_an_agent_that_is_there_is_not_said_to_be_deleted(message: str) -> None:
    reply = talk_without("test-one").classify_and_answer(message).text
    assert "test-two is deleted" not in reply


@pytest.mark.parametrize("message", ["can I get the deleted test-one back?", "could you restore test-one?"])
def test_a_request_to_restore_is_no_question(message: str) -> None:
    talk = talk_without("test-one")
    talk.classify_and_answer(message)
    assert [agent.name for agent in talk.agents()] == ["test-one", "test-two"]
