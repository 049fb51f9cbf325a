"""The writers' operations, drawn from a seed. Pure."""

from __future__ import annotations

from random import Random

from tests.history.records import Operation

BEGINS_ANEW = 0.1
"""The share of keyed messages that start a new conversation."""

Plan = tuple[Operation, ...]


def plans(
    draw: Random, *, writers: int, messages: int, conversations: int, message: str, keyed: float = 0.9
) -> tuple[Plan, ...]:
    """Return each writer's operations in order; all writers share the conversations.

    ``message`` is a text with a placeholder for the operation's ``{name}``. ``keyed`` is the share sent with
    an Idempotency-Key.
    """
    return tuple(
        tuple(
            _operation(draw, f"op-{writer:02}-{place:03}", conversations, keyed, message)
            for place in range(messages)
        )
        for writer in range(writers)
    )


def conversation_names(conversations: int) -> list[str]:
    """Return the names of the shared conversations."""
    return [f"conversation {number}" for number in range(conversations)]


def _operation(draw: Random, name: str, conversations: int, keyed: float, message: str) -> Operation:
    key = f"key of {name}" if draw.random() < keyed else None
    begins = key is not None and draw.random() < BEGINS_ANEW
    conversation = None if begins else draw.choice(conversation_names(conversations))
    return Operation(name, message.format(name=name), conversation, key)
