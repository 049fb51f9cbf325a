"""An event of which somebody says that they must not forget it is a task; others are facts."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def tasks(talk: Talk) -> list[tuple[str, str]]:
    found, _ = talk.tasks.list(talk.caller, limit=9)
    return [(one.title.lower(), one.due_date.isoformat() if one.due_date else "") for one in found]


@pytest.mark.parametrize(
    ("message", "title", "day"),
    [
        ("By the way, the fire drill is on the 15th, that I must in no case forget. You write it up for me?",
         "the fire drill", "2026-02-15"),
        ("the fire drill is on the 15th, I mustn't forget that", "the fire drill", "2026-02-15"),
        ("our inspection is on the 20th, which I must not miss", "our inspection", "2026-02-20"),
        ("The vet appointment is on Friday, I can't forget that.", "the vet appointment", "2026-02-06"),
        ("the tax return is due on the 15th and I must not forget it.", "the tax return", "2026-02-15"),
    ],
)  # fmt: skip
def test_an_event_not_to_forget_is_a_task(message: str, title: str, day: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)
    assert tasks(talk) == [(title, day)]


@pytest.mark.parametrize(
    "message",
    [
        "the fire drill is on the 15th",
        "The password is hunter2, I must not forget that",
        "The vet appointment is on Friday. Can you write it down for me?",
        "Mum's birthday is on March 3. I always forget it. Will you keep it for me?",
    ],
)
def test_what_is_only_told_is_noted(message: str) -> None:
    talk = Talk()
    reply = talk.classify_and_answer(message).text
    assert not tasks(talk)
    assert reply.startswith("Noted")
