"""Renewing a connection on both backends: one process at a time may, and nothing newer is overwritten."""

from __future__ import annotations

from agent.connections.connection import Connection
from agent.connections.store import ConnectionStore, StoredSignIn
from storage.keys import TenantId
from storage.table import Table
from storage.tenant_table import Tables
from tests.fakes.run.clocks import ManualClock

ACME = TenantId("acme")


def store_with(table: Table, clock: ManualClock) -> tuple[ConnectionStore, Connection]:
    store = ConnectionStore(tables=Tables(table), clock=clock)
    made = Connection("s1", "maya", "https://mcp.example.com", "sealed", 1, clock.now())
    store.save(ACME, made, by="maya")
    return store, made


def test_one_of_two_renews_and_the_other_finds_what_it_stored(table: Table) -> None:
    store, made = store_with(table, ManualClock())

    assert store.claim_renewal(ACME, made)
    assert not store.claim_renewal(ACME, made)
    store.keep_renewed(ACME, made, "sealed again")

    now = store.find(ACME, "maya", "s1")
    assert now is not None
    assert (now.sealed, now.version, now.renewed_until) == ("sealed again", 2, None)
    assert not store.claim_renewal(ACME, made)
    assert store.claim_renewal(ACME, now)


def test_a_claim_of_a_process_that_died_ends_by_itself(table: Table) -> None:
    clock = ManualClock()
    store, made = store_with(table, clock)
    assert store.claim_renewal(ACME, made)

    clock.advance(31)

    assert store.claim_renewal(ACME, made)


def test_a_renewal_does_not_undo_a_sign_in_or_a_disconnect_of_meanwhile(table: Table) -> None:
    store, made = store_with(table, ManualClock())
    again = Connection("s1", "maya", made.url, "signed in again", 7, made.connected_at)
    store.save(ACME, again, by="maya")

    store.keep_renewed(ACME, made, "late")
    store.mark_refused(ACME, made)
    found = store.find(ACME, "maya", "s1")
    assert found is not None
    assert (found.sealed, found.works) == ("signed in again", True)

    store.remove(ACME, again)
    store.keep_renewed(ACME, again, "late")
    store.mark_refused(ACME, again)
    assert store.find(ACME, "maya", "s1") is None
    assert store.cards(ACME) == ()


def test_a_sign_in_of_another_browser_stays_and_one_of_the_right_one_is_taken_once(table: Table) -> None:
    store, _ = store_with(table, ManualClock())
    held = StoredSignIn("s1", "maya", "https://mcp.example.com", "sealed")
    store.keep_sign_in(ACME, "maya", "state", "browser", held)

    assert store.take_sign_in(ACME, "maya", "state", "another") is None
    assert store.take_sign_in(ACME, "noah", "state", "browser") is None
    assert store.take_sign_in(ACME, "maya", "state", "browser") == held
    assert store.take_sign_in(ACME, "maya", "state", "browser") is None
