"""A wish about the time in a sentence of its own belongs to the request before it."""

from __future__ import annotations

import pytest

from intent.acts.time_wishes import with_time_wishes
from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    ("say", "hour"),
    [
        ("Remind me on Thursday about the fire drill letters. Before lunch would be good", 12),
        ("Remind me on Thursday about the fire drill letters. Preferably in the morning.", 9),
        ("Remind me on Thursday about the fire drill letters, ideally before noon", 12),
        ("Remind me on Thursday about the fire drill letters - 10 am is best", 10),
        ("Add the fire drill letters to my list for Thursday. Around 4 pm would be great!", 16),
        ("Remind me on Thursday about the fire drill letters. At 3 pm is fine", 15),
    ],
)
def test_the_task_gets_the_time(say: str, hour: int) -> None:
    talk = Talk()
    talk.classify_and_answer(say)
    [task] = talk.tasks.list(talk.caller, completed=None, limit=9)[0]
    assert task.title == "the fire drill letters"
    assert task.due_at is not None
    assert task.due_at.hour == hour


@pytest.mark.parametrize(
    "say",
    [
        "Before lunch would be good",
        "Remind me to call Ann at 3 tomorrow. She prefers the mobile number",
        "Thanks, that was good. Monday is fine",
        "Add buy stamps. The best ones come in rolls of 10",
    ],
)
def test_other_sentences_stay(say: str) -> None:
    assert with_time_wishes(say) == say
