"""What a tenant owns: agents and their runs, the tenant's policy; and the tenants themselves, for who runs
the deployment.
"""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import Field

from agent.agents import Agent, AgentCard, AgentChange, AgentFields, AgentSpec, AgentStatus
from agent.runs import Run
from agent.store import AgentStore
from conversation.errors import TenantNotFound
from conversation.policy import TenantPolicy
from conversation.tenants import TenantStore
from edge.api import Api, json_response
from edge.clocks import open_clock
from edge.cursors import Cursors
from edge.identity import Admin, Asker, Operator, named_tenant
from edge.models import NewTenant
from edge.observability import open_journal
from edge.parameters import DEFAULT_LIMIT, Cursor, Limit
from edge.settings import Settings
from edge.views import Moment, Page, TenantView
from storage.opening import open_table
from storage.tenant import Tables

settings = Settings.load()
clock = open_clock(settings.clock_file)
tables = Tables(open_table(settings.table))
agents = AgentStore(tables=tables, clock=clock)
tenants = TenantStore(tables=tables, clock=clock)
cursors = Cursors(clock)
api = Api(origins=settings.allowed_origins, clock=clock, journal=open_journal("workspace", settings))


class AgentView(AgentFields):
    """An agent in full."""

    id: str
    name: str
    owner: str
    status: AgentStatus
    needs_connection: tuple[str, ...] = Field(description="Sources and channels that are not connected.")
    version: int
    created_at: Moment
    updated_at: Moment

    @classmethod
    def of(cls, agent: Agent) -> AgentView:
        """The agent as those who may see it do."""
        return cls(**agent.model_dump(), needs_connection=agent.needs_connection)


@api.get("/v1/agents", summary="List your agents, then those others share", tags=["agents"])
def list_agents(caller: Asker, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None) -> Page[AgentCard]:
    query = ("agents", caller.tenant, caller.user, str(limit))
    found, after = agents.list(caller, limit=limit, after=cursors.position(cursor, *query))
    return Page(items=found, next_cursor=cursors.cursor(after, *query))


@api.post("/v1/agents", summary="Create an agent", tags=["agents"], status_code=201)
def create_agent(caller: Asker, body: AgentSpec) -> Response[AgentView]:
    agent = agents.create(caller, body)
    return json_response(AgentView.of(agent), status=201, headers={"Location": f"/v1/agents/{agent.id}"})


@api.get("/v1/agents/<agent_id>", summary="Read an agent", tags=["agents"])
def read_agent(caller: Asker, agent_id: str) -> AgentView:
    return AgentView.of(agents.get(caller, agent_id))


@api.patch("/v1/agents/<agent_id>", summary="Change, rename, pause or resume an agent", tags=["agents"])
def change_agent(caller: Asker, agent_id: str, body: AgentChange) -> AgentView:
    return AgentView.of(agents.update(caller, agent_id, body))


@api.delete("/v1/agents/<agent_id>", summary="Delete an agent", tags=["agents"], status_code=204)
def delete_agent(caller: Asker, agent_id: str) -> None:
    agents.delete(caller, agent_id)


@api.get("/v1/runs", summary="List your runs, newest first", tags=["agents"])
def list_runs(caller: Asker, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None) -> Page[Run]:
    query = ("runs", caller.tenant, caller.user, str(limit))
    found, after = agents.list_runs(caller, limit=limit, after=cursors.position(cursor, *query))
    return Page(items=found, next_cursor=cursors.cursor(after, *query))


@api.get("/v1/runs/<run_id>", summary="Read a run", tags=["agents"])
def read_run(caller: Asker, run_id: str) -> Run:
    return agents.get_run(caller, run_id)


@api.get("/v1/tenant/policy", summary="Read what your tenant decided", tags=["tenant"])
def read_policy(caller: Asker) -> TenantPolicy:
    return tenants.record(caller.tenant).policy


@api.put("/v1/tenant/policy", summary="Replace your tenant's policy (role admin)", tags=["tenant"])
def replace_policy(caller: Admin, body: TenantPolicy) -> TenantPolicy:
    return tenants.save(caller.tenant, body).policy


@api.get("/v1/tenants/<tenant_id>", summary="Read a tenant (role operator)", tags=["tenants"])
def read_tenant(_caller: Operator, tenant_id: str) -> TenantView:
    record = tenants.record(named_tenant(tenant_id))
    if not record.registered:
        raise TenantNotFound
    return TenantView.of(record)


@api.put("/v1/tenants/<tenant_id>", summary="Register or rename a tenant (role operator)", tags=["tenants"])
def register_tenant(_caller: Operator, tenant_id: str, body: NewTenant) -> TenantView:
    return TenantView.of(tenants.register(named_tenant(tenant_id), name=body.name))


@api.post(
    "/v1/tenants/<tenant_id>/suspend",
    summary="Shut a tenant's users out, within a minute (role operator)",
    tags=["tenants"],
)
def suspend_tenant(_caller: Operator, tenant_id: str) -> TenantView:
    return TenantView.of(tenants.suspend(named_tenant(tenant_id)))


@api.post(
    "/v1/tenants/<tenant_id>/resume",
    summary="Let a tenant's users in again (role operator)",
    tags=["tenants"],
)
def resume_tenant(_caller: Operator, tenant_id: str) -> TenantView:
    return TenantView.of(tenants.resume(named_tenant(tenant_id)))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request of the gateway."""
    return api.resolve(event, context)
