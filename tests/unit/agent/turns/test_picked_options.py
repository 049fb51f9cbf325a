"""A message that repeats the words of an offered option picks it, as its number would."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.turns.reply_accumulator import words_or_pick
from conversation.messages.models import Choice, Message, Note, Role

OPTIONS = (
    "Run invoice-watch anyway: it reads revenue, not churn",
    "Create a new agent: for churn data",
    "Delete it",
    "Delete it",
)


def offering(*options: str) -> Message:
    note = Note(choices=tuple(Choice(label=option, action="execute_task") for option in options))
    return Message(
        id="1-b",
        conversation_id="c",
        sequence=2,
        tokens=4,
        role=Role.ASSISTANT,
        content="Which one?",
        created_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
        turn_id="c.1",
        note=note,
    )


@pytest.mark.parametrize(
    ("said", "understood"),
    [
        ("Create a new agent", "2"),
        (OPTIONS[0], "1"),
        (" Create a new agent ", "2"),
        ("Delete it", "Delete it"),
        ("create another agent", "create another agent"),
        ("2", "2"),
        ("", ""),
    ],
)
def test_the_words_of_an_option_pick_it(said: str, understood: str) -> None:
    assert words_or_pick(said, (offering(*OPTIONS),)) == understood


def test_words_pick_nothing_where_nothing_is_offered() -> None:
    assert words_or_pick("Create a new agent", ()) == "Create a new agent"
    assert words_or_pick("Create a new agent", (offering(*OPTIONS), offering())) == "Create a new agent"
