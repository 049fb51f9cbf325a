"""A tenant that keeps conversations shorter than before has them given earlier days, by the retention
function.

Nobody waits for it: what is past its new time is unreadable as soon as the policy is known.
"""

from __future__ import annotations

from typing import Protocol

from agent.consequences import Change
from conversation.redating import KNOWN_EVERYWHERE_S, redating_for
from conversation.retention_requests import Redate


class RetentionQueue(Protocol):
    """Delivers at least once, in no particular order."""

    def send(self, request: Redate, *, delay_s: int = 0) -> None:
        """Ask for it to be done, not before the delay is over.

        Raises:
            QueueUnavailable: nothing was queued (`conversation.finishing`).
        """


class Shortening:
    """Follows the changes of all tenants' policies."""

    def __init__(self, queue: RetentionQueue) -> None:
        self._queue = queue

    def follow(self, change: Change) -> None:
        """Have conversations re-dated where the change asks for it.

        Raises:
            QueueUnavailable: it is not asked for; try again later.
        """
        redating = redating_for(change.key, change.old, change.new)
        if redating is not None:
            # Until then conversations may begin under the old policy.
            self._queue.send(Redate(redating), delay_s=KNOWN_EVERYWHERE_S)
