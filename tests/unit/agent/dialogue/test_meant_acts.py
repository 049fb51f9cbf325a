"""What a message means in its conversation, where that is not what its words alone say."""

from __future__ import annotations

import pytest

from intent.acts.act import ActKind
from tests.fakes.data.chat_session import Talk

LINK = "https://hooks.slack.com/sealed/" + "5f" * 16


@pytest.mark.parametrize("message", ["List my agents", "???", "Add a task to call Anna", "Thank you"])
def test_nothing_is_told_of_a_message_that_means_what_it_says(message: str) -> None:
    assert Talk().classify_and_answer(message).meant is None


@pytest.mark.parametrize("message", [LINK, f"here is the link: {LINK}"])
def test_a_link_to_post_to_means_a_change_of_the_agent_that_lacks_it(message: str) -> None:
    talk = Talk()
    talk.create("notion-bot", "late pages", sources=("notion",), delivery={"channels": ["slack"]})
    [act] = talk.classify_and_answer(message).meant or ()
    assert act.kind is ActKind.CHANGE_AGENT
    assert [thing.name for thing in act.meant.things] == ["notion-bot"]
