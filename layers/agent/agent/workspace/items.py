"""Conversions of agents, runs and skills to table items and back.

Agents and skills are stored twice: in full, and as a card in the partition of the tenant's policy. Every turn
reads all cards in one query; the full item is read only where it is needed. The two items of an agent are
always written in one transaction. A deleted agent has neither: it is one item in its owner's partition.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import cast

from pydantic import BaseModel, JsonValue

from agent.connections.connection import SignInScope
from agent.workspace.agents import Agent, AgentCard, AgentStatus
from agent.workspace.delivery_targets import Channel
from agent.workspace.runs import Run, RunStatus
from agent.workspace.skills import Health, Skill, SkillCard, SkillKind, SkillStatus, ToolPin
from conversation.clock import to_text
from conversation.restoration import expiry
from storage import keys
from storage.keys import TenantId
from storage.table import Equals, Item, Remove, Set, Update

RUN_JSON = (
    "consent", "outcome", "tool_calls", "skill_notes", "usage", "deliveries", "held_calls", "approved_call",
)  # fmt: skip
"""Attributes of a run that hold JSON text."""

APPROVALS = "approvals"
"""The attribute of a run that says which run made which of its held calls."""

NEVER_EXECUTED = "not_executed"
OUTCOME_NEVER_EXECUTED = '{"code": "cancelled", "words": "It was recorded before agents could run."}'
"""The status of runs stored by the first version, and the outcome they are read with now."""


def agent_to_item(tenant: TenantId, agent: Agent) -> Item:
    """Converts an agent to its full item."""
    key = keys.agent(tenant, agent.id)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "agent": agent.model_dump_json(exclude={"version"}, exclude_defaults=True),
        "version": agent.version,
    }


def agent_from_item(item: Item) -> Agent:
    """Reverses `agent_to_item`."""
    agent = Agent.model_validate_json(str(item["agent"]), extra="ignore")
    return agent.model_copy(update={"version": cast("int", item["version"])})


_COUNTERS = frozenset({"version", "updated_at"})


def former_values(before: BaseModel, after: BaseModel) -> dict[str, JsonValue]:
    """Returns the fields that differ, as they were before; versions and times of changes do not count."""
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    return {name: value for name, value in old.items() if name not in _COUNTERS and value != new[name]}


def agent_change_to_item(tenant: TenantId, old: Agent, new: Agent) -> Item | None:
    """Converts what a version of an agent replaced to an item; None: nothing that its owner sees."""
    former = former_values(old, new)
    if not former:
        return None
    key = keys.agent_change(tenant, new.owner, new.id, new.version)
    text = json.dumps(former, ensure_ascii=False)
    until = expiry(new.updated_at)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "former": text,
        "at": to_text(new.updated_at),
        "expires_at": until,
    }


def deleted_agent_to_item(tenant: TenantId, agent: Agent, now: datetime) -> Item:
    """Converts an agent that is deleted now to the item it is restored from by `agent_from_item`."""
    key = keys.deleted_agent(tenant, agent.owner, agent.id)
    item = agent_to_item(tenant, agent.model_copy(update={"deleted_at": now}))
    return {**item, "pk": key.partition, "sk": key.sort, "expires_at": expiry(now)}


OPTIONAL_OF_CARD = ("channels",)
"""The attributes that not every card has."""


def card_to_item(tenant: TenantId, card: AgentCard) -> Item:
    """Converts an agent's card to its item; name and owner are only in the key."""
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
    """Reverses `card_to_item`."""
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
    """Converts a run to its item; id and user are only in the key, and absent values are left out."""
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
        **({"consent": run.consent.model_dump_json(exclude_defaults=True)} if run.consent else {}),
        **({"approved_call": run.approved_call.model_dump_json()} if run.approved_call else {}),
    }


def run_from_item(user: str, item: Item) -> Run:
    """Converts a run's item to the run, including what `agent.workspace.run_store` and `agent.runs.claims`
    wrote to it since.
    """
    if item["status"] == NEVER_EXECUTED:
        item = {**item, "status": RunStatus.CANCELLED.value, "outcome": OUTCOME_NEVER_EXECUTED}
    stored = {name: value for name, value in item.items() if name in Run.model_fields}
    nested = {name: json.loads(str(stored[name])) for name in RUN_JSON if name in stored}
    run_id = str(item["sk"]).removeprefix(keys.RUN_PREFIX)
    run = Run.model_validate({**stored, **nested, "id": run_id, "user": user}, extra="ignore")
    return _with_approvals(run, item) if APPROVALS in item else run


def _with_approvals(run: Run, item: Item) -> Run:
    approved = json.loads(str(item[APPROVALS]))
    calls = (held.model_copy(update={"approved_by": approved.get(held.id)}) for held in run.held_calls)
    return run.model_copy(update={"held_calls": tuple(calls)})


HEALTH = "health"
PINNED = "pinned"
"""The pins, in an attribute of their own: checks write them. It is absent while nothing is pinned."""
URL = "url"
CHECK_REQUESTED = "check_asked"


def skill_to_item(tenant: TenantId, skill: Skill) -> Item:
    """Converts a skill to its full item.

    The URL is an attribute of its own, so that a change of it is visible without parsing the rest.
    """
    key = keys.skill(tenant, skill.id)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "skill": skill.model_dump_json(exclude={"version", "health", "pinned"}, exclude_defaults=True),
        URL: skill.url,
        HEALTH: skill.health.model_dump_json(exclude_defaults=True),
        "version": skill.version,
        **({} if skill.pinned is None else {PINNED: pins_to_text(skill.pinned)}),
    }


def pins_to_text(pins: Sequence[ToolPin]) -> str:
    """Converts pins to the value of `PINNED`."""
    return json.dumps([pin.model_dump(mode="json") for pin in pins], ensure_ascii=False)


def skill_update(tenant: TenantId, old: Skill, new: Skill) -> Update:
    """Returns the write of a skill's next version; refused when it changed since ``old`` was read.

    The stored health and pins, which a check may have updated meanwhile, stay unless they change from ``old``
    to ``new``.
    """
    item = skill_to_item(tenant, new)
    given = {"skill", URL, "version"}
    given |= {HEALTH} if new.health != old.health else set()
    given |= {PINNED} if new.pinned != old.pinned else set()
    # Whatever a check stored since ``old`` was read belongs to the old address.
    given |= {HEALTH, PINNED} if new.url != old.url else set()
    changes = tuple(Set(field, item[field]) if field in item else Remove(field) for field in sorted(given))
    return Update(keys.skill(tenant, old.id), changes, (Equals("version", old.version),))


def skill_from_item(item: Item) -> Skill:
    """Reverses `skill_to_item`."""
    stored = Skill.model_validate_json(str(item["skill"]), extra="ignore")
    health = Health.model_validate_json(str(item[HEALTH]), extra="ignore")
    pinned = None
    if PINNED in item:
        pinned = tuple(ToolPin.model_validate(pin, extra="ignore") for pin in json.loads(str(item[PINNED])))
    steps = {"health": health, "pinned": pinned, "version": cast("int", item["version"])}
    return stored.model_copy(update=steps)


def skill_card_to_item(tenant: TenantId, card: SkillCard) -> Item:
    """Converts a skill's card to its item; the name is only in the key."""
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
        **({} if card.sign_in is None else {"sign_in": card.sign_in.value, URL: card.url}),
    }


def skill_card_from_item(item: Item) -> SkillCard:
    """Reverses `skill_card_to_item`."""
    return SkillCard(
        id=str(item["id"]),
        name=str(item["sk"]).removeprefix(keys.SKILL_CARD_PREFIX),
        owner=str(item["owner"]),
        kind=SkillKind(str(item["kind"])),
        shared=bool(item["shared"]),
        status=SkillStatus(str(item["status"])),
        description=str(item["description"]),
        serves=tuple(str(service) for service in cast("list[str]", item["serves"])),
        sign_in=SignInScope(str(item["sign_in"])) if "sign_in" in item else None,
        url=str(item[URL]) if URL in item else None,
    )
