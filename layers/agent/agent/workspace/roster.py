"""The roster of a tenant: its policy, answers, lessons, and a card per agent, skill and connection; cached a
minute.

Data that must be current (a suspension, an agent about to be changed) is read from its store instead.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from agent.answers.tenant_answers import answer_from_item
from agent.connections.connection import ConnectionCard, connection_card_from_item, owner_of
from agent.workspace.agents import AgentCard
from agent.workspace.errors import AgentLimitReached, SkillLimitReached
from agent.workspace.items import card_from_item, skill_card_from_item
from agent.workspace.skills import SkillCard
from conversation.clock import Clock
from conversation.limits.quotas import StockLimits
from conversation.limits.rates import TenantLimits
from conversation.tenants.lessons import TaughtLesson, counting_lessons
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantRecord, record_from_item
from intent.answers.answer import Answer
from resilience.cache import Cache
from storage import keys
from storage.keys import TenantId
from storage.table import Item, Query
from storage.tenant_table import Tables

MAX_AGE_S = 60.0
PAGE_SIZE = 1_000
NEVER_READ = datetime.min.replace(tzinfo=UTC)


class Roster(NamedTuple):
    """A tenant's policy, agents and skills at the time they were read.

    Writes of other processes after ``read_at`` may be missing.
    """

    record: TenantRecord
    agents: tuple[AgentCard, ...] = ()
    skills: tuple[SkillCard, ...] = ()
    read_at: datetime = NEVER_READ
    answers: tuple[Answer, ...] = ()
    connections: tuple[ConnectionCard, ...] = ()
    lessons: tuple[TaughtLesson, ...] = ()
    """What users corrected, the oldest first."""

    def owned_by(self, user: str) -> tuple[AgentCard, ...]:
        """Returns the user's own agents, by name."""
        return tuple(card for card in self.agents if card.owner == user)

    def visible_to(self, user: str) -> tuple[AgentCard, ...]:
        """Returns the user's own agents by name, then those that others share."""
        shared = tuple(card for card in self.agents if card.shared and card.owner != user)
        return self.owned_by(user) + shared

    def skills_of(self, user: str) -> tuple[SkillCard, ...]:
        """Returns the skills the user's agents may use, by name."""
        return tuple(card for card in self.skills if card.usable_by(user))

    def services_of(self, user: str) -> frozenset[str]:
        """Returns the services that are connected for the user's agents."""
        ready = (card for card in self.skills_of(user) if self.is_signed_in(card, user))
        return frozenset(service for card in ready for service in card.serves)

    def serving_skill(self, user: str, services: set[str]) -> SkillCard | None:
        """Returns the skill with a sign-in that the user may use for one of the services; None: none is."""
        cards = (card for card in self.skills_of(user) if card.sign_in is not None)
        return next((one for one in cards if one.name in services or services & set(one.serves)), None)

    def waiting_for_sign_in(self, user: str) -> frozenset[str]:
        """Returns the ids of the user's skills that somebody has to sign in to first."""
        return frozenset(card.id for card in self.skills_of(user) if not self.is_signed_in(card, user))

    def is_signed_in(self, card: SkillCard, user: str) -> bool:
        """Whether the skill needs no sign-in, or has one that works for the user."""
        connection = self.connection_of(card, user)
        return card.sign_in is None or (connection is not None and connection.works)

    def connection_of(self, card: SkillCard, user: str) -> ConnectionCard | None:
        """Returns the sign-in that the skill is called with when it works for the user."""
        owner = None if card.sign_in is None else owner_of(card.sign_in, user)
        wanted = (card.id, owner, card.url)
        return next((one for one in self.connections if (one.skill_id, one.user, one.url) == wanted), None)

    def require_agent_quota(self, user: str) -> None:
        """Checks that the user may have one more agent.

        Raises:
            AgentLimitReached: the user has as many as the tenant's policy allows, or the tenant as many as
                the deployment does.
        """
        limit = self.record.policy.limits.agents_per_user
        if len(self.owned_by(user)) >= limit:
            raise AgentLimitReached(limit)
        of_all = StockLimits.of(self.record).agents
        if len(self.agents) >= of_all:
            raise AgentLimitReached(of_all, of_user=False)

    def require_skill_quota(self, user: str) -> None:
        """Checks that the user may have one more skill.

        Raises:
            SkillLimitReached: the tenant, or the user, has as many as allowed.
        """
        limits = StockLimits.of(self.record)
        if len(self.skills) >= limits.skills:
            raise SkillLimitReached(limits.skills)
        if sum(card.owner == user for card in self.skills) >= limits.skills_per_user:
            raise SkillLimitReached(limits.skills_per_user, of_user=True)


class RosterCache:
    """A cache of the rosters of recently served tenants. Safe to use from several threads."""

    def __init__(
        self, *, tables: Tables, clock: Clock, max_age_s: float = MAX_AGE_S, max_tenants: int = 256
    ) -> None:
        self._tables = tables
        self._clock = clock
        self._known = Cache[TenantId, Roster](max_tenants, ttl_s=max_age_s, now=clock.monotonic)
        self._drops = 0
        self._lock = threading.Lock()

    def for_tenant(self, tenant: TenantId) -> Roster:
        """Returns the tenant's roster, at most ``max_age_s`` old."""
        known = self.cached(tenant)
        if known is not None:
            return known
        with self._lock:
            drops = self._drops
        read_at, roster = self._clock.monotonic(), read_roster(self._tables, tenant, self._clock.now())
        with self._lock:
            # If `invalidate` was called during the query, the result may predate the write it was called for.
            if drops == self._drops:
                self._keep(tenant, read_at, roster)
        return roster

    def cached(self, tenant: TenantId) -> Roster | None:
        """Returns the roster if it is cached and fresh, else None; never makes a request."""
        return self._known.get(tenant)

    def cached_or_empty(self, tenant: TenantId) -> Roster:
        """Returns a roster without a request, for when storage is unavailable.

        That is the cached roster of any age, or an empty one that allows no model: the policy is unknown.
        """
        now = self._clock.now()
        roster = self._known.get(tenant, ttl_s=math.inf)
        nobody = TenantRecord(tenant, policy=TenantPolicy(allowed_models=()))
        return Roster(nobody, read_at=now) if roster is None else roster._replace(read_at=now)

    def invalidate(self, tenant: TenantId) -> None:
        """Removes the tenant's roster from the cache, after a write or when it proved outdated."""
        with self._lock:
            self._drops += 1
            self._known.drop(tenant)

    def _keep(self, tenant: TenantId, read_at: float, roster: Roster) -> None:
        self._known.put(tenant, roster, at=read_at)


class RosterLimits:
    """The source of tenant limits for `conversation.limits.limiter`."""

    def __init__(self, rosters: RosterCache) -> None:
        self._rosters = rosters

    def cached(self, tenant: TenantId) -> TenantLimits | None:
        roster = self._rosters.cached(tenant)
        return _limits(roster.record) if roster else None

    def load(self, tenant: TenantId) -> TenantLimits:
        return _limits(self._rosters.for_tenant(tenant).record)


def _limits(record: TenantRecord) -> TenantLimits:
    return TenantLimits(record.policy.limits, record.grant)


def read_roster(tables: Tables, tenant: TenantId, now: datetime) -> Roster:
    """Reads the tenant's roster, strongly consistent; takes one query per thousand items."""
    record = TenantRecord(tenant)
    cards, skills, answers = list[AgentCard](), list[SkillCard](), list[Answer]()
    connections, lessons = list[ConnectionCard](), list[Item]()
    for item in _workspace(tables, tenant):
        if item["sk"] == keys.POLICY:
            record = record_from_item(tenant, item)
        elif str(item["sk"]).startswith(keys.AGENT_CARD_PREFIX):
            cards.append(card_from_item(item))
        elif str(item["sk"]).startswith(keys.SKILL_CARD_PREFIX):
            skills.append(skill_card_from_item(item))
        elif str(item["sk"]).startswith(keys.ANSWER_PREFIX):
            answers.append(answer_from_item(item).to_answer())
        elif str(item["sk"]).startswith(keys.CONNECTION_PREFIX):
            connections.append(connection_card_from_item(item))
        elif str(item["sk"]).startswith(keys.LESSON_PREFIX):
            lessons.append(item)
    return Roster(
        record, tuple(cards), tuple(skills), now, tuple(answers), tuple(connections),
        counting_lessons(lessons, now),
    )  # fmt: skip


def _workspace(tables: Tables, tenant: TenantId) -> Iterator[Item]:
    table = tables.for_tenant(tenant)
    page = table.query(Query(keys.workspace(tenant), limit=PAGE_SIZE))
    yield from page.items
    while page.after is not None:
        page = table.query(Query(keys.workspace(tenant), limit=PAGE_SIZE, after=page.after))
        yield from page.items
