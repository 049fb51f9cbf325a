"""How long what a user deleted, or a turn changed, can be brought back, and pages of what was deleted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from conversation.clock import to_text
from storage.table import Position

RESTORABLE_FOR = timedelta(days=30)


class Deletable(Protocol):
    """Something that may be deleted."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def deleted_at(self) -> datetime | None:
        """When it was deleted; None: it is not."""


_Deleted = TypeVar("_Deleted", bound=Deletable)


def expiry(since: datetime) -> int:
    """Returns the value of `expires_at`: the second from which it can't be brought back. The table removes it
    for good some time later.
    """
    return int((since + RESTORABLE_FOR).timestamp())


def is_restorable(since: datetime | None, now: datetime) -> bool:
    """Whether something deleted at that moment (None: never) can still be brought back."""
    return since is not None and now.timestamp() < expiry(since)


def newest_first(deleted: Sequence[_Deleted], now: datetime) -> tuple[_Deleted, ...]:
    """Returns those that can still be brought back, the last deleted first."""
    kept = (each for each in deleted if is_restorable(each.deleted_at, now))
    return tuple(sorted(kept, key=_rank, reverse=True))


def page_of(
    deleted: Sequence[_Deleted], limit: int, after: Position | None
) -> tuple[tuple[_Deleted, ...], Position | None]:
    """Returns a page of `newest_first`, and the position of the next page (None: no more)."""
    behind = ((after or {}).get("deleted_at", ""), (after or {}).get("id", ""))
    rest = [each for each in deleted if after is None or _rank(each) < behind]
    page = tuple(rest[:limit])
    if len(rest) <= limit:
        return page, None
    moment, last = _rank(page[-1])
    return page, {"deleted_at": moment, "id": last}


def _rank(deleted: Deletable) -> tuple[str, str]:
    return to_text(deleted.deleted_at) if deleted.deleted_at else "", deleted.id
