"""Random lives of conversations beside a plain model of what is to be kept: what is kept is readable, what is
not is unreadable at once, and removed by the first sweep of the next day, and nothing else is.
"""

from __future__ import annotations

import random
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from conversation.clock import Deadline
from conversation.errors import ConversationNotFound
from conversation.messages.models import Status
from conversation.retention.holds import LegalHolds
from conversation.retention.jobs import RetentionUpdate, RetentionUpdater
from conversation.retention.removal_writes import is_tombstone
from conversation.retention.sweep import Sweep
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import PolicyCache, TenantStore
from conversation.threads.lifecycle import Lifecycle
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.sqlite.table import SqliteTable
from storage.table import Put, Query
from storage.tenant_table import Tables
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.data.scripted_turns import MAYA
from tests.fakes.run.clocks import ManualClock

pytestmark = pytest.mark.slow

STEPS = 400
CACHED_S = 10.0
FOREVER_S = 1e9
GRACE = timedelta(days=7)
STATUSES = (Status.ACTIVE, Status.ARCHIVED, Status.DELETED)


@dataclass
class Kept:
    """What the model knows of a conversation."""

    last: datetime
    status: Status = Status.ACTIVE
    held: bool = False

    def until(self, policy: TenantPolicy) -> datetime | None:
        days = {
            Status.ACTIVE: policy.retention_days,
            Status.ARCHIVED: policy.archived_retention_days or policy.retention_days,
            Status.DELETED: min(policy.deleted_grace_days, policy.retention_days),
        }
        return None if policy.legal_hold or self.held else self.last + timedelta(days=days[self.status])


def is_shorter(new: TenantPolicy, old: TenantPolicy) -> bool:
    """Whether something, of any status, ends earlier under the new policy."""
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    ends = [(Kept(begun, status).until(new), Kept(begun, status).until(old)) for status in STATUSES]
    return any(after is not None and (before is None or after < before) for after, before in ends)


@dataclass
class World:
    """A tenant's conversations, stored and as the model has them."""

    table: SqliteTable
    chance: random.Random
    clock: ManualClock = field(default_factory=ManualClock)
    policy: TenantPolicy = field(default_factory=TenantPolicy)
    counting: list[TenantPolicy] = field(default_factory=list)
    """Longer policies before this one, which count until the end of the grace."""
    grace_until: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    model: dict[str, Kept] = field(default_factory=dict)
    is_swept: bool = False

    def __post_init__(self) -> None:
        self.tables = Tables(self.table)
        policies = PolicyCache(tables=self.tables, clock=self.clock)
        self.repository = ConversationRepository(tables=self.tables, clock=self.clock, policies=policies)
        self.lifecycle = Lifecycle(
            tables=self.tables, clock=self.clock, policies=policies, conversations=self.repository
        )
        self.holds = LegalHolds(tables=self.tables, clock=self.clock)
        self.sweep = Sweep(tables=self.tables, clock=self.clock)
        today = self.clock.now().date().isoformat()
        self.table.put(Put({"pk": keys.SWEEP.partition, "sk": keys.SWEEP.sort, "day": today}))

    def step(self) -> None:
        self.is_swept = False
        steps = [self.begin, self.talk, self.archive, self.delete, self.restore, self.hold, self.lift]
        weights = [6, 6, 3, 2, 2, 1, 2]
        self.chance.choices([*steps, self.decide, self.wait], [*weights, 1, 12])[0]()

    def begin(self) -> None:
        now, name = self.clock.now(), str(self.chance.getrandbits(64))
        made = write_conversation(self.table, MAYA, name, begun=now, days=self.policy.retention_days)
        self.model[made] = Kept(now)

    def talk(self) -> None:
        # A new title is activity like a turn, and quicker.
        if made := self._any(Status.ACTIVE, Status.ARCHIVED):
            self.lifecycle.change(MAYA, made, {"title": "still here"})
            self.model[made].last = self.clock.now()

    def archive(self) -> None:
        if made := self._any(Status.ACTIVE, Status.ARCHIVED):
            to_archive = self.model[made].status is Status.ACTIVE
            self.lifecycle.change(MAYA, made, {"archived": to_archive})
            self.model[made].status = Status.ARCHIVED if to_archive else Status.ACTIVE

    def delete(self) -> None:
        if made := self._any(Status.ACTIVE, Status.ARCHIVED):
            self.repository.delete(MAYA, made)
            self.model[made].status, self.model[made].last = Status.DELETED, self.clock.now()

    def restore(self) -> None:
        if made := self._any(Status.DELETED):
            self.lifecycle.restore(MAYA, made)
            self.model[made].status, self.model[made].last = Status.ACTIVE, self.clock.now()

    def hold(self) -> None:
        if made := self._any(*Status):
            self.holds.place(MAYA.tenant, made)
            self.model[made].held = True

    def lift(self) -> None:
        held = [made for made, kept in self.model.items() if kept.held]
        if held:
            made = self.chance.choice(held)
            self.holds.lift(MAYA.tenant, made)
            self.model[made].held = False

    def until(self, kept: Kept) -> datetime | None:
        until = kept.until(self.policy)
        if until is None or not self.counting or until >= self.grace_until:
            return until
        earlier = [end for policy in self.counting if (end := kept.until(policy)) is not None]
        most = max(earlier) if len(earlier) == len(self.counting) else self.grace_until
        return max(until, min(most, self.grace_until))

    def decide(self) -> None:
        former, now = self.policy, self.clock.now()
        self.policy = TenantPolicy(
            retention_days=self.chance.randint(2, 60),
            archived_retention_days=self.chance.choice([None, 1, 5, 90]),
            deleted_grace_days=self.chance.randint(0, 9),
            legal_hold=self.chance.random() < 0.2,
        )
        if self.grace_until <= now:
            self.counting = []
        if is_shorter(self.policy, former):
            self.counting, self.grace_until = [*self.counting, former], now + GRACE
        elif not any(is_shorter(self.policy, each) for each in self.counting):
            self.counting = []
        TenantStore(tables=self.tables, clock=self.clock).save(MAYA.tenant, self.policy)
        self.clock.advance(CACHED_S)
        redater = RetentionUpdater(tables=self.tables, clock=self.clock)
        assert redater.run(RetentionUpdate(MAYA.tenant), Deadline.after(self.clock, FOREVER_S)) is None

    def wait(self) -> None:
        for _ in range(self.chance.randint(1, 4)):
            self.clock.advance(86_400.0)
            self.sweep.run(Deadline.after(self.clock, FOREVER_S))
        self.is_swept = True

    def check(self) -> None:
        """The model and the table agree; what is removed leaves the model."""
        now = self.clock.now()
        for made, kept in list(self.model.items()):
            until = self.until(kept)
            is_over = until is not None and until < now
            assert self._reads(made) == (not is_over and kept.status is not Status.DELETED)
            items = self.table.query(Query(keys.conversation(MAYA.tenant, made), limit=10)).items
            is_removed = len(items) == 1 and is_tombstone(items[0])
            assert is_removed or len(items) == 3
            assert is_over or not is_removed
            if self.is_swept and until is not None and until.date() < now.date():
                assert is_removed
            if is_removed:
                del self.model[made]

    def _any(self, *statuses: Status) -> str | None:
        now = self.clock.now()
        living = [
            made
            for made, kept in self.model.items()
            if kept.status in statuses and ((until := self.until(kept)) is None or until >= now)
        ]
        return self.chance.choice(living) if living else None

    def _reads(self, made: str) -> bool:
        try:
            self.repository.get(MAYA, made)
        except ConversationNotFound:
            return False
        return True


@pytest.mark.parametrize("seed", range(8))
def test_whatever_happens_exactly_what_is_to_be_kept_is_kept(seed: int) -> None:
    with closing(SqliteTable(":memory:")) as table:
        world = World(table, random.Random(seed))
        for _ in range(STEPS):
            world.step()
            world.check()
        assert Sweep(tables=world.tables, clock=world.clock).state().conversations > 20
