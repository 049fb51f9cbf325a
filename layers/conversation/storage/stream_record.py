"""One record of the table's change stream, as a value."""

from __future__ import annotations

from dataclasses import dataclass

from storage.table import Item, Key


@dataclass(frozen=True, slots=True)
class StreamRecord:
    """An item before and after one write; ``old`` None: it was created, ``new`` None: it was deleted."""

    key: Key
    old: Item | None
    new: Item | None
