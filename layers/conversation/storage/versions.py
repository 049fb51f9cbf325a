"""The schema version every stored item carries as ``v``, and how items of the version before are read.

Two versions of OmniForge share a table while one is rolled out. A new version may therefore only add
attributes; what it needs to make of an older item happens in `upgrade`, when the item is read. An update
leaves the version of the item it changes.
"""

from __future__ import annotations

from storage.errors import UnknownVersion
from storage.table import SCHEMA_VERSION, Item, Put, SetIfAbsent, Update

ATTRIBUTE = "v"


def stamped_put(put: Put) -> Put:
    """The same write with the current version on its item."""
    return Put({**put.item, ATTRIBUTE: SCHEMA_VERSION}, put.conditions)


def stamped_update(update: Update) -> Update:
    """The same update, which gives an item it creates the current version."""
    return Update(update.key, (*update.changes, SetIfAbsent(ATTRIBUTE, SCHEMA_VERSION)), update.conditions)


def upgrade(item: Item) -> Item:
    """The item as the current version has it. What an index projects carries no version and is taken as it
    is.

    Raises:
        UnknownVersion: for any version but the current one and the one before.
    """
    version = item.get(ATTRIBUTE, SCHEMA_VERSION)
    if version == SCHEMA_VERSION:
        return item
    if version == SCHEMA_VERSION - 1:
        return {**item, ATTRIBUTE: SCHEMA_VERSION}
    raise UnknownVersion(version)
