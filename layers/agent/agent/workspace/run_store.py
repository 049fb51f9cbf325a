"""The run store for callers: reads runs, queues them and cancels them.

Writing a queued run is enough: the table's stream starts it. `agent.runs.claims` writes what an execution
produces.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from agent.workspace.agents import Agent
from agent.workspace.errors import HeldCallNotFound, RunNotEnded, RunNotFound, WorkspaceContended
from agent.workspace.items import APPROVALS, run_from_item, run_to_item
from agent.workspace.runs import Run, RunConsent, RunOutcome, RunStatus, Trigger
from conversation.clock import Clock, to_text
from conversation.errors import IdempotencyKeyReused
from conversation.identity import Caller, TurnId, derived_id, is_ulid, new_ulid, short_hash, ulid_at
from conversation.limits.quotas import QuotaKind, Quotas
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.items import item_key
from storage.keys import TenantId
from storage.table import (
    Action,
    Changes,
    Equals,
    Exists,
    Item,
    Key,
    NotExists,
    Position,
    Put,
    Query,
    Set,
    Update,
)
from storage.tenant_table import Tables

IDEMPOTENCY_TTL_S = 24 * 60 * 60
"""How long an Idempotency-Key is remembered."""

IDEMPOTENCY_ACTION_INDEX = 1
MAX_TRIES = 10
"""At an approval; a run has no more calls that others could approve meanwhile."""

CHUNK = 100
MAX_EXAMINED = 1_000
"""Runs that one page of a filtered list looks at."""
MAX_LATENESS = timedelta(days=7)
"""How much later than its time a schedule may still fire."""

CANCELLED_TEXT = "It was cancelled before it was done."


class RunFilter(NamedTuple):
    """Which runs are wanted; None: any. They were created from ``since`` on, and before ``until``."""

    agent_id: str | None = None
    status: RunStatus | None = None
    since: datetime | None = None
    until: datetime | None = None

    def matches(self, run: Run) -> bool:
        """Whether the run is wanted."""
        return (
            self.agent_id in (None, run.agent_id)
            and self.status in (None, run.status)
            and (self.since is None or run.created_at >= self.since)
            and (self.until is None or run.created_at < self.until)
        )


ALL_RUNS = RunFilter()


class RunStore:
    """Reads and writes the caller's runs; another user's run is `RunNotFound`.

    Reads are strongly consistent.
    """

    def __init__(self, *, tables: Tables, clock: Clock, quotas: Quotas | None = None) -> None:
        """``quotas`` None: with a memory of its own."""
        self._tables = tables
        self._clock = clock
        self.quotas = quotas or Quotas(tables=tables, clock=clock)
        """Where whoever queues runs by `queue_actions` takes them first."""

    def get(self, caller: Caller, run_id: str) -> Run:
        """Returns the caller's run.

        Raises:
            RunNotFound: the caller has no such run, or it expired.
        """
        key = keys.run(caller.tenant, caller.user, run_id)
        item = self._tables.for_tenant(caller.tenant).get(key) if is_ulid(run_id) else None
        run = run_from_item(caller.user, item) if item is not None else None
        if run is None or run.is_expired(self._clock.now()):
            raise RunNotFound
        return run

    def list(
        self,
        caller: Caller,
        *,
        limit: int,
        after: Position | None = None,
        wanted: RunFilter = ALL_RUNS,
    ) -> tuple[tuple[Run, ...], Position | None]:
        """Returns a page of the caller's runs, newest first, and the next page's position (None: no more).
        Where few of many are wanted, a page may have fewer than ``limit`` although there is a next one.
        """
        found, examined, now = [], 0, self._clock.now()
        table, chunk = self._tables.for_tenant(caller.tenant), limit if wanted == ALL_RUNS else CHUNK
        while True:
            page = table.query(_runs_query(caller, wanted, limit=chunk, after=after))
            for item in page.items:
                run = run_from_item(caller.user, item)
                if wanted.matches(run) and not run.is_expired(now):
                    found.append(run)
                    if len(found) == limit:
                        is_last = item is page.items[-1]
                        return tuple(found), page.after if is_last else _position(item)
            after, examined = page.after, examined + chunk
            if after is None or examined >= MAX_EXAMINED or wanted == ALL_RUNS:
                return tuple(found), after

    def build(
        self,
        caller: Caller,
        agent: Agent,
        parameters: Mapping[str, str],
        consent: RunConsent | None = None,
    ) -> Run:
        """Builds a run requested over REST, without storing it."""
        now = self._clock.now()
        return Run.create(
            agent,
            run_id=new_ulid(now),
            user=caller.user,
            now=now,
            trigger=Trigger.REST,
            conversation_id=agent.conversation_id if agent.owner == caller.user else None,
            parameters=parameters,
            consent=consent,
        )

    def queue_actions(self, tenant: TenantId, run: Run) -> tuple[Action, ...]:
        """Returns the write that queues a run; refused when a run with this id exists already."""
        return (Put(run_to_item(tenant, run), (NotExists(),)),)

    def queue(
        self, caller: Caller, run: Run, *, key: str | None = None, extra_actions: Sequence[Action] = ()
    ) -> Run:
        """Queues the run and returns it; with a key used within the last 24 hours, returns the earlier run.

        ``extra_actions`` are further writes in the same transaction.

        Raises:
            IdempotencyKeyReused: the key was used for another agent or other parameters.
            QuotaExceeded: as many runs were started today as may be; a repeated request counts, too.
        """
        self.quotas.take(caller, QuotaKind.RUNS)
        wish = _wish(run.agent_id, run.parameters)
        record = (
            [Put(self._idempotency_item(caller, run, key, wish), (NotExists(),))] if key is not None else []
        )
        try:
            self._tables.for_tenant(caller.tenant).transact(
                (*self.queue_actions(caller.tenant, run), *record, *extra_actions)
            )
        except TransactionRefused as refused:
            earlier = refused.refused.get(IDEMPOTENCY_ACTION_INDEX)
            if earlier is None:
                raise
            if earlier["wish"] != wish:
                raise IdempotencyKeyReused from refused
            return self.get(caller, str(earlier["run_id"]))
        return run

    def find_by_key(
        self, caller: Caller, agent_id: str, parameters: Mapping[str, str], key: str
    ) -> Run | None:
        """Returns the run that was queued under this key; None: there is none.

        Raises:
            IdempotencyKeyReused, RunNotFound: as for `queue`.
        """
        record = self._tables.for_tenant(caller.tenant).get(_key_record(caller, key))
        if record is None or int(str(record["expires_at"])) <= self._clock.now().timestamp():
            return None
        if record["wish"] != _wish(agent_id, parameters):
            raise IdempotencyKeyReused
        return self.get(caller, str(record["run_id"]))

    def queue_once(self, caller: Caller, run: Run, *, extra_actions: Sequence[Action] = ()) -> Run:
        """Queues the run and returns it; if a run with this id exists already, returns that one.

        Raises:
            QuotaExceeded: as for `queue`.
        """
        self.quotas.take(caller, QuotaKind.RUNS)
        try:
            self._tables.for_tenant(caller.tenant).transact(
                (*self.queue_actions(caller.tenant, run), *extra_actions)
            )
        except TransactionRefused:
            return self.get(caller, run.id)
        return run

    def approve(self, caller: Caller, run_id: str, call_id: str) -> Run:
        """Queues the run that makes this held call, and returns it; returns the same run when the call was
        approved before.

        Raises:
            RunNotFound: as for `get`; also when the run that made the call is gone.
            HeldCallNotFound: the run holds no such call.
            RunNotEnded: the run is still worked on.
            WorkspaceContended: other calls of the run were approved at the same time, again and again.
        """
        for _ in range(MAX_TRIES):
            run = self.get(caller, run_id)
            if run.outcome is None:
                raise RunNotEnded
            held = run.held_call(call_id)
            if held is None:
                raise HeldCallNotFound
            if held.approved_by is not None:
                return self.get(caller, held.approved_by)
            now = self._clock.now()
            approved = run.approving(held, run_id=new_ulid(now), now=now, trigger=Trigger.REST)
            try:
                self._tables.for_tenant(caller.tenant).transact(
                    self.approval_actions(caller.tenant, run, approved)
                )
            except TransactionRefused:
                continue
            return approved
        raise WorkspaceContended

    def approval_actions(self, tenant: TenantId, run: Run, approved: Run) -> tuple[Action, ...]:
        """Returns the writes that queue ``approved``, which makes a held call of ``run``.

        They are refused when a call of the run was approved since it was read, so that each is made once.
        """
        before = {held.id: held.approved_by for held in run.held_calls if held.approved_by is not None}
        held = approved.approved_call
        after = {**before, **({held.id: approved.id} if held else {})}
        unchanged = Equals(APPROVALS, _json(before)) if before else NotExists(APPROVALS)
        note = Update(
            keys.run(tenant, run.user, run.id), (Set(APPROVALS, _json(after)),), (Exists("status"), unchanged)
        )
        return (*self.queue_actions(tenant, approved), note)

    def cancel_actions(self, tenant: TenantId, run: Run) -> tuple[Action, ...]:
        """Returns the write that cancels a queued run, or asks a running one to stop.

        It is refused when the run's status changed meanwhile.
        """
        return (self._cancellation(tenant, run),)

    def cancel(self, caller: Caller, run_id: str) -> Run:
        """Cancels a queued run; a running one stops at its next step, and one that ended stays as it is.

        Raises:
            RunNotFound: as for `get`.
        """
        run = self.get(caller, run_id)
        while not run.status.is_final:
            try:
                item = self._tables.for_tenant(caller.tenant).update(self._cancellation(caller.tenant, run))
                return run_from_item(caller.user, item)
            except ConditionRefused:
                run = self.get(caller, run_id)
        return run

    def find_of_turn(self, caller: Caller, turn_id: str) -> Run | None:
        """Returns the run that a turn has started; None: it started none, or that is gone."""
        turn = TurnId.parse(turn_id)
        try:
            return None if turn is None else self.get(caller, turn.ulid)
        except RunNotFound:
            return None

    def _cancellation(self, tenant: TenantId, run: Run) -> Update:
        changes: Changes = (Set("stop", True),)
        if run.status is not RunStatus.RUNNING:
            changes = (
                Set("status", RunStatus.CANCELLED.value),
                Set("finished_at", to_text(self._clock.now())),
                Set("outcome", RunOutcome(code="cancelled", words=CANCELLED_TEXT).model_dump_json()),
            )
        condition = (Equals("status", run.status.value),)
        return Update(keys.run(tenant, run.user, run.id), changes, condition)

    def _idempotency_item(self, caller: Caller, run: Run, key: str, wish: str) -> Item:
        record = _key_record(caller, key)
        return {
            "pk": record.partition,
            "sk": record.sort,
            "run_id": run.id,
            "wish": wish,
            "expires_at": int(self._clock.now().timestamp()) + IDEMPOTENCY_TTL_S,
        }


def _runs_query(caller: Caller, wanted: RunFilter, *, limit: int, after: Position | None) -> Query:
    """A run's id has the time at which it was asked for, or at which its schedule wanted it, which is earlier
    than its creation.
    """
    low = ulid_at(wanted.since - MAX_LATENESS) if wanted.since else ""
    high = ulid_at(wanted.until) if wanted.until else "~"
    return Query(
        keys.runs(caller.tenant, caller.user),
        limit=limit,
        low=f"{keys.RUN_PREFIX}{low}",
        high=f"{keys.RUN_PREFIX}{high}",
        newest_first=True,
        after=after,
    )


def _position(item: Item) -> Position:
    key = item_key(item)
    return {"pk": key.partition, "sk": key.sort}


def _key_record(caller: Caller, key: str) -> Key:
    return keys.user_idempotency(caller.tenant, caller.user, short_hash("run", key))


def _wish(agent_id: str, parameters: Mapping[str, str]) -> str:
    return derived_id(agent_id, *(text for item in sorted(parameters.items()) for text in item))


def _json(approvals: Mapping[str, str]) -> str:
    return json.dumps(approvals, sort_keys=True)
