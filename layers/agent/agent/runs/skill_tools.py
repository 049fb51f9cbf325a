"""The tools an agent gets from its skills while it runs, and the check of a skill.

A tool of an MCP server is used only while it is as the skill's owner accepted it. That is decided by the
list the server gives in the very session in which the tool is called. The MCP client is imported on first
use: only the packages of `agent_runs` and `mcp` contain the SDK.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from agent.connections.access import ConnectionAccess, sign_in_needed
from agent.connections.connection import SignInScope, owner_of
from agent.runs.run_queue import CheckRequest
from agent.runs.tool_pins import pin_of, review_tools
from agent.workspace.agents import Agent
from agent.workspace.consents import is_colleagues, may_use_personal_data, may_use_skill
from agent.workspace.roster import Roster
from agent.workspace.runs import Run
from agent.workspace.skill_store import SkillStore
from agent.workspace.skills import MAX_PINNED_TOOLS, Health, HealthStatus, Skill, SkillKind, ToolPin
from conversation.clock import Clock
from conversation.identity import Caller
from storage.keys import TenantId
from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.remote import webhook
from tools.remote.remote_server import CALL_TIMEOUT_S, MAX_TOOLS, SEPARATOR, RemoteServer, plain_name
from tools.tool import Tool, Toolbox

if TYPE_CHECKING:
    from tools.remote.mcp_client import OfferedTool

OPEN_WITHIN_S = 60.0
"""After this time a run opens no more skills, so that slow servers leave it time to work."""


class Secrets(Protocol):
    """The secrets of tenants, by name."""

    def get(self, tenant: TenantId, name: str) -> str | None:
        """The tenant's secret; None when there is none with this name, or it can't be read now."""


@dataclass(frozen=True, slots=True)
class OpenedSkills:
    """The tools of the skills that responded; ``failed`` maps the name of any other skill to an error
    code. ``waiting`` has, by skill, the names of the tools that are left out until its owner accepts them.
    """

    toolbox: Toolbox = field(default_factory=Toolbox)
    failed: Mapping[str, str] = field(default_factory=dict)
    waiting: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A connected skill: the tools that may be used, and what a check of it would store now."""

    tools: tuple[Tool, ...]
    health: Health


class SkillTools:
    """Opens skills for runs and checks; safe to use from several threads.

    Connecting to an MCP server, and each call of it, may take ``timeout_s``.
    """

    def __init__(
        self,
        *,
        store: SkillStore,
        secrets: Secrets,
        outbound: OutboundClient,
        clock: Clock,
        connections: ConnectionAccess | None = None,
        timeout_s: float = CALL_TIMEOUT_S,
    ) -> None:
        """``connections`` None: no skill that needs a sign-in can be opened."""
        self._store = store
        self._connections = connections
        self._secrets = secrets
        self._outbound = outbound
        self._clock = clock
        self._timeout_s = timeout_s

    @contextmanager
    def open_skills(self, caller: Caller, agent: Agent, roster: Roster, run: Run) -> Iterator[OpenedSkills]:
        """The tools of the agent's skills, and of skills that serve its sources, as far as the caller may use
        them. The connections stay open until the context ends.

        A skill that does not respond is left out and named in ``failed``. A skill that the agent names fails
        as ``not_found`` when it is gone or the caller may not use it. In a run of a colleague's agent, no
        private skill takes part, and one of its owner's that the caller has not allowed is ``not_allowed``;
        so is one that would use the caller's own sign-in, unless the caller let the agent use their data.
        """
        skills = self._store.usable_skills(caller, roster, names=agent.skills, services=agent.sources)
        if is_colleagues(run, agent):
            skills = tuple(skill for skill in skills if skill.shared)
        found = {skill.name for skill in skills}
        failed = {name: "not_found" for name in agent.skills if name not in found}
        failed |= {skill.name: "not_allowed" for skill in skills if not _may_use(skill, run, agent)}
        waiting: dict[str, Sequence[str]] = {}
        tools: list[Tool] = []
        until = self._clock.monotonic() + OPEN_WITHIN_S
        with ExitStack() as connections:
            for skill in skills:
                if skill.name in failed:
                    continue
                if self._clock.monotonic() > until:
                    failed[skill.name] = "timeout"
                    continue
                try:
                    opened = connections.enter_context(self._opened(caller.tenant, skill, caller.user))
                except ToolError as error:
                    failed[skill.name] = error.code
                    continue
                tools += opened.tools
                if not opened.health.same_tools(skill.health):
                    self._store.record_health(caller.tenant, skill, opened.health)
                if left_out := opened.health.waiting_tools:
                    waiting[skill.name] = tuple(plain_name(tool.name) for tool in left_out)
            yield OpenedSkills(Toolbox(tools), failed, waiting)

    def check(self, request: CheckRequest) -> Health | None:
        """Check the skill, store its health with it, and return it; None when the skill is gone.

        A skill that needs a sign-in is checked with its owner's or the workspace's. What is left of the
        sign-ins of a skill that is gone is revoked and removed.
        """
        skill = self._store.find(request.tenant, request.skill_id)
        if skill is None:
            if self._connections is not None:
                self._connections.end_all(request.tenant, request.skill_id)
            return None
        health = self._health(request.tenant, skill)
        self._store.record_health(request.tenant, skill, health)
        return health

    def _health(self, tenant: TenantId, skill: Skill) -> Health:
        now = self._clock.now()
        try:
            if skill.kind is SkillKind.WEBHOOK:
                webhook.ping(self._remote(tenant, skill, skill.owner), self._outbound, now=now)
            with self._opened(tenant, skill, skill.owner) as opened:
                return opened.health
        except ToolError as error:
            # Whoever owns the skill should not lose sight of the tools that wait while its server is away.
            update = {"status": HealthStatus.FAILING, "checked_at": now, "tools": (), "reason": error.code}
            return skill.health.model_copy(update=update)

    @contextmanager
    def _opened(self, tenant: TenantId, skill: Skill, user: str) -> Iterator[_Opened]:
        """Connects to the skill's server for the user.

        Raises:
            ToolError: it can't be reached, or the skill is gone.
        """
        remote = self._remote(tenant, skill, user)
        if skill.kind is SkillKind.WEBHOOK:
            tool = webhook.webhook_tool(remote, self._outbound)
            yield _Opened((tool,), self._healthy([tool]))
            return
        with ExitStack() as connection:
            try:
                offered = self._connect(connection, remote)
            except ToolError as error:
                if skill.sign_in is None or error.code != "not_allowed":
                    raise
                remote = self._remote(tenant, skill, user, rejected=remote.secret)
                offered = self._connect(connection, remote)
            yield self._reviewed(tenant, skill, remote, offered)

    def _connect(self, connection: ExitStack, remote: RemoteServer) -> Sequence[OfferedTool]:
        from tools.remote.mcp_client import connect_tools

        return connection.enter_context(connect_tools(remote, self._outbound, timeout_s=self._timeout_s))

    def _reviewed(
        self, tenant: TenantId, skill: Skill, remote: RemoteServer, offered: Sequence[OfferedTool]
    ) -> _Opened:
        """Compares the tools with the skill's pins, and pins them if nothing is pinned yet."""
        pinned = skill.pinned
        if pinned is None:
            seen = _considered(offered, ())
            health = self._healthy([tool.tool for tool in seen if tool.tool is not None][:MAX_TOOLS])
            now = self._store.pin_first(tenant, skill, [pin_of(tool.definition) for tool in seen], health)
            if now is None or now.pinned is None:
                raise ToolError("not_found", "The skill is gone, or has another address by now.")
            pinned = now.pinned
        seen = _considered(offered, pinned)
        review = review_tools(pinned, [tool.definition for tool in seen if tool.tool is not None])
        tools = [tool.tool for tool in seen if tool.tool and tool.definition.name in review.accepted]
        listed = {tool.definition.name for tool in offered}
        health = self._healthy(tools[:MAX_TOOLS]).model_copy(
            update={
                "changed_tools": review.changed[:MAX_TOOLS],
                "new_tools": review.new[:MAX_TOOLS],
                "removed_tools": tuple(
                    pin.name for pin in pinned if pin.name not in listed and remote.allows(pin.name)
                ),
            }
        )
        return _Opened(tuple(tools[:MAX_TOOLS]), health)

    def _healthy(self, tools: Sequence[Tool]) -> Health:
        names = tuple(tool.name.partition(SEPARATOR)[2] for tool in tools)
        return Health(status=HealthStatus.OK, checked_at=self._clock.now(), tools=names)

    def _remote(
        self, tenant: TenantId, skill: Skill, user: str, *, rejected: str | None = None
    ) -> RemoteServer:
        """The skill's endpoint when it works for the user; ``rejected`` is a token that it just refused.

        Raises:
            ToolError: unavailable or sign_in_needed; nothing is sent without the skill's secret or sign-in.
        """
        if skill.sign_in is not None:
            secret: str | None = self._token(tenant, skill, skill.sign_in, user, rejected)
        else:
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

    def _token(
        self, tenant: TenantId, skill: Skill, scope: SignInScope, user: str, rejected: str | None
    ) -> str:
        if self._connections is None:
            raise sign_in_needed()
        owner = owner_of(scope, user)
        return self._connections.token(tenant, owner, skill.id, url=skill.url, rejected=rejected)


def _may_use(skill: Skill, run: Run, agent: Agent) -> bool:
    is_personal = skill.sign_in is SignInScope.USER
    return may_use_skill(skill, run, agent) and (not is_personal or may_use_personal_data(run, agent))


def _considered(offered: Sequence[OfferedTool], pinned: Sequence[ToolPin]) -> list[OfferedTool]:
    """Returns as many tools as can be pinned: usable ones first, among them those that are pinned."""
    known = {pin.name for pin in pinned}
    ordered = sorted(offered, key=lambda tool: (tool.tool is None, tool.definition.name not in known))
    return ordered[:MAX_PINNED_TOOLS]
