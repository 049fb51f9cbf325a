"""The caps of a tenant's budget in words. Pure."""

from __future__ import annotations

from collections.abc import Callable

from conversation.tenants.policy import Budget

LASTING = {
    "usd_per_day": "a day",
    "usd_per_month": "a month",
    "usd_per_user_per_day": "a day for each person",
    "usd_per_user_per_month": "a month for each person",
}
"""What follows the amount of each cap."""


def say_caps(budget: Budget, amount: Callable[[float], str]) -> str:
    """Returns the caps that are set, ``5.00 USD a day and 100.00 USD a month``; empty: there is none.

    ``amount`` writes a sum of money.
    """
    said = [
        f"{amount(cap)} {lasting}" for name, lasting in LASTING.items()
        if (cap := getattr(budget, name)) is not None
    ]  # fmt: skip
    *first_ones, last = said or [""]
    return f"{', '.join(first_ones)} and {last}" if first_ones else last
