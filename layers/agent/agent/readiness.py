"""Whether an agent can work: what it needs and does not have, computed from what exists. Pure.

The chat, the REST API and runs go by this. `agent.templates.readiness_texts` puts it into words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field

from agent.workspace.agents import Agent
from agent.workspace.delivery_targets import SENDABLE_CHANNELS, channels_without_address
from agent.workspace.skills import SkillCard
from conversation.tenants.policy import TenantPolicy
from tools.sign_in.services import find_service


class MissingKind(StrEnum):
    """What can be missing."""

    CONNECTION = "connection"
    SKILL = "skill"
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
        description="connection: no skill serves the source `name`; skill: its owner has no"
        " skill `name`; model: no model is set up that may do its work; budget: the budget for models is 0;"
        " address: results can't be sent by the channel `name`, which has no address; channel: nothing can be"
        " sent by the channel `name`"
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
    skills: Collection[str] | None = None
    """The names of the skills that may be used; None: not known."""
    has_model: bool = True
    """Whether there is a model that the workspace lets its agents use."""
    has_budget: bool = True
    to_sign_in: Collection[str] = ()
    """The names and services of skills that the user has to sign in to first."""
    page_url: str | None = None
    """Where the page is, on which users sign in to services; None: unknown."""

    @classmethod
    def of(
        cls,
        policy: TenantPolicy,
        skills: Iterable[SkillCard],
        *,
        has_model: bool,
        waiting: Collection[str] = (),
        page_url: str | None = None,
    ) -> Provision:
        """Returns what a workspace with this policy has for the user who may use these skills.

        ``waiting`` are the ids of those that somebody has to sign in to first.
        """
        usable = tuple(skills)
        to_sign_in = [skill for skill in usable if skill.id in waiting]
        return cls(
            services={service for skill in usable if skill.id not in waiting for service in skill.serves},
            skills={skill.name for skill in usable},
            has_model=has_model,
            has_budget=not policy.budget.allows_nothing,
            to_sign_in={name for skill in to_sign_in for name in (skill.name, *skill.serves)},
            page_url=page_url,
        )

    def connection(self, source: str) -> Missing:
        """Returns that the source or skill is not connected, with where to sign in to it, if known."""
        service = find_service(source)
        name = source if source in self.to_sign_in or service is None else service.name
        is_signed_in_to = source in self.to_sign_in or service is not None
        is_linked = self.page_url is not None and is_signed_in_to
        link = f"{self.page_url}/?panel=connections&connect={quote(name, safe='')}" if is_linked else ""
        return Missing(kind=MissingKind.CONNECTION, name=source, link=link)


def readiness(agent: Agent, provision: Provision) -> tuple[Missing, ...]:
    """Returns what the agent lacks; empty: it can work and deliver. A check needs no model and no source."""
    missing = list[Missing]()
    if agent.check is None:
        unserved = (source for source in agent.sources if source not in provision.services)
        missing += map(provision.connection, unserved)
        missing += [provision.connection(name) for name in agent.skills if name in provision.to_sign_in]
        known = agent.skills if provision.skills is None else provision.skills
        unknown = (name for name in agent.skills if name not in known)
        missing += [Missing(kind=MissingKind.SKILL, name=name) for name in unknown]
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
