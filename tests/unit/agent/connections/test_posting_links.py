"""Sealed links: what is replaced in a text, and who gets a link back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.connections.posting_links import KEY_NAME, PostingLinks, is_reference
from agent.connections.sealing import Sealer
from conversation.identity import Caller
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tools.errors import ToolError

MAYA, BEN = Caller(TenantId("acme"), "maya"), Caller(TenantId("acme"), "ben")
SLACK = "https://hooks.slack.com/services/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"
DISCORD = "https://discord.com/api/webhooks/123456789012345678/q7Xv2LmTz9RkWc4HyBn8JdPfGs3AeQtUo1Vi"


class Keys:
    """One key for each tenant and name."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_own(self, tenant: TenantId, name: str, make: Callable[[], str]) -> str | None:
        return self.kept.setdefault((tenant, name), make())


class NoKeys:
    """No key can be read."""

    def get_own(self, tenant, name, make):  # type: ignore[no-untyped-def]
        return None


def links(keys: Keys | NoKeys | None = None) -> PostingLinks:
    return PostingLinks(
        tables=Tables(SqliteTable(":memory:")), sealer=Sealer(keys or Keys(), key_name=KEY_NAME)
    )


@pytest.mark.parametrize(
    "text", ["{}", "post to {}, please", "<{}>", "({}).", "both {} and " + DISCORD, "[here]({})", "{}\n{}"]
)
def test_links_are_replaced_and_nothing_else(text: str) -> None:
    kept = links()
    sealed = kept.sealed_in(MAYA, text.format(SLACK, DISCORD))
    assert "RkXi" not in sealed
    assert "q7Xv" not in sealed
    words = sealed.replace("(", " ").replace(")", " ").replace("<", " ").replace(">", " ").split()
    references = [word.rstrip(".,") for word in words if is_reference(word.rstrip(".,"))]
    opened = sealed
    for reference in references:
        opened = opened.replace(reference, kept.opened(MAYA.tenant, "maya", reference) or "")
    assert opened == text.format(SLACK, DISCORD)


@pytest.mark.parametrize(
    "text",
    ["", "hooks.slack.com is down", "see https://example.com/a", "https://hooks.slack.com/services/..."],
)
def test_what_is_no_link_stays(text: str) -> None:
    assert links().sealed_in(MAYA, text) == text


def test_sealing_again_changes_nothing_and_gives_the_same_reference() -> None:
    kept = links()
    once = kept.sealed_in(MAYA, SLACK)
    assert kept.sealed_in(MAYA, once) == once
    assert kept.sealed_in(MAYA, SLACK) == once


def test_only_its_user_gets_a_link_back() -> None:
    kept = links()
    reference = kept.sealed_in(MAYA, SLACK)
    assert kept.opened(MAYA.tenant, "maya", reference) == SLACK
    assert kept.opened(MAYA.tenant, "ben", reference) is None
    assert kept.opened(TenantId("acme-eu"), "maya", reference) is None
    assert kept.sealed_in(BEN, SLACK) != reference
    assert kept.opened(MAYA.tenant, "maya", "https://example.com/hook") == "https://example.com/hook"


def test_without_a_key_nothing_is_sealed() -> None:
    with pytest.raises(ToolError):
        links(NoKeys()).sealed_in(MAYA, SLACK)
