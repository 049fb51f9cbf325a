"""The agent store: operations for REST, and builders of the writes that a turn adds to its commit.

Every write of an agent is conditional: on its absence, on its name being free, or on the version that was
read. The builders (`create_actions`, `update_actions`, `delete_actions`, `restore_actions`) only build; a
refused commit means that the agent changed meanwhile.

A deleted agent is kept apart for 30 days. Only `deleted`, `get_deleted`, `restore` and `restore_actions` see
it: nothing that lists, counts, runs or schedules agents does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from agent.checks.check import Check
from agent.connections.errors import SecretsUnavailable
from agent.connections.posting_links import PostingLinks
from agent.workspace import agents
from agent.workspace.agents import Agent, AgentCard, AgentChange, AgentFields, AgentSpec
from agent.workspace.consents import ConsentStore
from agent.workspace.delivery_targets import AllowedTargets, Delivery, is_url
from agent.workspace.errors import (
    AddressBlocked,
    AgentChanged,
    AgentNameTaken,
    AgentNotFound,
    AgentNotOwned,
    CheckBlocked,
    ScheduleTooFrequent,
    TargetNotAllowed,
)
from agent.workspace.items import (
    OPTIONAL_OF_CARD,
    agent_change_to_item,
    agent_from_item,
    agent_to_item,
    card_from_item,
    card_to_item,
    deleted_agent_to_item,
)
from agent.workspace.naming import suggest_name
from agent.workspace.roster import PAGE_SIZE, Roster, read_roster
from agent.workspace.run_store import RunStore
from conversation.clock import Clock
from conversation.identity import Caller, is_id, new_id
from conversation.keyed_creation import Created, CreationRequest, KeyedCreations
from conversation.limits.quotas import QuotaKind, Quotas
from conversation.restoration import is_restorable, newest_first, page_of
from conversation.tenants.audit import Act, AuditLog, Values
from conversation.tenants.store import TenantRecord, TenantStore
from conversation.timing import MAX_RUNS_PER_HOUR
from storage import keys
from storage.errors import TransactionRefused
from storage.items import rewrite
from storage.keys import TenantId
from storage.table import Action, Conditions, Delete, Equals, NotExists, Position, Put, Query, query_pages
from storage.tenant_table import Tables
from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.outbound.urls import OutboundError


class AgentStore:
    """Reads and writes the agents a caller can see; any other agent is `AgentNotFound`.

    Reads are strongly consistent.
    """

    def __init__(
        self,
        *,
        tables: Tables,
        clock: Clock,
        outbound: OutboundClient | None = None,
        quotas: Quotas | None = None,
        delivery_hosts: Sequence[str] = (),
        links: PostingLinks | None = None,
    ) -> None:
        """``quotas`` None: with a memory of its own. ``delivery_hosts``: where the deployment lets every
        tenant send results (`agent.workspace.delivery_targets`). ``links`` seals the links that agents are
        created or updated with; None: there are none, or they are sealed already.
        """
        self._links = links
        self._delivery_hosts = tuple(delivery_hosts)
        self._creations = KeyedCreations(tables=tables, clock=clock)
        self._tenants = TenantStore(tables=tables, clock=clock)
        self._audit = AuditLog(tables=tables, clock=clock)
        self._tables = tables
        self._clock = clock
        self._outbound = outbound
        self.quotas = quotas or Quotas(tables=tables, clock=clock)
        """Where whoever builds agents by `create_actions` takes them first."""
        self.runs = RunStore(tables=tables, clock=clock, quotas=self.quotas)
        """The runs of the agents."""
        self.consents = ConsentStore(tables=tables, clock=clock)
        """What users allowed to agents of their colleagues."""

    def get(self, caller: Caller, agent_id: str) -> Agent:
        """Returns the agent when it is the caller's or shared.

        Raises:
            AgentNotFound: otherwise.
        """
        key = keys.agent(caller.tenant, agent_id)
        item = self._tables.for_tenant(caller.tenant).get(key) if is_id(agent_id) else None
        agent = agent_from_item(item) if item is not None else None
        if agent is None or not (agent.shared or agent.owner == caller.user):
            raise AgentNotFound
        return agent

    def find_own_card(self, caller: Caller, name: str) -> AgentCard | None:
        """Returns the card of the caller's own agent of this name; None when there is none."""
        if not agents.is_slug(name):
            return None
        item = self._tables.for_tenant(caller.tenant).get(keys.agent_card(caller.tenant, caller.user, name))
        return None if item is None else card_from_item(item)

    def visible_cards(self, caller: Caller) -> tuple[AgentCard, ...]:
        """Returns all cards the caller may see: their own by name, then those that others share."""
        return self._roster(caller).visible_to(caller.user)

    def list(
        self, caller: Caller, *, limit: int, after: Position | None = None
    ) -> tuple[tuple[AgentCard, ...], Position | None]:
        """Returns a page of `visible_cards` and the position of the next page (None: no more)."""
        last = (after or {}).get("owner", ""), (after or {}).get("name", "")
        cards = [
            card
            for card in self.visible_cards(caller)
            if after is None or _rank(caller, *last) < _rank(caller, card.owner, card.name)
        ]
        page = tuple(cards[:limit])
        more = len(cards) > limit
        return page, {"owner": page[-1].owner, "name": page[-1].name} if more else None

    def deleted(self, caller: Caller) -> tuple[Agent, ...]:
        """Returns the agents that the caller deleted and can still restore, the last deleted first."""
        now = self._clock.now()
        partition = keys.restorable(caller.tenant, caller.user)
        query = Query(partition, limit=PAGE_SIZE, prefix=keys.DELETED_AGENT_PREFIX)
        pages = query_pages(self._tables.for_tenant(caller.tenant), query)
        return newest_first([agent_from_item(item) for page in pages for item in page.items], now)

    def list_deleted(
        self, caller: Caller, *, limit: int, after: Position | None = None
    ) -> tuple[tuple[AgentCard, ...], Position | None]:
        """Returns a page of the cards of `deleted`, and the position of the next page (None: no more)."""
        page, behind = page_of(self.deleted(caller), limit, after)
        return tuple(agent.card() for agent in page), behind

    def get_deleted(self, caller: Caller, agent_id: str) -> Agent:
        """Returns an agent that the caller deleted and can still restore.

        Raises:
            AgentNotFound: there is none.
        """
        key = keys.deleted_agent(caller.tenant, caller.user, agent_id)
        item = self._tables.for_tenant(caller.tenant).get(key) if is_id(agent_id) else None
        agent = agent_from_item(item) if item is not None else None
        if agent is None or not is_restorable(agent.deleted_at, self._clock.now()):
            raise AgentNotFound
        return agent

    def create(self, caller: Caller, spec: AgentSpec) -> Agent:
        """Creates an agent of the caller; without a name in the spec it gets a fitting free one.

        Raises:
            AgentNameTaken: the caller has an agent of that name.
            AgentLimitReached: the caller, or the tenant, has as many agents as allowed.
            QuotaExceeded: as many agents were created today as may be.
            ScheduleTooFrequent: the schedule would run it more often than is allowed.
            AddressBlocked, TargetNotAllowed: as for `check_addresses`.
            CheckBlocked: as for `require_checkable`.
            SecretsUnavailable: a link can't be sealed now.
        """
        return self.create_once(caller, spec, key=None).made

    def create_once(self, caller: Caller, spec: AgentSpec, *, key: str | None) -> Created[Agent]:
        """Creates an agent as `create` does; a request repeated under its Idempotency-Key gets the first
        one's.

        Raises:
            IdempotencyKeyReused, AgentNotFound: as for `KeyedCreations.create`; more as for `create`.
        """
        agent_id = new_id()
        return self._creations.create(
            caller,
            CreationRequest("agent", key, spec),
            made_id=agent_id,
            make=partial(self._create, caller, spec, agent_id),
            read=partial(self.get, caller),
        )

    def _create(self, caller: Caller, spec: AgentSpec, agent_id: str, record: Sequence[Action]) -> Agent:
        _require_allowed_frequency(spec)
        roster = self._roster(caller)
        self.check_addresses(caller, spec.delivery, roster.record)
        spec = spec.model_copy(update={"delivery": self._sealed(caller, spec.delivery)})
        self.require_checkable(spec.check)
        roster.require_agent_quota(caller.user)
        taken = frozenset(card.name for card in roster.owned_by(caller.user))
        if spec.name in taken:
            raise AgentNameTaken
        self.quotas.take(caller, QuotaKind.AGENTS, record=roster.record)
        name = spec.name or agents.free_name(suggest_name(spec), taken)
        agent = Agent.create(spec, agent_id=agent_id, name=name, owner=caller.user, now=self._clock.now())
        self._apply(caller, (*self.create_actions(caller.tenant, agent), *record), AgentNameTaken)
        return agent

    def update(
        self, caller: Caller, agent_id: str, change: AgentChange, *, version: int | None = None
    ) -> Agent:
        """Replaces the fields given in the change and returns the new version of the agent.

        ``version`` is the version the caller saw; None: any.

        Raises:
            AgentNotFound: the caller can't see the agent.
            AgentNotOwned: the agent belongs to another user, who shares it.
            AgentChanged: the agent has another version by now.
            AgentNameTaken: another agent of the caller has the new name.
            ScheduleTooFrequent, AddressBlocked, TargetNotAllowed, CheckBlocked, SecretsUnavailable: as for
                `create`.
        """
        _require_allowed_frequency(change)
        self.require_checkable(change.check)
        if change.delivery.recipients:
            self.check_addresses(caller, change.delivery, self._tenants.record(caller.tenant))
            change = change.model_copy(update={"delivery": self._sealed(caller, change.delivery)})
        old = self.get_own(caller, agent_id)
        if version is not None and version != old.version:
            raise AgentChanged
        new = change.applied_to(old, self._clock.now())
        if new.name != old.name and self.find_own_card(caller, new.name) is not None:
            raise AgentNameTaken
        self._apply(caller, self.update_actions(caller.tenant, old, new), AgentChanged)
        return new

    def delete(self, caller: Caller, agent_id: str) -> None:
        """Deletes the caller's agent; its runs stay, and it can be restored for 30 days. A deleted one stays
        as it is.

        Raises:
            AgentNotFound, AgentNotOwned, AgentChanged: as for `update`.
        """
        try:
            agent = self.get_own(caller, agent_id)
        except AgentNotFound:
            self.get_deleted(caller, agent_id)
            return
        self._apply(caller, self.delete_actions(caller.tenant, agent), AgentChanged)

    def restore(self, caller: Caller, agent_id: str) -> Agent:
        """Brings a deleted agent back as it was, with its schedule, and returns it.

        It gets another name where its own is taken meanwhile. One that is not deleted is returned as it is.

        Raises:
            AgentNotFound: the caller has no such agent, or deleted it more than 30 days ago.
            AgentLimitReached: as for `create`.
            AgentChanged: it was restored, or its name taken, at this moment.
        """
        try:
            agent = self.get_deleted(caller, agent_id)
        except AgentNotFound:
            return self.get_own(caller, agent_id)
        roster = self._roster(caller)
        roster.require_agent_quota(caller.user)
        taken = frozenset(card.name for card in roster.owned_by(caller.user))
        restored = agent.restored(taken, self._clock.now())
        self._apply(caller, self.restore_actions(caller.tenant, restored), AgentChanged)
        return restored

    def check_addresses(self, caller: Caller, delivery: Delivery, record: TenantRecord) -> None:
        """Checks that results of the caller's agents may be sent to the addresses; deliveries check again.

        Resolves the host names of web addresses; one that does not resolve yet is accepted.

        Raises:
            TargetNotAllowed: the tenant does not allow an address.
            AddressBlocked: a web address is none that anything is sent to.
        """
        allowed = AllowedTargets.of(record.policy, caller.user, self._delivery_hosts)
        if refused := allowed.refused(delivery.recipients):
            raise TargetNotAllowed(refused)
        urls = [recipient for recipient in delivery.recipients if is_url(recipient)]
        blocked = [url for url in urls if not self._may_be_sent_to(url)]
        if blocked:
            raise AddressBlocked(blocked)

    def _sealed(self, caller: Caller, delivery: Delivery) -> Delivery:
        if self._links is None or not delivery.recipients:
            return delivery
        try:
            sealed = [self._links.sealed_in(caller, recipient) for recipient in delivery.recipients]
        except ToolError:
            raise SecretsUnavailable from None
        return delivery.model_copy(update={"recipients": tuple(dict.fromkeys(sealed))})

    def require_checkable(self, check: Check | None) -> None:
        """Checks that the address of the check, if any, may be requested; each run checks again.

        Raises:
            CheckBlocked: it may not. An address whose name does not resolve yet may.
        """
        if check is not None and not self._may_be_sent_to(check.url):
            raise CheckBlocked

    def _may_be_sent_to(self, url: str) -> bool:
        if self._outbound is None:
            return True
        try:
            self._outbound.check_url(url)
        except OutboundError as refused:
            return refused.code in ("unreachable", "timeout")  # the name may resolve later
        return True

    def create_actions(self, tenant: TenantId, agent: Agent) -> tuple[Action, ...]:
        """Returns the writes that create an agent; refused when its name is taken or it exists already.

        Here and below, sharing, deleting and restoring an agent is recorded in the audit log.
        """
        shared = (self._recorded(tenant, Act.AGENT_SHARED, None, agent),) if agent.shared else ()
        return *_creation(tenant, agent), *shared

    def update_actions(self, tenant: TenantId, old: Agent, new: Agent) -> tuple[Action, ...]:
        """Returns the writes that replace an agent.

        They are refused when the agent changed since ``old`` was read, or the new name is taken.
        """
        full = rewrite(agent_to_item(tenant, new), (Equals("version", old.version),))
        card = card_to_item(tenant, new.card())
        act = Act.AGENT_SHARED if new.shared else Act.AGENT_UNSHARED
        change = agent_change_to_item(tenant, old, new)
        recorded = (
            *((self._recorded(tenant, act, old, new),) if new.shared != old.shared else ()),
            *((Put(change),) if change else ()),
        )
        if new.name == old.name:
            return full, rewrite(card, _is_card_of(old), optional=OPTIONAL_OF_CARD), *recorded
        return full, Put(card, (NotExists(),)), self._card_delete_action(tenant, old), *recorded

    def delete_actions(self, tenant: TenantId, agent: Agent) -> tuple[Action, ...]:
        """Returns the writes that delete an agent and keep it for 30 days; refused when it changed since it
        was read.
        """
        full = Delete(keys.agent(tenant, agent.id), (Equals("version", agent.version),))
        kept = Put(deleted_agent_to_item(tenant, agent, self._clock.now()))
        # What its checks found is not kept: once restored, it begins anew.
        state = Delete(keys.agent_state(tenant, agent.id))
        recorded = self._recorded(tenant, Act.AGENT_DELETED, agent, None)
        return full, self._card_delete_action(tenant, agent), state, kept, recorded

    def restore_actions(self, tenant: TenantId, agent: Agent) -> tuple[Action, ...]:
        """Returns the writes that bring a deleted agent back as `Agent.restored` built it.

        They are refused when its name is taken, or it was restored or removed for good meanwhile.
        """
        key = keys.deleted_agent(tenant, agent.owner, agent.id)
        kept = Delete(key, (Equals("version", agent.version - 1),))
        return *_creation(tenant, agent), kept, self._recorded(tenant, Act.AGENT_RESTORED, None, agent)

    def _recorded(self, tenant: TenantId, act: Act, old: Agent | None, new: Agent | None) -> Put:
        known = new or old
        assert known is not None  # noqa: S101 - an act is on an agent that is or was there
        before, after = (None if each is None else _audited(each) for each in (old, new))
        actor = Caller(tenant, known.owner)  # nobody else may do any of it
        return self._audit.build_record(actor, act, known.id, before=before, after=after)

    def _card_delete_action(self, tenant: TenantId, agent: Agent) -> Delete:
        return Delete(keys.agent_card(tenant, agent.owner, agent.name), _is_card_of(agent))

    def get_own(self, caller: Caller, agent_id: str) -> Agent:
        """Returns the caller's own agent.

        Raises:
            AgentNotFound, AgentNotOwned: it is not there, or a colleague's.
        """
        agent = self.get(caller, agent_id)
        if agent.owner != caller.user:
            raise AgentNotOwned
        return agent

    def _roster(self, caller: Caller) -> Roster:
        return read_roster(self._tables, caller.tenant, self._clock.now())

    def _apply(
        self, caller: Caller, actions: Sequence[Action], refusal: type[AgentNameTaken | AgentChanged]
    ) -> None:
        try:
            self._tables.for_tenant(caller.tenant).transact(actions)
        except TransactionRefused as refused:
            raise refusal from refused


def _creation(tenant: TenantId, agent: Agent) -> tuple[Action, ...]:
    return (
        Put(card_to_item(tenant, agent.card()), (NotExists(),)),
        Put(agent_to_item(tenant, agent), (NotExists(),)),
    )


def _audited(agent: Agent) -> Values:
    return {"name": agent.name, "shared": agent.shared}


def _require_allowed_frequency(fields: AgentFields) -> None:
    """Checks that the schedule, if any, is not too frequent.

    Raises:
        ScheduleTooFrequent: the schedule is too frequent.
    """
    if fields.schedule is not None and fields.schedule.timing().is_too_frequent:
        raise ScheduleTooFrequent(MAX_RUNS_PER_HOUR)


def _is_card_of(agent: Agent) -> Conditions:
    return (Equals("id", agent.id),)


def _rank(caller: Caller, owner: str, name: str) -> tuple[bool, str, str]:
    return owner != caller.user, keys.encode_user(owner), name
