"""Agents as values: what one does, when, with what, and where its results go.

Storing them is `agent.workspace.agent_store`'s business, making one in conversation
`agent.wizard.flow`'s; nothing here executes anything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from itertools import count
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, field_validator

from agent.workspace.delivery_targets import Channel, Delivery, without_address
from conversation import cron as schedules
from conversation.redaction.redact import Clean, cleaning
from conversation.tenants.policy import known_time_zone

MAX_CHARACTERS = 60


def slug(text: str) -> str:
    """Lower-case words joined by hyphens, accents dropped; empty when the text holds no letter or digit."""
    folded = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(mark for mark in folded if not unicodedata.combining(mark))
    words = re.findall(r"[^\W_]+", re.sub("['\u2019]", "", plain))
    return _cut(unicodedata.normalize("NFC", "-".join(words)))


def is_slug(text: str) -> bool:
    """Whether the text could be a stored name."""
    return bool(text) and slug(text) == text


def known_name(text: str) -> str:
    """The text, when it could be a stored name.

    Raises:
        ValueError: otherwise, without quoting it.
    """
    if not is_slug(text):
        raise ValueError(f"a name is lower-case words joined by hyphens, at most {MAX_CHARACTERS} characters")
    return text


def free(wish: str, taken: Collection[str]) -> str:
    """The wish, or the wish with the first number that makes it free."""
    if wish not in taken:
        return wish
    numbered = (f"{_cut(wish, MAX_CHARACTERS - 4)}-{number}" for number in count(2))
    return next(name for name in numbered if name not in taken)


def _cut(words: str, limit: int = MAX_CHARACTERS) -> str:
    if len(words) <= limit:
        return words
    return words[:limit].rpartition("-")[0] or words[:limit]


__all__ = [
    "MAX_FIELD_CHARACTERS", "MAX_INSTRUCTIONS_CHARACTERS", "MAX_SOURCES", "Agent", "AgentCard", "AgentChange",
    "AgentFields", "AgentSpec", "AgentStatus", "Channel", "Delivery", "Kind", "Schedule", "ShortText",
    "one_line", "service_name", "service_names",
]  # fmt: skip

MAX_FIELD_CHARACTERS = 300
MAX_INSTRUCTIONS_CHARACTERS = 4_000
MAX_SOURCES = 10


ShortText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_FIELD_CHARACTERS),
    cleaning(MAX_FIELD_CHARACTERS),
]
Instructions = Annotated[
    str,
    StringConstraints(max_length=MAX_INSTRUCTIONS_CHARACTERS),
    cleaning(MAX_INSTRUCTIONS_CHARACTERS),
]
Name = Annotated[str, AfterValidator(known_name)]


class Kind(StrEnum):
    """What sort of job an agent does; it decides how the agent is asked about, named and described."""

    MONITOR = "monitor"
    REPORT = "report"
    TASK = "task"


class AgentStatus(StrEnum):
    """Whether the schedule of an agent counts."""

    ACTIVE = "active"
    PAUSED = "paused"


class Schedule(BaseModel):
    """When an agent works by itself."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    cron: str = Field(
        description="five fields: minute, hour, day of month, month, day of week (0 and 7 are Sunday)"
    )
    time_zone: str = Field(default="UTC", description="IANA name the fields are read in")
    text: str = Field(
        default="", max_length=MAX_FIELD_CHARACTERS, description="for people, without the time zone"
    )

    @field_validator("cron")
    @classmethod
    def _five_fields(cls, cron: str) -> str:
        return schedules.known_cron(cron)

    @field_validator("time_zone")
    @classmethod
    def _iana(cls, name: str) -> str:
        return known_time_zone(name)

    def frequency(self) -> str:
        """``hourly``, ``daily``, ``weekly``, ``monthly``, or empty for anything else."""
        return schedules.frequency(self.cron)

    def for_people(self) -> str:
        """The schedule with its time zone."""
        return f"{self.text or self.cron} ({self.time_zone})"


class AgentFields(BaseModel):
    """Everything about an agent its owner decides, without the name, and without secrets: those are a
    skill's, by name.
    """

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    kind: Kind = Kind.TASK
    what: ShortText = Field(description="what it watches, collects or reports, in the owner's words")
    sources: tuple[ShortText, ...] = Field(
        default=(), max_length=MAX_SOURCES, description="services it reads, lower-case; empty: none"
    )
    scope: ShortText | None = Field(
        default=None, description="the project, board or sheet; None: all it can reach"
    )
    condition: ShortText | None = Field(default=None, description="when something counts; None: always")
    instructions: Instructions = ""
    format: ShortText | None = Field(
        default=None, description="of the result, such as presentation; None: plain text"
    )
    schedule: Schedule | None = Field(default=None, description="None: it works only when asked")
    delivery: Delivery = Field(default_factory=Delivery)
    skills: tuple[ShortText, ...] = Field(default=(), max_length=20)
    summary: ShortText | None = Field(
        default=None, description="the owner's one line; None: made from the other fields"
    )
    shared: bool = Field(default=False, description="whether the tenant's other users see and run it")


class AgentSpec(AgentFields):
    """An agent somebody wants; without a name one is made from what it does."""

    name: Name | None = None


class Agent(AgentFields):
    """A stored agent."""

    id: str
    name: str = Field(description="a slug, unique among its owner's agents")
    owner: str
    status: AgentStatus = AgentStatus.ACTIVE
    version: int = Field(default=1, description="counts the changes; a change names the version it saw")
    conversation_id: str | None = Field(
        default=None, description="where it was made, and where its results are posted; None: over REST"
    )
    created_at: datetime
    updated_at: datetime

    @classmethod
    def made(
        cls,
        fields: AgentFields,
        *,
        agent_id: str,
        name: str,
        owner: str,
        now: datetime,
        conversation_id: str | None = None,
    ) -> Agent:
        """A new agent."""
        values = {field: getattr(fields, field) for field in AgentFields.model_fields}
        return cls(
            id=agent_id,
            name=name,
            owner=owner,
            conversation_id=conversation_id,
            created_at=now,
            updated_at=now,
            **values,
        )

    @property
    def needs_connection(self) -> tuple[str, ...]:
        """Sources, which take a skill that serves them, and channels nothing can be sent to as they are."""
        channels = (channel.value for channel in without_address(self.delivery, self.owner))
        return tuple(dict.fromkeys((*self.sources, *channels)))

    def card(self) -> AgentCard:
        """The short form that every turn of the tenant reads."""
        return AgentCard(
            id=self.id,
            name=self.name,
            owner=self.owner,
            summary=one_line(self),
            shared=self.shared,
            status=self.status,
            needs_connection=self.needs_connection,
            channels=tuple(
                channel for channel in self.delivery.channels if channel is not Channel.CONVERSATION
            ),
        )


class AgentChange(AgentFields):
    """New values for some fields of an agent: only the fields that were given count, whatever the others'
    defaults.
    """

    what: ShortText = "unchanged"
    name: Name = "unchanged"
    status: AgentStatus = AgentStatus.ACTIVE

    def applied_to(self, old: Agent, now: datetime) -> Agent:
        """The agent's next version."""
        given = {field: getattr(self, field) for field in self.model_fields_set}
        return old.model_copy(update={**given, "version": old.version + 1, "updated_at": now})


class AgentCard(BaseModel):
    """What a turn needs to know of an agent."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str
    name: str
    owner: str
    summary: Clean
    shared: bool = False
    status: AgentStatus = AgentStatus.ACTIVE
    needs_connection: tuple[str, ...] = ()
    channels: tuple[Channel, ...] = Field(
        default=(), description="where its results go besides the conversation"
    )


def one_line(agent: AgentFields) -> str:
    """What the agent does, in its owner's one line or made from its fields."""
    if agent.summary:
        return agent.summary
    verb, preposition = ("watches for ", "in") if agent.kind is Kind.MONITOR else ("", "from")
    where = f" {preposition} {service_names(agent.sources)}" if agent.sources else ""
    scope = f" ({agent.scope})" if agent.scope else ""
    rhythm = (agent.schedule.frequency() or "on a schedule") if agent.schedule else "on request"
    line = f"{verb}{agent.what}{where}{scope}, {rhythm}"
    return line[:1].upper() + line[1:]


def service_names(services: tuple[str, ...]) -> str:
    """Services as people write them: ``Google Sheets and Jira``."""
    *first, last = [service_name(service) for service in services] or ["nothing"]
    return f"{', '.join(first)} and {last}" if first else last


_SPELLINGS = {
    "email": "e-mail", "sms": "SMS", "github": "GitHub", "gitlab": "GitLab", "hubspot": "HubSpot",
    "clickup": "ClickUp", "sharepoint": "SharePoint", "quickbooks": "QuickBooks",
    "postgresql": "PostgreSQL", "mysql": "MySQL", "onedrive": "OneDrive", "servicenow": "ServiceNow",
    "csv": "CSV", "sap": "SAP", "crm": "CRM", "rss": "RSS", "aws": "AWS", "s3": "S3",
    "bigquery": "BigQuery", "pagerduty": "PagerDuty", "linkedin": "LinkedIn", "youtube": "YouTube",
    "teams": "Teams", "microsoft teams": "Microsoft Teams", "files": "files", "webhook": "a webhook",
    "conversation": "this conversation",
}  # fmt: skip


def service_name(service: str) -> str:
    """A service as people write it: ``Google Sheets`` for ``google sheets``."""
    return _SPELLINGS.get(service) or " ".join(word[:1].upper() + word[1:] for word in service.split())
