"""Carries out a check once: what is found at the address now. Judges nothing against earlier checks."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from agent.checks.check import Check, Expectation
from agent.checks.page_text import contains, fingerprint, page_text
from conversation.clock import Clock, Deadline
from tools.outbound.client import OutboundClient
from tools.outbound.urls import OutboundError

TIMEOUT_S = 10.0
MAX_PAGE_BYTES = 512 * 1024
"""As much of a page as is read; what follows counts neither as text nor as a change."""
_HEADERS = {"User-Agent": "OmniForge-Check/1.0", "Accept": "text/html,*/*;q=0.8"}
_REASONS = {
    "timeout": f"no answer within {TIMEOUT_S:.0f} seconds",
    "unreachable": "it can't be reached",
    "certificate_invalid": "its certificate is not valid",
}
_FORBIDDEN = frozenset({"url_blocked", "scheme_blocked"})


class AddressForbidden(Exception):
    """The address, or one it redirects to, is none that is requested from here."""


class Observation(NamedTuple):
    """What was found at an address."""

    is_up: bool
    reason: str = ""
    """Why it is not up, for people: ``HTTP 503``; else the status."""
    holds: bool | None = None
    """Whether a page that is up is as expected; None: nothing more is expected, or it is compared."""
    fingerprint: str = ""
    """Of the page's text, where changes are watched."""
    expires_at: datetime | None = None
    """When the certificate expires, where that is watched."""


class Observer:
    """Requests addresses; safe to use from several threads."""

    def __init__(self, *, outbound: OutboundClient, clock: Clock) -> None:
        self._outbound = outbound
        self._clock = clock

    def observe(self, check: Check, deadline: Deadline) -> Observation:
        """Returns what is found by the deadline; an address that can't be reached is a finding, too.

        Raises:
            AddressForbidden: nothing is requested from there.
        """
        timeout_s = max(0.1, min(TIMEOUT_S, deadline.remaining()))
        try:
            if check.expect is Expectation.CERTIFICATE:
                expires_at = self._outbound.certificate_expiry(check.url, timeout_s=timeout_s)
                days = (expires_at - self._clock.now()).total_seconds() / 86_400
                return Observation(is_up=True, holds=days > check.days_before, expires_at=expires_at)
            answer = self._outbound.get(
                check.url, _HEADERS, timeout_s=timeout_s, max_bytes=MAX_PAGE_BYTES, cuts=True
            )
        except OutboundError as error:
            if error.code in _FORBIDDEN:
                raise AddressForbidden from None
            return Observation(is_up=False, reason=_REASONS.get(error.code, _REASONS["unreachable"]))
        return _judged(check, answer.status, page_text(answer.body, answer.headers))


def _judged(check: Check, status: int, page: str) -> Observation:
    said = f"HTTP {status}"
    match check.expect:
        case Expectation.STATUS:
            is_up = status == check.status
            return Observation(is_up=is_up, reason=said if is_up else f"{said} instead of {check.status}")
        case _ if status >= 400:
            return Observation(is_up=False, reason=said)
        case Expectation.CONTAINS | Expectation.LACKS:
            is_there = contains(page, check.text or "")
            return Observation(True, said, holds=is_there == (check.expect is Expectation.CONTAINS))
        case Expectation.UNCHANGED:
            return Observation(True, said, fingerprint=fingerprint(page))
        case Expectation.REACHABLE | Expectation.CERTIFICATE:
            return Observation(True, said)
