"""How often a web address is checked when nobody said."""

from __future__ import annotations

from typing import assert_never

from agent.checks.check import Check, Expectation
from agent.workspace.agents import Schedule


def usual_check_schedule(check: Check, time_zone: str) -> Schedule:
    """Return how often an address is checked when nobody said."""
    match check.expect:
        case Expectation.REACHABLE | Expectation.STATUS:
            cron, text = "*/5 * * * *", "Every 5 minutes"
        case Expectation.CONTAINS | Expectation.LACKS | Expectation.UNCHANGED:
            cron, text = "0 * * * *", "Every hour"
        case Expectation.CERTIFICATE:
            cron, text = "0 9 * * *", "Daily at 9:00 AM"
        case _:
            assert_never(check.expect)
    return Schedule(cron=cron, time_zone=time_zone, text=text)
