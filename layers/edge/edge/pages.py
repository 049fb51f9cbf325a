"""Which page of a conversation's messages a request means, and which one follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from conversation.models import Message
from edge import cursors
from edge.problems import Problem


@dataclass(frozen=True, slots=True)
class MessagePage:
    """The newest messages before a sequence, or the first ones after one; with neither, the newest of all."""

    before: int | None = None
    after: int | None = None

    def following(self, found: Sequence[Message], limit: int) -> dict[str, str] | None:
        """The position of the next page in the same direction; None when the page at hand reaches the end."""
        if not found:
            return None
        if self.after is not None:
            return {"after": str(found[-1].sequence)} if len(found) == limit else None
        return {"before": str(found[0].sequence)} if found[0].sequence > 1 else None


def message_page(*, before: int | None, after: int | None, position: Mapping[str, str] | None) -> MessagePage:
    """The page that the parameters of a request mean; at most one of the three may be given.

    Raises:
        Problem: query_invalid; cursor_invalid for a position we never gave.
    """
    if sum(given is not None for given in (before, after, position)) > 1:
        raise Problem("query_invalid", "Only one of before, after and cursor can be followed.")
    if position is None:
        return MessagePage(before, after)
    try:
        return MessagePage(**{name: int(sequence) for name, sequence in position.items()})
    except (TypeError, ValueError):
        raise cursors.invalid() from None
