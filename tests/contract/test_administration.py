"""What is done to a workspace by talking, on every storage backend."""

from __future__ import annotations

from conversation.erasure.requests import Erasures, Scope
from conversation.identity import ADMIN, Caller
from intent.acts.act import ActKind
from storage.keys import TenantId
from storage.table import Table
from storage.tenant_table import Tables
from tests.fakes.data.act_session import ActTalk

ACME = TenantId("acme")


def talking(table: Table) -> ActTalk:
    return ActTalk(Caller(ACME, "maya", frozenset({ADMIN})), tables=Tables(table))


def test_two_settings_are_changed_in_one_transaction(table: Table) -> None:
    talk = talking(table)
    talk.act(
        "keep chats 45 days, nobody gets more than 5 agents",
        (ActKind.SET_POLICY, "keep chats 45 days"),
        (ActKind.SET_POLICY, "nobody gets more than 5 agents"),
    )
    talk.act("yes", ActKind.YES)
    policy = talk.tenants.record(ACME).policy
    assert (policy.retention_days, policy.limits.agents_per_user) == (45, 5)


def test_an_erasure_is_requested_by_the_turn_that_gets_the_yes(table: Table) -> None:
    talk = talking(table)
    talk.act("erase me", ActKind.ERASE)
    talk.act("yes", ActKind.YES)
    (erasure,), _ = Erasures(tables=talk.tables, clock=talk.clock).list(ACME, limit=5)
    assert (erasure.scope, erasure.subject, erasure.asked_by) == (Scope.USER, "maya", "maya")
    assert talk.tenants.record(ACME).users_in_erasure == {"maya"}


def test_a_connection_is_made_and_removed(table: Table) -> None:
    talk = talking(table)
    talk.act("connect https://xero.example.com/mcp as xero", ActKind.CONNECT)
    talk.act("yes", ActKind.YES)
    assert [card.name for card in talk.skills.visible_cards(talk.caller)] == ["xero"]
    talk.act("disconnect xero", ActKind.REMOVE_SKILL)
    talk.act("yes", ActKind.YES)
    assert talk.skills.visible_cards(talk.caller) == ()
