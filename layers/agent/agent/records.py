"""How agents and runs lie in the table: values to items and back.

An agent lies there twice, in full and as a card beside the tenant's policy, because every turn reads all
cards in one query and only those that change or show an agent read it in full. Both are always written in one
transaction.
"""

from __future__ import annotations

from typing import cast

from agent.agents import Agent, AgentCard, AgentStatus
from agent.runs import Run, RunStatus
from conversation.clock import from_text, to_text
from storage import keys
from storage.keys import TenantId
from storage.table import Item


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
    )


def run_to_item(tenant: TenantId, run: Run) -> Item:
    """A run; its id and user are in the key only."""
    key = keys.run(tenant, run.user, run.id)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "agent_id": run.agent_id,
        "agent_name": run.agent_name,
        "status": run.status.value,
        "created_at": to_text(run.created_at),
    }


def run_from_item(user: str, item: Item) -> Run:
    """The run of the user that `run_to_item` stored."""
    return Run(
        id=str(item["sk"]).removeprefix(keys.RUN_PREFIX),
        user=user,
        agent_id=str(item["agent_id"]),
        agent_name=str(item["agent_name"]),
        status=RunStatus(str(item["status"])),
        created_at=from_text(str(item["created_at"])),
    )
