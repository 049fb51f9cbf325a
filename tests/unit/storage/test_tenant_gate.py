"""No storage call without a tenant: the code itself is read, all of it.

Types do most of it. What reads and writes is a `storage.table.Table`, and whoever wants one has to ask
`Tables.for_tenant`, whose tenant only `storage.keys.parse_tenant` makes. What is left are a few ways round,
and each of them is here, by name, with the reason for it. A way that is new fails.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[3]
ROOMS = ("layers", "functions", "local")

ALLOWED: Mapping[tuple[str, str], str] = {
    ("conversation.retention.sweep", "across_tenants in state"): "how far the sweep is belongs to no tenant",
    ("conversation.retention.sweep", "across_tenants in _save_progress"): "the same",
    (
        "conversation.retention.sweep",
        "across_tenants in _due",
    ): "the index that names what is due, of all tenants",
    (
        "conversation.retention.sweep",
        "across_tenants in _finish",
    ): "a tombstone and its count, both or neither",
    ("storage.factory", "makes SqliteTable"): "composition",
    ("storage.factory", "makes DynamoTable"): "composition",
    ("storage.factory", "makes Tables"): "composition",
    ("storage.factory", "makes open_table"): "composition",
    ("storage.factory", "makes SessionTables"): "composition",
    ("storage.dynamodb.tenant_sessions", "makes DynamoTable"): "composition, in a session of the tenant's",
    ("storage.dynamodb.tenant_sessions", "makes TenantTable"): "this is for_tenant, too",
    ("storage.dynamodb.table", "client of DynamoDB"): "the adapter",
    ("storage.dynamodb.tenant_sessions", "client of DynamoDB"): "the adapter of sessions",
    ("storage.tenant_table", "makes TenantTable"): "this is for_tenant",
    ("storage.keys", "makes TenantId"): "behind the check of the name",
    ("storage.sqlite.connections", "connects to SQLite"): "the adapter",
    ("edge.adapters.sqlite_file", "connects to SQLite"): "queues and schedules, in files of their own",
    ("edge.adapters.queues", "connects to SQLite"): "a queue, in a file of its own",
    ("edge.adapters.schedules", "connects to SQLite"): "schedules, in a file of their own",
    ("local.events.queues", "connects to SQLite"): "a queue, in a file of its own",
    ("agent.turns.rehearsal", "makes TenantId"): "turns on an empty table in memory, before any request",
    ("local.operations.restore", "client of DynamoDB"): "restores a whole table; reads no item",
    ("local.data.local_table", "client of DynamoDB"): "makes an empty table for sam local",
    (
        "local.doctor.checks",
        "sends scan",
    ): "counts what tenants of a stack lack; reads with the operator's keys",
    (
        "local.events.table_stream",
        "connects to SQLite",
    ): "plays DynamoDB: the stream of a table is of all tenants",
    ("local.events.table_stream", "makes SqliteTable"): "lets the table make its file, and closes it",
    (
        "local.events.periodic_jobs",
        "makes open_table",
    ): "plays DynamoDB: removes what outlived its time to live",
    ("local.data.commands", "makes open_table"): "the same, beside the sweep",
    ("local.data.commands", "makes Tables"): "the sweep's",
    ("local.data.commands", "client of DynamoDB"): "reads another product's table, to import from it",
    ("local.data.import_agent_squad", "sends scan"): "the same",
    ("local.data.import_agent_squad", "sends query"): "the same",
}
"""Where, and what: nothing else in the code reaches storage but through `Tables.for_tenant`."""

MAKERS = frozenset(
    {"SqliteTable", "DynamoTable", "TenantTable", "Tables", "SessionTables", "TenantId", "open_table"}
)
INTERNALS = frozenset({"_table", "_prefix", "across_tenants"})
TYPES = frozenset({"Table", "Tables", "TenantTable", "TenantId"})
REQUESTS = frozenset(
    {
        "batch_get_item",
        "batch_write_item",
        "delete_item",
        "execute_statement",
        "get_item",
        "put_item",
        "scan",
        "transact_get_items",
        "transact_write_items",
        "update_item",
    }
)
"""What boto3 calls DynamoDB's requests."""
PROTECTED = frozenset({"storage.dynamodb.table", "storage.tenant_table"})
"""Who may name what is inside of a tenant's table, or a request: they are the table."""


class Way(NamedTuple):
    """A way to storage that is not `Tables.for_tenant`."""

    module: str
    line: int
    what: str


def ways(source: str, module: str) -> Iterator[Way]:
    """Every such way in a module, under the module's import name."""
    tree = ast.parse(source)
    for function, node in _walked(tree, "the module"):
        for what in _ways_of(node, function, is_protected=module in PROTECTED):
            yield Way(module, getattr(node, "lineno", 0), what)


def _walked(node: ast.AST, function: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        yield function, child
        inside = child.name if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else function
        yield from _walked(child, inside)


def _ways_of(node: ast.AST, function: str, *, is_protected: bool) -> Iterator[str]:
    match node:
        case ast.Call(func=called, args=arguments):
            yield from _calls(_name(called), [_spelt(argument) for argument in arguments])
        case ast.Attribute(attr="across_tenants"):
            yield f"across_tenants in {function}"
        case ast.Attribute(attr=attribute, value=owner) if not is_protected:
            if attribute in INTERNALS and _name(owner) != "self":
                yield "reaches inside"
            if attribute in REQUESTS:
                yield f"sends {attribute}"
        case ast.alias(name=named, asname=str()) | ast.Assign(value=ast.Name(id=named)) if named in MAKERS:
            yield f"renames {named}"


def _calls(name: str, arguments: list[str]) -> Iterator[str]:
    if name in MAKERS:
        yield f"makes {name}"
    if name in ("client", "create_client", "resource") and "dynamodb" in arguments[:1]:
        yield "client of DynamoDB"
    if name == "get_paginator" and arguments[0] in ("query", "scan"):
        yield f"sends {arguments[0]}"
    if name == "connect":
        yield "connects to SQLite"
    if name in ("getattr", "attrgetter", "methodcaller") and INTERNALS & set(arguments):
        yield "reaches inside by name"
    if name == "cast" and TYPES & set(arguments):
        yield "claims a type"


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _spelt(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else _name(node)


def modules() -> Iterator[tuple[str, str]]:
    """The import name and the text of every module of the product."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            yield _dotted(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def _dotted(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[2:] if parts[0] == "layers" else parts)


@cache
def found() -> tuple[Way, ...]:
    return tuple(way for module, source in modules() for way in ways(source, module))


def test_nothing_reaches_storage_without_a_tenant_but_what_is_named_here() -> None:
    assert [way for way in found() if (way.module, way.what) not in ALLOWED] == []


def test_what_is_named_here_is_still_there() -> None:
    there = {(way.module, way.what) for way in found()}
    assert set(ALLOWED) - there == set()


PLANTED = {
    "makes open_table": "from storage.factory import open_table\nopen_table('t').get(key)",
    "makes SqliteTable": "import storage.sqlite\nstorage.sqlite.SqliteTable('file').query(query)",
    "makes DynamoTable": "table = DynamoTable(client, 'omniforge')",
    "makes TenantTable": "TenantTable(table, tenant).put(put)",
    "makes Tables": "Tables(table).for_tenant(tenant)",
    "makes TenantId": "self._tables.for_tenant(TenantId(body.tenant)).get(key)",
    "across_tenants in export": "def export(self):\n    return self._tables.across_tenants.query(query)",
    "reaches inside": "self._tables.for_tenant(tenant)._table.get(key)",
    "reaches inside by name": "getattr(self._tables, 'across_tenants').get(key)",
    "claims a type": "cast('TenantId', body.tenant)",
    "client of DynamoDB": "boto3.client('dynamodb').meta",
    "sends scan": "client.scan(TableName='omniforge')",
    "sends execute_statement": "operation = client.execute_statement",
    "sends query": "pages = client.get_paginator('query').paginate(TableName='omniforge')",
    "connects to SQLite": "sqlite3.connect(path)",
    "renames open_table": "from storage.factory import open_table as opened",
    "renames Tables": "Anything = Tables",
}


@pytest.mark.parametrize("what", PLANTED)
def test_a_way_round_that_is_planted_is_found(what: str) -> None:
    assert what in [way.what for way in ways(PLANTED[what], "agent.planted")]


@pytest.mark.parametrize(
    "innocent",
    [
        "self._tables.for_tenant(caller.tenant).query(query)",
        "tables = open_tables(settings.table)",
        "def read(self):\n    return self._table.get(key)",
        "def parsed(text: str) -> TenantId:\n    return parse_tenant(text)",
    ],
)
def test_the_way_everybody_goes_is_none_of_them(innocent: str) -> None:
    assert list(ways(innocent, "agent.innocent")) == []
