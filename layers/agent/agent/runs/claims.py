"""Claims on stored runs: one executor at a time, resumed after an interruption, ended once.

A claim lasts 20 seconds (`CLAIM_LIFETIME`) and is renewed while the run is worked on, so that a killed
function blocks its run for no longer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from agent.workspace.items import run_from_item, run_to_item
from agent.workspace.runs import CalledTool, DeliveryOutcome, HeldCall, Run, RunOutcome, RunStatus, RunUsage
from conversation.clock import Clock, to_millis, to_text
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.keys import TenantId
from storage.table import (
    Action,
    Add,
    AnyOf,
    AtMost,
    Changes,
    Check,
    Conditions,
    Equals,
    Exists,
    Item,
    Key,
    NotExists,
    Put,
    Remove,
    Set,
    SetIfAbsent,
    Update,
    Value,
)
from storage.tenant_table import Tables

CLAIM_LIFETIME = timedelta(seconds=20)

STATUS_BY_OUTCOME = {
    "done": RunStatus.SUCCEEDED,
    "no_change": RunStatus.SUCCEEDED,
    "cancelled": RunStatus.CANCELLED,
    "timed_out": RunStatus.TIMED_OUT,
}
"""The final status for each code of an outcome; any other code is a failure."""


class RunOccupied(Exception):
    """Another worker executes the run: try again later, because it may have to be resumed."""


class EffectsRefused(Exception):
    """What the result of a run would change was changed meanwhile: nothing was stored, work again."""


class ClaimLost(Exception):
    """Another worker took the run over: stop, and write nothing more."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A run that this worker may execute for now."""

    tenant: TenantId
    worker: str
    run: Run


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """The result of the work, before anything is posted or delivered."""

    outcome: RunOutcome
    output: str = ""
    tool_calls: tuple[CalledTool, ...] = ()
    skill_notes: tuple[str, ...] = ()
    held_calls: tuple[HeldCall, ...] = ()
    usage: RunUsage | None = None
    effects: tuple[Action, ...] = ()
    """Further writes to be stored with the result."""


class RunClaims:
    """The runs of every tenant; safe to use from several threads."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def claim_new(self, tenant: TenantId, run: Run, *, worker: str) -> Claim | None:
        """Claim a run that is not stored yet; None when another worker stored it first.

        Stores it as running at once: the table's stream starts every run that is stored as queued.
        """
        now = self._clock.now()
        begun = run.model_copy(update={"status": RunStatus.RUNNING, "started_at": now, "attempt": 1})
        item: Item = {
            **run_to_item(tenant, begun),
            "started_at": to_text(now),
            "attempt": 1,
            "worker": worker,
            "claimed_until": to_millis(now + CLAIM_LIFETIME),
        }
        try:
            self._tables.for_tenant(tenant).put(Put(item, (NotExists(),)))
        except ConditionRefused as refused:
            is_ours = refused.old is not None and refused.old.get("worker") == worker
            return Claim(tenant, worker, begun) if is_ours else None
        return Claim(tenant, worker, begun)

    def claim(self, tenant: TenantId, user: str, run_id: str, *, worker: str) -> Claim | Run | None:
        """Claim a stored run. Returns the run itself when it has ended, None when there is no such run.

        Raises:
            RunOccupied: another worker's claim is still valid.
        """
        now = self._clock.now()
        changes: Changes = (
            Set("status", RunStatus.RUNNING.value),
            SetIfAbsent("started_at", to_text(now)),
            Add("attempt", 1),
            Set("worker", worker),
            Set("claimed_until", to_millis(now + CLAIM_LIFETIME)),
        )
        waits = (Equals("status", RunStatus.QUEUED.value),)
        was_left = (Equals("status", RunStatus.RUNNING.value), AtMost("claimed_until", to_millis(now)))
        update = Update(keys.run(tenant, user, run_id), changes, (AnyOf((waits, was_left)),))
        try:
            item = self._tables.for_tenant(tenant).update(update)
        except ConditionRefused as refused:
            if refused.old is None:
                return None
            run = run_from_item(user, refused.old)
            if refused.old.get("worker") == worker:
                return Claim(tenant, worker, run)
            if run.status.is_final:
                return run
            raise RunOccupied from refused
        return Claim(tenant, worker, run_from_item(user, item))

    def renew(self, claim: Claim, progress: Sequence[str]) -> bool:
        """Renew the claim and store the progress; True when the run is to stop.

        Raises:
            ClaimLost: another worker took the run over.
        """
        until = to_millis(self._clock.now() + CLAIM_LIFETIME)
        item = self._update(claim, (Set("claimed_until", until), Set("progress", [*progress])))
        return item.get("stop") is True

    def settle(self, claim: Claim, worked: RunResult, effects: Sequence[Action] = ()) -> Run:
        """Store the result of the work together with its and the given effects, once; posting and delivery
        are still to follow.

        Raises:
            ClaimLost: another worker took the run over.
            EffectsRefused: the conditions of the effects don't hold.
        """
        changes: Changes = (
            Set("claimed_until", to_millis(self._clock.now() + CLAIM_LIFETIME)),
            Set("outcome", worked.outcome.model_dump_json()),
            Set("output", worked.output),
            Set("tool_calls", _json([call.model_dump(mode="json") for call in worked.tool_calls])),
            *_held(worked.held_calls),
            Set("usage", (worked.usage or RunUsage()).model_dump_json()),
            *((Set("skill_notes", _json(list(worked.skill_notes))),) if worked.skill_notes else ()),
        )
        update = Update(_key(claim), changes, (*_ours(claim), NotExists("outcome")))
        try:
            self._tables.for_tenant(claim.tenant).transact((update, *worked.effects, *effects))
        except TransactionRefused as refused:
            raise (ClaimLost if 0 in refused.refused else EffectsRefused) from refused
        names = ("outcome", "output", "tool_calls", "skill_notes", "held_calls")
        values = {name: getattr(worked, name) for name in names}
        return claim.run.model_copy(update={**values, "usage": worked.usage or RunUsage()})

    def store_deliveries(self, claim: Claim, deliveries: Sequence[DeliveryOutcome]) -> None:
        """Store the deliveries so far, so that a resumed execution repeats none of them.

        Raises:
            ClaimLost: another worker took the run over.
        """
        until = to_millis(self._clock.now() + CLAIM_LIFETIME)
        told = _json([delivery.model_dump(mode="json") for delivery in deliveries])
        self._update(claim, (Set("claimed_until", until), Set("deliveries", told)))

    def end(self, claim: Claim, outcome: RunOutcome, *, expires_at: datetime | None = None) -> Run:
        """Return the run with its final status. Nothing changes it any more until it expires (None: never).

        Raises:
            ClaimLost: another worker took the run over.
        """
        changes: Changes = (
            Set("status", STATUS_BY_OUTCOME.get(outcome.code, RunStatus.FAILED).value),
            Set("finished_at", to_text(self._clock.now())),
            Remove("claimed_until"),
            Remove("stop"),
            *_expiring(expires_at),
        )
        try:
            item = self._tables.for_tenant(claim.tenant).update(Update(_key(claim), changes, _ours(claim)))
        except ConditionRefused as refused:
            # Our own update may have succeeded although its response was lost.
            if refused.old is None or refused.old.get("worker") != claim.worker:
                raise ClaimLost from refused
            item = refused.old
        return run_from_item(claim.run.user, item)

    def set_expiry(self, tenant: TenantId, run: Run, expires_at: datetime) -> None:
        """Set the expiry of a run that ended without an execution; does nothing when the run is gone."""
        key = keys.run(tenant, run.user, run.id)
        with suppress(ConditionRefused):
            self._tables.for_tenant(tenant).update(Update(key, _expiring(expires_at), (Exists(),)))

    def _update(self, claim: Claim, changes: Changes) -> Item:
        try:
            return self._tables.for_tenant(claim.tenant).update(Update(_key(claim), changes, _ours(claim)))
        except ConditionRefused as refused:
            raise ClaimLost from refused


def _key(claim: Claim) -> Key:
    return keys.run(claim.tenant, claim.run.user, claim.run.id)


def _ours(claim: Claim) -> Conditions:
    return (Equals("worker", claim.worker), Equals("status", RunStatus.RUNNING.value))


def _held(calls: Sequence[HeldCall]) -> Changes:
    return (Set("held_calls", _json([call.model_dump(mode="json") for call in calls])),) if calls else ()


def _expiring(at: datetime | None) -> Changes:
    return () if at is None else (Set("expires_at", int(at.timestamp())),)


def _json(value: object) -> Value:
    return json.dumps(value, ensure_ascii=False)


_TOLD = "told"


class Notices:
    """The reason for not working that the conversation of each agent was told last; safe to use from several
    threads.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def read(self, tenant: TenantId, agent_id: str) -> str:
        """The reason that was told last; empty when the agent has worked since."""
        item = self._tables.for_tenant(tenant).get(keys.agent_state(tenant, agent_id))
        return str((item or {}).get(_TOLD, ""))

    def store(self, tenant: TenantId, agent_id: str, reason: str) -> None:
        """Store the reason that was told now; does nothing when the agent is gone."""
        update = Update(keys.agent_state(tenant, agent_id), (Set(_TOLD, reason),))
        with suppress(TransactionRefused):
            self._tables.for_tenant(tenant).transact(
                (update, Check(keys.agent(tenant, agent_id), (Exists(),)))
            )
