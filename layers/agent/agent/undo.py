"""What a turn changed of agents, tasks and settings, and the writes that restore the former state.

A `Change` says what changed and which values it had. Those of a turn become a `ChangeRecord`
for the reply's note; `plan_undo` reverses one of them, except changes of the workspace's policy.
Nothing here decides what the user wants undone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentChange
from agent.workspace.errors import AgentNameTaken, AgentNotFound
from agent.workspace.items import former_values
from agent.workspace.roster import Roster
from conversation.clock import Clock, from_text, to_text
from conversation.errors import Conflict
from conversation.identity import Caller, short_hash
from conversation.restoration import expiry
from conversation.tenants.policy import TenantPolicy
from storage import keys
from storage.table import Action, Item, Position, Put, Query, query_pages
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tasks.task import Task, TaskNotFound

MAX_INLINE_BYTES = 1_500
"""The most that the changes of a turn take in its note; more is stored beside it."""

_PAGE, _RECENT = 100, 20
_PART_CHARACTERS = 90_000
"""Of one item with changes: at four bytes each, they fit into the 400 KB of an item."""

_Thing = TypeVar("_Thing", Agent, Task)


class ChangedSince(Conflict):
    """The agent or task is not any more what the change left, or is gone: undoing it would lose more."""

    code = "changed_since"

    def __init__(self) -> None:
        super().__init__("It was changed since.")


class ChangeKind(StrEnum):
    """What happened to an agent or a task."""

    CREATED = "created"
    CHANGED = "changed"
    DELETED = "deleted"
    RESTORED = "restored"


class Change(BaseModel):
    """One change of an agent, a task or the workspace's policy, with what it takes to undo it."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    subject: Literal["agent", "task", "policy"] = "agent"
    kind: ChangeKind = ChangeKind.CHANGED
    id: str
    name: str = Field(description="the agent's name or the task's title before the change")
    left: str = Field(description="identifies the state that the change left")
    former: Mapping[str, JsonValue] = Field(
        default_factory=dict, description="the changed fields as they were; only of kind ``changed``"
    )

    @classmethod
    def of_agent(cls, old: Agent | None, new: Agent | None) -> Change:
        """Builds the change from one state of an agent to another; None: there is no such agent."""
        known, after = _known(old, new), _known(new, old)
        kind = _kind(old, new)
        return cls(
            kind=kind, id=known.id, name=known.name, left=str(after.version), former=_former(kind, old, new)
        )

    @classmethod
    def of_task(cls, old: Task | None, new: Task | None) -> Change:
        """Builds the change from one state of a task to another; None: there is no such task.

        `TaskChange.applied_to` gives the state that `TaskStore.update_actions` leaves.
        """
        known, after = _known(old, new), _known(new, old)
        kind = _kind(old, new)
        return cls(
            subject="task",
            kind=kind,
            id=known.id,
            name=known.title,
            left=_state_of(after),
            former=_former(kind, old, new),
        )

    @classmethod
    def of_policy(cls, old: TenantPolicy, new: TenantPolicy) -> Change:
        """Builds the change from one policy of the workspace to another."""
        before, after = old.model_dump(mode="json"), new.model_dump(mode="json")
        former = {name: value for name, value in before.items() if value != after[name]}
        left = short_hash(*(f"{name} {after[name]}" for name in sorted(former)))
        return cls(subject="policy", id="policy", name="the settings", left=left, former=former)

    def former_policy(self, policy: TenantPolicy) -> TenantPolicy:
        """Returns a policy with the settings that this change of it replaced.

        Raises:
            ChangedSince: one of them is not what the change left.
        """
        former = TenantPolicy.model_validate_json(
            json.dumps({**policy.model_dump(mode="json"), **self.former})
        )
        if Change.of_policy(former, policy).left != self.left:
            raise ChangedSince
        return former


class Undo(NamedTuple):
    """How to undo a change: the writes, and what follows from them."""

    actions: tuple[Action, ...]
    change: Change
    """What the writes change: undoing this one does the first again."""
    agent: Agent | None = None
    """The agent as it is then; None: it is deleted then, or a task was changed."""
    task: Task | None = None
    """The task as it is then; None: it is deleted then, or an agent was changed."""
    agent_before: Agent | None = None
    """The agent as it is before; None: it is deleted now or then, or a task was changed."""


def plan_undo(
    change: Change, caller: Caller, *, agents: AgentStore, tasks: TaskStore, roster: Roster, now: datetime
) -> Undo:
    """Returns how to undo a change of the caller's agents or tasks; one request.

    What was created is deleted, and what was deleted is restored, under another name where an agent's own is
    taken meanwhile.

    Raises:
        ChangedSince: the agent or task is not what the change left.
        AgentNameTaken: another agent has the name that the agent had.
        AgentLimitReached: the caller has as many agents as allowed.
    """
    try:
        if change.subject == "task":
            return _undo_of_task(change, caller, tasks, now)
        return _undo_of_agent(change, caller, agents, roster, now)
    except (AgentNotFound, TaskNotFound):
        raise ChangedSince from None


def _undo_of_agent(change: Change, caller: Caller, agents: AgentStore, roster: Roster, now: datetime) -> Undo:
    is_deleted = change.kind is ChangeKind.DELETED
    agent = (agents.get_deleted if is_deleted else agents.get)(caller, change.id)
    if agent.owner != caller.user or str(agent.version) != change.left:
        raise ChangedSince
    taken = frozenset(card.name for card in roster.owned_by(caller.user) if card.id != agent.id)
    match change.kind:
        case ChangeKind.CREATED | ChangeKind.RESTORED:
            return Undo(agents.delete_actions(caller.tenant, agent), Change.of_agent(agent, None))
        case ChangeKind.DELETED:
            roster.require_agent_quota(caller.user)
            former = agent.restored(taken, now)
            actions = agents.restore_actions(caller.tenant, former)
        case ChangeKind.CHANGED:
            steps = {"version": agent.version + 1, "updated_at": now}
            former = Agent.model_validate({**agent.model_dump(), **change.former, **steps})
            if former.name in taken:
                raise AgentNameTaken
            actions = agents.update_actions(caller.tenant, agent, former)
    before = None if is_deleted else agent
    return Undo(actions, Change.of_agent(agent, former), agent=former, agent_before=before)


def _undo_of_task(change: Change, caller: Caller, tasks: TaskStore, now: datetime) -> Undo:
    is_deleted = change.kind is ChangeKind.DELETED
    task = (tasks.get_deleted if is_deleted else tasks.get)(caller, change.id)
    if _state_of(task) != change.left:
        raise ChangedSince
    match change.kind:
        case ChangeKind.CREATED | ChangeKind.RESTORED:
            return Undo(tasks.delete_actions(caller, task.id), Change.of_task(task, None))
        case ChangeKind.DELETED:
            former = task.model_copy(update={"deleted_at": None, "updated_at": now})
            actions = tasks.restore_actions(caller, task.id, now)
        case ChangeKind.CHANGED:
            former = Task.model_validate({**task.model_dump(), **change.former, "updated_at": now})
            actions = tasks.replace_actions(caller, task, former)
    return Undo(actions, Change.of_task(task, former), task=former)


class ChangeRecord(BaseModel):
    """The changes of one turn, as its note keeps them."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    changes: tuple[Change, ...] = Field(default=(), description="in their order; empty where they are stored")
    stored: str = Field(default="", description="the id they are stored under; empty: they are all here")


class ChangeStore:
    """Keeps the changes that are too long for a note, for as long as anything can be restored."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def record(
        self, caller: Caller, record_id: str, changes: Sequence[Change]
    ) -> tuple[ChangeRecord, tuple[Action, ...]]:
        """Returns the record of a turn's changes, and the writes that belong to it.

        ``record_id`` is the turn's own, so that a repeated turn writes the same. There are no writes when the
        changes fit into a note.
        """
        record = ChangeRecord(changes=tuple(changes))
        text = record.model_dump_json(exclude_defaults=True)
        if len(text.encode()) <= MAX_INLINE_BYTES:
            return record, ()
        parts = (text[at : at + _PART_CHARACTERS] for at in range(0, len(text), _PART_CHARACTERS))
        actions = tuple(Put(self._item(caller, record_id, place, part)) for place, part in enumerate(parts))
        return ChangeRecord(stored=record_id), actions

    def read(self, caller: Caller, record: ChangeRecord) -> tuple[Change, ...]:
        """Returns the changes of a record; none after the 30 days for which stored ones are kept."""
        if not record.stored:
            return record.changes
        prefix = keys.former_values_prefix(record.stored)
        query = Query(keys.restorable(caller.tenant, caller.user), limit=100, prefix=prefix)
        pages = query_pages(self._tables.for_tenant(caller.tenant), query)
        items = [item for page in pages for item in page.items]
        if not items or int(str(items[0]["expires_at"])) <= self._clock.now().timestamp():
            return ()
        return ChangeRecord.model_validate_json("".join(str(item["changes"]) for item in items)).changes

    def agent_versions(self, caller: Caller, agent_id: str) -> tuple[AgentVersion, ...]:
        """Returns the latest changes of an agent of the caller's, newest first; one request."""
        table = self._tables.for_tenant(caller.tenant)
        page = table.query(_changes_of_agent(caller, agent_id, _RECENT, None))
        return _versions(page.items, self._clock.now())

    def _item(self, caller: Caller, record_id: str, place: int, text: str) -> Item:
        key = keys.former_values(caller.tenant, caller.user, record_id, place)
        until = expiry(self._clock.now())
        return {"pk": key.partition, "sk": key.sort, "changes": text, "expires_at": until}


class AgentVersion(NamedTuple):
    """One change of an agent, as its owner sees it for 30 days."""

    version: int
    """The version that the change made."""
    at: datetime
    former: Mapping[str, JsonValue]
    """The changed fields as they were."""


class AgentHistory:
    """Reads the changes of an agent, however they were made, and goes back to before one of them."""

    def __init__(self, *, tables: Tables, clock: Clock, agents: AgentStore) -> None:
        self._tables = tables
        self._clock = clock
        self._agents = agents

    def list(
        self, caller: Caller, agent_id: str, *, limit: int, after: Position | None = None
    ) -> tuple[tuple[AgentVersion, ...], Position | None]:
        """Returns a page of the changes of the caller's agent, newest first, and where to go on.

        Raises:
            AgentNotFound, AgentNotOwned: it is not there, or a colleague's.
        """
        self._agents.get_own(caller, agent_id)
        page = self._tables.for_tenant(caller.tenant).query(_changes_of_agent(caller, agent_id, limit, after))
        return _versions(page.items, self._clock.now()), page.after

    def go_back(self, caller: Caller, agent_id: str, version: int) -> Agent:
        """Returns the agent after giving it the values it had before a version; that is a change, too.

        Raises:
            AgentNotFound, AgentNotOwned: as for `list`.
            ChangedSince: no change of that version is kept any more.
            AgentChanged, AgentNameTaken, TargetNotAllowed, AddressBlocked, ...: as for `AgentStore.update`.
        """
        agent = self._agents.get_own(caller, agent_id)
        former: dict[str, JsonValue] = {}
        for page in query_pages(
            self._tables.for_tenant(caller.tenant), _changes_of_agent(caller, agent_id, _PAGE, None)
        ):
            for change in _versions(page.items, self._clock.now()):
                former.update(change.former)
                if change.version <= version:
                    break
            else:
                continue
            if change.version < version:
                raise ChangedSince
            known = {name: value for name, value in former.items() if name in AgentChange.model_fields}
            return self._agents.update(
                caller, agent_id, AgentChange.model_validate_json(json.dumps(known)), version=agent.version
            )
        raise ChangedSince


def _versions(items: Sequence[Item], now: datetime) -> tuple[AgentVersion, ...]:
    return tuple(
        AgentVersion(
            version=int(str(item["sk"]).rpartition("#")[2]),
            at=from_text(str(item["at"])),
            former=json.loads(str(item["former"])),
        )
        for item in items
        if int(str(item["expires_at"])) > now.timestamp()
    )


def _changes_of_agent(caller: Caller, agent_id: str, limit: int, after: Position | None) -> Query:
    return Query(
        keys.restorable(caller.tenant, caller.user),
        limit,
        prefix=keys.agent_changes_prefix(agent_id),
        newest_first=True,
        after=after,
    )


def _known(first: _Thing | None, second: _Thing | None) -> _Thing:
    known = first if first is not None else second
    if known is None:
        raise ValueError("a change has a state before or after it")
    return known


def _kind(old: Agent | Task | None, new: Agent | Task | None) -> ChangeKind:
    if old is None:
        return ChangeKind.CREATED
    if new is None:
        return ChangeKind.DELETED
    return ChangeKind.CHANGED if old.deleted_at is None else ChangeKind.RESTORED


def _former(kind: ChangeKind, old: Agent | Task | None, new: Agent | Task | None) -> dict[str, JsonValue]:
    if kind is not ChangeKind.CHANGED or old is None or new is None:
        return {}
    return former_values(old, new)


def _state_of(task: Task) -> str:
    """Returns a text that differs between states of a task: it has no version."""
    moments = (task.updated_at, task.completed_at)
    known = (to_text(moment) if moment else "" for moment in moments)
    due = (task.due_date, task.due_at, task.time_zone, task.repeat)
    return short_hash(task.title, task.description, *map(str, due), *known)
