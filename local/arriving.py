"""`python -m local import` and `… import-agent-squad`: conversations from elsewhere, into a folder's data."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from conversation.arrivals import Arrivals
from conversation.clock import Clock
from conversation.tokens import TokenCounter
from local import settings
from local.importing import ImportRefused, import_file
from storage.keys import InvalidIdentity, parse_tenant, parse_user
from storage.opening import open_tables


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

    from local.agent_squad import SquadTable, import_table

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
