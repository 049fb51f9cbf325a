"""Models of runs. A run is one execution of an agent, from the request to the delivery of its result.

`agent.workspace.run_store` stores runs; `agent.runs.executor` executes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    model_validator,
)

from agent.workspace.agents import Agent, AgentCard
from agent.workspace.delivery_targets import Channel
from conversation.identity import TurnId, new_ulid
from conversation.redaction.masking import mask_texts

MAX_OUTPUT_BYTES = 32 * 1024
MAX_PARAMETERS = 20
MAX_PROGRESS = 50

ParameterName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
CleanParameters = Annotated[Mapping[str, str], AfterValidator(mask_texts)]
ParameterValue = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class RunStatus(StrEnum):
    """The status of a run."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"

    @property
    def is_final(self) -> bool:
        """Whether the run has ended."""
        return self not in (RunStatus.QUEUED, RunStatus.RUNNING)


class Trigger(StrEnum):
    """The origin of a run."""

    CHAT = "chat"
    REST = "rest"
    SCHEDULE = "schedule"


class DeliveryStatus(StrEnum):
    """The status of the delivery to one target."""

    DELIVERED = "delivered"
    FAILED = "failed"
    NO_ADDRESS = "no_address"
    NOT_SUPPORTED = "not_supported"
    NOT_ALLOWED = "not_allowed"
    NOT_REPEATED = "not_repeated"
    UNVERIFIED = "unverified"


TARGET_NOT_ALLOWED = "target_not_allowed"
"""The reason of a delivery that the tenant's policy forbids."""
NOT_VERIFIED = "recipient_not_verified"
"""The reason of a mail that was not sent because its recipient has to confirm first."""


class DeliveryOutcome(BaseModel):
    """The outcome of the delivery of a result to one target."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    channel: Channel
    target: str = Field(default="", description="the address as the agent's owner gave it; empty: none")
    status: DeliveryStatus
    tries: int = 0
    reason: str = Field(default="", description="a code, where it was not delivered")


class Allowance(BaseModel):
    """What a user allows a colleague's agent; null leaves a permission as it is."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    addresses: bool | None = Field(
        default=None, description="Whether your results are also sent to the addresses the agent names."
    )
    skills: bool | None = Field(
        default=None,
        description="Whether its skills take part in runs where they could get data of yours.",
    )
    personal_data: bool | None = Field(
        default=None, description="Whether its runs may search your conversations and use your tasks."
    )


class NewRun(BaseModel):
    """The body of a request for a run; ``{}`` runs the agent as it is set up."""

    model_config = ConfigDict(defer_build=True, extra="forbid")

    version: int | None = Field(
        default=None,
        description="The version of the agent you have seen; another one is refused. After a colleague has"
        " changed an agent that you used, it is needed once.",
    )
    allow: Allowance | None = Field(
        default=None,
        description="What you allow a colleague's agent until it is changed; it needs the version.",
    )

    parameters: dict[ParameterName, ParameterValue] = Field(
        default_factory=dict,
        max_length=MAX_PARAMETERS,
        description="What holds for this run only, such as `period`: it counts before the agent's own words.",
    )

    @model_validator(mode="after")
    def _names_what_it_allows(self) -> NewRun:
        if self.allow is not None and self.version is None:
            raise ValueError("a permission names the version it is given to")
        return self


class Approval(BaseModel):
    """The body of a request that approves a held call of a run."""

    model_config = ConfigDict(defer_build=True, extra="forbid")

    call: str = Field(max_length=64, description="The id of the held call.")


class RunOutcome(BaseModel):
    """How a run ended."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    code: str = Field(
        description="done, no_change, no_model, not_connected, nothing_reached, address_blocked,"
        " model_unavailable, budget_reached, limit_reached, too_many_steps, no_result, timed_out, cancelled,"
        " interrupted, agent_gone, agent_changed, tenant_inactive or call_failed"
    )
    words: str = Field(description="the same for people")


class CalledTool(BaseModel):
    """One tool call of a run."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    name: str
    ok: bool
    arguments: str = Field(default="", description="as the model gave them, cut")
    error_code: str | None = None
    elapsed_ms: int = 0


HeldReason = Literal["not_asked", "outside_text", "other_source", "personal_data"]
"""Why a call is held: the user's words don't ask for it; text from outside was read before; it would pass on
what another source returned; it would send something on after the user's data was read.
"""


class HeldCall(BaseModel):
    """A tool call that is not made before its user approves exactly this call."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str = Field(description="depends on the tool, where the call goes, and its arguments")
    tool: str
    arguments: str = Field(description="canonical JSON, as they will be sent")
    reason: HeldReason
    skill: str | None = Field(default=None, description="whose tool it is; null: one of ours")
    host: str = Field(default="", description="the server that would get it; empty: none")
    about: str = Field(default="", description="the name of the task it is about, as far as known")
    approved_by: str | None = Field(default=None, description="the run that made it; null: not approved yet")

    @property
    def values(self) -> Mapping[str, JsonValue]:
        """The arguments."""
        values: Mapping[str, JsonValue] = json.loads(self.arguments)
        return values


class RunUsage(BaseModel):
    """The model usage of a run. ``cost_usd`` None: the price of a model it used is not known."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    model: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    model_calls: int = 0
    cost_usd: float | None = 0.0


class RunConsent(BaseModel):
    """What the user of a colleague's agent agreed to for one run."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    version: int = Field(description="the agent's version that the user agreed to")
    terms: str = Field(default="", description="a digest of the agent's fields as the user was shown them")
    addresses: bool = Field(default=False, description="whether its addresses get the result")
    skills: tuple[str, ...] = Field(default=(), description="the skills that the user allowed")
    personal_data: bool = Field(default=False, description="whether it may use data of the user")


class Run(BaseModel):
    """One run of an agent by one user."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str = Field(description="a ULID: a user's runs sort by time")
    user: str = Field(description="who asked for it; not always the agent's owner")
    agent_id: str
    agent_name: str
    status: RunStatus = RunStatus.QUEUED
    trigger: Trigger = Trigger.CHAT
    conversation_id: str | None = Field(default=None, description="where it was asked for; None: nowhere")
    parameters: CleanParameters = Field(
        default_factory=dict, description="what holds for this run only: a period, a project, ..."
    )
    consent: RunConsent | None = Field(
        default=None, description="null: the agent is the user's own, or the run older than consents"
    )
    scheduled_at: datetime | None = None
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    attempt: int = Field(default=0, description="how often its execution was begun")
    progress: tuple[str, ...] = Field(default=(), description="what was done so far, a line each")
    output: str = Field(default="", description="the result; empty while there is none")
    outcome: RunOutcome | None = None
    tool_calls: tuple[CalledTool, ...] = ()
    skill_notes: tuple[str, ...] = Field(
        default=(),
        description="which skills and tools of skills it had to do without, and why, a sentence each",
    )
    held_calls: tuple[HeldCall, ...] = Field(
        default=(), description="what it wanted to do and may not without an approval"
    )
    approved_call: HeldCall | None = Field(
        default=None, description="the held call of an earlier run that this one makes, and nothing else"
    )
    usage: RunUsage = Field(default_factory=RunUsage)
    deliveries: tuple[DeliveryOutcome, ...] = ()
    expires_at: datetime | None = Field(
        default=None,
        description="when it is gone; null: it has not ended, or ended while its tenant was on legal hold",
    )

    def is_expired(self, now: datetime) -> bool:
        """Whether the run's retention is over; the table deletes it some time later."""
        return self.expires_at is not None and self.expires_at <= now

    @classmethod
    def create(
        cls,
        card: AgentCard | Agent,
        *,
        run_id: str,
        user: str,
        now: datetime,
        trigger: Trigger = Trigger.CHAT,
        conversation_id: str | None = None,
        parameters: Mapping[str, str] | None = None,
        scheduled_at: datetime | None = None,
        consent: RunConsent | None = None,
    ) -> Run:
        """Builds a queued run."""
        return cls(
            id=run_id,
            user=user,
            agent_id=card.id,
            agent_name=card.name,
            trigger=trigger,
            conversation_id=conversation_id,
            parameters=dict(parameters or {}),
            consent=consent,
            scheduled_at=scheduled_at,
            created_at=now,
        )

    def held_call(self, call_id: str) -> HeldCall | None:
        """Returns the held call with this id; None when there is none."""
        return next((held for held in self.held_calls if held.id == call_id), None)

    def approving(
        self,
        held: HeldCall,
        *,
        run_id: str,
        now: datetime,
        trigger: Trigger,
        conversation_id: str | None = None,
    ) -> Run:
        """Builds the queued run that makes a held call of this one."""
        return Run(
            id=run_id,
            user=self.user,
            agent_id=self.agent_id,
            agent_name=self.agent_name,
            trigger=trigger,
            conversation_id=conversation_id or self.conversation_id,
            approved_call=held,
            consent=self.consent,
            created_at=now,
        )


def run_id_of_turn(turn_id: str, now: datetime) -> str:
    """Returns the id of the one run a turn may request: the turn's ULID, so a retry gets the same id."""
    turn = TurnId.parse(turn_id)
    return turn.ulid if turn else new_ulid(now)
