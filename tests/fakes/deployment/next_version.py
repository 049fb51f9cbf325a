"""The version after this one, as the table shows it: a higher version of items, and attributes that this one
does not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from storage.items import add_version_to_put, add_version_to_update
from storage.table import SCHEMA_VERSION, Item, Put, SetIfAbsent, Update

LATER: Item = {"later": {"told": "what only the next version knows", "times": 3}}


@contextmanager
def next_version() -> Iterator[None]:
    """This process writes as the next version does, inside the ``with`` block."""

    def put_with_more(write: Put) -> Put:
        return add_version_to_put(Put({**write.item, **LATER}, write.conditions))

    def update_with_more(write: Update) -> Update:
        added = tuple(SetIfAbsent(name, value) for name, value in LATER.items())
        return add_version_to_update(Update(write.key, (*write.changes, *added), write.conditions))

    with (
        patch("storage.items.SCHEMA_VERSION", SCHEMA_VERSION + 1),
        patch("storage.validation.add_version_to_put", put_with_more),
        patch("storage.validation.add_version_to_update", update_with_more),
    ):
        yield
