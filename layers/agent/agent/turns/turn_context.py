"""The context of a turn, its receipt in the reply's metadata, and when the summary needs an update. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from conversation.context.context_snapshot import RECEIPT_KEY, is_default, receipt_of, receipt_to_json
from conversation.context.window import MIN_MESSAGES, Context, ContextLimits, build_context
from conversation.messages.history import Window
from conversation.messages.summaries import Summary, active_segments_text
from conversation.token_counts import estimate_tokens
from conversation.turns.lease import HeldLease


def context_for(window: Window, led: HeldLease, limits: ContextLimits) -> Context:
    """Return the context of the message in front. A summary of messages that are no longer active is left
    out.
    """
    return build_context(
        window.messages,
        budget_tokens=limits.budget_tokens,
        max_messages=limits.max_messages,
        window_tokens=limits.window_tokens,
        summary=_usable_summary(window, led),
        request_text=led.entry.content,
    )


def _usable_summary(window: Window, led: HeldLease) -> Summary | None:
    """Return the summary if it covers the messages that precede the one in front; else None."""
    summary = window.summary
    is_of_them = summary is not None and summary.path == active_segments_text(led.path, summary.last)
    return summary if is_of_them else None


def receipt_metadata(context: Context, limits: ContextLimits) -> Mapping[str, JsonValue]:
    """Return the context's receipt as reply metadata; empty when limits and receipt are the defaults."""
    receipt = receipt_of(context)
    if limits == ContextLimits() and is_default(receipt):
        return {}
    return {RECEIPT_KEY: receipt_to_json(receipt)}


def needs_summary(window: Window, led: HeldLease, answer: str, limits: ContextLimits) -> bool:
    """Whether, after one more exchange as long as this one, a message would fit neither in the context in
    full nor in the summary.
    """
    summary = _usable_summary(window, led)
    covered, told_tokens = (summary.last, summary.tokens) if summary else (0, 0)
    untold = [message for message in window.messages if message.sequence > covered]
    if len(untold) + 2 <= MIN_MESSAGES:
        return False
    exchange = estimate_tokens(led.entry.content) + estimate_tokens(answer)
    tokens = sum(message.tokens for message in untold) + 2 * exchange
    # In the next turn the summary takes the place of one message.
    return len(untold) + 4 > limits.max_messages - 1 or tokens > limits.budget_tokens - told_tokens
