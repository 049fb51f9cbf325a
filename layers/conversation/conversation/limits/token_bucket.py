"""A tenant's token bucket, its users' shares of it, and stored bytes of the day, in one table item that all
processes share.

While a user floods, the bucket is empty. Users within their share then take tokens from the reserve, a second
bucket of the same size. Whatever the flood took, known or not, is missing in the first bucket only.

Users are counted by the algorithm of Misra and Gries. When as many are counted as the item has room for, a
turn of another user lowers all counts by one, and a user whose count reaches 0 makes room. So a count is
never too high, and too low by about a twentieth of the window's turns at most: whoever sends more than that
beyond a share is found among any number of users. To lower all counts, one attribute is raised that is
subtracted from each. Source: J. Misra and D. Gries, Finding repeated elements, 1982.

Each step is one conditional update, so concurrent processes don't interfere.
`conversation.limits.local_bucket` decides when to draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
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
    Changes,
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
_RESERVE = "reserve"
_BYTES = "bytes_"
_TURNS = "u_"
"""Before the number of a window and the name of a user: the turns of the user in that window."""
_LOUD = "loud"
_FLOOR = "f_"
"""Before the number of a window: what is subtracted from the turns of each user in that window."""
_MAX_COUNTED_USERS = 20
"""More would make the item larger than one write unit."""
_TRIES = 6


class UnreportedUse(NamedTuple):
    """Turns and bytes still to be taken from the bucket; ``since`` is when the first of the turns began."""

    turns: int
    since: int
    stored_bytes: int = 0
    users: tuple[str, ...] = ()
    """Whose turns they are, as far as they began in this window of shares; the last turn's user is last."""

    def without_last_turn(self) -> UnreportedUse:
        """The turns that have already begun, and the bytes."""
        return self._replace(turns=self.turns - 1, users=self.users[:-1])


class BucketState(NamedTuple):
    """The state of a bucket: when it is full again, the bytes stored on ``day``, and the turns of users in a
    ``window`` of shares.
    """

    full_at: int = 0
    day: str = ""
    stored_bytes: int = 0
    window: int = 0
    users: Mapping[str, int] = MappingProxyType({})
    """As stored: ``floor`` is to be subtracted."""
    floor: int = 0
    loud: str = ""
    """The user who was last admitted beyond a share."""
    reserve_full_at: int = 0
    """When the reserve is full again."""
    stale: tuple[str, ...] = ()
    """The attributes left over from other days and earlier windows."""

    def wait_us(self, rates: RateLimits, user: str, begun: int, now: int) -> int:
        """The time until there is a token for the user, in the bucket or the reserve; 0: no wait, or the
        bucket was written with a clock that has been set back since.
        """
        wait = rates.wait_us(self.full_at, now)
        if wait and self.may_use_reserve(rates, user, begun, now):
            wait = min(wait, rates.wait_us(self.reserve_full_at, now))
        return wait if wait < implausible_us(rates) else 0

    def may_use_reserve(self, rates: RateLimits, user: str, begun: int, now: int) -> bool:
        """Whether the user is within a share of the tenant's rate while another user is not. ``begun``: the
        user's turns as this process knows them.
        """
        known = max(begun, self.turns(rates, now).get(user, 0))
        return known < rates.share and self.loud not in ("", user)

    def turns(self, rates: RateLimits, now: int) -> Mapping[str, int]:
        """The turns of the users who are counted in the present window: never too many, but some too few."""
        if self.window != rates.share_window_at(now):
            return {}
        return {user: count - self.floor for user, count in self.users.items() if count > self.floor}

    def floor_at(self, rates: RateLimits, now: int) -> int:
        """What is subtracted from the stored turns of the present window."""
        return self.floor if self.window == rates.share_window_at(now) else 0


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
        begun: int = 0,
    ) -> tuple[BucketState, bool]:
        """Take all that is unreported if there is a token for the last of the turns, and return True; else
        take only the earlier ones, which have already begun, and return False.
        ``begun``: the turns of this user that this process let begin in the present window.

        One request when the bucket is still as it was ``seen``; another one when other processes drew in
        between, and one when the bucket is empty.

        Raises:
            StorageUnavailable: the state of the bucket is unknown.
        """
        state, was_taken = self._take(tenant, rates, unreported, now, seen, begun)
        earlier = unreported.without_last_turn()
        if not was_taken and (earlier.turns or earlier.stored_bytes):
            state, _ = self._take(tenant, rates, earlier, now, state, None)
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
        begun: int | None,
    ) -> tuple[BucketState, bool]:
        """Take the use; ``begun`` None: all of it has begun, and is taken in any case."""
        table, now_us = self._tables.for_tenant(tenant), to_microseconds(now)
        for _ in range(_TRIES):
            try:
                item = table.update(_draw_update(tenant, rates, unreported, now, state, begun))
            except ConditionRefused as refused:
                state = _state(refused.old, rates, now)
            else:
                return _state(item, rates, now), True
            if begun is None:
                continue
            if state.wait_us(rates, unreported.users[-1], begun, now_us):
                return state, False
        raise StorageUnavailable("the bucket kept changing")


def _draw_update(
    tenant: TenantId,
    rates: RateLimits,
    unreported: UnreportedUse,
    now: datetime,
    state: BucketState,
    begun: int | None,
) -> Update:
    """The update that moves the bucket's full time on: from its current value, or from when the first of the
    turns began if the bucket was full then.

    When a response is lost, the request is sent twice and takes the tokens twice; time refills them.
    """
    amount, now_us = unreported.turns * rates.interval_us, to_microseconds(now)
    moved: Change = Set(_FULL_AT, unreported.since + amount)
    conditions: Conditions
    from_reserve: Changes = ()
    if rates.wait_us(state.full_at, now_us) >= implausible_us(rates):
        conditions = (Equals(_FULL_AT, state.full_at),)
    elif state.full_at <= unreported.since:
        conditions = (AnyOf(((NotExists(_FULL_AT),), (AtMost(_FULL_AT, unreported.since),))),)
    else:
        moved = Add(_FULL_AT, amount)
        conditions = (AtLeast(_FULL_AT, unreported.since),)
        if begun is not None:
            from_reserve, has_token = _last_turn(rates, unreported.users[-1], begun, state, now_us)
            conditions += has_token
    day = f"{_BYTES}{now.date().isoformat()}"
    stored = (Add(day, unreported.stored_bytes),) if unreported.stored_bytes else ()
    counted = _counted(rates, unreported.users, state, now_us)
    kept = Set("expires_at", int((now + KEPT).timestamp()))
    removed = (Remove(name) for name in _outdated(state, rates, unreported.users, now_us))
    return Update(keys.bucket(tenant), (moved, *from_reserve, *stored, *counted, kept, *removed), conditions)


def _last_turn(
    rates: RateLimits, user: str, begun: int, state: BucketState, now: int
) -> tuple[Changes, Conditions]:
    """What takes the last turn's token from the reserve, if it is to come from there, and the condition that
    there is one.
    """
    if not rates.wait_us(state.full_at, now) or not state.may_use_reserve(rates, user, begun, now):
        return (), (AtMost(_FULL_AT, rates.latest_full_at(now)),)
    turns = f"{_TURNS}{rates.share_window_at(now)}_{user}"
    most = state.floor_at(rates, now) + rates.share - 1
    within_share = AnyOf(((NotExists(turns),), (AtMost(turns, most),)))
    allowed = (Equals(_LOUD, state.loud), within_share)
    wait = rates.wait_us(state.reserve_full_at, now)
    if state.reserve_full_at <= now or wait >= implausible_us(rates):
        is_as_seen = (NotExists(_RESERVE),), (Equals(_RESERVE, state.reserve_full_at),)
        return (Set(_RESERVE, now + rates.interval_us),), (*allowed, AnyOf(is_as_seen))
    return (Add(_RESERVE, rates.interval_us),), (*allowed, AtMost(_RESERVE, rates.latest_full_at(now)))


def implausible_us(rates: RateLimits) -> int:
    """A wait as long as this one comes from a clock that has been set back."""
    return _MAX_PLAUSIBLE_TURNS * rates.interval_us


def _counted(rates: RateLimits, users: Iterable[str], state: BucketState, now: int) -> Changes:
    """Counts the turns of users, and makes room for those that are not counted yet."""
    window, known, reported = rates.share_window_at(now), state.turns(rates, now), Counter(users)
    floor = state.floor_at(rates, now)
    counts, lowered, changes = dict(known), 0, list[Change]()
    for user, turns in reported.most_common():
        if user not in counts and len(counts) >= _MAX_COUNTED_USERS:
            lowest = min(turns, *counts.values())
            lowered += lowest
            counts = {each: count - lowest for each, count in counts.items() if count > lowest}
            continue
        counts[user] = counts.get(user, 0) + turns
        attribute, begins_at = f"{_TURNS}{window}_{user}", floor + lowered
        # Two processes that count a new user at the same moment must not both add the floor.
        is_added = user in known or not begins_at
        changes.append(Add(attribute, turns) if is_added else Set(attribute, begins_at + turns))
    if lowered:
        changes.append(Add(f"{_FLOOR}{window}", lowered))
    loud = [user for user, turns in reported.items() if known.get(user, 0) + turns > rates.share]
    return (*changes, *(Set(_LOUD, user) for user in loud[:1]))


def _outdated(state: BucketState, rates: RateLimits, reported: Iterable[str], now: int) -> tuple[str, ...]:
    """The attributes of other days, earlier windows, and users whose turns don't count any more."""
    window, counted = rates.share_window_at(now), state.turns(rates, now)
    if state.window > window:
        return state.stale
    kept = {*counted, *reported} if state.window == window else frozenset()
    users = (f"{_TURNS}{state.window}_{user}" for user in state.users if user not in kept)
    floor = (f"{_FLOOR}{state.window}",) if state.floor and state.window < window else ()
    return (*state.stale, *users, *floor)


def _state(item: Item | None, rates: RateLimits, now: datetime) -> BucketState:
    if item is None:
        return BucketState()
    day, window = now.date().isoformat(), rates.share_window_at(to_microseconds(now))
    today, users, stale = f"{_BYTES}{day}", dict[str, int](), list[str]()
    for name, value in item.items():
        if name.startswith((_TURNS, _FLOOR)):
            _, counted_in, *user = name.split("_")
            if int(counted_in) < window:
                stale.append(name)
            elif user and int(counted_in) == window:
                users[user[0]] = cast("int", value)
        elif name.startswith(_BYTES) and name != today:
            stale.append(name)
    stored, floor = cast("int", item.get(today, 0)), cast("int", item.get(f"{_FLOOR}{window}", 0))
    full_at, reserve = cast("int", item[_FULL_AT]), cast("int", item.get(_RESERVE, 0))
    loud = cast("str", item.get(_LOUD, ""))
    return BucketState(full_at, day, stored, window, users, floor, loud, reserve, tuple(sorted(stale)))
