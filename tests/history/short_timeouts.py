"""Shorter leases and visibility timeouts for runs with real processes, which wait in real time."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import timedelta

LEASE_S = 2.0
RENEW_EVERY_S = 0.5
VISIBILITY_TIMEOUT_S = 10.0
LEASE_MODULES = {"agent.turns.lease_renewal", "agent.turns.service", "conversation.turns.turn_protocol"}


def shorten_leases() -> None:
    """Shorten leases. Must run before the import of any module that uses the lease's duration."""
    assert not LEASE_MODULES & sys.modules.keys()
    from conversation.turns import admission

    admission.LEASE_DURATION = timedelta(seconds=LEASE_S)
    from agent.turns.lease_renewal import LeaseRenewer

    defaults = LeaseRenewer.__init__.__kwdefaults__
    assert defaults is not None
    assert "every_s" in defaults
    defaults["every_s"] = RENEW_EVERY_S


def shorten_queues() -> None:
    """Shorten the visibility timeout of the twin's queues, and disable their dead letters.

    The template's six minutes are longer than a run.
    """
    from local.events.queues import QueueReader
    from local.template.resources import QueueConsumer

    opened = QueueReader.__init__

    def hurried(inbox: QueueReader, path: str, consumer: QueueConsumer) -> None:
        soon = replace(consumer, visibility_s=VISIBILITY_TIMEOUT_S, max_receives=None)
        opened(inbox, path, soon)

    QueueReader.__init__ = hurried  # type: ignore[method-assign, assignment]
