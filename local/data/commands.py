"""The commands of `python -m local` that work on a data folder: imports, examples and retention."""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from agent.chat.labelled_examples import read_examples
from conversation.clock import Clock, Deadline
from conversation.export.imports import ConversationImporter
from conversation.retention.sweep import Sweep, SweepReport
from conversation.token_counts import TokenCounter
from edge.adapters.sqlite_file import sqlite_path
from local import settings
from local.data.import_export_file import ImportRejected, import_file
from storage.factory import open_table, open_tables
from storage.keys import InvalidIdentity, parse_tenant, parse_user
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables


class ImportFailed(Exception):
    """The import failed; the message is one line."""


def add_export_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `import`."""
    parser.add_argument("--tenant", required=True)
    parser.add_argument("--user", required=True)
    parser.add_argument("file", type=Path, metavar="FILE", help="as GET /v1/export gave it, page after page")


def add_squad_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `import-agent-squad`."""
    parser.add_argument("--tenant", required=True, help="whose users the table's users become")
    parser.add_argument("--table", required=True, help="name of agent-squad's table")
    parser.add_argument("--endpoint", metavar="URL", help="of DynamoDB, where it is not AWS's own")
    parser.add_argument("--region", help="as boto3 finds it, if none is given")


def import_export(options: argparse.Namespace, data: Path, clock: Clock) -> Iterator[str]:
    """Import an exported file and yield the lines of a report.

    Raises:
        ImportFailed: the file does not exist, or is not a complete export of this user.
    """
    try:
        tenant, user = parse_tenant(options.tenant), parse_user(options.user)
        report = import_file(options.file, tenant=tenant, user=user, arrivals=_arrivals(data, clock))
    except OSError as error:
        raise ImportFailed(f"Nothing was imported. {error.filename}: {error.strerror}.") from None
    except (InvalidIdentity, ImportRejected) as error:
        raise ImportFailed(f"Nothing was imported. {error}") from None
    yield from report.lines()


def import_squad(options: argparse.Namespace, data: Path, clock: Clock) -> Iterator[str]:
    """Import agent-squad's table and yield the lines of a report.

    Raises:
        ImportFailed: the table can't be read. Imported sessions stay, and the next import continues.
    """
    # Importing boto3 takes longer than most commands.
    import boto3
    from botocore.exceptions import BotoCoreError, ClientError

    from local.data.import_agent_squad import SquadTable, import_table

    try:
        tenant = parse_tenant(options.tenant)
        client = boto3.client("dynamodb", endpoint_url=options.endpoint, region_name=options.region)
        table = SquadTable(client, options.table)
        report = import_table(table, tenant=tenant, arrivals=_arrivals(data, clock), tokens=_tokens())
    except (BotoCoreError, ClientError, InvalidIdentity) as error:
        raise ImportFailed(f"The import stopped. {error}") from None
    yield from report.lines()


def _arrivals(data: Path, clock: Clock, environ: Mapping[str, str] = os.environ) -> ConversationImporter:
    data.mkdir(parents=True, exist_ok=True)
    return ConversationImporter(tables=open_tables(_table(data, environ)), clock=clock)


def _table(data: Path, environ: Mapping[str, str]) -> str:
    return settings.environment(data, port=0, clock=None, environ=environ)["OMNIFORGE_TABLE"]


def _exists(target: str) -> bool:
    """Whether the table is there, as far as that is known: opening a missing file would create it."""
    path = sqlite_path(target)
    return path is None or Path(path).is_file()


def _tokens(environ: Mapping[str, str] = os.environ) -> TokenCounter:
    """The token counter of the functions: exact when ``TIKTOKEN_CACHE_DIR`` names a vocabulary folder."""
    folder = environ.get("TIKTOKEN_CACHE_DIR")
    return TokenCounter(Path(folder) if folder else None)


class ExamplesUnreadable(Exception):
    """The examples can't be read; the message is one line."""


def example_lines(
    data: Path, tenant: str, *, now: datetime, environ: Mapping[str, str] = os.environ
) -> Iterator[str]:
    """Yield the tenant's unexpired labelled examples as JSON lines, oldest first.

    Raises:
        ExamplesUnreadable: the folder holds no data, or the tenant's name is not valid.
    """
    try:
        owner = parse_tenant(tenant)
    except InvalidIdentity as invalid:
        raise ExamplesUnreadable(f"--tenant: {invalid}") from None
    target = _table(data, environ)
    if not _exists(target):
        raise ExamplesUnreadable(f"--data: there is no data in {data}")
    for example in read_examples(open_tables(target), owner, now):
        yield json.dumps(example.to_eval_case())


class TableMissing(Exception):
    """There is no table to sweep; the message is one line."""


def sweep(
    data: Path, clock: Clock, *, dry_run: bool, environ: Mapping[str, str] = os.environ
) -> Iterator[str]:
    """Remove what has expired and yield the lines of a report. With ``dry_run``, only count it.

    Raises:
        TableMissing: the folder holds no data.
    """
    target = _table(data, environ)
    if not _exists(target):
        raise TableMissing(f"--data: there is no data in {data}")
    table = open_table(target)
    swept = Sweep(tables=Tables(table), clock=clock).run(Deadline.after(clock, math.inf), dry_run=dry_run)
    yield from _lines(swept, dry_run=dry_run)
    if isinstance(table, SqliteTable) and not dry_run:
        yield f"Records past their time to live: {table.remove_expired(clock.now())}"


def _lines(swept: SweepReport, *, dry_run: bool) -> Iterator[str]:
    yield f"Conversations that were due: {swept.looked_at}"
    removed = "Would be removed" if dry_run else "Removed"
    yield f"{removed}: {swept.removed}, with {swept.messages} messages"
    later = "Would be kept" if dry_run else "Kept"
    yield f"{later} longer, because something happened in them: {swept.moved}"
    yield f"{later} longer, on legal hold: {swept.held}"
    yield f"Left for the next sweep, being answered: {swept.busy}"
