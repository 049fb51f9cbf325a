"""How much a tenant's users may send, and the arithmetic of a token bucket.

A bucket is one number, the moment at which it is full again: every turn moves that on by one interval, time
does the rest. Source: the generic cell rate algorithm, ITU-T I.371. Keeping one is the business of
`conversation.limits.token_bucket` (in the table) and `conversation.limits.local_bucket` (in a process).
Moments are microseconds since 1970, so that an interval is a whole number and a table can add it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from conversation.tenants.policy import Grant, Limits

MINUTE_US = 60_000_000
MAX_UNTOLD = 10
"""Turns a process lets begin before it asks the table: a tenth of a request per turn."""


class Pace(NamedTuple):
    """What a tenant may do; see `conversation.tenants.policy.Limits` and `Grant`."""

    turns_per_minute: int = 300
    burst: int = 100
    turns_at_once: int = 40
    """A full inbox of one conversation, and eight more."""
    bytes_per_day: int = 1_000_000_000

    def granted(self, grant: Grant) -> Pace:
        """What a tenant may have at most to whom the deployment's operators granted something else."""
        return Pace(
            *(most if given is None else given for most, given in zip(self, _in_order(grant), strict=True))
        )

    def within(self, limits: Limits) -> Pace:
        """The lower of these and a tenant's own: a tenant's admins can't lift what the operators set."""
        own = _in_order(limits)
        return Pace(
            *(most if asked is None else min(most, asked) for most, asked in zip(self, own, strict=True))
        )

    @property
    def interval_us(self) -> int:
        """After which a turn's token is there again."""
        return MINUTE_US // self.turns_per_minute

    @property
    def untold(self) -> int:
        """Turns a process may let begin without asking the table: the more the bucket holds, up to ten."""
        return min(MAX_UNTOLD, self.burst // 4)

    def latest_us(self, now: int) -> int:
        """The latest moment to be full again at which there is a token now."""
        return now + (self.burst - 1) * self.interval_us

    def wait_us(self, full_at: int, now: int) -> int:
        """Until there is a token; 0: there is one."""
        return max(0, full_at - self.latest_us(now))

    def tokens(self, full_at: int, now: int) -> int:
        """How many there are; fewer than none where turns began that were told of later."""
        return self.burst + min(0, now - full_at) // self.interval_us


class TenantLimits(NamedTuple):
    """What is set for one tenant: by its admins, and by the operators of the deployment."""

    own: Limits
    grant: Grant

    def of(self, most: Pace) -> Pace:
        """What the tenant may have where every tenant may have the most."""
        return most.granted(self.grant).within(self.own)


def _in_order(asked: Grant) -> tuple[int | None, ...]:
    return (asked.turns_per_minute, asked.burst, asked.turns_at_once, asked.bytes_per_day)


def to_micros(moment: datetime) -> int:
    """Microseconds since 1970."""
    return int(moment.timestamp() * 1_000_000)


def whole_seconds(micros: int) -> int:
    """The least number of seconds, one or more, after which so much time has passed."""
    return max(1, -(-micros // 1_000_000))


def until_midnight_s(now: datetime) -> int:
    """Whole seconds until the next UTC day has begun."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return whole_seconds(int((midnight - now) / timedelta(microseconds=1)))
