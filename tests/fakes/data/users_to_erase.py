"""Users with data of every kind, and a process that erases them until it is killed.

Run the process with ``python -m tests.fakes.data.users_to_erase FILE TENANT ERASURE WRITE``.
"""

from __future__ import annotations

import hashlib
import math
import os
import signal
import sys
from datetime import UTC, date, datetime

from conversation.clock import Deadline
from conversation.erasure.eraser import Eraser
from conversation.identity import Caller
from conversation.search.index_items import tail_key
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Item, Key, Put, Table
from storage.tenant_table import Tables
from tests.fakes.aws.tables import ObservedTable
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.run.clocks import ManualClock

ACME = TenantId("acme")
RAVI = Caller(ACME, "ravi")
GLOBEX = Caller(TenantId("acme-eu"), "maya")
NOAH = Caller(TenantId("acm"), "noah")
WRITES = ("put", "update", "delete", "transact", "batch_delete")

FILLED = {
    "agents": 1,
    "cards": 3,
    "connections": 2,
    "consents": 1,
    "conversations": 3,
    "examples": 3,
    "feedback": 3,
    "idempotency_records": 3,
    "lessons": 2,
    "messages": 18,
    "other_records": 3,
    "quota_records": 2,
    "restorable_records": 2,
    "runs": 4,
    "search_records": 1,
    "skills": 1,
    "summaries": 6,
    "tasks": 5,
    "usage_records": 2,
}
"""The number of items that `fill` writes for three conversations."""


def fill(table: Table, owner: Caller, now: datetime, *, conversations: int = 3) -> None:
    """Write items of every kind."""
    tenant, user = owner.tenant, owner.user
    for number in range(conversations):
        chat = write_conversation(table, owner, f"chat {number}", begun=now, exchanges=3)
        _put(table, keys.idempotency(tenant, chat, "hash"))
        _put(table, keys.summary(tenant, chat))
        _put(table, keys.summary_version(tenant, chat, 1))
        _put(table, keys.feedback(tenant, chat, 2))
        _put(table, keys.metadata(tenant, chat))
        _put(table, keys.run(tenant, user, f"R{number}"), conversation_id=chat, status="succeeded")
        _put(table, keys.example(tenant, f"{user}{number}"), turn=f"{chat}.0")
    for number in range(2):
        _put(table, keys.lesson(tenant, user, f"L{number}"), turn=f"elsewhere.{number}")
    _put(table, keys.user_idempotency(tenant, user, "hash"))
    for number in range(5):
        _put(table, keys.task(tenant, user, f"T{number}"))
    _put(table, keys.consent(tenant, user, "agent-of-a-colleague"))
    _put(table, keys.connection(tenant, user, f"{user}-s"))
    _put(table, keys.connection_card(tenant, user, f"{user}-s"))
    _put(table, keys.sign_in(tenant, user, "hash"))
    _put(table, keys.deleted_agent(tenant, user, "deleted"))
    _put(table, keys.former_values(tenant, user, "turn", 0))
    _put(table, tail_key(tenant, user))
    _put(table, keys.agent_card(tenant, user, "weekly"), id=f"{user}-a")
    _put(table, keys.agent(tenant, f"{user}-a"))
    _put(table, keys.skill_card(tenant, f"{user}-wiki"), id=f"{user}-s", owner=user)
    _put(table, keys.skill(tenant, f"{user}-s"))
    for day in (date(2026, 1, 30), date(2025, 3, 1)):
        _put(table, keys.usage_counter(tenant, user, day, "0"))
        _put(table, keys.user_quota(tenant, user, day))
    _put(table, keys.member(tenant, user))


def data_hash(table: SqliteTable, caller: Caller) -> str:
    """Return a hash of all data of a caller. For a tenant's only user, it covers the whole tenant."""
    digest = hashlib.sha256()
    prefix = keys.tenant_prefix(caller.tenant)
    with table._connections.read_connection() as connection:
        rows = connection.execute("select pk, sk, body from items order by pk, sk").fetchall()
    own = [row for row in rows if row[0].startswith(prefix) and _names(row, caller)]
    assert own
    for row in own:
        digest.update(repr(row).encode())
    return digest.hexdigest()


def _names(row: tuple[str, str, str], caller: Caller) -> bool:
    return caller.tenant != ACME or f"U#{caller.user}#" in row[0] or caller.user in f"{row[1]}{row[2]}"


def _put(table: Table, key: Key, **attributes: str) -> None:
    item: Item = {"pk": key.partition, "sk": key.sort, **attributes}
    table.put(Put(item))


def main() -> None:
    """Erase the data and kill this process with SIGKILL at the write of the given number."""
    file, tenant, erasure_id, nth = sys.argv[1:]
    left = int(nth)

    def count(name: str, when: str) -> None:
        nonlocal left
        # Odd numbers kill before the write takes place, even ones after it.
        if name in WRITES and when == ("before" if int(nth) % 2 else "after"):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    clock = ManualClock(datetime(2026, 1, 30, 9, 0, tzinfo=UTC))
    table = ObservedTable(SqliteTable(file), count)
    eraser = Eraser(tables=Tables(table), clock=clock)
    eraser.run(keys.parse_tenant(tenant), erasure_id, Deadline.after(clock, math.inf))


if __name__ == "__main__":
    main()
