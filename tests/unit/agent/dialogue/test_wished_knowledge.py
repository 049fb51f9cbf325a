"""What people who don't know what to ask for wish to be told is what their agent reports."""

from __future__ import annotations

import pytest

from intent.acts.wished_knowledge import wished_knowledge
from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    ("message", "wished"),
    [
        ("I don't even know if you do this, but it'd be great if I got told ahead who's starting this week",
         "who's starting this week"),
        ("It would help if somebody told me beforehand which parts are low", "which parts are low"),
        ("I keep missing renewals. I wish I knew which contracts end next month",
         "which contracts end next month"),
        ("if only I got told who cancelled", "who cancelled"),
        ("I'd love to know how many tickets are open", "how many tickets are open"),
        ("I don't know who to ask", ""),
        ("I wish I knew what to ask for", ""),
        ("could you tell me what you can do?", ""),
        ("nobody told me which parts are low", ""),
    ],
)  # fmt: skip
def test_a_wish_to_be_told_names_what(message: str, wished: str) -> None:
    assert wished_knowledge([message]) == wished


def test_the_wish_is_the_job_and_the_trouble_before_it_is_not() -> None:
    talk = Talk()
    told = (
        "I'm not sure what I need. We have so many people starting and last week somebody had no laptop."
        " It would be a blessing if I got told ahead of time who's starting in the week"
    )
    assert "“who's starting in the week”" in talk.classify_and_answer(told).text
    talk.classify_and_answer("every Monday at 8:30. our people are in BambooHR. mail it to people@oak.com")
    [agent] = talk.agents()
    assert (agent.what, agent.sources) == ("who's starting in the week", ("bamboohr",))
