"""The tools a caller gets: one registry for models, for runs and for MCP clients.

Skills are not included: only a run contacts other servers (`agent.runs.skill_tools`), because only its
package contains what that needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import AgentCard
from agent.workspace.consents import Agreement
from agent.workspace.roster import Roster
from agent.workspace.run_store import RunStore
from agent.workspace.runs import MAX_PARAMETERS, Run
from conversation.identity import Caller, TurnId, derived_ulid
from tools.errors import ToolError
from tools.tool import Tool, ToolAccess, Toolbox, ToolContext, ToolEffect


class Toolboxes:
    """The tools of every caller. Built once; whose data a tool touches is decided by each call's context."""

    def __init__(self, *tools: Sequence[Tool]) -> None:
        self._box = Toolbox(tuple(tool for group in tools for tool in group))

    def for_caller(self, caller: Caller, roster: Roster) -> Toolbox:  # noqa: ARG002
        """The tools this caller's models and clients may use."""
        return self._box.with_redaction() if roster.record.policy.masks_secrets else self._box


IMPERSONAL_TOOLS = frozenset({"calculator", "web_search"})
"""Tools that touch nothing of the caller's. Any other tool counts as one for the caller's data."""

MOST_LISTED = 50
_SHORT = 200

AgentName = Annotated[str, Field(description="an agent's name, as list_agents gives it", max_length=_SHORT)]
Parameter = Annotated[str, Field(max_length=_SHORT)]
Parameters = Annotated[
    Mapping[Parameter, Parameter],
    Field(description="what holds for this run only, such as a period", max_length=MAX_PARAMETERS),
]


class ListedAgent(BaseModel):
    """An agent as models and clients see it."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str
    name: str
    summary: str
    status: str
    shared_by: str | None = Field(default=None, description="whose it is; None: the caller's own")


class AgentList(BaseModel):
    """Agents, the caller's own first; ``more`` tells whether others were left out."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    agents: tuple[ListedAgent, ...]
    more: bool


class RunState(BaseModel):
    """How far a run is."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    run_id: str
    agent: str
    status: str
    created_at: datetime
    outcome: str = Field(default="", description="how it ended, in words; empty while it has not")


class AgentState(ListedAgent):
    """An agent and its newest run by the caller."""

    last_run: RunState | None = None


class AgentTools:
    """One method per tool; each acts only for the caller of its context."""

    def __init__(self, *, agents: AgentStore, runs: RunStore) -> None:
        self._agents = agents
        self._runs = runs

    def tools(self) -> Sequence[Tool]:
        """All tools for agents."""
        return (
            Tool.of(self.list_agents, access=ToolAccess(reads_personal=True), max_result_bytes=65_536),
            Tool.of(self.run_agent, access=ToolAccess(writes=True), effect=ToolEffect(is_open=True)),
            Tool.of(self.agent_status, access=ToolAccess(reads_personal=True)),
        )

    def list_agents(self, context: ToolContext) -> AgentList:
        """List the agents the user has or shares, with what each does."""
        cards = self._agents.visible_cards(context.caller)
        return AgentList(
            agents=tuple(ListedAgent(**_listed(card, context)) for card in cards[:MOST_LISTED]),
            more=len(cards) > MOST_LISTED,
        )

    def run_agent(
        self, context: ToolContext, name: AgentName, parameters: Parameters | None = None
    ) -> RunState:
        """Run one of the user's agents once, now. Its result comes later, to the conversation."""
        card = self._card(context, name)
        agreement = Agreement()
        if card.owner != context.caller.user:
            agent = self._agents.get(context.caller, card.id)
            agreement = self._agents.consents.agree(context.caller, agent)
        # The run's id derives from the step: a repeated call asks for the same run.
        run = Run.create(
            card,
            run_id=_run_id(context),
            user=context.caller.user,
            now=context.now,
            conversation_id=context.conversation_id,
            parameters=parameters,
            consent=agreement.consent,
        )
        return _state(self._runs.queue_once(context.caller, run, extra_actions=agreement.actions))

    def agent_status(self, context: ToolContext, name: AgentName) -> AgentState:
        """Tell whether one of the user's agents is active, and how its newest run went."""
        card = self._card(context, name)
        runs, _ = self._runs.list(context.caller, limit=MOST_LISTED)
        newest = next((run for run in runs if run.agent_id == card.id), None)
        return AgentState(**_listed(card, context), last_run=_state(newest) if newest else None)

    def _card(self, context: ToolContext, name: str) -> AgentCard:
        cards = self._agents.visible_cards(context.caller)
        wanted = name.strip().casefold()
        card = next((card for card in cards if card.name.casefold() == wanted), None)
        if card is None:
            raise ToolError("not_found", "There is no agent of this name; list_agents tells which there are.")
        return card


def _listed(card: AgentCard, context: ToolContext) -> dict[str, str | None]:
    return {
        "id": card.id,
        "name": card.name,
        "summary": card.summary,
        "status": card.status.value,
        "shared_by": None if card.owner == context.caller.user else card.owner,
    }


def _state(run: Run) -> RunState:
    return RunState(
        run_id=run.id,
        agent=run.agent_name,
        status=run.status.value,
        created_at=run.created_at,
        outcome=run.outcome.words if run.outcome else "",
    )


def _run_id(context: ToolContext) -> str:
    turn = TurnId.parse(context.step_id.rpartition(".")[0])
    return derived_ulid(turn.made_at() if turn else context.now, "run", context.step_id)
