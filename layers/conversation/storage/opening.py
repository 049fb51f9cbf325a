"""From the name of a table in the settings to the table."""

from __future__ import annotations

from storage.table import Table
from storage.tenant import Tables

_SQLITE = "sqlite:///"


def open_tables(target: str) -> Tables:
    """Any tenant's part of the table that `open_table` opens."""
    return Tables(open_table(target))


def open_table(target: str) -> Table:
    """The table in the file of ``sqlite:///relative/path`` or ``sqlite:////absolute/path``, else the DynamoDB
    table of that name.

    DynamoDB's region, endpoint and credentials come from the environment, as boto3 finds them.
    """
    # Importing boto3 costs more than everything else here, and a laptop does without; AWS without SQLite.
    if target.startswith(_SQLITE):
        from storage.sqlite import SqliteTable

        return SqliteTable(target.removeprefix(_SQLITE))
    from storage.dynamodb import DynamoTable, make_client

    return DynamoTable(make_client(), target)
