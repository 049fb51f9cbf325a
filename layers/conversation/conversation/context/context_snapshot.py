"""Context receipts: a few bytes with a reply that tell which context the turn was answered with.

A receipt is stored only if it says more than the messages do. Without one, the context is built again from
the messages before the turn, as the turn did. Pure; `conversation.threads.context_report` reads the messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from pydantic import JsonValue

from conversation.context.window import Context
from conversation.messages.models import Message

RECEIPT_KEY = "context"
"""The receipt's key in a reply's metadata."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextReceipt:
    """Which messages were in the context: those from ``first`` to ``last`` except the ``skipped`` ranges.

    ``summary`` is the version of the summary in the context, ``summary_last`` the newest message it covers;
    None: there was no summary. ``summary_lines`` is how many of its best lines were included.
    """

    first: int
    last: int
    tokens: int
    skipped: tuple[tuple[int, int], ...] = ()
    shortened: int = 0
    dropped: int = 0
    new_topic: bool = False
    summary: int | None = None
    summary_last: int | None = None
    summary_lines: int = 0

    def includes(self, sequence: int) -> bool:
        """Whether the message with this sequence was in the context."""
        within = self.first <= sequence <= self.last
        return within and not any(low <= sequence <= high for low, high in self.skipped)


def receipt_of(context: Context) -> ContextReceipt:
    """The receipt of a context."""
    sequences = [message.sequence for message in context.messages]
    summary = context.summary
    return ContextReceipt(
        first=sequences[0] if sequences else 0,
        last=sequences[-1] if sequences else 0,
        tokens=context.tokens,
        skipped=_gaps(sequences),
        shortened=context.shortened,
        dropped=context.dropped,
        new_topic=context.new_topic,
        summary=summary.version if summary else None,
        summary_last=summary.last if summary else None,
        summary_lines=len(summary.lines) if summary else 0,
    )


def is_default(receipt: ContextReceipt) -> bool:
    """Whether the messages alone tell as much, so that an ordinary turn stores no receipt."""
    return receipt.summary is None and not (receipt.shortened or receipt.skipped or receipt.new_topic)


def receipt_to_json(receipt: ContextReceipt) -> dict[str, JsonValue]:
    """The receipt as it is stored; members with an empty value are left out."""
    optional: dict[str, JsonValue] = {
        "skipped": [list(gap) for gap in receipt.skipped],
        "shortened": receipt.shortened,
        "dropped": receipt.dropped,
        "new_topic": receipt.new_topic,
        "summary": receipt.summary,
        "summary_to": receipt.summary_last,
        "summary_lines": receipt.summary_lines,
    }
    filled = {name: value for name, value in optional.items() if value}
    return {"from": receipt.first, "to": receipt.last, "tokens": receipt.tokens, **filled}


def _receipt_from_json(stored: Mapping[str, JsonValue]) -> ContextReceipt:
    """The receipt that `receipt_to_json` wrote."""
    gaps = cast("list[list[int]]", stored.get("skipped", []))
    return ContextReceipt(
        first=cast("int", stored["from"]),
        last=cast("int", stored["to"]),
        tokens=cast("int", stored["tokens"]),
        skipped=tuple((low, high) for low, high in gaps),
        shortened=cast("int", stored.get("shortened", 0)),
        dropped=cast("int", stored.get("dropped", 0)),
        new_topic=bool(stored.get("new_topic")),
        summary=cast("int | None", stored.get("summary")),
        summary_last=cast("int | None", stored.get("summary_to")),
        summary_lines=cast("int", stored.get("summary_lines", 0)),
    )


def find_receipt(reply: Message) -> ContextReceipt | None:
    """The receipt stored with a reply; None if the messages alone tell the context."""
    stored = reply.metadata.get(RECEIPT_KEY)
    return _receipt_from_json(stored) if isinstance(stored, dict) else None


def _gaps(sequences: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple((low + 1, high - 1) for low, high in pairwise(sequences) if high > low + 1)
