"""Opens the table named in the settings: a DynamoDB table or a SQLite file."""

from __future__ import annotations

import time

from storage.circuit_breaker import CircuitBreakerTable
from storage.dynamodb.timeouts import BACKGROUND_TIMEOUTS, RequestTimeouts, timeouts_within
from storage.table import Table
from storage.tenant_table import Tables

_SQLITE = "sqlite:///"


def open_tables(
    target: str, *, deadline_s: float | None = None, tenant_role_arn: str | None = None
) -> Tables:
    """The per-tenant tables of the table that `open_table` opens.

    With ``tenant_role_arn``, each tenant's requests are made as that role, in a session of that tenant. None:
    with the process's own credentials. A SQLite file has no roles.
    """
    if tenant_role_arn is None or target.startswith(_SQLITE):
        return Tables(open_table(target, deadline_s=deadline_s))
    from storage.dynamodb.tenant_sessions import SessionTables, open_sessions

    timeouts = BACKGROUND_TIMEOUTS if deadline_s is None else timeouts_within(deadline_s)
    shared = open_sessions(target, tenant_role_arn, timeouts)
    guarded = shared if deadline_s is None else CircuitBreakerTable(shared, monotonic=time.monotonic)
    return SessionTables(guarded, own=lambda: open_table(target))


def open_table(target: str, *, deadline_s: float | None = None) -> Table:
    """The SQLite file of ``sqlite:///relative/path`` or ``sqlite:////absolute/path``, else the DynamoDB table
    of that name.

    DynamoDB's region, endpoint and credentials come from the environment, as boto3 finds them. ``deadline_s``
    is how long one request may take while a user waits; a circuit breaker (`CircuitBreakerTable`) then pauses
    requests while the backend is unreachable. None: for background work, which retries for longer and has no
    circuit breaker.
    """
    if deadline_s is None:
        return _open(target, BACKGROUND_TIMEOUTS)
    return CircuitBreakerTable(_open(target, timeouts_within(deadline_s)), monotonic=time.monotonic)


def _open(target: str, timeouts: RequestTimeouts) -> Table:
    # boto3 is the costliest import and not needed on a laptop, nor SQLite on AWS: import only what is used.
    if target.startswith(_SQLITE):
        from storage.sqlite.table import SqliteTable

        path = target.removeprefix(_SQLITE)
        return (
            SqliteTable(path)
            if timeouts is BACKGROUND_TIMEOUTS
            else SqliteTable(path, wait_s=timeouts.timeout_s)
        )
    from storage.dynamodb.table import DynamoTable, make_client

    return DynamoTable(make_client(timeouts), target, retry_for_s=timeouts.retry_for_s)
