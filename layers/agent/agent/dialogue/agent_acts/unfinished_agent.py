"""The parts of a new agent that are known before it is saved. Pure; `new_agents` reads them from words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pydantic import BaseModel, ConfigDict, JsonValue

from agent.checks.check import Check, Expectation
from agent.dialogue.agent_acts import labels
from agent.workspace.agents import MAX_FIELD_CHARACTERS, AgentSpec, Kind, Schedule, to_slug
from agent.workspace.delivery_targets import Delivery
from agent.workspace.naming import suggest_name


class NewAgent(BaseModel):
    """The parts of an agent that are known before it is saved."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="ignore")

    brief: str = ""
    """The owner's own sentences."""
    what: str = ""
    """The label of its job."""
    job: str = ""
    """The job as its owner said it, with its verb."""
    name: str = ""
    sources: tuple[str, ...] = ()
    has_no_source: bool = False
    schedule: Schedule | None = None
    on_request: bool = False
    lacks: tuple[str, ...] = ()
    """What is open about the schedule: ``time``, ``day`` or ``am_pm``."""
    when: str = ""
    """The words that name an unfinished schedule."""
    proposed: Schedule | None = None
    """A schedule to propose, where the owner has told when they do it today."""
    doubt: str = ""
    """What is in the way of a schedule that was asked for, or what it may mean; empty: nothing."""
    options: tuple[str, ...] = ()
    """The times that its owner can't decide between, in their words."""
    delivery: Delivery | None = None
    check: Check | None = None
    """What it checks on the web by itself; None: it works with a model."""
    expects: Expectation | None = None
    """What it is to check of a page whose address isn't known yet; None: nothing."""
    assumed: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    """The parts asked for in the last reply about it."""
    misses: int = 0
    is_recalled: bool = False
    """Whether a reply about something else has asked for the missing parts once more."""
    zone: str = "UTC"
    """The owner's time zone."""
    before: NewAgent | None = None
    """The unfinished agent that was set aside for this one."""

    @classmethod
    def of(cls, stored: Mapping[str, JsonValue]) -> NewAgent:
        """Return the agent that `to_note` stored."""
        return cls.model_validate(dict(stored))

    @property
    def subject(self) -> str:
        """What it is for, within a sentence; empty when that isn't known yet."""
        return self.check.host if self.check else self.what

    def to_note(self) -> dict[str, JsonValue]:
        """Return it in the form stored in a note; never empty."""
        stored = cast("dict[str, JsonValue]", self.model_dump(mode="json", exclude_defaults=True))
        return {"brief": self.brief, **stored}

    def missing(self) -> tuple[str, ...]:
        """Return the parts that are still to be asked for, in order."""
        if self.expects is not None and self.check is None:
            return ("source",)
        parts = []
        if not self.what:
            parts.append("job")
        if not self.sources and not self.has_no_source:
            parts.append("source")
        if (self.schedule is None or self.lacks) and not self.on_request:
            parts.append("time" if self.lacks == ("time",) else "when")
        if self.delivery is None and not self.on_request:
            parts.append("where")
        return tuple(parts)

    def to_spec(self) -> AgentSpec:
        """Return the agent to save."""
        spec = AgentSpec(
            kind=Kind.MONITOR if self.check else labels.kind_of(self.job, self.brief),
            what=self.what[:MAX_FIELD_CHARACTERS],
            sources=self.sources,
            brief=self.brief,
            check=self.check,
            schedule=self.schedule,
            delivery=self.delivery or Delivery(),
        )
        return spec.model_copy(update={"name": to_slug(self.name) or suggest_name(spec)})
