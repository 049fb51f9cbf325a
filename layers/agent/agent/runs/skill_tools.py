"""The tools an agent gets from its skills while it runs, and the check of a skill.

The MCP client is imported on first use: only the packages of `agent_runs` and `mcp` contain the SDK.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol

from agent.runs.run_queue import CheckRequest
from agent.workspace.agents import Agent
from agent.workspace.roster import Roster
from agent.workspace.skill_store import SkillStore
from agent.workspace.skills import Health, HealthStatus, Skill, SkillKind
from conversation.clock import Clock
from conversation.identity import Caller
from storage.keys import TenantId
from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.remote import webhook
from tools.remote.remote_server import SEPARATOR, RemoteServer
from tools.tool import Tool, Toolbox


class Secrets(Protocol):
    """The secrets of tenants, by name."""

    def get(self, tenant: TenantId, name: str) -> str | None:
        """The tenant's secret; None when there is none with this name, or it can't be read now."""


@dataclass(frozen=True, slots=True)
class OpenedSkills:
    """The tools of the skills that responded; ``failed`` maps the name of any other skill to an error
    code.
    """

    toolbox: Toolbox = field(default_factory=Toolbox)
    failed: Mapping[str, str] = field(default_factory=dict)


class SkillTools:
    """Opens skills for runs and checks; safe to use from several threads."""

    def __init__(
        self, *, store: SkillStore, secrets: Secrets, outbound: OutboundClient, clock: Clock
    ) -> None:
        self._store = store
        self._secrets = secrets
        self._outbound = outbound
        self._clock = clock

    @contextmanager
    def open_skills(self, caller: Caller, agent: Agent, roster: Roster) -> Iterator[OpenedSkills]:
        """The tools of the agent's skills, and of skills that serve its sources, as far as the caller may use
        them. The connections stay open until the context ends.

        A skill that does not respond is left out and named in ``failed``. A skill that the agent names fails
        as ``not_found`` when it is gone or the caller may not use it.
        """
        skills = self._store.usable_skills(caller, roster, names=agent.skills, services=agent.sources)
        found = {skill.name for skill in skills}
        failed = {name: "not_found" for name in agent.skills if name not in found}
        tools: list[Tool] = []
        with ExitStack() as connections:
            for skill in skills:
                try:
                    tools += connections.enter_context(self._tools(caller.tenant, skill))
                except ToolError as error:
                    failed[skill.name] = error.code
            yield OpenedSkills(Toolbox(tools), failed)

    def check(self, request: CheckRequest) -> Health | None:
        """Check the skill, store its health with it, and return it; None when the skill is gone."""
        skill = self._store.find(request.tenant, request.skill_id)
        if skill is None:
            return None
        health = self._health(request.tenant, skill)
        self._store.record_health(request.tenant, skill, health)
        return health

    def _health(self, tenant: TenantId, skill: Skill) -> Health:
        now = self._clock.now()
        try:
            if skill.kind is SkillKind.WEBHOOK:
                webhook.ping(self._remote(tenant, skill), self._outbound, now=now)
            with self._tools(tenant, skill) as tools:
                names = tuple(tool.name.partition(SEPARATOR)[2] for tool in tools)
        except ToolError as error:
            return Health(status=HealthStatus.FAILING, checked_at=now, reason=error.code)
        return Health(status=HealthStatus.OK, checked_at=now, tools=names)

    def _tools(self, tenant: TenantId, skill: Skill) -> AbstractContextManager[tuple[Tool, ...]]:
        remote = self._remote(tenant, skill)
        if skill.kind is SkillKind.WEBHOOK:
            return nullcontext((webhook.webhook_tool(remote, self._outbound),))
        from tools.remote.mcp_client import connect_tools

        return connect_tools(remote, self._outbound)

    def _remote(self, tenant: TenantId, skill: Skill) -> RemoteServer:
        """The skill's endpoint.

        Raises:
            ToolError: unavailable; the secret can't be read, and nothing is sent without it.
        """
        secret = None if skill.secret is None else self._secrets.get(tenant, skill.secret)
        if skill.secret is not None and secret is None:
            raise ToolError("unavailable", f"The secret {skill.secret!r} of this skill can't be read.")
        return RemoteServer(
            name=skill.name,
            url=skill.url,
            description=skill.description,
            allowed_tools=None if skill.allowed_tools is None else frozenset(skill.allowed_tools),
            secret=secret,
        )
