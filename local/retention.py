"""`python -m local retention`: the sweep that a deployment makes by the hour, over the data of a folder."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from conversation.clock import Clock, Deadline
from conversation.sweep import Sweep, Swept
from local import settings
from storage.opening import open_table
from storage.sqlite import SqliteTable
from storage.tenant import Tables

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
