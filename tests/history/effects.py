"""The effects of simulated turns, and how often each happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import cast

from agent.handler_interface import TurnRequest
from storage.keys import TenantId, tenant_prefix
from storage.table import Action, Add, Append, Equals, Key, NotExists, Table, Update

NAME = "EFFECT"


def effect_of(turn: TurnRequest, table: Table, *, contended: bool) -> tuple[Action, ...]:
    """Return an effect that counts the operation.

    With ``contended``, the count is in an item that all operations change. A write that was overtaken is then
    rejected, and the turn runs again.
    """
    operation = turn.situation.message.rpartition(" ")[2]
    if not contended:
        return (Update(_key(turn.caller.tenant, operation), (Add("n", 1),)),)
    shared = _key(turn.caller.tenant, "shared")
    seen = table.get(shared)
    is_unchanged = NotExists() if seen is None else Equals("n", cast("int", seen["n"]))
    return (Update(shared, (Add("n", 1), Append("done", (operation,))), (is_unchanged,)),)


def effects_done(table: Table, tenant: TenantId, operations: Iterable[str]) -> Counter[str]:
    """Return how often each operation's effect happened."""
    shared = table.get(_key(tenant, "shared")) or {}
    done = Counter(cast("list[str]", shared.get("done", [])))
    for operation in operations:
        item = table.get(_key(tenant, operation)) or {}
        done[operation] += cast("int", item.get("n", 0))
    return done


def _key(tenant: TenantId, name: str) -> Key:
    return Key(f"{tenant_prefix(tenant)}EFFECT#{name}", NAME)
