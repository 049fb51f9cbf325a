"""The agents and tasks as they are after the acts of the turn so far, and the writes that make them so.

Several acts on one thing become one write: ``rename it and pause it`` stores the agent once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from agent.handler_interface import TurnRequest
from agent.readiness import Missing, missing_keys, readiness
from agent.undo import Change, Undo, plan_undo
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentCard, AgentChange
from agent.workspace.errors import AgentNotFound
from agent.workspace.runs import Run
from conversation.tenants.policy import TenantPolicy
from storage.table import Action
from tasks.store import TaskStore
from tasks.task import Task, TaskChange


class _Pair(NamedTuple):
    """A thing before the turn (None: it is new) and now (None: it is deleted)."""

    old: Agent | None
    new: Agent | None


@dataclass(frozen=True, slots=True)
class _TaskPair:
    old: Task | None
    new: Task | None


class Told(NamedTuple):
    """What was said of an agent's changes: by field, and what it lacks."""

    said: Mapping[str, str]
    missing: tuple[Missing, ...]


class Workbench:
    """What one turn changes. It reads each thing once and writes nothing itself."""

    def __init__(self, turn: TurnRequest, *, agents: AgentStore, tasks: TaskStore) -> None:
        self.turn = turn
        self.agent_store = agents
        self.task_store = tasks
        self._agents: dict[str, _Pair] = {}
        self._tasks: dict[str, _TaskPair] = {}
        self._cards: tuple[AgentCard, ...] | None = None
        self._stored_tasks: tuple[Task, ...] | None = None
        self._others: list[Action] = []
        self._restored: list[Change] = []
        self._brought_back: dict[str, Change] = {}
        """What brought each agent back that was deleted, by its id."""
        self.undone: frozenset[str] = frozenset()
        """The ids of what an undo of this turn changed."""
        self.told: dict[str, Told] = {}
        """What the turn's replies say so far of each agent that it changed."""
        self._policy: tuple[TenantPolicy, tuple[Action, ...]] | None = None
        self.runs_started = 0
        """How many runs the turn has queued so far."""

    def agent(self, agent_id: str) -> Agent | None:
        """Return an agent the caller can see, with the turn's changes; None when there is none."""
        if agent_id not in self._agents:
            try:
                stored = self.agent_store.get(self.turn.caller, agent_id)
            except AgentNotFound:
                return None
            self._agents[agent_id] = _Pair(stored, stored)
        return self._agents[agent_id].new

    def change_agent(self, agent: Agent, change: AgentChange) -> Agent:
        """Change an agent and return it as it is now."""
        pair = self._agents[agent.id]
        changed = change.applied_to(agent, self.turn.situation.now)
        if pair.old is not None:
            changed = changed.model_copy(update={"version": pair.old.version + 1})
        self._agents[agent.id] = pair._replace(new=changed)
        return changed

    def with_new_readiness(self, old: Agent, new: Agent) -> tuple[Agent, tuple[Missing, ...]]:
        """Return a changed agent and what it lacks, as far as that is due to the change."""
        lacked = missing_keys(readiness(old, self.turn.provision))
        if set(missing_keys(readiness(new, self.turn.provision))) <= set(lacked):
            return new, ()
        return self.with_readiness(new)

    def with_readiness(self, agent: Agent) -> tuple[Agent, tuple[Missing, ...]]:
        """Return a changed agent and what it lacks, as far as its owner wasn't told of it yet."""
        missing = readiness(agent, self.turn.provision)
        if missing_keys(missing) == agent.told_missing:
            return agent, ()
        told = agent.model_copy(update={"told_missing": missing_keys(missing)})
        self._agents[agent.id] = self._agents[agent.id]._replace(new=told)
        return told, missing

    def add_agent(self, agent: Agent) -> None:
        """Add a new agent."""
        self._agents[agent.id] = _Pair(None, agent)

    def delete_agent(self, agent: Agent) -> None:
        """Delete an agent."""
        self._agents[agent.id] = self._agents[agent.id]._replace(new=None)

    def agent_names(self) -> frozenset[str]:
        """Return the names of the caller's agents as they are now."""
        cards = {card.id: card.name for card in self.turn.own_agents()}
        for agent_id, pair in self._agents.items():
            cards.pop(agent_id, None)
            if pair.new is not None and pair.new.owner == self.turn.caller.user:
                cards[agent_id] = pair.new.name
        return frozenset(cards.values())

    def visible_agents(self) -> tuple[AgentCard, ...]:
        """Return the agents the caller can see, their own first, as they are stored now: another process may
        have made or deleted some since the turn's roster was read.
        """
        if self.turn.has_fresh_roster:
            return self.turn.visible_agents()
        if self._cards is None:
            self._cards = self.agent_store.visible_cards(self.turn.caller)
        return self._cards

    def tasks(self) -> tuple[Task, ...]:
        """Return the caller's tasks with the turn's changes, the oldest first."""
        if self._stored_tasks is None:
            self._stored_tasks = tuple(self.turn.situation.read_tasks())
            for task in self._stored_tasks:
                self._tasks.setdefault(task.id, _TaskPair(task, task))
        return tuple(pair.new for pair in self._tasks.values() if pair.new is not None)

    def task(self, task_id: str) -> Task | None:
        """Return one of the caller's tasks, with the turn's changes; None when there is none."""
        return next((task for task in self.tasks() if task.id == task_id), None)

    def add_task(self, task: Task) -> None:
        """Add a new task."""
        self._tasks[task.id] = _TaskPair(None, task)

    def change_task(self, task: Task, change: TaskChange) -> Task:
        """Change a task and return it as it is now."""
        changed = change.applied_to(task, self.turn.situation.now)
        self._tasks[task.id] = replace(self._tasks[task.id], new=changed)
        return changed

    def delete_task(self, task: Task) -> None:
        """Delete a task."""
        self._tasks[task.id] = replace(self._tasks[task.id], new=None)

    def start_run(self, run: Run) -> None:
        """Queue a run."""
        self.runs_started += 1
        self._others.extend(self.agent_store.runs.queue_actions(self.turn.caller.tenant, run))

    def undo(self, change: Change) -> Undo:
        """Take back a change.

        Raises:
            ChangedSince, AgentNameTaken, AgentLimitReached: as for `agent.undo.plan_undo`.
        """
        turn = self.turn
        undo = plan_undo(
            change, turn.caller, agents=self.agent_store, tasks=self.task_store, roster=turn.roster,
            now=turn.situation.now,
        )  # fmt: skip
        self.undone |= {change.id}
        if undo.agent is not None and undo.agent_before is not None:
            self._agents[change.id] = _Pair(undo.agent_before, undo.agent)  # the turn may go on to change it
            return undo
        if undo.agent is not None:
            self._bring_back(undo.agent, undo.change)
            return undo
        self._others.extend(undo.actions)
        self._restored.append(undo.change)
        return undo

    def _bring_back(self, agent: Agent, change: Change) -> None:
        self._agents[agent.id] = _Pair(agent, agent)
        self._brought_back[agent.id] = change

    def restore_agent(self, agent: Agent) -> Agent:
        """Bring back a deleted agent, under a free name."""
        restored = agent.restored(self.agent_names(), self.turn.situation.now)
        self._bring_back(restored, Change.of_agent(agent, restored))
        return restored

    def restore_task(self, task: Task) -> None:
        """Bring back a deleted task."""
        now = self.turn.situation.now
        self._others.extend(self.task_store.restore_actions(self.turn.caller, task.id, now))
        self._restored.append(
            Change.of_task(task, task.model_copy(update={"deleted_at": None, "updated_at": now}))
        )

    @property
    def policy(self) -> TenantPolicy:
        """The tenant's policy, with the turn's changes."""
        return self.turn.roster.record.policy if self._policy is None else self._policy[0]

    def change_policy(self, policy: TenantPolicy, *actions: Action) -> None:
        """Replace the policy; ``actions`` write all of it, so those of an earlier change are left out."""
        self._policy = (policy, actions)

    def write(self, *actions: Action) -> None:
        """Add other writes."""
        self._others.extend(actions)

    def changes(self) -> tuple[Change, ...]:
        """Return what the turn changed, with what it takes to undo it."""
        agents = [
            Change.of_agent(old, new)
            for agent_id, (old, new) in self._agents.items()
            if old is not new and (old or new) and agent_id not in self._brought_back
        ]
        tasks = [
            Change.of_task(pair.old, pair.new)
            for pair in self._tasks.values()
            if pair.old is not pair.new and (pair.old or pair.new)
        ]
        before = self.turn.roster.record.policy
        settings = [] if self.policy == before else [Change.of_policy(before, self.policy)]
        return (*agents, *tasks, *settings, *self._brought_back.values(), *self._restored)

    def actions(self) -> tuple[Action, ...]:
        """Return the writes of all changes."""
        policy = () if self._policy is None else self._policy[1]
        return (*self._agent_actions(), *self._task_actions(), *policy, *self._others)

    def _agent_actions(self) -> list[Action]:
        tenant, store = self.turn.caller.tenant, self.agent_store
        actions: list[Action] = []
        for agent_id, (old, new) in self._agents.items():
            if agent_id in self._brought_back:
                if old is not None and new is not None:
                    back = new.model_copy(update={"version": old.version})
                    actions.extend(store.restore_actions(tenant, back))
            elif old is None and new is not None:
                actions.extend(store.create_actions(tenant, new))
            elif old is not None and new is None:
                actions.extend(store.delete_actions(tenant, old))
            elif old is not None and new is not None and old is not new:
                actions.extend(store.update_actions(tenant, old, new))
        return actions

    def _task_actions(self) -> list[Action]:
        caller, store = self.turn.caller, self.task_store
        actions: list[Action] = []
        for pair in self._tasks.values():
            if pair.old is None and pair.new is not None:
                conversation = self.turn.conversation_id
                actions.extend(store.create_actions(caller, pair.new, conversation_id=conversation))
            elif pair.old is not None and pair.new is None:
                actions.extend(store.delete_actions(caller, pair.old.id))
            elif pair.old is not None and pair.new is not None and pair.old is not pair.new:
                actions.extend(self._task_writes(pair.old, pair.new))
        return actions

    def _task_writes(self, old: Task, new: Task) -> tuple[Action, ...]:
        caller, store, now = self.turn.caller, self.task_store, self.turn.situation.now
        if new.completed and not old.completed:
            return store.complete_actions(caller, old, now)
        return store.update_actions(caller, old.id, _difference(old, new), now)


def _difference(old: Task, new: Task) -> TaskChange:
    fields = {
        field: getattr(new, field)
        for field in TaskChange.model_fields
        if getattr(new, field) != getattr(old, field)
    }
    if "due_at" in fields:
        fields["time_zone"] = new.time_zone  # a time is stored with its zone, even where the zone stays
    return TaskChange.model_validate(fields)
