"""`python -m local import` and `… import-agent-squad`: conversations from elsewhere, into a folder's data."""

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
from conversation.export.imports import Arrivals
from conversation.retention.sweep import Sweep, Swept
from conversation.tokens import TokenCounter
from local import settings
from local.data.import_file import ImportRefused, import_file
from storage.factory import open_table, open_tables
from storage.keys import InvalidIdentity, parse_tenant, parse_user
from storage.sqlite.table import SqliteTable
from storage.tenant import Tables


class CannotImport(Exception):
    """Why nothing was imported; one line."""


def add_export_options(parser: argparse.ArgumentParser) -> None:
    """What `import` is told."""
    parser.add_argument("--tenant", required=True)
    parser.add_argument("--user", required=True)
    parser.add_argument("file", type=Path, metavar="FILE", help="as GET /v1/export gave it, page after page")


def add_squad_options(parser: argparse.ArgumentParser) -> None:
    """What `import-agent-squad` is told."""
    parser.add_argument("--tenant", required=True, help="whose users the table's users become")
    parser.add_argument("--table", required=True, help="name of agent-squad's table")
    parser.add_argument("--endpoint", metavar="URL", help="of DynamoDB, where it is not AWS's own")
    parser.add_argument("--region", help="as boto3 finds it, if none is given")


def import_export(options: argparse.Namespace, data: Path, clock: Clock) -> Iterator[str]:
    """Import a file; lines that say what was done.

    Raises:
        CannotImport: there is no such file, or it is no whole export of this user's.
    """
    try:
        tenant, user = parse_tenant(options.tenant), parse_user(options.user)
        report = import_file(options.file, tenant=tenant, user=user, arrivals=_arrivals(data, clock))
    except OSError as error:
        raise CannotImport(f"Nothing was imported. {error.filename}: {error.strerror}.") from None
    except (InvalidIdentity, ImportRefused) as error:
        raise CannotImport(f"Nothing was imported. {error}") from None
    yield from report.lines()


def import_squad(options: argparse.Namespace, data: Path, clock: Clock) -> Iterator[str]:
    """Import the table of agent-squad; lines that say what was done.

    Raises:
        CannotImport: the table can't be read. What was imported until then stays, and a second try goes on.
    """
    # Importing boto3 takes longer than most commands.
    import boto3
    from botocore.exceptions import BotoCoreError, ClientError

    from local.data.agent_squad import SquadTable, import_table

    try:
        tenant = parse_tenant(options.tenant)
        client = boto3.client("dynamodb", endpoint_url=options.endpoint, region_name=options.region)
        table = SquadTable(client, options.table)
        report = import_table(table, tenant=tenant, arrivals=_arrivals(data, clock), tokens=_tokens())
    except (BotoCoreError, ClientError, InvalidIdentity) as error:
        raise CannotImport(f"The import stopped. {error}") from None
    yield from report.lines()


def _arrivals(data: Path, clock: Clock, environ: Mapping[str, str] = os.environ) -> Arrivals:
    data.mkdir(parents=True, exist_ok=True)
    target = settings.environment(data, port=0, clock=None, environ=environ)["OMNIFORGE_TABLE"]
    return Arrivals(tables=open_tables(target), clock=clock)


def _tokens(environ: Mapping[str, str] = os.environ) -> TokenCounter:
    """Counts as the functions do: exactly, where there is a vocabulary."""
    folder = environ.get("TIKTOKEN_CACHE_DIR")
    return TokenCounter(Path(folder) if folder else None)


_FILE = "sqlite:///"


class ExamplesUnreadable(Exception):
    """Why there is nothing to print; one line."""


def lines(
    data: Path, tenant: str, *, now: datetime, environ: Mapping[str, str] = os.environ
) -> Iterator[str]:
    """The examples of one tenant that are not expired, oldest first.

    Raises:
        ExamplesUnreadable: the folder holds no data, or the tenant's name is none.
    """
    try:
        owner = parse_tenant(tenant)
    except InvalidIdentity as invalid:
        raise ExamplesUnreadable(f"--tenant: {invalid}") from None
    target = settings.environment(data, port=0, clock=None, environ=environ)["OMNIFORGE_TABLE"]
    # Opening a file makes it; whoever only reads should hear of a wrong folder.
    if target.startswith(_FILE) and not Path(target.removeprefix(_FILE)).is_file():
        raise ExamplesUnreadable(f"--data: there is no data in {data}")
    for example in read_examples(open_tables(target), owner, now):
        yield json.dumps(example.as_case())


_FILE = "sqlite:///"


class TableMissing(Exception):
    """Why there is nothing to sweep; one line."""


def sweep(
    data: Path, clock: Clock, *, dry_run: bool, environ: Mapping[str, str] = os.environ
) -> Iterator[str]:
    """Remove what is past its time, or with ``dry_run`` only count it; lines that say what was done.

    Raises:
        TableMissing: the folder holds no data.
    """
    target = settings.environment(data, port=0, clock=None, environ=environ)["OMNIFORGE_TABLE"]
    # Opening a file makes it; whoever only cleans up should hear of a wrong folder.
    if target.startswith(_FILE) and not Path(target.removeprefix(_FILE)).is_file():
        raise TableMissing(f"--data: there is no data in {data}")
    table = open_table(target)
    swept = Sweep(tables=Tables(table), clock=clock).run(Deadline.after(clock, math.inf), dry_run=dry_run)
    yield from _lines(swept, dry_run=dry_run)
    if isinstance(table, SqliteTable) and not dry_run:
        yield f"Records past their time to live: {table.remove_expired(clock.now())}"


def _lines(swept: Swept, *, dry_run: bool) -> Iterator[str]:
    yield f"Conversations that were due: {swept.looked_at}"
    removed = "Would be removed" if dry_run else "Removed"
    yield f"{removed}: {swept.removed}, with {swept.messages} messages"
    later = "Would be kept" if dry_run else "Kept"
    yield f"{later} longer, because something happened in them: {swept.moved}"
    yield f"{later} longer, on legal hold: {swept.held}"
    yield f"Left for the next sweep, being answered: {swept.busy}"
