"""The executor of runs: each run is claimed, worked on, stored, delivered and posted, each step once.

`agent.runs.run_queue` asks for executions, `agent.runs.worker` has the model do the work, and
`agent.runs.delivery` sends the results.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Protocol

from agent.runs.claims import Claim, ClaimLost, EffectsRefused, RunClaims, RunOccupied, RunResult
from agent.runs.delivery import ResultHandover
from agent.runs.run_queue import RunRequest
from agent.runs.worker import Job, ProgressListener, outcome_for
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentStatus
from agent.workspace.consents import is_changed_since
from agent.workspace.errors import AgentNotFound
from agent.workspace.roster import Roster, read_roster
from agent.workspace.runs import MAX_PROGRESS, Run, RunStatus, RunUsage, Trigger
from conversation.clock import Clock, Deadline
from conversation.errors import QuotaExceeded
from conversation.identity import Caller, new_id
from conversation.limits.quotas import QuotaKind, Quotas
from conversation.retention.expiry import result_kept_until
from conversation.tenants.policy import TenantStatus
from conversation.usage.counters import ModelUsage, counts_of_run, increment
from storage.errors import StorageUnavailable
from storage.tenant_table import Tables

BEAT_EVERY_S = 5.0
LOOK_EVERY_S = 2.0
MAX_LINE = 200


class Heartbeat:
    """Renews a claim every few seconds while the block runs; at each step the worker checks here whether to
    go on.

    ``lost`` is True once a renewal was refused: another worker executes the run, and the work must be
    discarded.
    """

    def __init__(
        self, claims: RunClaims, claim: Claim, clock: Clock, *, every_s: float = BEAT_EVERY_S
    ) -> None:
        self._claims = claims
        self._claim = claim
        self._clock = clock
        self._every_s = every_s
        self._lock = threading.Lock()
        self._progress = list(claim.run.progress)
        self._looked_at = clock.monotonic()
        self._stopped = False
        self._ended = threading.Event()
        self.lost = False
        self._thread = threading.Thread(target=self._beat, name="run-claim", daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        # A renewal under way would write its older progress after what is written next.
        self._thread.join()

    def record_progress(self, line: str) -> None:
        """Record one more line of progress; it is stored with the next renewal."""
        with self._lock:
            self._progress = [*self._progress, line[:MAX_LINE]][-MAX_PROGRESS:]

    def is_stopped(self) -> bool:
        """Whether to give up: the run was cancelled or taken over. Sends at most one request in two
        seconds.
        """
        with self._lock:
            if self._clock.monotonic() - self._looked_at >= LOOK_EVERY_S:
                self._look()
            return self._stopped or self.lost

    def _beat(self) -> None:
        while not self._ended.wait(self._every_s):
            with self._lock:
                self._look()

    def _look(self) -> None:
        self._looked_at = self._clock.monotonic()
        try:
            self._stopped = self._claims.renew(self._claim, self._progress)
        except ClaimLost:
            self.lost = True
        except StorageUnavailable:
            # The claim outlasts a few missed renewals. If storage stays away, the result can't be stored.
            return


LOG = logging.getLogger("omniforge.runs")

MAX_ATTEMPTS = 2
MAX_WORKED = 3
"""How often one execution works when other runs overtake it."""
KEPT_WITHOUT_CHANGE_DAYS = 7
"""How long a run is kept that found no change; there may be 288 of an agent a day."""
DELIVERY_MARGIN_S = 25.0
"""Reserved from an execution's time for delivering and posting."""


class Worker(Protocol):
    """Works on a run: `agent.runs.worker.RunWorker`."""

    def work(self, job: Job, watch: ProgressListener, deadline: Deadline) -> RunResult:
        """Return the result of the job by the deadline."""


class RunExecutor:
    """Executes runs of every tenant; safe to use from several threads."""

    def __init__(
        self,
        *,
        tables: Tables,
        claims: RunClaims,
        agents: AgentStore,
        worker: Worker,
        handover: ResultHandover,
        clock: Clock,
        timeout_s: float,
        quotas: Quotas | None = None,
    ) -> None:
        """``quotas`` None: with a memory of its own."""
        self._quotas = quotas or Quotas(tables=tables, clock=clock)
        self._tables = tables
        self._claims = claims
        self._agents = agents
        self._worker = worker
        self._handing_over = handover
        self._clock = clock
        self._timeout_s = timeout_s

    def execute(self, request: RunRequest, deadline: Deadline) -> Run | None:
        """Return the run as it ended, in this or an earlier call; None when there is nothing to execute (the
        run or a scheduled agent is gone, or paused).

        An interrupted run is resumed once, under the same step ids; after that it ends as ``interrupted``.

        Raises:
            RunOccupied: another worker executes it.
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
        claim = self._claims.claim(request.tenant, request.user, request.effective_run_id, worker=worker)
        if claim is not None or request.scheduled_at is None:
            return claim
        if agent is None or agent.schedule is None or agent.status is AgentStatus.PAUSED:
            return None  # it was changed after its schedule fired
        timing = agent.schedule.timing()
        if not timing.is_one_cron and not timing.matches(request.scheduled_at):
            return None  # the scheduler wakes it more often than cron can say
        run = Run.create(
            agent,
            run_id=request.effective_run_id,
            user=request.user,
            now=self._clock.now(),
            trigger=Trigger.SCHEDULE,
            conversation_id=agent.conversation_id,
            scheduled_at=request.scheduled_at,
        )
        begun = self._claims.claim_new(request.tenant, run, worker=worker)
        if begun is None:
            raise RunOccupied
        return begun

    def _dated(self, caller: Caller, run: Run | None) -> Run | None:
        """The run, which had ended before; one that was cancelled while queued gets its expiry here."""
        if run is not None and run.expires_at is None:
            expires_at = self._expiry(read_roster(self._tables, caller.tenant, self._clock.now()))
            if expires_at is not None:
                self._claims.set_expiry(caller.tenant, run, expires_at)
        return run

    def _expiry(self, roster: Roster, *, most_days: int | None = None) -> datetime | None:
        """When something that ends now expires under the tenant's policy; None: never."""
        policy = roster.record.policy
        if policy.legal_hold:
            return None
        return result_kept_until(self._clock.now(), policy, most_days=most_days)

    def _see_through(self, claim: Claim, caller: Caller, agent: Agent | None, deadline: Deadline) -> Run:
        roster = read_roster(self._tables, caller.tenant, self._clock.now())
        if claim.run.outcome is None:
            claim = replace(claim, run=self._worked_and_settled(claim, caller, agent, roster, deadline))
        assert claim.run.outcome is not None  # noqa: S101 - settled now or by an earlier execution
        self._handing_over.hand_over(claim, agent, roster, deadline)
        kept_days = KEPT_WITHOUT_CHANGE_DAYS if claim.run.outcome.code == "no_change" else None
        expires_at = self._expiry(roster, most_days=kept_days)
        ended = self._claims.end(claim, claim.run.outcome, expires_at=expires_at)
        fields = {"run_id": ended.id, "status": ended.status.value, "outcome": claim.run.outcome.code}
        failed = int(ended.status in {RunStatus.FAILED, RunStatus.TIMED_OUT})
        more = {"attempt": ended.attempt, "model": ended.usage.model, "failed": failed}
        LOG.info("run ended", extra={**fields, **more})
        return ended

    def _worked_and_settled(
        self, claim: Claim, caller: Caller, agent: Agent | None, roster: Roster, deadline: Deadline
    ) -> Run:
        """Work on the run and store the result; work again where that was overtaken by another run."""
        if (refused := self._refused(claim, caller, agent, roster)) is not None:
            return self._settled(claim, caller, refused)
        assert agent is not None  # noqa: S101 - a run whose agent is gone was refused
        for _ in range(MAX_WORKED):
            worked = self._worked(claim, caller, agent, roster, deadline)
            with suppress(EffectsRefused):
                return self._settled(claim, caller, worked)
        return self._settled(claim, caller, RunResult(outcome=outcome_for("agent_gone")))

    def _refused(self, claim: Claim, caller: Caller, agent: Agent | None, roster: Roster) -> RunResult | None:
        """The result of a run that may not be worked on; None when it may."""
        if agent is None:
            return RunResult(outcome=outcome_for("agent_gone"))
        if is_changed_since(claim.run, agent):
            return RunResult(outcome=outcome_for("agent_changed"))
        if roster.record.status is not TenantStatus.ACTIVE:
            return RunResult(outcome=outcome_for("tenant_inactive"))
        if claim.run.attempt > MAX_ATTEMPTS:
            return RunResult(outcome=outcome_for("interrupted"))
        if claim.run.trigger is Trigger.SCHEDULE and claim.run.attempt == 1:
            # Requests counted when they were made; a schedule makes none.
            kind = QuotaKind.RUNS if agent.check is None else QuotaKind.CHECKS
            try:
                self._quotas.take(caller, kind, record=roster.record)
            except QuotaExceeded:
                return RunResult(outcome=outcome_for("limit_reached"))
        return None

    def _worked(
        self, claim: Claim, caller: Caller, agent: Agent, roster: Roster, deadline: Deadline
    ) -> RunResult:
        seconds = min(self._timeout_s, deadline.remaining() - DELIVERY_MARGIN_S)
        job = Job(run=claim.run, agent=agent, caller=caller, roster=roster)
        with Heartbeat(self._claims, claim, self._clock) as watch:
            worked = self._worker.work(job, watch, Deadline.after(self._clock, seconds))
        if watch.lost:
            raise ClaimLost
        return worked

    def _settled(self, claim: Claim, caller: Caller, worked: RunResult) -> Run:
        """Store the result of the work and count its usage for the user; return the run."""
        usage = worked.usage or RunUsage()
        took = ModelUsage(
            model_calls=usage.model_calls,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            cost_usd=usage.cost_usd,
        )
        count = increment(caller, claim.run.id, self._clock.now(), counts_of_run(took))
        return self._claims.settle(claim, worked, (count,))
