"""Consents of users to agents that their colleagues share: what a user was shown, and what they allowed.

A consent holds for an agent as it was shown. When its owner changes a field that takes part in a run, nothing
of the consent is left. `agent.runs` keeps runs to their consents.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from agent.workspace.agents import Agent
from agent.workspace.delivery_targets import (
    SENDABLE_CHANNELS,
    DeliveryTarget,
    shown_address,
    targets_of,
)
from agent.workspace.errors import AgentChanged, SharedAgentChanged
from agent.workspace.roster import Roster, read_roster
from agent.workspace.runs import Allowance, Run, RunConsent
from agent.workspace.skills import Skill, SkillCard
from conversation.clock import Clock
from conversation.identity import Caller, derived_id, short_hash
from storage import keys
from storage.items import rewrite
from storage.table import Action, Item
from storage.tenant_table import Tables

Terms = Mapping[str, str]
"""The fields of an agent that take part in a run, as text; empty ones are left out."""


def terms_of(agent: Agent) -> Terms:
    """Returns everything that a run of this agent follows from, for users and for comparison."""
    fields = {
        "name": agent.name,
        "kind": agent.kind.value,
        "what": agent.what,
        "summary": agent.summary,
        "sources": ", ".join(agent.sources),
        "scope": agent.scope,
        "condition": agent.condition,
        "instructions": agent.instructions,
        "brief": agent.brief,
        "format": agent.format,
        "schedule": f"{agent.schedule.describe()}, {agent.schedule.timing().to_text()}"
        if agent.schedule
        else None,
        "channels": ", ".join(agent.delivery.channels),
        "recipients": ", ".join(map(_told, agent.delivery.recipients)),
        "check": agent.check.describe() if agent.check else None,
        "skills": ", ".join(agent.skills),
        "combines_skills": "yes" if agent.combines_skills else None,
    }
    return {name: text for name, text in fields.items() if text}


def _told(address: str) -> str:
    """The address as colleagues see it; another secret part makes another text."""
    shown = shown_address(address)
    return address if shown == address else f"{shown} ({short_hash(address)[:6]})"


class FieldChange(NamedTuple):
    """One changed field; an empty text: the field was, or is, not set."""

    name: str
    before: str
    after: str


def compare(before: Terms, after: Terms) -> tuple[FieldChange, ...]:
    """Returns the fields that differ."""
    names = dict.fromkeys((*before, *after))
    changes = (FieldChange(name, before.get(name, ""), after.get(name, "")) for name in names)
    return tuple(change for change in changes if change.before != change.after)


class Consent(BaseModel):
    """What one user allowed one agent of a colleague, and the agent as that user was shown it."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    agent_id: str
    version: int = 1
    terms: dict[str, str] = Field(default_factory=dict)
    addresses: bool | None = Field(
        default=None, description="whether results go to the agent's addresses; None: never asked"
    )
    skills: dict[str, bool] = Field(
        default_factory=dict, description="the skills that were named, and whether they may take part"
    )
    personal_data: bool = Field(default=False, description="whether its runs use the tools for user data")
    at: datetime

    @classmethod
    def to_use(cls, agent: Agent, now: datetime) -> Consent:
        """Builds the consent of a first use: it allows nothing."""
        return cls(agent_id=agent.id, version=agent.version, terms=dict(terms_of(agent)), at=now)

    def covers(self, agent: Agent) -> bool:
        """Whether the agent is as it was shown."""
        return self.terms == terms_of(agent)

    def with_answer(self, *, allows: bool, addresses: bool, skills: Sequence[str], personal: bool) -> Consent:
        """Returns the consent after a yes or no to what was asked; the rest stays."""
        return self.model_copy(
            update={
                "addresses": allows if addresses else self.addresses,
                "skills": {**self.skills, **dict.fromkeys(skills, allows)},
                "personal_data": allows if personal else self.personal_data,
            }
        )

    def for_run(self, agent: Agent) -> RunConsent:
        """Returns what a run of the agent, which is as it was shown, takes along."""
        return RunConsent(
            version=agent.version,
            terms=_digest(self.terms),
            addresses=self.addresses is True,
            skills=tuple(name for name, allowed in self.skills.items() if allowed),
            personal_data=self.personal_data,
        )


def is_colleagues(run: Run, agent: Agent) -> bool:
    """Whether the run's user is somebody else than the agent's owner."""
    return run.user != agent.owner


def is_changed_since(run: Run, agent: Agent) -> bool:
    """Whether a colleague's agent is not any more what the run's user agreed to."""
    if run.consent is None or not is_colleagues(run, agent):
        return False
    return run.consent.terms != digest_of(agent)


def consent_of(run: Run, agent: Agent) -> RunConsent:
    """Returns what the user of a colleague's agent allowed this run; nothing, where the agent has changed."""
    if run.consent is None or is_changed_since(run, agent):
        return RunConsent(version=agent.version)
    return run.consent


def may_send_to(place: DeliveryTarget, run: Run, agent: Agent) -> bool:
    """Whether the run's result may be sent to this address: the user's own, or allowed by the user."""
    return not is_colleagues(run, agent) or place.address == run.user or consent_of(run, agent).addresses


def may_use_skill(skill: Skill, run: Run, agent: Agent) -> bool:
    """Whether the run may call this skill.

    A run of a colleague's agent has the skills that are shared with the tenant. One that something of the
    run's user could reach takes part only if the user allowed it by name, or approved the one call that the
    run makes.
    """
    if not is_colleagues(run, agent):
        return True
    if run.approved_call is not None:
        return skill.shared and run.approved_call.skill == skill.name
    consent = consent_of(run, agent)
    is_reached = consent.personal_data or (bool(run.parameters) and skill.owner == agent.owner)
    return skill.shared and (not is_reached or skill.name in consent.skills)


def may_use_personal_data(run: Run, agent: Agent) -> bool:
    """Whether the run has the tools that read or change its user's data."""
    return not is_colleagues(run, agent) or consent_of(run, agent).personal_data


def named_addresses(agent: Agent, user: str) -> tuple[str, ...]:
    """Returns where the agent would send a user's results, apart from the user's own address, as it is shown
    to colleagues.
    """
    targets = targets_of(agent.delivery, user)
    addresses = (place.address for place in targets if place.channel in SENDABLE_CHANNELS)
    return tuple(dict.fromkeys(shown_address(each) for each in addresses if each not in ("", user)))


def shared_skills(agent: Agent, roster: Roster) -> tuple[SkillCard, ...]:
    """Returns the skills that the agent uses when a colleague runs it."""
    return tuple(
        card
        for card in roster.skills_of(agent.owner)
        if card.shared and (card.name in agent.skills or not frozenset(card.serves).isdisjoint(agent.sources))
    )


def reached_skills(
    agent: Agent, roster: Roster, *, has_parameters: bool, personal_data: bool
) -> tuple[SkillCard, ...]:
    """Returns those of `shared_skills` that need the user's permission, as `may_use_skill` decides.

    What a user adds for a run may go to the workspace's skills, but not to the owner's.
    """
    return tuple(
        card
        for card in shared_skills(agent, roster)
        if personal_data or (has_parameters and card.owner == agent.owner)
    )


class Agreement(NamedTuple):
    """What a run may begin with: its consent (None: it is the user's own agent), and the writes to store
    with the run.
    """

    consent: RunConsent | None = None
    actions: tuple[Action, ...] = ()


class ConsentStore:
    """Reads consents and builds their writes. A consent belongs to its user, whose erasure removes it."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def get(self, caller: Caller, agent_id: str) -> Consent | None:
        """Returns the caller's consent to the agent, however old; None: the caller never ran it."""
        item = self._tables.for_tenant(caller.tenant).get(keys.consent(caller.tenant, caller.user, agent_id))
        return None if item is None else Consent.model_validate_json(str(item["consent"]), extra="ignore")

    def save_actions(self, caller: Caller, consent: Consent) -> tuple[Action, ...]:
        """Returns the write that stores the consent in place of an earlier one."""
        key = keys.consent(caller.tenant, caller.user, consent.agent_id)
        item: Item = {
            "pk": key.partition,
            "sk": key.sort,
            "consent": consent.model_dump_json(exclude_defaults=True),
        }
        return (rewrite(item),)

    def agree(
        self, caller: Caller, agent: Agent, *, version: int | None = None, allow: Allowance | None = None
    ) -> Agreement:
        """Returns what a run of this agent may begin with, where nobody can be asked.

        ``version`` is the version the caller saw; None: the one they used before. ``allow`` needs a version.

        Raises:
            AgentChanged: the caller saw another version of their own agent.
            SharedAgentChanged: the caller saw or used another version of a colleague's agent.
        """
        is_outdated = version is not None and version != agent.version
        if agent.owner == caller.user:
            if is_outdated:
                raise AgentChanged
            return Agreement()
        stored = self.get(caller, agent.id)
        is_same = stored is None or stored.covers(agent)
        if is_outdated or (version is None and not is_same):
            before = stored.terms if stored else terms_of(agent)
            raise SharedAgentChanged(
                agent.version, [change.name for change in compare(before, terms_of(agent))]
            )
        consent = stored if stored and is_same else Consent.to_use(agent, self._clock.now())
        if allow is not None:
            consent = self._allowing(caller, agent, consent, allow)
        actions = () if consent == stored else self.save_actions(caller, consent)
        return Agreement(consent.for_run(agent), actions)

    def _allowing(self, caller: Caller, agent: Agent, consent: Consent, allow: Allowance) -> Consent:
        given: dict[str, object] = {
            name: value
            for name in ("addresses", "personal_data")
            if (value := getattr(allow, name)) is not None
        }
        if allow.skills is not None:
            roster = read_roster(self._tables, caller.tenant, self._clock.now())
            given["skills"] = {card.name: allow.skills for card in shared_skills(agent, roster)}
        return consent.model_copy(update={**given, "version": agent.version, "at": self._clock.now()})


def digest_of(agent: Agent) -> str:
    """Returns a text that differs between agents whose runs may differ."""
    return _digest(terms_of(agent))


def _digest(terms: Terms) -> str:
    return derived_id("terms", json.dumps(dict(terms), sort_keys=True))
