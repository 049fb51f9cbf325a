"""Real processes wait in real time: here a lease is short, and what a queue handed out in vain comes soon."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import timedelta

LEASE_S = 2.0
RENEW_EVERY_S = 0.5
COMES_AGAIN_S = 10.0
DELAY_S = 0.5
KNOW_THE_LEASE = {"agent.turns.lease_renewal", "agent.turns.service", "conversation.turns.protocol"}


def shorten_leases() -> None:
    """To be called before anything is imported that knows how long a lease lasts."""
    assert not KNOW_THE_LEASE & sys.modules.keys()
    from conversation.turns import admission

    admission.LEASE = timedelta(seconds=LEASE_S)
    from agent.turns.lease_renewal import LeaseKeeper

    defaults = LeaseKeeper.__init__.__kwdefaults__
    assert defaults is not None
    assert "every_s" in defaults
    defaults["every_s"] = RENEW_EVERY_S


def shorten_queues() -> None:
    """The twin's queues: the six minutes of the template's are longer than a run, and nothing is given up."""
    from local.events.queues import Inbox
    from local.template.resources import QueueConsumer

    opened = Inbox.__init__

    def hurried(inbox: Inbox, path: str, consumer: QueueConsumer) -> None:
        soon = replace(consumer, delay_s=DELAY_S, visibility_s=COMES_AGAIN_S, max_receives=None)
        opened(inbox, path, soon)

    Inbox.__init__ = hurried  # type: ignore[method-assign, assignment]
