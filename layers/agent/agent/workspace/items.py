"""How agents and runs lie in the table: values to items and back.

An agent lies there twice, in full and as a card beside the tenant's policy, because every turn reads all
cards in one query and only those that change or show an agent read it in full. Both are always written in one
transaction.
"""

from __future__ import annotations

import json
from typing import cast

from agent.workspace.agents import Agent, AgentCard, AgentStatus, Channel
from agent.workspace.runs import Run, RunStatus
from agent.workspace.skills import Health, Skill, SkillCard, SkillKind, SkillStatus
from conversation.clock import to_text
from storage import keys
from storage.keys import TenantId
from storage.table import Equals, Item, Set, Update

RUN_JSON = ("outcome", "tool_calls", "usage", "deliveries")
"""Attributes of a run that are texts of JSON."""

NEVER_EXECUTED = "not_executed"
OUTCOME_NEVER_EXECUTED = '{"code": "cancelled", "words": "It was recorded before agents could run."}'
"""What runs of the first version have for a status, and what that is called now."""


def agent_to_item(tenant: TenantId, agent: Agent) -> Item:
    """An agent in full."""
    key = keys.agent(tenant, agent.id)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "agent": agent.model_dump_json(exclude={"version"}, exclude_defaults=True),
        "version": agent.version,
    }


def agent_from_item(item: Item) -> Agent:
    """The agent that `agent_to_item` stored."""
    agent = Agent.model_validate_json(str(item["agent"]))
    return agent.model_copy(update={"version": cast("int", item["version"])})


def card_to_item(tenant: TenantId, card: AgentCard) -> Item:
    """A card; its name and owner are in the key only."""
    key = keys.agent_card(tenant, card.owner, card.name)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "id": card.id,
        "summary": card.summary,
        "shared": card.shared,
        "status": card.status.value,
        "needs": list(card.needs_connection),
        **({"channels": [channel.value for channel in card.channels]} if card.channels else {}),
    }


def card_from_item(item: Item) -> AgentCard:
    """The card that `card_to_item` stored."""
    owner, _, name = str(item["sk"]).removeprefix(keys.AGENT_CARD_PREFIX).partition("#")
    return AgentCard(
        id=str(item["id"]),
        name=name,
        owner=keys.decode_user(owner),
        summary=str(item["summary"]),
        shared=bool(item["shared"]),
        status=AgentStatus(str(item["status"])),
        needs_connection=tuple(str(need) for need in cast("list[str]", item["needs"])),
        channels=tuple(map(Channel, cast("list[str]", item.get("channels", [])))),
    )


def run_to_item(tenant: TenantId, run: Run) -> Item:
    """A run; its id and user are in the key only, and what it has not got yet is nowhere."""
    key = keys.run(tenant, run.user, run.id)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "agent_id": run.agent_id,
        "agent_name": run.agent_name,
        "status": run.status.value,
        "trigger": run.trigger.value,
        "created_at": to_text(run.created_at),
        **({"conversation_id": run.conversation_id} if run.conversation_id else {}),
        **({"parameters": dict(run.parameters)} if run.parameters else {}),
        **({"scheduled_at": to_text(run.scheduled_at)} if run.scheduled_at else {}),
    }


def run_from_item(user: str, item: Item) -> Run:
    """The run of the user that `run_to_item` stored, with what `agent.workspace.run_store` wrote of it
    since."""
    if item["status"] == NEVER_EXECUTED:
        item = {**item, "status": RunStatus.CANCELLED.value, "outcome": OUTCOME_NEVER_EXECUTED}
    stored = {name: value for name, value in item.items() if name in Run.model_fields}
    nested = {name: json.loads(str(stored[name])) for name in RUN_JSON if name in stored}
    run_id = str(item["sk"]).removeprefix(keys.RUN_PREFIX)
    return Run.model_validate({**stored, **nested, "id": run_id, "user": user})


HEALTH = "health"
URL = "url"
CHECK_ASKED = "check_asked"


def skill_to_item(tenant: TenantId, skill: Skill) -> Item:
    """A skill in full. Its address lies open, so that a change of it is seen without reading the rest."""
    key = keys.skill(tenant, skill.id)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "skill": skill.model_dump_json(exclude={"version", "health"}, exclude_defaults=True),
        URL: skill.url,
        HEALTH: skill.health.model_dump_json(exclude_defaults=True),
        "version": skill.version,
    }


def skill_update(tenant: TenantId, old: Skill, new: Skill) -> Update:
    """The write of a skill's next version, refused when it changed since ``old`` was read. What a check found
    meanwhile stays, unless it was found elsewhere.
    """
    item = skill_to_item(tenant, new)
    fields = ("skill", URL, "version", *((HEALTH,) if new.url != old.url else ()))
    changes = tuple(Set(field, item[field]) for field in fields)
    return Update(keys.skill(tenant, old.id), changes, (Equals("version", old.version),))


def skill_from_item(item: Item) -> Skill:
    """The skill that `skill_to_item` stored."""
    stored = Skill.model_validate_json(str(item["skill"]))
    health = Health.model_validate_json(str(item[HEALTH]))
    return stored.model_copy(update={"health": health, "version": cast("int", item["version"])})


def skill_card_to_item(tenant: TenantId, card: SkillCard) -> Item:
    """A card; its name is in the key only."""
    key = keys.skill_card(tenant, card.name)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "id": card.id,
        "owner": card.owner,
        "kind": card.kind.value,
        "shared": card.shared,
        "status": card.status.value,
        "description": card.description,
        "serves": list(card.serves),
    }


def skill_card_from_item(item: Item) -> SkillCard:
    """The card that `skill_card_to_item` stored."""
    return SkillCard(
        id=str(item["id"]),
        name=str(item["sk"]).removeprefix(keys.SKILL_CARD_PREFIX),
        owner=str(item["owner"]),
        kind=SkillKind(str(item["kind"])),
        shared=bool(item["shared"]),
        status=SkillStatus(str(item["status"])),
        description=str(item["description"]),
        serves=tuple(str(service) for service in cast("list[str]", item["serves"])),
    )
