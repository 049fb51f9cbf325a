"""The work of a run: picks model and tools, runs the tool loop. Stores and sends nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, assert_never

from agent.inference.call_guard import CallGuard, is_same_call
from agent.inference.link_filter import LinkFilter
from agent.inference.router import Router, Routing
from agent.inference.tool_loop import (
    ModelMessage,
    ToolLoop,
    ToolLoopEvent,
    ToolLoopLimits,
    ToolLoopResult,
    ToolUse,
)
from agent.inference.toolbox import IMPERSONAL_TOOLS, Toolboxes
from agent.inference.turn_budget import TurnBudget, TurnBudgets
from agent.runs import prompt as run_prompt
from agent.runs.claims import RunResult
from agent.runs.job_support import support_of_job
from agent.runs.skill_tools import OpenedSkills, SkillTools
from agent.templates import held_call_texts, skill_texts
from agent.workspace.agents import Agent
from agent.workspace.consents import may_use_personal_data
from agent.workspace.roster import Roster
from agent.workspace.runs import MAX_OUTPUT_BYTES, CalledTool, HeldCall, Run, RunOutcome, RunUsage, Trigger
from conversation.clock import Clock, Deadline
from conversation.identity import Caller
from conversation.messages.provenance import Author
from conversation.messages.size_limits import truncate_to_bytes
from conversation.usage.counters import ModelUsage
from llm.request_types import ToolCall
from tools.remote.remote_server import SEPARATOR
from tools.tool import Toolbox, ToolContext, ToolResult, without_descriptions

RUN_LIMITS = ToolLoopLimits(
    model_calls=8, tool_calls=16, max_tokens=4_000, call_timeout_s=120.0, silent_s=120.0
)
RUN_RESERVATION_LIFETIME_S = 180.0
READY_WITHIN_S = 30.0
MAX_SKILL_NOTES = 20
NOT_FOR_RUNS = frozenset({"run_agent", "cancel_run"})
"""Tools that a run may not use: an agent that starts agents could go on forever."""

PAUSES_S = (2.0, 8.0)
TRANSIENT_REASONS = frozenset(
    {"rate_limited", "server_error", "unreachable", "loading", "busy", "breaker_open"}
)
"""Reasons why no model answered that may be over a moment later."""


class ProgressListener(Protocol):
    """Follows a run while it is worked on: `agent.runs.executor.Heartbeat`."""

    def record_progress(self, line: str) -> None:
        """Record a line of progress."""

    def is_stopped(self) -> bool:
        """Whether to give up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run to work on, its caller, and its tenant's roster."""

    run: Run
    agent: Agent
    caller: Caller
    roster: Roster

    @property
    def time_zone(self) -> str:
        """The zone for the run's times."""
        return run_prompt.agent_time_zone(self.agent, self.roster.record.policy)


class RunWorker:
    """Works on one run at a time; safe to use from several threads.

    ``is_ready`` waits until models can be called at all, at most the given seconds.
    """

    def __init__(
        self,
        *,
        router: Router,
        tool_loop: ToolLoop,
        toolboxes: Toolboxes,
        skills: SkillTools,
        turn_budgets: TurnBudgets,
        is_ready: Callable[[float], bool],
        clock: Clock,
        page_url: str | None = None,
    ) -> None:
        self._router = router
        self._steps = tool_loop
        self._toolboxes = toolboxes
        self._skills = skills
        self._turn_budgets = turn_budgets
        self._is_ready = is_ready
        self._page_url = page_url
        self._clock = clock

    def work(self, job: Job, progress: ProgressListener, deadline: Deadline) -> RunResult:
        """Return the result of the job by the deadline; never raises for what a model or a tool does."""
        if job.run.approved_call is not None:
            return self._make_approved_call(job, job.run.approved_call, progress, deadline)
        if not self._router.candidates(_allowed(job)):
            return RunResult(outcome=outcome_for("no_model"))
        if job.run.trigger is Trigger.SCHEDULE and _is_unconnected(job):
            return RunResult(outcome=outcome_for("not_connected"))
        self._is_ready(min(READY_WITHIN_S, deadline.remaining()))
        budget = self._turn_budgets.for_turn(
            job.roster.record, job.caller, reservation_lifetime_s=RUN_RESERVATION_LIFETIME_S
        )
        with self._skills.open_skills(job.caller, job.agent, job.roster, job.run) as skills:
            for name, reason in skills.failed.items():
                progress.record_progress(f"the skill {name} can't be used: {reason}")
            for name, tools in skills.waiting.items():
                progress.record_progress(
                    f"the skill {name} has tools that wait for its owner: {', '.join(tools)}"
                )
            worked = self._work_with(job, skills.toolbox, budget, progress, deadline)
            return replace(worked, skill_notes=_skill_notes(skills, worked.tool_calls, self._page_url))

    def _work_with(
        self, job: Job, skills: Toolbox, budget: TurnBudget, progress: ProgressListener, deadline: Deadline
    ) -> RunResult:
        toolbox, allowed, guard = self._toolbox(job, skills), _allowed(job), _guard(job, skills)
        request = str(self._prompt(job)[-1]["content"])
        routing = self._router.route(request, toolbox, allowed=allowed, budget=budget, deadline=deadline)
        if routing is None:
            return RunResult(outcome=outcome_for("no_model"))
        progress.record_progress(f"{routing.model.id} works on it")
        # The agent's own skills are always included: its owner assigned them.
        tools = toolbox.subset({*routing.tools, *skills.names})
        result = self._execute(job, routing, tools, guard, budget, progress, deadline)
        text = _link_filter(job, result.tool_uses).clean(result.text)
        is_in_vain = result.finish == "answered" and _reached_nothing(job, skills, result.tool_uses)
        return RunResult(
            outcome=outcome_for("nothing_reached") if is_in_vain else _outcome_of(result),
            output=_truncate_output(text) if result.finish == "answered" else "",
            tool_calls=tuple(map(_called, result.tool_uses)),
            held_calls=guard.held,
            usage=_usage(result.model.id, budget.usage),
        )

    def _execute(
        self,
        job: Job,
        routing: Routing,
        toolbox: Toolbox,
        guard: CallGuard,
        budget: TurnBudget,
        progress: ProgressListener,
        deadline: Deadline,
    ) -> ToolLoopResult:
        """Run the tool loop; after a transient failure, run it again as long as no tool was used."""
        limits = replace(RUN_LIMITS, thinking=routing.thinking)
        prompt = self._prompt(job)
        for pause_s in (*PAUSES_S, None):
            result = self._steps.run(
                prompt,
                toolbox,
                model=routing.model,
                stand_ins=routing.stand_ins,
                budget=budget,
                deadline=deadline,
                context_for=lambda place: self._context(job, place, deadline),
                guard=guard,
                limits=limits,
                is_stopped=progress.is_stopped,
                on_event=lambda event: _tell(progress, event),
            )
            is_passing = result.reason in TRANSIENT_REASONS and not result.tool_uses
            if pause_s is None or not is_passing or deadline.remaining() <= pause_s:
                break
            self._clock.sleep(pause_s)
        return result

    def _make_approved_call(
        self, job: Job, held: HeldCall, progress: ProgressListener, deadline: Deadline
    ) -> RunResult:
        """Make exactly the call that the user approved; no model is asked."""
        with self._skills.open_skills(job.caller, job.agent, job.roster, job.run) as skills:
            toolbox = self._toolbox(job, skills.toolbox)
            tool = toolbox.find(held.tool)
            if tool is None or not is_same_call(held, tool):
                return RunResult(outcome=outcome_for("call_failed"), output=held_call_texts.WITHDRAWN)
            call = ToolCall("approved", held.tool, held.arguments)
            use = ToolUse(call, toolbox.call(call, self._context(job, 0, deadline)))
        _tell(progress, use)
        if use.result.ok:
            outcome, text = outcome_for("done"), held_call_texts.made(held, _shown(use.result))
        else:
            outcome, text = outcome_for("call_failed"), held_call_texts.not_made(held, use.result.message)
        clean = _link_filter(job, (use,)).clean(text)
        return RunResult(outcome=outcome, output=_truncate_output(clean), tool_calls=(_called(use),))

    def _toolbox(self, job: Job, skills: Toolbox) -> Toolbox:
        """The tools that the run may choose from: the caller's own and the skills'."""
        own = self._toolboxes.for_caller(job.caller, job.roster)
        if not may_use_personal_data(job.run, job.agent):
            own = own.subset(IMPERSONAL_TOOLS)
        shown = skills.tools if _may_describe(job, skills) else map(without_descriptions, skills.tools)
        tools = [tool for tool in (*own.tools, *shown) if tool.name not in NOT_FOR_RUNS]
        return Toolbox(tools, redact_results=job.roster.record.policy.masks_secrets)

    def _prompt(self, job: Job) -> tuple[ModelMessage, ...]:
        record = job.roster.record
        return run_prompt.run_messages(
            job.agent,
            job.run,
            tenant=job.caller.tenant,
            tenant_name=record.name or record.tenant,
            instructions=record.policy.instructions,
            now=self._clock.now(),
            time_zone=job.time_zone,
        )

    def _context(self, job: Job, place: int, deadline: Deadline) -> ToolContext:
        return ToolContext(
            caller=job.caller,
            now=self._clock.now(),
            time_zone=job.time_zone,
            # The same in a second attempt, so that what the first one wrote is found, not written again.
            step_id=f"{job.run.id}.{place}",
            deadline=deadline,
            conversation_id=job.run.conversation_id,
            own_words=run_prompt.job_words(job.agent, job.run),
        )


def _is_unconnected(job: Job) -> bool:
    """Whether no skill serves any of the agent's sources, and it names none of its own."""
    served = job.roster.services_of(job.agent.owner)
    return bool(job.agent.sources) and not job.agent.skills and served.isdisjoint(job.agent.sources)


OUTSIDE_TOOLS = frozenset({"web_search"})
"""Our own tools that reach something outside."""
NEEDS_APPROVAL = "needs_approval"


def _reached_nothing(job: Job, skills: Toolbox, uses: Sequence[ToolUse]) -> bool:
    """Whether every call to the outside failed, or an agent with sources or skills had none to call."""
    outside = [
        use.result
        for use in uses
        if use.call.name in {*skills.names, *OUTSIDE_TOOLS} and use.result.error_code != NEEDS_APPROVAL
    ]
    if outside:
        return not any(result.ok for result in outside)
    return bool(job.agent.sources or job.agent.skills) and not skills.names


def _guard(job: Job, skills: Toolbox) -> CallGuard:
    """The guard of the run's calls. What a skill's server says of its tools counts as text from outside, and
    so does the work that a colleague described.
    """
    connected = {tool.access.origin for tool in skills.tools}
    return CallGuard(
        is_asked_for=support_of_job(run_prompt.job_words(job.agent, job.run)),
        outside=connected if job.run.user == job.agent.owner else {*connected, Author.COLLEAGUE},
        described=connected if _may_describe(job, skills) else (),
        combines_skills=job.agent.combines_skills,
    )


def _may_describe(job: Job, skills: Toolbox) -> bool:
    """Whether the model reads what servers say of their tools: one of several skills could use that to steer
    the calls of another.
    """
    return job.agent.combines_skills or len({tool.access.origin for tool in skills.tools}) <= 1


def _link_filter(job: Job, uses: Sequence[ToolUse]) -> LinkFilter:
    words = run_prompt.job_words(job.agent, job.run)
    results = tuple(use.result.to_model_json() for use in uses)
    return LinkFilter(own=(words,), read=results, is_strict=bool(uses) or job.run.user != job.agent.owner)


def _shown(result: ToolResult) -> str:
    data = result.data
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, indent=1)


def _allowed(job: Job) -> frozenset[str] | None:
    names = job.roster.record.policy.allowed_models
    return None if names is None else frozenset(names)


def outcome_for(code: str) -> RunOutcome:
    """The outcome of this code, with its sentence."""
    return RunOutcome(code=code, words=run_prompt.OUTCOME_SENTENCES[code])


def _truncate_output(text: str) -> str:
    """The text, cut to what a run may store."""
    return truncate_to_bytes(text.strip(), MAX_OUTPUT_BYTES)


def _outcome_of(result: ToolLoopResult) -> RunOutcome:
    match result.finish:
        case "answered":
            return outcome_for("done" if result.text.strip() else "no_result")
        case "out_of_steps":
            return outcome_for("too_many_steps")
        case "out_of_time":
            return outcome_for("timed_out")
        case "stopped":
            return outcome_for("cancelled")
        case "model_unavailable":
            is_spent = result.reason == "budget_reached"
            return outcome_for("budget_reached" if is_spent else "model_unavailable")
        case _:
            assert_never(result.finish)


def _skill_notes(skills: OpenedSkills, calls: Sequence[CalledTool], page_url: str | None) -> tuple[str, ...]:
    """What the run had to do without, a sentence each; of several calls of a tool the last one counts."""
    last = {call.name: call for call in calls if call.name in skills.toolbox.names}
    failures = [_failure(call) for call in last.values() if not call.ok]
    notes = [
        *(skill_texts.unusable(name, reason, page_url) for name, reason in skills.failed.items()),
        *(skill_texts.tools_wait(name, tools) for name, tools in skills.waiting.items()),
        *filter(None, failures),
    ]
    return tuple(notes[:MAX_SKILL_NOTES])


def _failure(call: CalledTool) -> str | None:
    skill, _, tool = call.name.partition(SEPARATOR)
    return skill_texts.tool_failed(skill, tool, call.error_code or "")


def _usage(model: str, usage: ModelUsage) -> RunUsage:
    return RunUsage(
        model=model,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        model_calls=usage.model_calls,
        cost_usd=usage.cost_usd,
    )


def _called(use: ToolUse) -> CalledTool:
    event = use.to_event()
    return CalledTool(
        name=event.name,
        ok=event.ok,
        arguments=event.arguments,
        error_code=event.error_code,
        elapsed_ms=event.elapsed_ms or 0,
    )


def _tell(progress: ProgressListener, event: ToolLoopEvent) -> None:
    if isinstance(event, ToolUse):
        used = event.to_event()
        progress.record_progress(f"used {used.name}" if used.ok else f"{used.name} failed: {used.error_code}")
