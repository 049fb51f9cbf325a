"""What is kept of the messages between a model and its tools."""

from __future__ import annotations

from conversation.messages.size_limits import (
    MAX_TOOL_MESSAGES_BYTES,
    ToolMessage,
    tool_messages_from_text,
    tool_messages_to_text,
)


def test_messages_come_back_as_they_were() -> None:
    messages: tuple[ToolMessage, ...] = (
        {"role": "assistant", "tool_calls": [{"id": "1"}]},
        {"role": "tool", "content": "größer"},
    )

    text = tool_messages_to_text(messages)

    assert text is not None
    assert tool_messages_from_text(text) == messages
    assert tool_messages_to_text(()) is None


def test_long_contents_are_cut_and_marked_so_that_all_fit() -> None:
    messages = [{"role": "tool", "tool_call_id": str(place), "content": "ü" * 20_000} for place in range(4)]

    text = tool_messages_to_text(messages)

    assert text is not None
    assert len(text.encode()) <= MAX_TOOL_MESSAGES_BYTES
    kept = tool_messages_from_text(text)
    assert [message["tool_call_id"] for message in kept] == ["0", "1", "2", "3"]
    assert all(message["truncated"] is True for message in kept)


def test_what_can_not_be_cut_is_left_out_from_the_end() -> None:
    huge: ToolMessage = {"role": "assistant", "tool_calls": [{"arguments": "x" * MAX_TOOL_MESSAGES_BYTES}]}

    assert (
        tool_messages_to_text([{"role": "tool", "content": "first"}, huge])
        == '[{"role":"tool","content":"first"}]'
    )
