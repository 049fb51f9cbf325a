"""Whether an agent can work: what it needs and does not have, computed from what exists. Pure.

The chat, the REST API and runs go by this. `agent.templates.readiness_texts` puts it into words.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from agent.workspace.agents import Agent
from agent.workspace.delivery_targets import SENDABLE_CHANNELS, channels_without_address
from conversation.tenants.policy import TenantPolicy
from tools.sign_in.services import find_service


class MissingKind(StrEnum):
    """What can be missing."""

    CONNECTION = "connection"
    MODEL = "model"
    BUDGET = "budget"
    ADDRESS = "address"
    CHANNEL = "channel"


WORK_NEEDS = frozenset({MissingKind.CONNECTION, MissingKind.MODEL, MissingKind.BUDGET})
"""Without these an agent can't work; without the others it works, but can't send its results."""


class Missing(BaseModel):
    """One thing that an agent lacks."""

    model_config = ConfigDict(frozen=True)

    kind: MissingKind = Field(
        description="connection: no skill serves the source `name`; model: no model is set up that may do its"
        " work; budget: the budget for models is 0; address: results can't be sent by the channel `name`,"
        " which has no address; channel: nothing can be sent by the channel `name`"
    )
    name: str = Field(default="", description="of the source or the channel; empty: the kind says it all")
    link: str = Field(default="", description="where to sign in to the source; empty: that is not known")

    @property
    def key(self) -> str:
        """It as text, for comparison."""
        return f"{self.kind.value}:{self.name}" if self.name else self.kind.value


class Provision(NamedTuple):
    """What a workspace has for its agents."""

    services: Collection[str] = ()
    """The services that skills connect."""
    has_model: bool = True
    """Whether there is a model that the workspace lets its agents use."""
    has_budget: bool = True
    page_url: str | None = None
    """Where the page is, on which users sign in to services; None: unknown."""

    @classmethod
    def of(
        cls, policy: TenantPolicy, services: Collection[str], *, has_model: bool, page_url: str | None = None
    ) -> Provision:
        """Returns what a workspace with this policy has."""
        has_budget = policy.budget.usd_per_day != 0
        return cls(services, has_model, has_budget=has_budget, page_url=page_url)

    def sign_in_link(self, source: str) -> str:
        """Returns where to sign in to a known service; empty: it is not known, or where is not."""
        service = find_service(source) if self.page_url else None
        return f"{self.page_url}/?panel=connections&connect={service.name}" if service else ""


def readiness(agent: Agent, provision: Provision) -> tuple[Missing, ...]:
    """Returns what the agent lacks; empty: it can work and deliver. A check needs no model and no source."""
    missing = list[Missing]()
    if agent.check is None:
        unserved = (source for source in agent.sources if source not in provision.services)
        missing += [
            Missing(kind=MissingKind.CONNECTION, name=source, link=provision.sign_in_link(source))
            for source in unserved
        ]
        missing += [Missing(kind=MissingKind.MODEL)] * (not provision.has_model)
        missing += [Missing(kind=MissingKind.BUDGET)] * (provision.has_model and not provision.has_budget)
    for channel in channels_without_address(agent.delivery, agent.owner):
        kind = MissingKind.ADDRESS if channel in SENDABLE_CHANNELS else MissingKind.CHANNEL
        missing.append(Missing(kind=kind, name=channel.value))
    return tuple(missing)


def can_work(missing: Collection[Missing]) -> bool:
    """Whether nothing is missing that the agent's work needs."""
    return not any(each.kind in WORK_NEEDS for each in missing)


def missing_keys(missing: Collection[Missing]) -> tuple[str, ...]:
    """Returns what is missing as texts, to be compared with what was told before."""
    return tuple(each.key for each in missing)
