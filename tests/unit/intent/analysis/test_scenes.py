"""The scene of a message is made of what the conversation's replies left."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import JsonValue

from conversation.messages.models import Message, Role
from intent.analysis.scenes import scene_of
from intent.situation import Situation

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def reply(**metadata: JsonValue) -> Message:
    return Message(
        id="m",
        conversation_id="c",
        sequence=2,
        role=Role.ASSISTANT,
        content="64",
        created_at=NOW,
        turn_id="t",
        tokens=1,
        metadata=metadata,
    )


def test_it_knows_the_acts_of_the_message_before() -> None:
    acts: JsonValue = [{"kind": "sum", "text": "8 times 8"}, {"kind": "task.add", "text": "buy milk"}]
    earlier, newest = reply(decision={"acts": [{"kind": "undo"}]}), reply(decision={"acts": acts})

    scene = scene_of(Situation("and twice that?", NOW, history=(earlier, newest)))

    assert scene.last == ("sum", "task.add")


@pytest.mark.parametrize("decision", [None, "sum", {}, {"acts": "sum"}, {"acts": ["sum", {"kind": 1}]}])
def test_what_an_import_says_in_another_form_counts_as_absent(decision: JsonValue) -> None:
    assert scene_of(Situation("and twice that?", NOW, history=(reply(decision=decision),))).last == ()
