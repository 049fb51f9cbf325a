"""Which messages a model gets to see: pure functions over stored token counts.

Source: seed 001 (capability 3, "Context filtering") and seed 000 (component 5): the last 20 messages within
2,000 tokens, the last three exchanges always.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conversation.models import Message

DEFAULT_BUDGET_TOKENS = 2_000
DEFAULT_MAX_MESSAGES = 20
ALWAYS_KEPT = 6
"""Three exchanges."""

MARK = " […shortened…] "
_MARK_TOKENS = 8


@dataclass(frozen=True, slots=True)
class Context:
    """What goes along, oldest first, and what did not.

    ``dropped`` counts messages that were offered but left out, ``shortened`` those cut head and tail.
    """

    messages: tuple[Message, ...]
    tokens: int
    dropped: int = 0
    shortened: int = 0


def assemble(
    messages: Sequence[Message],
    *,
    budget_tokens: int = DEFAULT_BUDGET_TOKENS,
    max_messages: int = DEFAULT_MAX_MESSAGES,
    window_tokens: int | None = None,
) -> Context:
    """The newest messages that fit.

    Messages come oldest first and stay so. The last six are kept even when they exceed the budget; only when
    they alone exceed the model's window are the longest of them shortened. Older ones are added newest first
    until one does not fit.
    """
    candidates = messages[-max_messages:] if max_messages > 0 else []
    kept = list(candidates[-ALWAYS_KEPT:])
    tokens = sum(message.tokens for message in kept)
    shortened = 0
    if window_tokens is not None and tokens > window_tokens:
        kept, shortened = _shorten(kept, window_tokens)
        tokens = sum(message.tokens for message in kept)
    older: list[Message] = []
    for message in reversed(candidates[: len(candidates) - len(kept)]):
        if tokens + message.tokens > budget_tokens:
            break
        older.append(message)
        tokens += message.tokens
    chosen = (*reversed(older), *kept)
    return Context(chosen, tokens, dropped=len(messages) - len(chosen), shortened=shortened)


def _shorten(messages: Sequence[Message], window_tokens: int) -> tuple[list[Message], int]:
    limit = _level([message.tokens for message in messages], window_tokens)
    cut = [_cut(message, limit) if message.tokens > limit else message for message in messages]
    return cut, sum(message.tokens > limit for message in messages)


def _level(counts: Sequence[int], total: int) -> int:
    """The highest limit such that all counts, cut to it, fit the total: long messages give way, short ones
    stay whole."""
    left = total
    for place, count in enumerate(sorted(counts)):
        share = left // (len(counts) - place)
        if count > share:
            return share
        left -= count
    return max(counts, default=0)


def _cut(message: Message, limit: int) -> Message:
    """Two thirds of the room for the beginning, one third for the end; cut by characters, so by the densest a
    token can be."""
    room = max(0, len(message.content) * max(0, limit - _MARK_TOKENS) // message.tokens)
    tail = room // 3
    text = message.content[: room - tail] + MARK + (message.content[-tail:] if tail else "")
    return message.model_copy(update={"content": text, "tokens": limit})
