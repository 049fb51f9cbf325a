"""The work of a run whose agent checks a web address: no model, no tools. Stores and sends nothing.

Whatever looks like news is looked at twice, so that a single lost request tells nobody anything.
"""

from __future__ import annotations

from agent.checks.check import Check, Expectation
from agent.checks.check_state import CheckState, Judgement, judge
from agent.checks.observation import TIMEOUT_S, AddressForbidden, Observation, Observer
from agent.checks.state_store import CheckStates
from agent.runs.claims import RunResult
from agent.runs.executor import Worker
from agent.runs.worker import Job, ProgressListener, outcome_for
from agent.templates import check_texts
from agent.workspace.runs import Trigger
from conversation.clock import Clock, Deadline

CONFIRM_AFTER_S = 3.0


class CheckWorker:
    """Works on runs that check an address, and leaves all others to ``others``; safe to use from several
    threads.
    """

    def __init__(self, *, observer: Observer, states: CheckStates, others: Worker, clock: Clock) -> None:
        self._observer = observer
        self._states = states
        self._others = others
        self._clock = clock

    def work(self, job: Job, progress: ProgressListener, deadline: Deadline) -> RunResult:
        """Return the result of the job by the deadline. Its effects store what was found.

        The result of a scheduled run has news, or says that there is none; any other says how it stands.
        """
        check = job.agent.check
        if check is None or job.run.approved_call is not None:
            return self._others.work(job, progress, deadline)
        before = self._states.read(job.caller.tenant, job.agent.id)
        try:
            found, judged = self._look(check, before, deadline)
        except AddressForbidden:
            return RunResult(outcome=outcome_for("address_blocked"))
        return self._result(job, check, before, found, judged)

    def _look(
        self, check: Check, before: CheckState | None, deadline: Deadline
    ) -> tuple[Observation, Judgement]:
        """Return what is found and what it brings; what differs from one look to the next brings nothing."""
        found = self._observer.observe(check, deadline)
        judged = judge(check, before, found, self._clock.now())
        is_first_text = check.expect is Expectation.UNCHANGED and not _fingerprint(before)
        if not judged.news and not is_first_text:
            return found, judged
        if deadline.remaining() < CONFIRM_AFTER_S + TIMEOUT_S:
            return found, judged
        self._clock.sleep(CONFIRM_AFTER_S)
        again = self._observer.observe(check, deadline)
        if _is_same(found, again):
            return again, judged
        return again, Judgement(before or CheckState(check=""))

    def _result(
        self, job: Job, check: Check, before: CheckState | None, found: Observation, judged: Judgement
    ) -> RunResult:
        now, zone = self._clock.now(), job.time_zone
        is_asked = job.run.trigger is not Trigger.SCHEDULE
        # What a colleague looks at is still news to the owner.
        is_owners = job.run.user == job.agent.owner
        effects = (
            self._states.replace_actions(job.caller.tenant, job.agent.id, before, judged.state)
            if is_owners and judged.state != before
            else ()
        )
        if judged.news:
            known = before if before is not None and before.check == judged.state.check else None
            text = check_texts.news_text(
                check, judged.news, found, before=known, after=judged.state, now=now, time_zone=zone
            )
        elif is_asked:
            text = check_texts.finding_text(check, found, judged.state, now=now, time_zone=zone)
        else:
            return RunResult(outcome=outcome_for("no_change"), effects=effects)
        return RunResult(outcome=outcome_for("done"), output=text, effects=effects)


def _is_same(found: Observation, again: Observation) -> bool:
    """Whether two looks found the same, apart from the words for an outage."""
    return (found.is_up, found.holds, found.fingerprint) == (again.is_up, again.holds, again.fingerprint)


def _fingerprint(state: CheckState | None) -> str:
    return state.fingerprint if state is not None else ""
