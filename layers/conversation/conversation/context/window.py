"""The context window: selects the messages a model gets to see, by their stored token counts. Pure.

The last 20 messages within 2,000 tokens, and always the last three exchanges. Messages from before a change
of topic get less room. The summary covers older messages, within the same budget.

Source: seed 001 (capability 3, "Context filtering") and seed 000 (component 5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from conversation.messages.models import Message
from conversation.messages.summaries import Summary

_MIN_WORDS = 5
"""A message with fewer distinct words refers to what was said before."""

_STEM = 5
_LEANS_ON = frozenset({"that", "this", "these", "those", "them", "they", "same", "again", "instead", "also"})


def _is_topic_change(asked: str, earlier: Sequence[str]) -> bool:
    """Whether a message announces another topic, or neither shares a word with earlier messages nor refers to
    them. ``earlier`` is oldest first.
    """
    if _announced().search(asked):
        return True
    words = set(_words().findall(asked.lower()))
    stems = {word[:_STEM] for word in words}
    if len(stems) < _MIN_WORDS or words & _LEANS_ON:
        return False
    return not any(stems & _stems(text) for text in reversed(earlier))


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _words().findall(text.lower())}


@cache
def _words() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]{4,}")


@cache
def _announced() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:(?:new|different|another|other|separate|unrelated|change of|switch(?:ing)?|change the)"
        r" (?:topic|subject|matter|theme|question|thing)s?"
        r"|something (?:else|(?:completely|totally|entirely|quite) different)"
        r"|on (?:another|a (?:different|separate|unrelated)) note|moving on)\b",
        re.IGNORECASE,
    )


_DEFAULT_BUDGET_TOKENS = 2_000
_DEFAULT_MAX_MESSAGES = 20
MIN_MESSAGES = 6
"""Three exchanges."""
_WINDOW_TOKENS = 8_000
"""The smallest context window of a supported model; the last three exchanges are shortened to fit it."""

MARK = " […shortened…] "
_MARK_TOKENS = 8


@dataclass(frozen=True, slots=True)
class ContextLimits:
    """How much of a conversation a model gets with a message."""

    budget_tokens: int = _DEFAULT_BUDGET_TOKENS
    max_messages: int = _DEFAULT_MAX_MESSAGES
    window_tokens: int = _WINDOW_TOKENS


class Context(NamedTuple):
    """The messages a model gets, oldest first, and how many were left out.

    ``tokens`` counts the messages and the summary, which may have fewer lines than the one passed in.
    ``dropped`` counts messages that were left out, ``shortened`` those cut to their beginning and end.
    """

    messages: tuple[Message, ...]
    tokens: int
    dropped: int = 0
    shortened: int = 0
    summary: Summary | None = None
    new_topic: bool = False
    """Whether older messages got only half of the room because the topic changed."""


def build_context(
    messages: Sequence[Message],
    *,
    budget_tokens: int = _DEFAULT_BUDGET_TOKENS,
    max_messages: int = _DEFAULT_MAX_MESSAGES,
    window_tokens: int | None = None,
    summary: Summary | None = None,
    request_text: str = "",
) -> Context:
    """Build the context from the newest messages that fit, and the summary.

    Deleted and unprocessed messages are left out; the others are passed and returned oldest first. The last
    six are kept even if they exceed the budget; only if they and the summary exceed the model's window are
    the longest of them shortened. The summary gets what they leave of the budget, but at least a quarter of
    it. Older messages are added newest first until one does not fit; they get half of the room when
    ``request_text``, the message to answer, changes the topic.
    """
    messages = [message for message in messages if not (message.deleted or message.unprocessed)]
    candidates = messages[-max_messages:] if max_messages > 0 else []
    kept = list(candidates[-MIN_MESSAGES:])
    tokens, shortened = sum(message.tokens for message in kept), 0
    fitted = _fit_summary(summary, tokens, budget_tokens)
    summary_tokens = fitted.tokens if fitted else 0
    if window_tokens is not None and tokens + summary_tokens > window_tokens:
        kept, shortened = _shorten(kept, window_tokens - summary_tokens)
        tokens = sum(message.tokens for message in kept)
    earlier = candidates[: len(candidates) - len(kept)]
    new_topic = bool(earlier) and _is_topic_change(request_text, [message.content for message in candidates])
    room = budget_tokens - tokens - summary_tokens
    older = _newest_within(earlier, room // 2 if new_topic else room)
    chosen = (*older, *kept)
    tokens += summary_tokens + sum(message.tokens for message in older)
    return Context(chosen, tokens, len(messages) - len(chosen), shortened, fitted, new_topic)


def _fit_summary(summary: Summary | None, kept_tokens: int, budget_tokens: int) -> Summary | None:
    room = max(budget_tokens - kept_tokens, budget_tokens // 4)
    return summary.fit_to(room) if summary else None


def _newest_within(messages: Sequence[Message], room_tokens: int) -> list[Message]:
    chosen: list[Message] = []
    for message in reversed(messages):
        if message.tokens > room_tokens:
            break
        chosen.append(message)
        room_tokens -= message.tokens
    return chosen[::-1]


def _shorten(messages: Sequence[Message], window_tokens: int) -> tuple[list[Message], int]:
    limit = _level([message.tokens for message in messages], window_tokens)
    cut = [_cut(message, limit) if message.tokens > limit else message for message in messages]
    return cut, sum(message.tokens > limit for message in messages)


def _level(counts: Sequence[int], total: int) -> int:
    """The highest limit such that all counts, cut to it, fit the total: only long messages are shortened."""
    left = total
    for place, count in enumerate(sorted(counts)):
        share = left // (len(counts) - place)
        if count > share:
            return share
        left -= count
    return max(counts, default=0)


def _cut(message: Message, limit: int) -> Message:
    """Shorten the message: two thirds of the room for its beginning, one third for its end.

    The cut is made by characters, in proportion to the message's tokens.
    """
    room = max(0, len(message.content) * max(0, limit - _MARK_TOKENS) // message.tokens)
    tail = room // 3
    text = message.content[: room - tail] + MARK + (message.content[-tail:] if tail else "")
    return message.model_copy(update={"content": text, "tokens": limit})
