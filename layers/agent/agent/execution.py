"""Executing runs: claimed, worked on by a model with tools, stored, delivered and posted, each once.

What asks for an execution is `agent.starting`'s business, how a model goes about it `agent.working`'s, and
how results are sent `agent.delivering`'s.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from agent.agents import Agent, AgentStatus
from agent.errors import AgentNotFound
from agent.handing_over import HandingOver
from agent.heartbeats import Heartbeat
from agent.roster import Roster, read_roster
from agent.run_claims import Claim, ClaimLost, RunClaims, RunOccupied, Worked
from agent.runs import Run, RunUsage, Trigger
from agent.starting import RunRequest
from agent.store import AgentStore
from agent.working import Job, Watch, outcome
from conversation.clock import Clock, Deadline
from conversation.identity import Caller, new_id
from conversation.policy import TenantStatus
from conversation.usage import ModelUsage, counting, of_run
from storage.tenant import Tables

__all__ = ["RunExecutor", "RunOccupied"]

LOG = logging.getLogger("omniforge.runs")

MAX_ATTEMPTS = 2
HANDING_OVER_S = 25.0
"""What is left of an execution's time for delivering and posting."""


class Worker(Protocol):
    """Works on a run: `agent.working.RunWorker`."""

    def work(self, job: Job, watch: Watch, deadline: Deadline) -> Worked:
        """What became of the job by the deadline."""


class RunExecutor:
    """Executes runs of every tenant; safe to use from several threads."""

    def __init__(
        self,
        *,
        tables: Tables,
        claims: RunClaims,
        agents: AgentStore,
        worker: Worker,
        handing_over: HandingOver,
        clock: Clock,
        timeout_s: float,
    ) -> None:
        self._tables = tables
        self._claims = claims
        self._agents = agents
        self._worker = worker
        self._handing_over = handing_over
        self._clock = clock
        self._timeout_s = timeout_s

    def execute(self, request: RunRequest, deadline: Deadline) -> Run | None:
        """The run as it ended, by this or an earlier call; None when there is nothing to execute (the run or
        a scheduled agent is gone, or paused).

        A run whose execution was cut short is gone on with once, under the same step ids; after that it ends
        as ``interrupted``.

        Raises:
            RunOccupied: it is being executed elsewhere.
        """
        caller = Caller(request.tenant, request.user)
        agent = self._agent(caller, request.agent_id)
        claim = self._claimed(request, agent)
        if not isinstance(claim, Claim):
            return self._dated(caller, claim)
        try:
            return self._see_through(claim, caller, agent, deadline)
        except ClaimLost:
            raise RunOccupied from None

    def _agent(self, caller: Caller, agent_id: str) -> Agent | None:
        try:
            return self._agents.get(caller, agent_id)
        except AgentNotFound:
            return None

    def _claimed(self, request: RunRequest, agent: Agent | None) -> Claim | Run | None:
        worker = new_id()
        claim = self._claims.claim(request.tenant, request.user, request.run, worker=worker)
        if claim is not None or request.scheduled_at is None:
            return claim
        if agent is None or agent.schedule is None or agent.status is AgentStatus.PAUSED:
            return None  # it was changed after its timetable fired
        run = Run.asked(
            agent,
            run_id=request.run,
            user=request.user,
            now=self._clock.now(),
            trigger=Trigger.SCHEDULE,
            conversation_id=agent.conversation_id,
            scheduled_at=request.scheduled_at,
        )
        begun = self._claims.begin(request.tenant, run, worker=worker)
        if begun is None:
            raise RunOccupied
        return begun

    def _dated(self, caller: Caller, run: Run | None) -> Run | None:
        """A run that had ended; one that was cancelled while it waited learns here when it expires."""
        if run is not None and run.expires_at is None:
            expires_at = self._expiry(read_roster(self._tables, caller.tenant, self._clock.now()))
            if expires_at is not None:
                self._claims.expire(caller.tenant, run, expires_at)
        return run

    def _expiry(self, roster: Roster) -> datetime | None:
        """Until when the tenant's policy keeps what ends now; None: for good."""
        policy = roster.record.policy
        if policy.legal_hold:
            return None
        return self._clock.now() + timedelta(days=policy.retention_days)

    def _see_through(self, claim: Claim, caller: Caller, agent: Agent | None, deadline: Deadline) -> Run:
        roster = read_roster(self._tables, caller.tenant, self._clock.now())
        if claim.run.outcome is None:
            worked = self._worked(claim, caller, agent, roster, deadline)
            claim = replace(claim, run=self._settled(claim, caller, worked))
        assert claim.run.outcome is not None  # noqa: S101 - settled now or by an earlier execution
        self._handing_over.hand_over(claim, agent, roster, deadline)
        ended = self._claims.end(claim, claim.run.outcome, expires_at=self._expiry(roster))
        fields = {"run_id": ended.id, "status": ended.status.value, "outcome": claim.run.outcome.code}
        LOG.info("run ended", extra=fields | {"attempt": ended.attempt, "model": ended.usage.model})
        return ended

    def _worked(
        self, claim: Claim, caller: Caller, agent: Agent | None, roster: Roster, deadline: Deadline
    ) -> Worked:
        if agent is None:
            return Worked(outcome=outcome("agent_gone"))
        if roster.record.status is not TenantStatus.ACTIVE:
            return Worked(outcome=outcome("tenant_inactive"))
        if claim.run.attempt > MAX_ATTEMPTS:
            return Worked(outcome=outcome("interrupted"))
        seconds = min(self._timeout_s, deadline.remaining() - HANDING_OVER_S)
        job = Job(run=claim.run, agent=agent, caller=caller, roster=roster)
        with Heartbeat(self._claims, claim, self._clock) as watch:
            worked = self._worker.work(job, watch, Deadline.after(self._clock, seconds))
        if watch.lost:
            raise ClaimLost
        return worked

    def _settled(self, claim: Claim, caller: Caller, worked: Worked) -> Run:
        """The run with what became of the work, counted among what the user took of models."""
        usage = worked.usage or RunUsage()
        took = ModelUsage(
            model_calls=usage.model_calls,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            cost_usd=usage.cost_usd,
        )
        count = counting(caller, claim.run.id, self._clock.now(), of_run(took))
        return self._claims.settle(claim, worked, (count,))
