"""A tenant's rate limits, and the arithmetic of a token bucket.

A bucket is one number, the time at which it is full again: every turn moves it on by one interval, and the
passing of time refills it. Source: the generic cell rate algorithm, ITU-T I.371. The state is kept in
`conversation.limits.token_bucket` (in the table) and `conversation.limits.local_bucket` (in a process). Times
are microseconds since 1970, so that an interval is a whole number and a table can add it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from conversation.tenants.policy import Caps, Grant, Limits

_MINUTE_US = 60_000_000
MAX_UNREPORTED_TURNS = 10
"""Turns that a process admits before it asks the table: a tenth of a request per turn."""
SHARE_DIVISOR = 10
"""A user's share is the tenant's rate divided by this number."""
_MIN_SHARE_WINDOW_US = 10_000_000


class RateLimits(NamedTuple):
    """The limits of a tenant; see `conversation.tenants.policy.Limits` and `Grant`."""

    turns_per_minute: int = 900
    burst: int = 100
    turns_at_once: int = 40
    """A full inbox of one conversation, plus eight."""
    bytes_per_day: int = 1_000_000_000
    bytes_per_user_per_day: int = 200_000_000

    def with_grant(self, grant: Grant) -> RateLimits:
        """These limits, replaced by those that the operators granted to the tenant."""
        return RateLimits(
            *(most if own is None else own for most, own in zip(self, _in_order(grant), strict=True))
        )

    def capped_by(self, limits: Limits) -> RateLimits:
        """The lower of these limits and the tenant's own: a tenant's admins can't raise what the operators
        set.
        """
        own = _in_order(limits)
        return RateLimits(
            *(most if limit is None else min(most, limit) for most, limit in zip(self, own, strict=True))
        )

    @property
    def interval_us(self) -> int:
        """The time after which a turn's token is replaced."""
        return _MINUTE_US // self.turns_per_minute

    @property
    def max_unreported(self) -> int:
        """Turns that a process may admit without asking the table: a quarter of the burst, at most ten."""
        return min(MAX_UNREPORTED_TURNS, self.burst // 4)

    @property
    def share_window_us(self) -> int:
        """The time over which a user's share is counted: ten seconds, or more where a share is less than one
        turn in ten seconds.
        """
        return max(_MIN_SHARE_WINDOW_US, SHARE_DIVISOR * self.interval_us)

    def share_window_at(self, now: int) -> int:
        """The number of the window that shares are counted in now."""
        return now // self.share_window_us

    @property
    def share(self) -> int:
        """The turns of one user in a window that are admitted even while another user floods the tenant."""
        return max(1, min(self.share_window_us // self.interval_us // SHARE_DIVISOR, self.burst // 4))

    def latest_full_at(self, now: int) -> int:
        """The latest full time of a bucket that has a token now."""
        return now + (self.burst - 1) * self.interval_us

    def wait_us(self, full_at: int, now: int) -> int:
        """The time until there is a token; 0: no wait."""
        return max(0, full_at - self.latest_full_at(now))

    def tokens(self, full_at: int, now: int) -> int:
        """The number of tokens; negative when the bucket is overdrawn."""
        return self.burst + min(0, now - full_at) // self.interval_us


class TenantLimits(NamedTuple):
    """The limits of one tenant: its admins' own, and the operators' grant."""

    own: Limits
    grant: Grant

    def effective(self, most: RateLimits) -> RateLimits:
        """The tenant's effective limits; ``most`` are the deployment's."""
        return most.with_grant(self.grant).capped_by(self.own)


def _in_order(limits: Caps) -> tuple[int | None, ...]:
    return (
        limits.turns_per_minute,
        limits.burst,
        limits.turns_at_once,
        limits.bytes_per_day,
        limits.bytes_per_user_per_day,
    )


def to_microseconds(moment: datetime) -> int:
    """Microseconds since 1970."""
    return int(moment.timestamp() * 1_000_000)


def to_seconds_rounded_up(micros: int) -> int:
    """The time in seconds, rounded up, at least 1."""
    return max(1, -(-micros // 1_000_000))


def until_midnight_s(now: datetime) -> int:
    """Seconds until the next UTC day, rounded up."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return to_seconds_rounded_up(int((midnight - now) / timedelta(microseconds=1)))
