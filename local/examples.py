"""A tenant's labelled examples, as the evals and the training read them: one JSON object per line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from agent.examples import read_examples
from local import settings
from storage.keys import InvalidIdentity, parse_tenant
from storage.opening import open_tables

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
