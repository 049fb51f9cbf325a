"""Models of agents: what an agent does, on which schedule, with which sources, and where its results go.

`agent.workspace.agent_store` stores them, `agent.dialogue.agent_acts` sets one up in conversation, and
`agent.runs.executor` runs them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from datetime import date, datetime
from enum import StrEnum
from itertools import count
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from agent.checks.check import Check
from agent.workspace.delivery_targets import Channel, Delivery, channels_without_address, shown_address
from conversation import cron as cron_expressions
from conversation.redaction.masking import MaskedText, masking_validator
from conversation.tenants.policy import validate_time_zone
from conversation.timing import MAX_CRONS, Timing, Unit

MAX_AGENT_NAME_CHARACTERS = 60


def to_slug(text: str) -> str:
    """Returns lower-case words joined by hyphens, without accents; empty without a letter or digit."""
    folded = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(mark for mark in folded if not unicodedata.combining(mark))
    words = re.findall(r"[^\W_]+", re.sub("['\u2019]", "", plain))
    return _cut(unicodedata.normalize("NFC", "-".join(words)))


def is_slug(text: str) -> bool:
    """Whether the text has the form of a stored name."""
    return bool(text) and to_slug(text) == text


def validate_name(text: str) -> str:
    """Returns the text when it has the form of a stored name.

    Raises:
        ValueError: otherwise; the message doesn't quote the text.
    """
    if not is_slug(text):
        raise ValueError(
            f"a name is lower-case words joined by hyphens, at most {MAX_AGENT_NAME_CHARACTERS} characters"
        )
    return text


def free_name(wish: str, taken: Collection[str]) -> str:
    """Returns the wished name, with the first number appended that makes it free where it is taken."""
    if wish not in taken:
        return wish
    numbered = (f"{_cut(wish, MAX_AGENT_NAME_CHARACTERS - 4)}-{number}" for number in count(2))
    return next(name for name in numbered if name not in taken)


def _cut(words: str, limit: int = MAX_AGENT_NAME_CHARACTERS) -> str:
    if len(words) <= limit:
        return words
    return words[:limit].rpartition("-")[0] or words[:limit]


MAX_FIELD_CHARACTERS = 300
MAX_INSTRUCTIONS_CHARACTERS = 4_000
MAX_BRIEF_CHARACTERS = 8_000
MAX_SOURCES = 10


ShortText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_FIELD_CHARACTERS),
    masking_validator(MAX_FIELD_CHARACTERS),
]
Instructions = Annotated[
    str,
    StringConstraints(max_length=MAX_INSTRUCTIONS_CHARACTERS),
    masking_validator(MAX_INSTRUCTIONS_CHARACTERS),
]
Brief = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=MAX_BRIEF_CHARACTERS),
    masking_validator(MAX_BRIEF_CHARACTERS),
]
Name = Annotated[str, AfterValidator(validate_name)]


class Kind(StrEnum):
    """The kind of an agent's job; it decides the wizard's questions, the agent's name and description."""

    MONITOR = "monitor"
    REPORT = "report"
    TASK = "task"


class AgentStatus(StrEnum):
    """Whether an agent's schedule is in effect."""

    ACTIVE = "active"
    PAUSED = "paused"


LocalTime = Annotated[
    datetime, WithJsonSchema({"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$"})
]
"""A moment by the clocks of a time zone that is named elsewhere. JSON Schema's date-time has an offset."""


class Schedule(BaseModel):
    """When an agent runs by itself."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    cron: str = Field(
        description=(
            "five fields: minute, hour, day of month, month, day of week (0 and 7 are Sunday); the day of "
            "the month may be L, LW or 15W, that of the week 5L (the last Friday) or 2#1 (the first Tuesday)"
        )
    )
    more_crons: tuple[str, ...] = Field(
        default=(),
        max_length=MAX_CRONS - 1,
        description="further expressions; it runs when any of them matches",
    )
    every: int = Field(
        default=1, ge=1, le=1_000, description="only every so many units count, from the start"
    )
    unit: Unit = Field(default=Unit.WEEKS, description="what every counts")
    start: LocalTime | None = Field(
        default=None, description="the first local moment that counts, without an offset; null: at once"
    )
    end: date | None = Field(default=None, description="the last local day that counts; null: it goes on")
    time_zone: str = Field(default="UTC", description="IANA name the fields are read in")
    text: str = Field(
        default="", max_length=MAX_FIELD_CHARACTERS, description="for people, without the time zone"
    )

    @field_validator("cron")
    @classmethod
    def _five_fields(cls, cron: str) -> str:
        return cron_expressions.normalise_cron(cron)

    @field_validator("time_zone")
    @classmethod
    def _iana(cls, name: str) -> str:
        return validate_time_zone(name)

    @field_validator("more_crons")
    @classmethod
    def _each_five_fields(cls, crons: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(cron_expressions.normalise_cron(cron) for cron in crons)

    @field_validator("start")
    @classmethod
    def _local(cls, start: datetime | None) -> datetime | None:
        if start is not None and start.tzinfo is not None:
            raise ValueError("the start of a schedule is a local time, without an offset")
        return start.replace(second=0, microsecond=0) if start else None

    @model_validator(mode="after")
    def _counted_from_a_start(self) -> Schedule:
        if self.every > 1 and self.start is None:
            raise ValueError("a schedule that skips needs a start to count from")
        return self

    @classmethod
    def of(cls, timing: Timing, text: str) -> Schedule:
        """Returns the schedule with these moments.

        Raises:
            ValidationError: an expression is malformed or never matches.
        """
        first, *more = timing.crons
        return cls(
            cron=first,
            time_zone=timing.zone,
            text=text,
            more_crons=tuple(more),
            every=timing.every,
            unit=timing.unit,
            start=timing.start,
            end=timing.end,
        )

    def timing(self) -> Timing:
        """Returns the moments it has."""
        crons = (self.cron, *self.more_crons)
        return Timing(crons, self.time_zone, self.every, self.unit, self.start, self.end)

    def frequency(self) -> str:
        """Returns ``hourly``, ``daily``, ``weekly``, ``monthly``, or an empty text for anything else."""
        if self.more_crons or self.every > 1:
            return ""
        return cron_expressions.frequency(self.cron)

    @property
    def words(self) -> str:
        """The schedule in words, without its time zone: those it was given with, else those it is told by."""
        if self.text:
            return self.text
        from intent.times.wording import describe

        return describe(self.timing())

    def describe(self) -> str:
        """Returns the schedule in words, with its time zone."""
        return f"{self.text or self.cron} ({self.time_zone})"


class AgentFields(BaseModel):
    """The fields of an agent that its owner sets, except the name. Only skills name secrets."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    kind: Kind = Kind.TASK
    what: ShortText = Field(description="what it watches, collects or reports, in the owner's words")
    brief: Brief = Field(default="", description="the job in the owner's own sentences, given to every run")
    sources: tuple[ShortText, ...] = Field(
        default=(),
        max_length=MAX_SOURCES,
        description="services it reads, lower-case; empty: none. Of a check: the host that it reads",
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
    check: Check | None = Field(
        default=None,
        description="a web address that its runs check, without a model and in place of any other work",
    )
    skills: tuple[ShortText, ...] = Field(default=(), max_length=20)
    combines_skills: bool = Field(
        default=False,
        description="whether a run may call a skill after it read another skill's results or the web's",
    )
    summary: ShortText | None = Field(
        default=None, description="the owner's one line; None: made from the other fields"
    )
    shared: bool = Field(default=False, description="whether the tenant's other users see and run it")

    @model_validator(mode="after")
    def _names_checked_host(self) -> Self:
        if self.check is not None:
            object.__setattr__(self, "sources", (self.check.host.lower(),))
        return self


class AgentSpec(AgentFields):
    """The fields of an agent to create; without a name, one is made from what the agent does."""

    name: Name | None = None


class Agent(AgentFields):
    """A stored agent."""

    def without_secret_addresses(self) -> Agent:
        """Returns the agent as colleagues see it."""
        shown = dict.fromkeys(map(shown_address, self.delivery.recipients))
        delivery = self.delivery.model_copy(update={"recipients": tuple(shown)})
        return self.model_copy(update={"delivery": delivery})

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
    told_missing: tuple[str, ...] = Field(
        default=(), description="what its owner was last told in the chat that it still lacks"
    )
    deleted_at: datetime | None = Field(
        default=None, description="None unless it is deleted; it can be restored for 30 days"
    )

    @classmethod
    def create(
        cls,
        fields: AgentFields,
        *,
        agent_id: str,
        name: str,
        owner: str,
        now: datetime,
        conversation_id: str | None = None,
    ) -> Agent:
        """Builds a new agent."""
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
        """The sources, which need a skill that serves them, and the channels that lack an address. A check
        needs no skill.
        """
        channels = (channel.value for channel in channels_without_address(self.delivery, self.owner))
        return tuple(dict.fromkeys((*(() if self.check else self.sources), *channels)))

    def card(self) -> AgentCard:
        """Returns the short form, which every turn of the tenant reads."""
        return AgentCard(
            id=self.id,
            name=self.name,
            owner=self.owner,
            summary=summary_line(self),
            shared=self.shared,
            status=self.status,
            needs_connection=self.needs_connection,
            channels=tuple(
                channel for channel in self.delivery.channels if channel is not Channel.CONVERSATION
            ),
            deleted_at=self.deleted_at,
        )

    def restored(self, taken: Collection[str], now: datetime) -> Agent:
        """Returns the next version of a deleted agent, with a free name where its own is taken meanwhile."""
        steps = {"name": free_name(self.name, taken), "version": self.version + 1, "updated_at": now}
        return self.model_copy(update={**steps, "deleted_at": None})


class AgentChange(AgentFields):
    """New values for some fields of an agent. Only the fields that were given count, not the defaults."""

    what: ShortText = "unchanged"
    name: Name = "unchanged"
    status: AgentStatus = AgentStatus.ACTIVE

    def applied_to(self, old: Agent, now: datetime) -> Agent:
        """Returns the next version of the agent."""
        given = {field: getattr(self, field) for field in self.model_fields_set}
        return old.model_copy(update={**given, "version": old.version + 1, "updated_at": now})


class AgentCard(BaseModel):
    """The short form of an agent, which every turn of the tenant reads."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str
    name: str
    owner: str
    summary: MaskedText
    shared: bool = False
    status: AgentStatus = AgentStatus.ACTIVE
    needs_connection: tuple[str, ...] = ()
    channels: tuple[Channel, ...] = Field(
        default=(), description="where its results go besides the conversation"
    )
    deleted_at: datetime | None = Field(
        default=None, description="None unless it is deleted; it can be restored for 30 days"
    )

    def shared_by(self, user: str) -> str:
        """Returns the owner where that is not the user; empty: it is the user's own agent."""
        return "" if self.owner == user else self.owner


def summary_line(agent: AgentFields) -> str:
    """Returns what the agent does in one line: the owner's summary, or a line made from its fields."""
    if agent.summary:
        return agent.summary
    rhythm = (agent.schedule.frequency() or "on a schedule") if agent.schedule else "on request"
    if agent.check is not None:
        often = agent.schedule.words if agent.schedule else rhythm
        return f"Checks {agent.check.describe()}, {often[:1].lower()}{often[1:]}"
    watches = "watches" if agent.what.startswith(("whether ", "how ", "which ", "who ")) else "watches for"
    verb, preposition = (f"{watches} ", "in") if agent.kind is Kind.MONITOR else ("", "from")
    is_named = all(source in agent.what.lower() for source in agent.sources)
    where = "" if is_named else f" {preposition} {join_services(agent.sources)}"
    scope = f" ({agent.scope})" if agent.scope else ""
    line = f"{verb}{agent.what}{where}{scope}, {rhythm}"
    return line[:1].upper() + line[1:]


def join_services(services: tuple[str, ...]) -> str:
    """Returns services in their usual spelling, joined: ``Google Sheets and Jira``."""
    return join_words([service_name(service) for service in services] or ["nothing"])


def join_words(texts: Sequence[str]) -> str:
    """Joins the texts: ``a, b and c``."""
    *first_ones, last = texts
    return f"{', '.join(first_ones)} and {last}" if first_ones else last


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
    """Returns a service in its usual spelling: ``Google Sheets`` for ``google sheets``, an address as is."""
    if service.startswith(("https://", "http://")) or "." in service:
        return service
    return _SPELLINGS.get(service) or " ".join(word[:1].upper() + word[1:] for word in service.split())
