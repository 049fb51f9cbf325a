"""How many turns of a user are under way: counted exactly in this process, and in the table where it matters.

A turn takes a seat in the table (`conversation.seats`) when a part of the user's limit is under way in this
process alone, when the table showed lately that the user has many, or once it has lasted long. So other
processes' short turns are not counted while nobody has reason to look.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from conversation.clock import Clock
from conversation.errors import TooManyTurns
from conversation.identity import Caller
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.tenant import Tables

if TYPE_CHECKING:
    from conversation.seats import Seat, Seats

LONG = timedelta(seconds=10)
"""How long a turn lasts before it takes a seat in the table, as long as until its lease is renewed."""
WATCHED = timedelta(seconds=30)
"""How long a user who was seen to have many turns under way is asked about in the table."""
MAX_WATCHED = 1_024


class Presence:
    """A turn of a user's that is under way."""

    def __init__(self, caller: Caller, limit: int, since: datetime) -> None:
        self.caller = caller
        self.limit = limit
        self.since = since
        self.seat: Seat | None = None
        self.is_shared = False
        """Whether the table was told of it, or asked to be."""


class Crowds:
    """Of all users this process serves; safe to use from several threads."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._here: Counter[tuple[TenantId, str]] = Counter()
        self._watched: OrderedDict[tuple[TenantId, str], datetime] = OrderedDict()
        self._lock = threading.Lock()

    def enter(self, caller: Caller, limit: int) -> Presence:
        """Count a turn of the user's in, until its presence is left.

        Raises:
            TooManyTurns: as many as may be are under way.
        """
        who, now = (caller.tenant, caller.user), self._clock.now()
        with self._lock:
            if self._here[who] >= limit:
                raise TooManyTurns
            self._here[who] += 1
            is_many = self._here[who] >= max(2, limit // 8)
            watched_at = self._watched.get(who)
        presence = Presence(caller, limit, now)
        if is_many or (watched_at is not None and abs(now - watched_at) < WATCHED):
            try:
                self._seat(presence, at_most=limit)
            except BaseException:
                self.leave(presence)
                raise
        return presence

    def lasts(self, presence: Presence) -> None:
        """The turn goes on: once that is long, other processes get to know of it."""
        if not presence.is_shared and self._clock.now() - presence.since >= LONG:
            self._seat(presence, at_most=None)

    def leave(self, presence: Presence) -> None:
        """Count the turn out."""
        who = (presence.caller.tenant, presence.caller.user)
        with self._lock:
            self._here[who] -= 1
            if self._here[who] <= 0:
                del self._here[who]
        if presence.seat is not None:
            try:
                self._seats.leave(presence.caller, presence.seat)
            except StorageUnavailable:
                return  # it runs out

    @cached_property
    def _seats(self) -> Seats:
        from conversation.seats import Seats  # most processes need none

        return Seats(tables=self._tables)

    def _seat(self, presence: Presence, *, at_most: int | None) -> None:
        """Take a seat in the table. That it can't be reached stops no turn."""
        presence.is_shared, now = True, self._clock.now()
        try:
            presence.seat = self._seats.take(presence.caller, at_most=at_most, now=now)
        except StorageUnavailable:
            return
        except TooManyTurns:
            self._watch(presence.caller, now)
            raise
        if presence.seat.taken * 2 >= presence.limit:
            self._watch(presence.caller, now)

    def _watch(self, caller: Caller, now: datetime) -> None:
        with self._lock:
            self._watched[caller.tenant, caller.user] = now
            self._watched.move_to_end((caller.tenant, caller.user))
            while len(self._watched) > MAX_WATCHED:
                self._watched.popitem(last=False)
