"""Part of what was `agent.runs.triggers`."""

from __future__ import annotations

from dataclasses import dataclass

from storage.table import Item, Key


@dataclass(frozen=True, slots=True)
class StreamRecord:
    """An item before and after one write; None: there was, or is, none."""

    key: Key
    old: Item | None
    new: Item | None
