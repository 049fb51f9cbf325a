"""The function for agents and their runs, skills, tasks, models, usage, help and the tenant's policy."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from agent.answers.help_page import HelpAnswer, help_page
from agent.answers.tenant_answers import AnswerSpec, TenantAnswer, TenantAnswerStore
from agent.answers.variables import answer_variables
from agent.connections.posting_links import KEY_NAME as LINKS_KEY
from agent.connections.posting_links import PostingLinks
from agent.connections.sealing import Sealer
from agent.mail_recipients import Confirmation, MailRecipient, MailRecipients
from agent.readiness import Missing, Provision, readiness
from agent.undo import AgentHistory
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentCard, AgentChange, AgentFields, AgentSpec, AgentStatus
from agent.workspace.delivery_targets import shown_address
from agent.workspace.errors import AgentChanged, SharedAgentChanged
from agent.workspace.roster import read_roster
from agent.workspace.run_store import RunFilter, RunStore
from agent.workspace.runs import Approval, DeliveryOutcome, HeldCall, NewRun, Run, RunStatus
from agent.workspace.skill_store import SkillStore
from agent.workspace.skills import Skill, SkillCard, SkillChange, SkillSpec, ToolAcceptance
from conversation.errors import RoleRequired
from conversation.identity import ADMIN, Caller
from conversation.limits.quotas import Quotas
from conversation.redaction.masking import mask_for_models
from conversation.retention.shortening import Shortenings
from conversation.tenants.audit import Act, AuditLog
from conversation.tenants.store import TenantRecord, TenantStore
from conversation.threads.repository import ConversationRepository
from conversation.usage.budget_scope import BudgetScope
from conversation.usage.budgets import Budgets
from conversation.usage.counters import UsageCounters, conversation_usage
from conversation.usage.spend_caps import caps_that_hold, effective_cap_usd
from edge.adapters.provider_keys import ProviderKeys
from edge.adapters.tenant_secrets import open_tenant_secrets
from edge.function_runtime import FunctionRuntime
from edge.http.caller import AdminParam, CallerParam
from edge.http.cursors import CursorCodec
from edge.http.parameters import (
    DEFAULT_LIMIT,
    CompletedParam,
    CursorParam,
    DeletedParam,
    HelpQuery,
    IdempotencyKeyParam,
    LimitParam,
    SinceParam,
    UntilParam,
)
from edge.http.resolver import HttpApi, creation_response
from edge.routes import policy as policy_routes
from edge.settings import LOCAL
from edge.views.base import Moment, Page, View
from edge.views.usage_and_models import (
    BudgetView,
    CapView,
    ConversationParam,
    FirstDayParam,
    LastDayParam,
    ModelView,
    ScopeParam,
    UsageReport,
    UsageScope,
    model_views,
    usage_period,
)
from llm.available_models import ModelRegistry, build_registry, default_model
from tasks.store import TaskStore
from tasks.task import Task, TaskChange, TaskSpec
from tools.outbound.client import OutboundClient

MAX_VERSION = 10**12 - 1
MAX_SHOWN_ARGUMENTS = 2_000
"""Characters of a held call's arguments."""

settings, clock, tables, request_log = FunctionRuntime.for_requests("workspace")
quotas = Quotas(tables=tables, clock=clock)
runs = RunStore(tables=tables, clock=clock, quotas=quotas)
outbound = OutboundClient(allow_loopback=settings.stage == LOCAL)
tenant_secrets = open_tenant_secrets(settings.tenant_secrets, clock=clock)
agents = AgentStore(
    tables=tables,
    clock=clock,
    outbound=outbound,
    quotas=quotas,
    delivery_hosts=settings.delivery_hosts,
    links=PostingLinks(tables=tables, sealer=Sealer(tenant_secrets, key_name=LINKS_KEY)),
)
history = AgentHistory(tables=tables, clock=clock, agents=agents)
skills = SkillStore(tables=tables, clock=clock, outbound=outbound, quotas=quotas)
tasks = TaskStore(tables=tables, clock=clock, quotas=quotas)
tenants = TenantStore(tables=tables, clock=clock)
answers = TenantAnswerStore(tables=tables)
conversations = ConversationRepository(tables=tables, clock=clock)
audit = AuditLog(tables=tables, clock=clock)
counters = UsageCounters(tables)
budgets = Budgets(tables=tables, clock=clock)
recipients = MailRecipients(tables=tables, clock=clock)
cursors = CursorCodec(clock)
provider_keys = ProviderKeys(settings, clock=clock)
api = HttpApi(origins=settings.allowed_origins, clock=clock, request_log=request_log)


def _knows_model(name: str) -> bool:
    return registry().knows(name)


policy_routes.register_routes(
    api,
    policy_routes.Policies(
        tenants,
        Shortenings(tables=tables, clock=clock),
        audit,
        clock,
        _knows_model,
        settings.attachment_limits.per_message,
    ),
)


# These views combine models of `agent` with `edge.views.base.Moment`; only functions may import both.


class AgentView(AgentFields):
    """An agent in full."""

    id: str
    name: str
    owner: str
    status: AgentStatus
    needs_connection: tuple[str, ...] = Field(description="Sources and channels that are not connected.")
    missing: tuple[Missing, ...] = Field(description="What it lacks to work and send its results now.")
    version: int
    created_at: Moment
    updated_at: Moment

    @classmethod
    def of(cls, agent: Agent, provision: Provision, *, reader: str) -> AgentView:
        """The agent as its owner sees it, or a colleague, who is shown no address that is a secret."""
        hidden = {"conversation_id", "deleted_at", "told_missing"}
        shown = agent if reader == agent.owner else agent.without_secret_addresses()
        return cls(
            **shown.model_dump(exclude=hidden),
            needs_connection=agent.needs_connection,
            missing=readiness(agent, provision),
        )


class AgentChangeView(View):
    """One change of an agent."""

    version: int = Field(description="The version that it made.")
    at: Moment
    former: dict[str, JsonValue] = Field(description="The changed fields as they were before.")


class AgentUndo(BaseModel):
    """Which change of an agent to undo."""

    model_config = ConfigDict(extra="forbid", strict=True)

    version: int = Field(ge=1, le=MAX_VERSION, description="The version that the change made.")


class MailRecipientView(MailRecipient):
    """A mail recipient that was asked to confirm."""

    asked_at: Moment
    verified_at: Moment | None = Field(default=None, description="Null: results are not mailed to it yet.")

    @classmethod
    def of(cls, recipient: MailRecipient) -> MailRecipientView:
        """The recipient as the owner of the agents sees it."""
        return cls(**recipient.model_dump())


class SkillView(Skill):
    """A skill in full."""

    created_at: Moment
    updated_at: Moment

    @classmethod
    def of(cls, skill: Skill) -> SkillView:
        """The skill as its users see it."""
        return cls(**skill.model_dump())


class RunView(Run):
    """A run in full."""

    created_at: Moment
    scheduled_at: Moment | None = Field(default=None, description="When its schedule wanted it.")
    started_at: Moment | None = None
    finished_at: Moment | None = None
    expires_at: Moment | None = Field(
        default=None,
        description="When it is gone; null: it has not ended, or ended while its tenant was on legal hold.",
    )

    @classmethod
    def of(cls, run: Run) -> RunView:
        """The run as its requester sees it; the arguments of calls are masked, and cut."""
        shown: dict[str, Any] = {
            "held_calls": tuple(map(_shown_call, run.held_calls)),
            "approved_call": _shown_call(run.approved_call) if run.approved_call else None,
        }
        if run.consent is not None:  # the agent is a colleague's
            shown["deliveries"] = tuple(map(_without_secret, run.deliveries))
        return cls(**run.model_copy(update=shown).model_dump())


def _shown_call(held: HeldCall) -> HeldCall:
    return held.model_copy(update={"arguments": mask_for_models(held.arguments)[:MAX_SHOWN_ARGUMENTS]})


def _without_secret(delivery: DeliveryOutcome) -> DeliveryOutcome:
    return delivery.model_copy(update={"target": shown_address(delivery.target)})


RunAgentParam = Annotated[
    str | None, Query(max_length=64, description="Only runs of the agent with this id.")
]
RunStatusParam = Annotated[RunStatus | None, Query(description="Only runs with this status now.")]


class TaskView(Task):
    """A task in full."""

    created_at: Moment
    updated_at: Moment
    completed_at: Moment | None = Field(default=None, description="When it was done; null: it is open.")
    deleted_at: Moment | None = Field(default=None, description="When it was deleted; null: it is not.")

    @classmethod
    def of(cls, task: Task) -> TaskView:
        """The task as its owner sees it."""
        return cls(**task.model_dump())


def view_of(caller: Caller, agent: Agent) -> AgentView:
    """The agent and what it lacks, by what the workspace has now."""
    roster = read_roster(tables, caller.tenant, clock.now())
    policy = roster.record.policy
    has_model = bool(registry().find_strong_models(policy.model_allowlist))
    provision = Provision.of(
        policy,
        roster.skills_of(agent.owner),
        has_model=has_model,
        waiting=roster.waiting_for_sign_in(agent.owner),
        page_url=settings.public_url,
    )
    return AgentView.of(agent, provision, reader=caller.user)


@api.get("/v1/agents", summary="List your agents, then those others share", tags=["agents"])
def list_agents(
    caller: CallerParam,
    deleted: DeletedParam = False,
    limit: LimitParam = DEFAULT_LIMIT,
    cursor: CursorParam = None,
) -> Page[AgentCard]:
    query = ("agents", caller.tenant, caller.user, str(deleted), str(limit))
    listed = agents.list_deleted if deleted else agents.list
    found, after = listed(caller, limit=limit, after=cursors.position(cursor, *query))
    return Page(items=found, next_cursor=cursors.cursor(after, *query))


@api.post("/v1/agents", summary="Create an agent", tags=["agents"], status_code=201)
def create_agent(
    caller: CallerParam, body: AgentSpec, idempotency_key: IdempotencyKeyParam = None
) -> Response[AgentView]:
    agent, replayed = agents.create_once(caller, body, key=idempotency_key)
    return creation_response(view_of(caller, agent), f"/v1/agents/{agent.id}", replayed=replayed)


@api.get("/v1/agents/<agent_id>", summary="Read an agent", tags=["agents"])
def read_agent(caller: CallerParam, agent_id: str) -> AgentView:
    return view_of(caller, agents.get(caller, agent_id))


@api.patch("/v1/agents/<agent_id>", summary="Change, rename, pause or resume an agent", tags=["agents"])
def change_agent(caller: CallerParam, agent_id: str, body: AgentChange) -> AgentView:
    return view_of(caller, agents.update(caller, agent_id, body))


@api.delete("/v1/agents/<agent_id>", summary="Delete an agent", tags=["agents"], status_code=204)
def delete_agent(caller: CallerParam, agent_id: str) -> None:
    agents.delete(caller, agent_id)


@api.post("/v1/agents/<agent_id>/restore", summary="Restore a deleted agent", tags=["agents"])
def restore_agent(caller: CallerParam, agent_id: str) -> AgentView:
    return view_of(caller, agents.restore(caller, agent_id))


@api.get(
    "/v1/agents/<agent_id>/changes",
    summary="List what was changed about your agent in the last 30 days, newest first",
    tags=["agents"],
)
def list_agent_changes(
    caller: CallerParam, agent_id: str, limit: LimitParam = DEFAULT_LIMIT, cursor: CursorParam = None
) -> Page[AgentChangeView]:
    query = ("agent_changes", caller.tenant, caller.user, agent_id, str(limit))
    found, after = history.list(caller, agent_id, limit=limit, after=cursors.position(cursor, *query))
    items = tuple(AgentChangeView(**change._asdict()) for change in found)
    return Page(items=items, next_cursor=cursors.cursor(after, *query))


@api.post(
    "/v1/agents/<agent_id>/undo", summary="Give an agent the values it had before a change", tags=["agents"]
)
def undo_agent_change(caller: CallerParam, agent_id: str, body: AgentUndo) -> AgentView:
    return view_of(caller, history.go_back(caller, agent_id, body.version))


@api.post("/v1/agents/<agent_id>/runs", summary="Have an agent work now", tags=["runs"], status_code=202)
def run_agent(
    caller: CallerParam, agent_id: str, body: NewRun, idempotency_key: IdempotencyKeyParam = None
) -> Response[RunView]:
    agent, replayed = agents.get(caller, agent_id), False
    try:
        consent, actions = agents.consents.agree(caller, agent, version=body.version, allow=body.allow)
    except (AgentChanged, SharedAgentChanged):
        # A repeated request gets its run, even if the agent was changed after the first one.
        earlier = idempotency_key and runs.find_by_key(caller, agent_id, body.parameters, idempotency_key)
        if not earlier:
            raise
        run, replayed = earlier, True
    else:
        built = runs.build(caller, agent, body.parameters, consent)
        run = runs.queue(caller, built, key=idempotency_key, extra_actions=actions)
        replayed = run.id != built.id
    return creation_response(RunView.of(run), f"/v1/runs/{run.id}", replayed=replayed, status=202)


@api.get(
    "/v1/mail-recipients",
    summary="List the recipients outside your tenant that your agents asked to confirm",
    tags=["agents"],
)
def list_mail_recipients(caller: CallerParam) -> Page[MailRecipientView]:
    return Page(items=tuple(map(MailRecipientView.of, recipients.list(caller))), next_cursor=None)


@api.post(
    "/v1/mail-recipients/verify",
    summary="Confirm a mail recipient by the code that it was mailed",
    tags=["agents"],
)
def verify_mail_recipient(caller: CallerParam, body: Confirmation) -> MailRecipientView:
    return MailRecipientView.of(recipients.verify(caller, body))


@api.get("/v1/skills", summary="List the skills you may use, by name", tags=["skills"])
def list_skills(
    caller: CallerParam, limit: LimitParam = DEFAULT_LIMIT, cursor: CursorParam = None
) -> Page[SkillCard]:
    query = ("skills", caller.tenant, caller.user, str(limit))
    found, after = skills.list(caller, limit=limit, after=cursors.position(cursor, *query))
    return Page(items=found, next_cursor=cursors.cursor(after, *query))


@api.post("/v1/skills", summary="Register an MCP server or a webhook", tags=["skills"], status_code=201)
def create_skill(
    caller: CallerParam, body: SkillSpec, idempotency_key: IdempotencyKeyParam = None
) -> Response[SkillView]:
    skill, replayed = skills.create_once(caller, body, key=idempotency_key)
    return creation_response(SkillView.of(skill), f"/v1/skills/{skill.id}", replayed=replayed)


@api.get("/v1/skills/<skill_id>", summary="Read a skill and how its last check went", tags=["skills"])
def read_skill(caller: CallerParam, skill_id: str) -> SkillView:
    return SkillView.of(skills.get(caller, skill_id))


@api.patch("/v1/skills/<skill_id>", summary="Change, share, disable or enable a skill", tags=["skills"])
def change_skill(caller: CallerParam, skill_id: str, body: SkillChange) -> SkillView:
    return SkillView.of(skills.update(caller, skill_id, body))


@api.delete("/v1/skills/<skill_id>", summary="Remove a skill", tags=["skills"], status_code=204)
def delete_skill(caller: CallerParam, skill_id: str) -> None:
    skills.delete(caller, skill_id)


@api.post(
    "/v1/skills/<skill_id>/check",
    summary="Have a skill looked at; how it went is told by reading it a moment later",
    tags=["skills"],
    status_code=202,
)
def check_skill(caller: CallerParam, skill_id: str) -> Response[SkillView]:
    skill = skills.request_check(caller, skill_id)
    return creation_response(SkillView.of(skill), f"/v1/skills/{skill.id}", status=202)


@api.post(
    "/v1/skills/<skill_id>/accept",
    summary="Accept tools of a skill that are new or have changed, as its last check saw them",
    tags=["skills"],
)
def accept_tools(caller: CallerParam, skill_id: str, body: ToolAcceptance) -> SkillView:
    return SkillView.of(skills.accept_tools(caller, skill_id, body))


@cache
def registry() -> ModelRegistry:
    """The models of this deployment; made on first use, because it may have to read the provider secret."""
    credentials = provider_keys.credentials()
    return build_registry(
        credentials,
        intent_model=default_model(settings.intent_model, credentials, provider_keys.catalogue),
        strong_models=settings.strong_models,
        catalogue=provider_keys.catalogue,
    )


@api.get("/v1/models", summary="List the models a message may name", tags=["models"])
def list_models(caller: CallerParam) -> Page[ModelView]:
    listed = model_views(registry(), tenants.record(caller.tenant).policy.model_allowlist)
    return Page(items=listed, next_cursor=None)


@api.get("/v1/runs", summary="List your runs, newest first", tags=["runs"])
def list_runs(
    caller: CallerParam,
    agent_id: RunAgentParam = None,
    status: RunStatusParam = None,
    since: SinceParam = None,
    until: UntilParam = None,
    limit: LimitParam = DEFAULT_LIMIT,
    cursor: CursorParam = None,
) -> Page[RunView]:
    wanted = RunFilter(agent_id, status, since, until)
    query = ("runs", caller.tenant, caller.user, str(limit), *map(str, wanted))
    found, after = runs.list(caller, limit=limit, after=cursors.position(cursor, *query), wanted=wanted)
    return Page(items=tuple(map(RunView.of, found)), next_cursor=cursors.cursor(after, *query))


@api.get("/v1/runs/<run_id>", summary="Read a run", tags=["runs"])
def read_run(caller: CallerParam, run_id: str) -> RunView:
    return RunView.of(runs.get(caller, run_id))


@api.post("/v1/runs/<run_id>/cancel", summary="Stop a run, or keep it from starting", tags=["runs"])
def cancel_run(caller: CallerParam, run_id: str) -> RunView:
    return RunView.of(runs.cancel(caller, run_id))


@api.post(
    "/v1/runs/<run_id>/approvals",
    summary="Have a run's held call made, exactly as it is and once",
    tags=["runs"],
    status_code=202,
)
def approve_call(caller: CallerParam, run_id: str, body: Approval) -> Response[RunView]:
    run = runs.approve(caller, run_id, body.call)
    return creation_response(RunView.of(run), f"/v1/runs/{run.id}", status=202)


@api.get("/v1/tasks", summary="List your tasks, oldest first", tags=["tasks"])
def list_tasks(
    caller: CallerParam,
    completed: CompletedParam = None,
    deleted: DeletedParam = False,
    limit: LimitParam = DEFAULT_LIMIT,
    cursor: CursorParam = None,
) -> Page[TaskView]:
    query = ("tasks", caller.tenant, caller.user, str(completed), str(deleted), str(limit))
    listed = tasks.list_deleted if deleted else tasks.list
    found, after = listed(caller, completed=completed, limit=limit, after=cursors.position(cursor, *query))
    return Page(items=tuple(map(TaskView.of, found)), next_cursor=cursors.cursor(after, *query))


@api.post("/v1/tasks", summary="Create a task", tags=["tasks"], status_code=201)
def create_task(
    caller: CallerParam, body: TaskSpec, idempotency_key: IdempotencyKeyParam = None
) -> Response[TaskView]:
    task, replayed = tasks.create_once(caller, body, key=idempotency_key)
    return creation_response(TaskView.of(task), f"/v1/tasks/{task.id}", replayed=replayed)


@api.get("/v1/tasks/<task_id>", summary="Read a task", tags=["tasks"])
def read_task(caller: CallerParam, task_id: str) -> TaskView:
    return TaskView.of(tasks.get(caller, task_id))


@api.patch("/v1/tasks/<task_id>", summary="Change, complete or reopen a task", tags=["tasks"])
def change_task(caller: CallerParam, task_id: str, body: TaskChange) -> TaskView:
    return TaskView.of(tasks.update(caller, task_id, body))


@api.delete("/v1/tasks/<task_id>", summary="Delete a task", tags=["tasks"], status_code=204)
def delete_task(caller: CallerParam, task_id: str) -> None:
    tasks.delete(caller, task_id)


@api.post("/v1/tasks/<task_id>/restore", summary="Restore a deleted task", tags=["tasks"])
def restore_task(caller: CallerParam, task_id: str) -> TaskView:
    return TaskView.of(tasks.restore(caller, task_id))


@api.get("/v1/help", summary="List answers about the product, or those that fit your words", tags=["help"])
def read_help(caller: CallerParam, query: HelpQuery = None) -> Page[HelpAnswer]:
    roster, known = read_roster(tables, caller.tenant, clock.now()), registry()
    services = roster.services_of(caller.user)
    has_models = known.find_intent_model() is not None or bool(known.find_strong_models())
    variables = answer_variables(roster.record.policy, connected=services, has_models=has_models)
    return Page(items=help_page(roster.answers, variables, query), next_cursor=None)


@api.get("/v1/tenant/answers", summary="List your tenant's own answers (role admin)", tags=["help"])
def list_answers(caller: AdminParam) -> Page[TenantAnswer]:
    return Page(items=answers.list(caller.tenant), next_cursor=None)


@api.get(
    "/v1/tenant/answers/<answer_id>", summary="Read an answer of your tenant (role admin)", tags=["help"]
)
def read_answer(caller: AdminParam, answer_id: str) -> TenantAnswer:
    return answers.get(caller.tenant, answer_id)


@api.put(
    "/v1/tenant/answers/<answer_id>",
    summary="Add an answer of your tenant's, or replace one of the product's (role admin)",
    tags=["help"],
)
def write_answer(caller: AdminParam, answer_id: str, body: AnswerSpec) -> TenantAnswer:
    old = next((each for each in answers.list(caller.tenant) if each.id == answer_id), None)
    before, after = old.model_dump(mode="json", exclude={"id"}) if old else None, body.model_dump(mode="json")
    written = audit.build_record(caller, Act.ANSWER_WRITTEN, answer_id, before=before, after=after)
    return answers.put(caller.tenant, answer_id, body, extra_actions=(written,))


@api.delete(
    "/v1/tenant/answers/<answer_id>",
    summary="Remove an answer of your tenant's (role admin)",
    tags=["help"],
    status_code=204,
)
def delete_answer(caller: AdminParam, answer_id: str) -> None:
    before = answers.get(caller.tenant, answer_id).model_dump(mode="json", exclude={"id"})
    removed = audit.build_record(caller, Act.ANSWER_REMOVED, answer_id, before=before)
    answers.delete(caller.tenant, answer_id, extra_actions=(removed,))


@api.get("/v1/usage", summary="Read what you took of models, by day", tags=["tenant"])
def read_usage(
    caller: CallerParam,
    first: FirstDayParam = None,
    last: LastDayParam = None,
    scope: ScopeParam = UsageScope.MINE,
    conversation_id: ConversationParam = None,
) -> UsageReport:
    if conversation_id is not None:
        return usage_of_conversation(caller, conversation_id, first, last)
    since, until = usage_period(first, last, clock.now().date())
    if scope is UsageScope.MINE:
        mine = UsageReport.of(since, until, counters.for_user(caller, since, until))
        return mine.with_caps(caps_for(caller, tenants.record(caller.tenant), of_all=False))
    if not caller.has(ADMIN):
        raise RoleRequired(ADMIN)
    of_all = counters.for_tenant(caller.tenant, since, until)
    record, today = tenants.record(caller.tenant), BudgetScope(caller.tenant)
    budget = BudgetView.of(
        record.policy.budget,
        spent_micro_usd=counters.cost_of(today, clock.now().date()),
        held_micro_usd=budgets.current(today).reserved_micro_usd,
        effective_usd_per_day=effective_cap_usd(record, settings.tenant_usd_per_day),
    )
    report = UsageReport.of(since, until, of_all).with_users(of_all, budget)
    return report.with_caps(caps_for(caller, record, of_all=True))


def caps_for(caller: Caller, record: TenantRecord, *, of_all: bool) -> list[CapView]:
    """The caps that hold for all users or for the caller, with what counts for them."""
    most = effective_cap_usd(record, settings.tenant_usd_per_day)
    return [
        CapView.of(
            scope.period,
            min(cap, most) if scope.is_day_of_all else cap,
            spent_micro_usd=counters.cost_of(scope, clock.now().date()),
            held_micro_usd=budgets.current(scope).reserved_micro_usd,
        )
        for scope, cap in caps_that_hold(record, caller).items()
        if (scope.user is None) is of_all
    ]


def usage_of_conversation(
    caller: Caller, conversation_id: str, first: date | None, last: date | None
) -> UsageReport:
    """The model usage of a conversation; without ``first``, from its beginning."""
    began = conversations.get(caller, conversation_id).created_at.date()
    since, until = first or began, last or clock.now().date()
    counted = conversation_usage(caller, conversations.messages(caller, conversation_id))
    return UsageReport.of(since, until, [entry for entry in counted if since <= entry.day <= until])


handler = api.resolve
