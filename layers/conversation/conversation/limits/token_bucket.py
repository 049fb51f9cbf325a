"""A tenant's token bucket and stored bytes of the day, in one table item that all processes share.

Each step is one conditional update, so concurrent processes don't interfere.
`conversation.limits.local_bucket` decides when to draw.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple, cast

from conversation.limits.rates import RateLimits, to_microseconds
from storage import keys
from storage.errors import ConditionRefused, StorageUnavailable
from storage.keys import TenantId
from storage.table import (
    Add,
    AnyOf,
    AtLeast,
    AtMost,
    Change,
    Conditions,
    Equals,
    Item,
    NotExists,
    Remove,
    Set,
    SetIfAbsent,
    Update,
)
from storage.tenant_table import Tables

KEPT = timedelta(days=2)
"""How long the item is kept after the last turn; an unused bucket is full anyway."""

_MAX_PLAUSIBLE_TURNS = 10_000
"""In turns: a bucket this far from having a token was written with a clock that has been set back since."""

_FULL_AT = "full_at"
_BYTES = "bytes_"
_TRIES = 4


class UnreportedUse(NamedTuple):
    """Turns and bytes still to be taken from the bucket; ``since`` is when the first of the turns began."""

    turns: int
    since: int
    stored_bytes: int = 0


class BucketState(NamedTuple):
    """The state of a bucket: when it is full again, and the bytes stored on ``day``."""

    full_at: int = 0
    day: str = ""
    stored_bytes: int = 0
    stale: tuple[str, ...] = ()
    """The attributes left over from other days."""


class TokenBuckets:
    """The buckets of all tenants; safe to use from several threads and processes."""

    def __init__(self, *, tables: Tables) -> None:
        self._tables = tables

    def draw(
        self,
        tenant: TenantId,
        rates: RateLimits,
        unreported: UnreportedUse,
        now: datetime,
        *,
        seen: BucketState,
    ) -> tuple[BucketState, bool]:
        """Take all that is unreported if there is a token for the last of the turns, and return True; else
        take
        only the earlier ones, which have already begun, and return False.

        One request when the bucket is still as it was ``seen``; another one when other processes drew in
        between, and one when the bucket is empty.

        Raises:
            StorageUnavailable: the state of the bucket is unknown.
        """
        state, was_taken = self._take(tenant, rates, unreported, now, seen, is_due=False)
        earlier = unreported._replace(turns=unreported.turns - 1)
        if not was_taken and (earlier.turns or earlier.stored_bytes):
            state, _ = self._take(tenant, rates, earlier, now, state, is_due=True)
        return state, was_taken

    def stored_bytes(self, tenant: TenantId, now: datetime) -> int:
        """The bytes stored for the tenant on the day, as far as they were reported; one request."""
        item = self._tables.for_tenant(tenant).get(keys.bucket(tenant))
        return cast("int", (item or {}).get(f"{_BYTES}{now.date().isoformat()}", 0))

    def add_bytes(self, tenant: TenantId, stored_bytes: int, now: datetime) -> None:
        """Count bytes that were stored outside turns; one request."""
        changes = (
            Add(f"{_BYTES}{now.date().isoformat()}", stored_bytes),
            SetIfAbsent(_FULL_AT, 0),
            Set("expires_at", int((now + KEPT).timestamp())),
        )
        self._tables.for_tenant(tenant).update(Update(keys.bucket(tenant), changes))

    def _take(
        self,
        tenant: TenantId,
        rates: RateLimits,
        unreported: UnreportedUse,
        now: datetime,
        state: BucketState,
        *,
        is_due: bool,
    ) -> tuple[BucketState, bool]:
        table, day = self._tables.for_tenant(tenant), now.date().isoformat()
        for _ in range(_TRIES):
            try:
                item = table.update(_draw_update(tenant, rates, unreported, now, state, is_due=is_due))
            except ConditionRefused as refused:
                state = _level(refused.old, day)
            else:
                return _level(item, day), True
            if not is_due and 0 < rates.wait_us(state.full_at, to_microseconds(now)) < _implausible_us(rates):
                return state, False
        raise StorageUnavailable("the bucket kept changing")


def _draw_update(
    tenant: TenantId,
    rates: RateLimits,
    unreported: UnreportedUse,
    now: datetime,
    state: BucketState,
    *,
    is_due: bool,
) -> Update:
    """The update that moves the bucket's full time on: from its current value, or from when the first of the
    turns began if the bucket was full then.

    When a response is lost, the request is sent twice and takes the tokens twice; time refills them.
    """
    amount, has_room = unreported.turns * rates.interval_us, rates.latest_full_at(to_microseconds(now))
    moved: Change = Set(_FULL_AT, unreported.since + amount)
    conditions: Conditions
    if rates.wait_us(state.full_at, to_microseconds(now)) >= _implausible_us(rates):
        conditions = (Equals(_FULL_AT, state.full_at),)
    elif state.full_at <= unreported.since:
        conditions = (AnyOf(((NotExists(_FULL_AT),), (AtMost(_FULL_AT, unreported.since),))),)
    else:
        moved = Add(_FULL_AT, amount)
        conditions = (AtLeast(_FULL_AT, unreported.since), *(() if is_due else (AtMost(_FULL_AT, has_room),)))
    day = f"{_BYTES}{now.date().isoformat()}"
    stored = (Add(day, unreported.stored_bytes),) if unreported.stored_bytes else ()
    kept = Set("expires_at", int((now + KEPT).timestamp()))
    return Update(
        keys.bucket(tenant), (moved, *stored, kept, *(Remove(name) for name in state.stale)), conditions
    )


def _implausible_us(rates: RateLimits) -> int:
    return _MAX_PLAUSIBLE_TURNS * rates.interval_us


def _level(item: Item | None, day: str) -> BucketState:
    if item is None:
        return BucketState()
    days = [name for name in item if name.startswith(_BYTES)]
    today = f"{_BYTES}{day}"
    stale = tuple(sorted(name for name in days if name != today))
    return BucketState(cast("int", item[_FULL_AT]), day, cast("int", item.get(today, 0)), stale)
