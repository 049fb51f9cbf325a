"""Agents in the table: what REST does at once, and the writes that a turn puts into its commit.

Every write of an agent is conditional: on its absence, on its name being free, or on the version that was
read. The builders (`creating`, `changing`, `deleting`) only build; whoever applies them learns
from a refusal that the world had changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.workspace import agents as names
from agent.workspace.agents import Agent, AgentCard, AgentChange, AgentFields, AgentSpec, Delivery
from agent.workspace.delivery_targets import is_url
from agent.workspace.errors import (
    AddressBlocked,
    AgentChanged,
    AgentLimitReached,
    AgentNameTaken,
    AgentNotFound,
    AgentNotOwned,
    ScheduleTooFrequent,
)
from agent.workspace.items import agent_from_item, agent_to_item, card_from_item, card_to_item
from agent.workspace.naming import name_for
from agent.workspace.roster import Roster, read_roster
from agent.workspace.run_store import RunStore
from conversation import cron as schedules
from conversation.clock import Clock
from conversation.identity import Caller, is_id, new_id
from storage import keys
from storage.errors import TransactionRefused
from storage.keys import TenantId
from storage.table import Action, Conditions, Delete, Equals, NotExists, Position, Put
from storage.tenant import Tables
from tools.outbound.client import Outbound, OutboundRefused


class AgentStore:
    """The agents of every tenant, one caller at a time; a foreign agent is `AgentNotFound`. Reads are
    strongly consistent.
    """

    def __init__(self, *, tables: Tables, clock: Clock, outbound: Outbound | None = None) -> None:
        self._tables = tables
        self._clock = clock
        self._outbound = outbound
        self.runs = RunStore(tables=tables, clock=clock)
        """What the agents did."""

    def get(self, caller: Caller, agent_id: str) -> Agent:
        """The agent, when it is the caller's or shared with them.

        Raises:
            AgentNotFound: otherwise.
        """
        key = keys.agent(caller.tenant, agent_id)
        item = self._tables.for_tenant(caller.tenant).get(key) if is_id(agent_id) else None
        agent = agent_from_item(item) if item is not None else None
        if agent is None or not (agent.shared or agent.owner == caller.user):
            raise AgentNotFound
        return agent

    def own_card(self, caller: Caller, name: str) -> AgentCard | None:
        """The card of the caller's own agent of this name."""
        if not names.is_slug(name):
            return None
        item = self._tables.for_tenant(caller.tenant).get(keys.agent_card(caller.tenant, caller.user, name))
        return None if item is None else card_from_item(item)

    def visible(self, caller: Caller) -> tuple[AgentCard, ...]:
        """All cards the caller may see: their own by name, then those others share."""
        return self._roster(caller).visible_to(caller.user)

    def list(
        self, caller: Caller, *, limit: int, after: Position | None = None
    ) -> tuple[tuple[AgentCard, ...], Position | None]:
        """A page of `visible`, and where the next one starts (None: nowhere)."""
        last = (after or {}).get("owner", ""), (after or {}).get("name", "")
        cards = [
            card
            for card in self.visible(caller)
            if after is None or _rank(caller, *last) < _rank(caller, card.owner, card.name)
        ]
        page = tuple(cards[:limit])
        more = len(cards) > limit
        return page, {"owner": page[-1].owner, "name": page[-1].name} if more else None

    def create(self, caller: Caller, spec: AgentSpec) -> Agent:
        """A new agent of the caller; without a name in the spec it gets a free one that fits.

        Raises:
            AgentNameTaken: the caller has an agent of that name.
            AgentLimitReached: as many as the tenant's policy allows.
            ScheduleTooFrequent: by itself it would work more often than is allowed.
            AddressBlocked: as for `check_addresses`.
        """
        require_rare(spec)
        self.check_addresses(spec.delivery)
        roster = self._roster(caller)
        require_room(roster, caller)
        taken = frozenset(card.name for card in roster.owned_by(caller.user))
        if spec.name in taken:
            raise AgentNameTaken
        name = spec.name or names.free(name_for(spec), taken)
        agent = Agent.made(spec, agent_id=new_id(), name=name, owner=caller.user, now=self._clock.now())
        self._apply(caller, self.creating(caller.tenant, agent), AgentNameTaken)
        return agent

    def update(
        self, caller: Caller, agent_id: str, change: AgentChange, *, version: int | None = None
    ) -> Agent:
        """The agent with the change's fields replaced; ``version`` is the one the caller saw (None: whatever
        stands).

        Raises:
            AgentNotFound: not visible to the caller.
            AgentNotOwned: shared by somebody else.
            AgentChanged: it has another version by now.
            AgentNameTaken: the new name belongs to another agent of the caller.
            ScheduleTooFrequent, AddressBlocked: as for `create`.
        """
        require_rare(change)
        self.check_addresses(change.delivery)
        old = self._owned(caller, agent_id)
        if version is not None and version != old.version:
            raise AgentChanged
        new = change.applied_to(old, self._clock.now())
        if new.name != old.name and self.own_card(caller, new.name) is not None:
            raise AgentNameTaken
        self._apply(caller, self.changing(caller.tenant, old, new), AgentChanged)
        return new

    def delete(self, caller: Caller, agent_id: str) -> None:
        """Remove the caller's agent; its runs stay.

        Raises:
            AgentNotFound, AgentNotOwned, AgentChanged: as for `update`.
        """
        agent = self._owned(caller, agent_id)
        self._apply(caller, self.deleting(caller.tenant, agent), AgentChanged)

    def check_addresses(self, delivery: Delivery) -> None:
        """Nothing, when results may be sent to the delivery's web addresses as far as is known now; each
        sending looks again. Looks up their names.

        Raises:
            AddressBlocked: otherwise.
        """
        urls = [recipient for recipient in delivery.recipients if is_url(recipient)]
        blocked = [url for url in urls if not self._may_be_sent_to(url)]
        if blocked:
            raise AddressBlocked(blocked)

    def _may_be_sent_to(self, url: str) -> bool:
        if self._outbound is None:
            return True
        try:
            self._outbound.check(url)
        except OutboundRefused as refused:
            return refused.code == "unreachable"  # a name may come to be known later
        return True

    def creating(self, tenant: TenantId, agent: Agent) -> tuple[Action, ...]:
        """The writes of a new agent, refused when its name is taken or it was created before."""
        return (
            Put(card_to_item(tenant, agent.card()), (NotExists(),)),
            Put(agent_to_item(tenant, agent), (NotExists(),)),
        )

    def changing(self, tenant: TenantId, old: Agent, new: Agent) -> tuple[Action, ...]:
        """The writes that replace an agent, refused when it changed since ``old`` was read or the new name is
        taken.
        """
        full = Put(agent_to_item(tenant, new), (Equals("version", old.version),))
        card = card_to_item(tenant, new.card())
        if new.name == old.name:
            return full, Put(card, _is_card_of(old))
        return full, Put(card, (NotExists(),)), self._deleting_card(tenant, old)

    def deleting(self, tenant: TenantId, agent: Agent) -> tuple[Action, ...]:
        """The writes that remove an agent, refused when it changed since it was read."""
        full = Delete(keys.agent(tenant, agent.id), (Equals("version", agent.version),))
        return full, self._deleting_card(tenant, agent)

    def _deleting_card(self, tenant: TenantId, agent: Agent) -> Delete:
        return Delete(keys.agent_card(tenant, agent.owner, agent.name), _is_card_of(agent))

    def _owned(self, caller: Caller, agent_id: str) -> Agent:
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


def require_rare(fields: AgentFields) -> None:
    """Nothing, when the fields name no schedule that is too frequent.

    Raises:
        ScheduleTooFrequent: otherwise.
    """
    if fields.schedule is not None and schedules.is_too_frequent(fields.schedule.cron):
        raise ScheduleTooFrequent(schedules.MOST_AN_HOUR)


def require_room(roster: Roster, caller: Caller) -> None:
    """Nothing, when the caller may have one more agent.

    Raises:
        AgentLimitReached: otherwise.
    """
    limit = roster.record.policy.limits.agents_per_user
    if len(roster.owned_by(caller.user)) >= limit:
        raise AgentLimitReached(limit)


def _is_card_of(agent: Agent) -> Conditions:
    return (Equals("id", agent.id),)


def _rank(caller: Caller, owner: str, name: str) -> tuple[bool, str, str]:
    return owner != caller.user, keys.encode_user(owner), name
