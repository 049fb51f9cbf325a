"""Tenants' policies: defaults, changes, registration, suspension."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from conversation.errors import TenantInactive, TenantNotFound
from conversation.tenants.policy import Grant, TenantPolicy, TenantStatus
from conversation.tenants.store import PolicyChanged, TenantStore, check_active
from storage.errors import ConditionRefused
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.run.clocks import ManualClock

ACME, ACME_EU = TenantId("acme"), TenantId("acme-eu")


@pytest.fixture
def tables() -> Tables:
    return Tables(SqliteTable(":memory:"))


@pytest.fixture
def tenants(tables: Tables) -> TenantStore:
    return TenantStore(tables=tables, clock=ManualClock())


def test_a_tenant_without_a_policy_has_the_defaults(tenants: TenantStore) -> None:
    record = tenants.record(ACME)
    assert (record.policy, record.status, record.registered) == (TenantPolicy(), TenantStatus.ACTIVE, False)
    assert record.policy.retention_days == 30


def test_an_unregistered_tenant_is_active_only_where_tenants_are_open(tenants: TenantStore) -> None:
    check_active(tenants.record(ACME), registered_only=False)
    with pytest.raises(TenantInactive):
        check_active(tenants.record(ACME), registered_only=True)
    tenants.register(ACME, name="Acme")
    check_active(tenants.record(ACME), registered_only=True)
    with pytest.raises(TenantInactive):
        check_active(tenants.record(ACME_EU), registered_only=True)


def test_a_suspended_tenant_is_inactive_until_resumed_and_keeps_its_policy(
    tenants: TenantStore,
) -> None:
    tenants.register(ACME, name="Acme")
    tenants.save(ACME, TenantPolicy(retention_days=90))
    tenants.suspend(ACME)
    with pytest.raises(TenantInactive):
        check_active(tenants.record(ACME), registered_only=False)
    record = tenants.resume(ACME)
    check_active(tenants.record(ACME), registered_only=True)
    assert (record.policy.retention_days, record.name) == (90, "Acme")


def test_what_a_tenant_was_granted_stays_until_something_else_is_granted(tenants: TenantStore) -> None:
    tenants.register(ACME, grant=Grant(burst=500))
    tenants.save(ACME, TenantPolicy(retention_days=90))
    assert tenants.register(ACME, name="Acme").grant == Grant(burst=500)
    assert tenants.record(ACME).grant == Grant(burst=500)
    tenants.register(ACME, name="Acme", grant=Grant())
    assert tenants.record(ACME).grant == Grant()


def test_only_a_registered_tenant_can_be_suspended(tenants: TenantStore) -> None:
    with pytest.raises(TenantNotFound):
        tenants.suspend(ACME)


def test_a_change_based_on_an_older_record_is_refused(tenants: TenantStore, tables: Tables) -> None:
    old = tenants.save(ACME, TenantPolicy(retention_days=60))
    tenants.save(ACME, TenantPolicy(retention_days=90))
    with pytest.raises(ConditionRefused):
        tables.for_tenant(ACME).update(tenants.build_policy_update(old, TenantPolicy(retention_days=10)))
    assert tenants.record(ACME).policy.retention_days == 90


def test_two_admins_at_once_do_not_overwrite_each_other(tables: Tables) -> None:
    first = TenantStore(tables=tables, clock=ManualClock())

    class Meanwhile(TenantStore):
        def record(self, tenant: TenantId):  # type: ignore[no-untyped-def]
            seen = super().record(tenant)
            first.save(tenant, TenantPolicy(retention_days=60))
            return seen

    with pytest.raises(PolicyChanged):
        Meanwhile(tables=tables, clock=ManualClock()).save(ACME, TenantPolicy(retention_days=90))
    assert first.record(ACME).policy.retention_days == 60


@pytest.mark.parametrize(
    "values",
    [
        {"retention_days": 0}, {"retention_days": 3_651}, {"retention_days": "90"}, {"retention_days": True},
        {"time_zone": "Mars/Olympus"}, {"time_zone": "../etc/passwd"},
        {"time_zone": ""}, {"time_zone": "America"},
        {"language": "english please"},
        {"assistant_name": ""}, {"instructions": "x" * 2_001}, {"unknown": 1},
        {"limits": {"agents_per_user": 0}},
        {"limits": {"turns_per_minute": 0}}, {"limits": {"turns_per_minute": 60_001}},
        {"limits": {"turns_per_minute": 1.5}}, {"limits": {"turns_per_minute": True}},
        {"limits": {"burst": 0}}, {"limits": {"burst": 10_001}}, {"limits": {"burst": "5"}},
        {"limits": {"turns_at_once": 0}}, {"limits": {"turns_at_once": 1_001}},
        {"limits": {"bytes_per_day": 0}}, {"limits": {"bytes_per_day": 10**12 + 1}},
    ],
)  # fmt: skip
def test_a_policy_out_of_range_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TenantPolicy.model_validate(values)


def test_every_field_of_a_policy_survives_being_stored(tenants: TenantStore) -> None:
    policy = TenantPolicy(
        retention_days=365,
        allowed_models=("gpt-4o-mini",),
        language="de-CH",
        time_zone="Europe/Zurich",
        assistant_name="Robo",
        tone="brisk",
        instructions="Say hello first.",
    )
    tenants.save(ACME, policy)
    assert tenants.record(ACME).policy == policy
