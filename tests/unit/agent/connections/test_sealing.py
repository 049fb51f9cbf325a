"""Sealed texts: unreadable, bound to their item, and under a key that each tenant has of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.connections.sealing import Sealer
from storage import keys
from storage.keys import TenantId
from tools.errors import ToolError

ACME, GLOBEX = TenantId("acme"), TenantId("globex")
HERE = keys.connection(ACME, "maya", "s1")


class Keys:
    """Keys in memory; ``fails``: they can't be read."""

    def __init__(self) -> None:
        self.stored: dict[TenantId, str] = {}
        self.fails = False

    def get_own(self, tenant: TenantId, name: str, make: Callable[[], str]) -> str | None:
        return None if self.fails else self.stored.setdefault(tenant, make())


def test_a_sealed_text_opens_at_its_own_place_alone() -> None:
    sealer = Sealer(Keys())
    sealed = sealer.seal(ACME, HERE, "rt-secret")

    assert "secret" not in sealed
    assert sealer.open(ACME, HERE, sealed) == "rt-secret"
    assert sealer.seal(ACME, HERE, "rt-secret") != sealed
    for place in (keys.connection(ACME, "noah", "s1"), keys.connection(ACME, "maya", "s2")):
        assert sealer.open(ACME, place, sealed) is None


def test_another_tenants_key_opens_nothing() -> None:
    sealer = Sealer(Keys())

    assert sealer.open(GLOBEX, HERE, sealer.seal(ACME, HERE, "rt-secret")) is None


def test_nothing_is_sealed_without_the_key() -> None:
    held = Keys()
    sealed = Sealer(held).seal(ACME, HERE, "rt-secret")
    held.fails = True

    with pytest.raises(ToolError, match="can't be read"):
        Sealer(held).open(ACME, HERE, sealed)
    with pytest.raises(ToolError, match="can't be read"):
        Sealer(held).seal(ACME, HERE, "rt-secret")
