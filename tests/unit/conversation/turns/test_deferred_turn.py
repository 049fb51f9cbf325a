from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from conversation.identity import (
    NEW_ID_VALID_FOR,
    Caller,
    TurnId,
    conversation_id_for_key,
    is_id,
    is_own_new_id,
    new_conversation_id,
    new_id,
)
from conversation.turns.deferred_turn import MAX_TEXT_BYTES, DeferredTurn
from storage.keys import TenantId

NOW = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
MAYA = Caller(TenantId("acme"), "maya")
OTHERS = (Caller(TenantId("acme"), "zoe"), Caller(TenantId("acme-eu"), "maya"))


def turn(reply: str = "5! = 120", *, told_by_tools: str = "") -> DeferredTurn:
    tool_messages = ({"role": "tool", "content": told_by_tools},) if told_by_tools else ()
    return DeferredTurn(
        turn_id=str(TurnId.make(new_id(), NOW)),
        user="maya",
        owner="a1b2c3d4",
        content="Was ist 5! \u0007 日本 🙂 \ufffe",
        received_at=NOW,
        reply=reply,
        reply_metadata={"tool_calls": []},
        answered_at=NOW + timedelta(seconds=1),
        tool_messages=tool_messages,
    )


def parsed(text: str | None) -> DeferredTurn:
    assert text is not None
    assert len(text) <= MAX_TEXT_BYTES
    assert text.isascii()
    assert text.isprintable()
    return DeferredTurn.from_json(json.loads(text))


def test_a_turn_comes_out_of_a_queue_as_it_went_in() -> None:
    written = turn(told_by_tools="120")
    assert parsed(written.to_queue_body()) == written


def test_of_a_long_turn_what_tools_said_is_left_out_before_the_answer_is_cut() -> None:
    read = parsed(turn("an answer " * 10_000, told_by_tools="x" * 200_000).to_queue_body())
    assert (read.tool_messages, read.reply) == ((), "an answer " * 10_000)


@pytest.mark.parametrize("letter", ["x", "日", "🙂", '"'])
def test_a_very_long_answer_is_cut_and_marked(letter: str) -> None:
    read = parsed(turn(letter * 300_000).to_queue_body())
    assert 0 < len(read.reply) < 300_000
    assert set(read.reply) == {letter}
    assert read.reply_metadata["truncated"] is True


def test_what_can_not_be_cut_short_enough_is_not_queued() -> None:
    assert turn().model_copy(update={"content": "x" * MAX_TEXT_BYTES}).to_queue_body() is None


def test_what_names_no_turn_is_refused() -> None:
    with pytest.raises(ValueError, match="names no turn"):
        DeferredTurn.from_json({**turn().model_dump(), "turn_id": "x"})


@pytest.mark.parametrize(
    "made", [new_conversation_id(MAYA, NOW), conversation_id_for_key(MAYA, "key")], ids=["begun", "keyed"]
)
def test_only_the_user_it_was_made_for_may_begin_a_conversation(made: str) -> None:
    assert is_id(made)
    assert is_own_new_id(made, MAYA, NOW)
    assert not any(is_own_new_id(made, other, NOW) for other in OTHERS)
    assert not is_own_new_id(made.upper(), MAYA, NOW)


def test_nobody_begins_a_conversation_of_an_id_that_is_old_or_was_made_otherwise() -> None:
    made = new_conversation_id(MAYA, NOW)
    assert is_own_new_id(made, MAYA, NOW + NEW_ID_VALID_FOR)
    assert not is_own_new_id(made, MAYA, NOW + NEW_ID_VALID_FOR + timedelta(seconds=1))
    assert not any(is_own_new_id(new_id(), MAYA, NOW) for _ in range(100))
    assert not is_own_new_id("x", MAYA, NOW)


def test_a_key_names_one_conversation_and_no_key_a_new_one_each_time() -> None:
    assert (
        conversation_id_for_key(MAYA, "key")
        == conversation_id_for_key(MAYA, "key")
        != conversation_id_for_key(MAYA, "other")
    )
    assert new_conversation_id(MAYA, NOW) != new_conversation_id(MAYA, NOW)
