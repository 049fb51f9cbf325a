"""The turns that one process let each user of a tenant begin, in the present window of shares.

`conversation.limits.token_bucket` keeps what all processes let begin, and decides what a share is good for.
"""

from __future__ import annotations

from collections import Counter

from conversation.identity import Caller, derived_id
from conversation.limits.rates import RateLimits

_NAME_LENGTH = 10


def share_name(caller: Caller) -> str:
    """A short name of the user for the bucket's item; two users of a tenant hardly ever have the same one."""
    return derived_id(caller.user)[:_NAME_LENGTH]


class UserShares:
    """The turns of one tenant's users; not safe to use from several threads."""

    def __init__(self) -> None:
        self._window = 0
        self._begun = Counter[str]()
        self._unreported: list[str] = []

    def begun(self, user: str, rates: RateLimits, now: int) -> int:
        """The turns that the user began in this window."""
        self._turn_page(rates, now)
        return self._begun[user]

    def loudest_but(self, user: str, rates: RateLimits, now: int) -> str:
        """Another user who began more turns than a share in this window; empty if there is none."""
        self._turn_page(rates, now)
        others = (name for name, turns in self._begun.items() if turns > rates.share and name != user)
        return next(others, "")

    def count(self, user: str, rates: RateLimits, now: int, *, is_reported: bool) -> None:
        """Count a turn that begins."""
        self._turn_page(rates, now)
        self._begun[user] += 1
        if not is_reported:
            self._unreported.append(user)

    def take_unreported(self, rates: RateLimits, now: int) -> tuple[str, ...]:
        """The users of the turns that are to be reported, one for each turn of this window."""
        self._turn_page(rates, now)
        taken, self._unreported = self._unreported, []
        return tuple(taken)

    def restore_unreported(self, users: tuple[str, ...]) -> None:
        """Take back `take_unreported`."""
        self._unreported = [*users, *self._unreported]

    def _turn_page(self, rates: RateLimits, now: int) -> None:
        window = rates.share_window_at(now)
        if window != self._window:
            self._window, self._begun, self._unreported = window, Counter(), []
