"""One process's view of a tenant's token bucket: its last known state, and use not yet reported.

A process admits some turns before it asks the table (`RateLimits.max_unreported`), reports them with the
next request, and asks for every single turn when the bucket is nearly empty. While the bucket is known to be
empty, it sends no requests, but for users who may use the reserve (`BucketState.may_use_reserve`). This
module sends no requests itself, and no lock is held while one is sent.
"""

from __future__ import annotations

import threading

from conversation.errors import RateLimited
from conversation.limits.rates import MAX_UNREPORTED_TURNS, RateLimits, to_seconds_rounded_up
from conversation.limits.token_bucket import BucketState, UnreportedUse
from conversation.limits.user_shares import UserShares

_OUTAGE_US = 10_000_000
"""How long the table is not asked again after it was unreachable."""
_BYTES_REPORT_DIVISOR = 20
"""Stored bytes are reported once they exceed the day's quota divided by this number."""


class LocalBucket:
    """One process's view of one tenant's bucket; safe to use from several threads. Times are microseconds.

    ``user`` is a user's name in the bucket's item (`share_name`).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free = MAX_UNREPORTED_TURNS
        self._unreported = UnreportedUse(0, 0)
        self._shares = UserShares()
        self._level = BucketState()
        self._level_at = 0
        self._blind: tuple[int, int] = (0, 0)
        self._own_full_at = 0
        """The full time of a bucket from which only this process draws."""
        self._own_reserve_full_at = 0

    @property
    def state(self) -> BucketState:
        """The tenant's bucket as this process last saw it."""
        return self._level

    def stored_bytes(self, day: str) -> int:
        """The bytes stored on the day, as far as this process knows."""
        with self._lock:
            reported = self._level.stored_bytes if self._level.day == day else 0
            return reported + self._unreported.stored_bytes

    def begun(self, rates: RateLimits, user: str, now: int) -> int:
        """The turns that this process let the user begin in the present window."""
        with self._lock:
            return self._shares.begun(user, rates, now)

    def check_rate(self, rates: RateLimits, user: str, now: int) -> None:
        """Refuse a turn while the bucket is known to be empty.

        Raises:
            RateLimited: there is no token yet, according to the table.
        """
        with self._lock:
            self._check_rate(rates, user, now)

    def admit(self, rates: RateLimits, user: str, now: int) -> UnreportedUse | None:
        """Admit a turn. Returns the use that the table has to grant first; None: the turn may start at once.

        Raises:
            RateLimited: there is no token yet, according to the table, or to this process while the table is
                unreachable.
        """
        with self._lock:
            self._check_rate(rates, user, now)
            if _is_within(self._blind, now):
                self._begin_uncoordinated(rates, user, now)
                return None
            if (
                min(self._free, rates.max_unreported) > 0
                and self._unreported.stored_bytes * _BYTES_REPORT_DIVISOR <= rates.bytes_per_day
            ):
                self._free = min(self._free, rates.max_unreported) - 1
                self._count(rates, user, now)
                return None
            unreported, self._unreported = self._unreported, UnreportedUse(0, 0)
            users = (*self._shares.take_unreported(rates, now), user)
            return unreported._replace(turns=unreported.turns + 1, since=unreported.since or now, users=users)

    def record(self, rates: RateLimits, user: str, state: BucketState, now: int, *, was_taken: bool) -> None:
        """Record the table's response.

        Raises:
            RateLimited: there was no token.
        """
        with self._lock:
            self._level, self._level_at = state, now
            if was_taken:
                self._shares.count(user, rates, now, is_reported=True)
                self._free = max(0, min(rates.max_unreported, rates.tokens(state.full_at, now) // 4))
                self._own_full_at = max(self._own_full_at, now) + rates.interval_us
                return
            self._free = 0
            wait = state.wait_us(rates, user, self._shares.begun(user, rates, now), now)
        raise RateLimited(to_seconds_rounded_up(wait))

    def record_outage(self, rates: RateLimits, user: str, unreported: UnreportedUse, now: int) -> None:
        """Record that the table is unreachable: for a while this process counts only its own turns.

        Raises:
            RateLimited: these alone exceed the tenant's limit.
        """
        with self._lock:
            since = min(unreported.since, self._unreported.since or unreported.since)
            turns = self._unreported.turns + unreported.turns - 1
            self._unreported = UnreportedUse(
                turns, since, self._unreported.stored_bytes + unreported.stored_bytes
            )
            self._shares.restore_unreported(unreported.users[:-1])
            self._blind = (now, now + _OUTAGE_US)
            self._begin_uncoordinated(rates, user, now)

    def record_stored(self, content_bytes: int) -> None:
        """Record stored bytes; they are reported to the table with one of the next turns."""
        with self._lock:
            self._unreported = self._unreported._replace(
                stored_bytes=self._unreported.stored_bytes + content_bytes
            )

    def _check_rate(self, rates: RateLimits, user: str, now: int) -> None:
        if now < self._level_at:  # the clock was set back: the table is asked
            return
        wait = self._level.wait_us(rates, user, self._shares.begun(user, rates, now), now)
        if wait:
            raise RateLimited(to_seconds_rounded_up(wait))

    def _begin_uncoordinated(self, rates: RateLimits, user: str, now: int) -> None:
        begun = self._shares.begun(user, rates, now)
        own = BucketState(
            full_at=self._own_full_at,
            loud=self._shares.loudest_but(user, rates, now) or self._level.loud,
            reserve_full_at=self._own_reserve_full_at,
        )
        wait = own.wait_us(rates, user, begun, now)
        if wait:
            raise RateLimited(to_seconds_rounded_up(wait))
        if rates.wait_us(own.full_at, now):
            self._own_reserve_full_at = max(own.reserve_full_at, now) + rates.interval_us
        self._count(rates, user, now)

    def _count(self, rates: RateLimits, user: str, now: int) -> None:
        self._shares.count(user, rates, now, is_reported=False)
        self._unreported = self._unreported._replace(
            turns=self._unreported.turns + 1, since=self._unreported.since or now
        )
        self._own_full_at = max(self._own_full_at, now) + rates.interval_us


def _is_within(span: tuple[int, int], now: int) -> bool:
    """Whether the time is within the span; after the clock was set back, it is not."""
    return span[0] <= now < span[1]
