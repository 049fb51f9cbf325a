"""Stores what the checks of agents found last. A write names what it replaces, so that news is told once."""

from __future__ import annotations

from agent.checks.check_state import CheckState
from storage import keys
from storage.keys import TenantId
from storage.table import Action, Check, Equals, Exists, NotExists, Set, Update
from storage.tenant_table import Tables

_STATE = "check"


class CheckStates:
    """The states of the checks of every tenant's agents; safe to use from several threads."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def read(self, tenant: TenantId, agent_id: str) -> CheckState | None:
        """Returns what the agent's checks found last, strongly consistent; None: it never checked."""
        item = self._tables.for_tenant(tenant).get(keys.agent_state(tenant, agent_id))
        text = item.get(_STATE) if item is not None else None
        return CheckState.model_validate_json(str(text), extra="ignore") if text is not None else None

    def replace_actions(
        self, tenant: TenantId, agent_id: str, before: CheckState | None, after: CheckState
    ) -> tuple[Action, ...]:
        """Returns the writes that replace the state.

        They are refused when another check has replaced it since it was read, or the agent is gone.
        """
        unchanged = NotExists(_STATE) if before is None else Equals(_STATE, before.model_dump_json())
        key = keys.agent_state(tenant, agent_id)
        return (
            Update(key, (Set(_STATE, after.model_dump_json()),), (unchanged,)),
            Check(keys.agent(tenant, agent_id), (Exists(),)),
        )
