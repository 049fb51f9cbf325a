"""Real processes wait for leases in real time: here a lease is short."""

from __future__ import annotations

import sys
from datetime import timedelta

LEASE_S = 2.0
RENEW_EVERY_S = 0.5
KNOW_THE_LEASE = {"agent.leases", "agent.turns", "conversation.turns"}


def shorten_leases() -> None:
    """To be called before anything is imported that knows how long a lease lasts."""
    assert not KNOW_THE_LEASE & sys.modules.keys()
    from conversation import admission

    admission.LEASE = timedelta(seconds=LEASE_S)
    from agent.leases import LeaseKeeper

    defaults = LeaseKeeper.__init__.__kwdefaults__
    assert defaults is not None
    assert "every_s" in defaults
    defaults["every_s"] = RENEW_EVERY_S
