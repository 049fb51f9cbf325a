"""Models of skills. A skill gives a tenant's agents the tools of an MCP server or a signed webhook.

`agent.workspace.skill_store` stores skills; `tools.remote.mcp_client` and `tools.remote.webhook` call their
servers. A skill holds the name of its secret, never the secret itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from agent.connections.connection import SignInScope

MAX_NAME_CHARACTERS = 30
MAX_ALLOWED_TOOLS = 50
MAX_URL_CHARACTERS = 500
MAX_DESCRIPTION_CHARACTERS = 500
CARD_DESCRIPTION_CHARACTERS = 120
MAX_QUOTED_CHARACTERS = 300
"""The most of a tool's description that is kept for its owner to read."""
MAX_PINNED_TOOLS = 100

SkillName = Annotated[
    str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=MAX_NAME_CHARACTERS)
]
"""ASCII only: it becomes part of the names of its tools, and model providers accept nothing else."""
SecretName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
ToolName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.\-/]{1,128}$")]
Service = Annotated[
    str, StringConstraints(strip_whitespace=True, to_lower=True, min_length=1, max_length=100)
]
Url = Annotated[str, StringConstraints(min_length=1, max_length=MAX_URL_CHARACTERS)]


class SkillKind(StrEnum):
    """The kind of server behind a skill."""

    MCP = "mcp"
    WEBHOOK = "webhook"


class SkillStatus(StrEnum):
    """Whether agents may use a skill."""

    ACTIVE = "active"
    DISABLED = "disabled"


class HealthStatus(StrEnum):
    """The result of the last check of a skill."""

    OK = "ok"
    FAILING = "failing"
    UNKNOWN = "unknown"


class ToolPin(BaseModel):
    """A tool as the skill's owner accepted it."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    name: str
    hash: str = Field(description="the SHA-256 of its name, description, schemas and annotations")
    description: str = Field(default="", description="in the server's words: data, masked and cut")
    parts: Mapping[str, str] = Field(
        default_factory=dict, description="digests of its description, arguments, result and annotations"
    )


class WaitingTool(ToolPin):
    """A tool that is not used before the skill's owner accepts it as it is now."""

    accepted_description: str | None = Field(
        default=None, description="what its description was when it was accepted; null: it is new"
    )
    changed: tuple[str, ...] = Field(
        default=(), description="of description, arguments, result and annotations; empty: it is new"
    )


class Health(BaseModel):
    """The last check of a skill; ``unknown`` before the first one."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    status: HealthStatus = HealthStatus.UNKNOWN
    checked_at: datetime | None = None
    tools: tuple[str, ...] = Field(default=(), description="the tools it offered, without the skill's name")
    reason: str = Field(
        default="", max_length=100, description="a code that says why it fails; empty: it works"
    )
    changed_tools: tuple[WaitingTool, ...] = Field(
        default=(), description="not used until the owner accepts them: their definition has changed"
    )
    new_tools: tuple[WaitingTool, ...] = Field(
        default=(), description="not used until the owner accepts them: they were not there before"
    )
    removed_tools: tuple[str, ...] = Field(
        default=(), description="accepted tools that it doesn't offer any more"
    )

    @property
    def waiting_tools(self) -> tuple[WaitingTool, ...]:
        """The tools that wait for the skill's owner."""
        return (*self.changed_tools, *self.new_tools)

    def same_tools(self, other: Health) -> bool:
        """Whether the same tools wait or are gone."""
        return (self.waiting_tools, self.removed_tools) == (other.waiting_tools, other.removed_tools)


class SkillFields(BaseModel):
    """The fields of a skill that its owner sets, except the name and whether it is shared."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    kind: SkillKind = SkillKind.MCP
    url: Url = Field(description="where it answers: https, and a public address")
    description: str = Field(
        default="", max_length=MAX_DESCRIPTION_CHARACTERS, description="what it does, for people and models"
    )
    allowed_tools: tuple[ToolName, ...] | None = Field(
        default=None,
        max_length=MAX_ALLOWED_TOOLS,
        description="of an MCP server's tools; None: all it offers",
    )
    secret: SecretName | None = Field(
        default=None, description="the name of the tenant's secret it is called with; None: without one"
    )
    sign_in: SignInScope | None = Field(
        default=None,
        description="whose sign-in its MCP server is called with: each user's own, or one for the workspace; "
        "None: it needs none",
    )
    serves: tuple[Service, ...] = Field(
        default=(), max_length=20, description="services that count as connected by it, such as notion"
    )


class SkillSpec(SkillFields):
    """The fields of a skill to register."""

    name: SkillName = Field(description="a slug, unique within the tenant")
    shared: bool | None = Field(
        default=None, description="whether everybody's agents may use it; None: when an admin registers it"
    )


class SkillChange(BaseModel):
    """New values for some fields of a skill: only given fields count. Name and kind can't change."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    url: Url = "unchanged"
    description: str = Field(default="", max_length=MAX_DESCRIPTION_CHARACTERS)
    allowed_tools: tuple[ToolName, ...] | None = Field(default=None, max_length=MAX_ALLOWED_TOOLS)
    secret: SecretName | None = None
    sign_in: SignInScope | None = None
    serves: tuple[Service, ...] = Field(default=(), max_length=20)
    shared: bool = True
    status: SkillStatus = SkillStatus.ACTIVE

    def applied_to(self, old: Skill, now: datetime) -> Skill:
        """Returns the next version of the skill; a new URL resets its health and its pins."""
        given = {field: getattr(self, field) for field in self.model_fields_set}
        steps = {"version": old.version + 1, "updated_at": now}
        if given.get("url", old.url) != old.url:
            steps |= {"health": Health(), "pinned": None}
        return old.model_copy(update=given | steps)


class AcceptedTool(BaseModel):
    """A waiting tool as the skill's owner saw it."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    name: Annotated[str, StringConstraints(min_length=1, max_length=128)]
    hash: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] = Field(
        description="as the skill's health has it"
    )


class ToolAcceptance(BaseModel):
    """The waiting tools that the skill's owner accepts; an empty list accepts nothing."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    tools: tuple[AcceptedTool, ...] = Field(max_length=MAX_ALLOWED_TOOLS)


class Skill(SkillFields):
    """A registered skill."""

    id: str
    name: str
    owner: str
    shared: bool = True
    status: SkillStatus = SkillStatus.ACTIVE
    health: Health = Field(default_factory=Health)
    pinned: tuple[ToolPin, ...] | None = Field(
        default=None, description="the tools its owner accepted; null: none were seen yet, or it is a webhook"
    )
    version: int = Field(default=1, description="counts the changes; a change names the version it saw")
    created_at: datetime
    updated_at: datetime

    @classmethod
    def create(cls, spec: SkillSpec, *, skill_id: str, owner: str, shared: bool, now: datetime) -> Skill:
        """Builds a new skill."""
        values = {field: getattr(spec, field) for field in SkillFields.model_fields}
        return cls(
            id=skill_id, name=spec.name, owner=owner, shared=shared, created_at=now, updated_at=now, **values
        )

    def usable_by(self, user: str) -> bool:
        """Whether the user's agents may call it."""
        return self.card().usable_by(user)

    def with_accepted(self, acceptance: ToolAcceptance, now: datetime) -> Skill | None:
        """Returns the next version of the skill, with these tools pinned as the last check or run saw them.

        None: one of them does not wait, or not with this hash.
        """
        waiting = {tool.name: tool for tool in self.health.waiting_tools}
        if any(tool.name not in waiting or waiting[tool.name].hash != tool.hash for tool in acceptance.tools):
            return None
        fields = set(ToolPin.model_fields)
        accepted = {
            tool.name: ToolPin(**waiting[tool.name].model_dump(include=fields)) for tool in acceptance.tools
        }
        pins = {pin.name: pin for pin in self.pinned or ()} | accepted
        # Tools that are gone make room; one of them that comes back is a new tool then.
        kept = sorted(pins.values(), key=lambda pin: pin.name in self.health.removed_tools)
        health = self.health.model_copy(
            update={
                "changed_tools": tuple(t for t in self.health.changed_tools if t.name not in accepted),
                "new_tools": tuple(t for t in self.health.new_tools if t.name not in accepted),
            }
        )
        steps = {"version": self.version + 1, "updated_at": now, "health": health}
        return self.model_copy(update={**steps, "pinned": tuple(kept[:MAX_PINNED_TOOLS])})

    def card(self) -> SkillCard:
        """Returns the short form, which every turn of the tenant reads."""
        return SkillCard(
            id=self.id,
            name=self.name,
            owner=self.owner,
            kind=self.kind,
            shared=self.shared,
            status=self.status,
            description=self.description[:CARD_DESCRIPTION_CHARACTERS],
            serves=self.serves,
            sign_in=self.sign_in,
            url=None if self.sign_in is None else self.url,
        )


class SkillCard(BaseModel):
    """The short form of a skill, which every turn of the tenant reads."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str
    name: str
    owner: str
    kind: SkillKind = SkillKind.MCP
    shared: bool = True
    status: SkillStatus = SkillStatus.ACTIVE
    description: str = ""
    serves: tuple[str, ...] = ()
    sign_in: SignInScope | None = None
    url: str | None = Field(default=None, description="where it answers; null: it needs no sign-in")

    def usable_by(self, user: str) -> bool:
        """Whether the user's agents may call it."""
        return self.status is SkillStatus.ACTIVE and (self.shared or self.owner == user)
