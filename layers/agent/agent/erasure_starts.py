"""Erasures that were asked for are carried out by the retention function."""

from __future__ import annotations

from typing import Protocol

from agent.consequences import Change
from conversation.retention_requests import Erase
from storage import keys


class EraseQueue(Protocol):
    """Delivers at least once, in no particular order."""

    def send(self, request: Erase, *, delay_s: int = 0) -> None:
        """Ask for it to be done.

        Raises:
            QueueUnavailable: nothing was queued (`conversation.finishing`).
        """


class ErasureStarts:
    """Follows the erasures of all tenants."""

    def __init__(self, queue: EraseQueue) -> None:
        self._queue = queue

    def follow(self, change: Change) -> None:
        """Have an erasure carried out that was just asked for.

        Raises:
            QueueUnavailable: it is not; try again later.
        """
        if change.old is not None or not change.key.sort.startswith(keys.ERASURE_PREFIX):
            return
        tenant = keys.tenant_of(change.key.partition)
        if change.key.partition == keys.erasures(tenant):
            self._queue.send(Erase(tenant, change.key.sort.removeprefix(keys.ERASURE_PREFIX)))
